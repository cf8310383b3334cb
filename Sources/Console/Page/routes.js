// The vehicles' routes, fetched when they are needed and kept while there is room.

import { getRoute } from "./api.js";
import { Line, mercatorX, mercatorY } from "./geometry.js";

const MOST_AT_ONCE = 4;
const MOST_KEPT = 1500;
const RETRY_MS = 5000;
/** States in which the worker has no route for a vehicle any more; the last one stays on the map. */
const OVER = new Set(["idle", "arrived", "stopped"]);

/** A trip's route as it was drawn by the worker. */
export class Route {
  constructor(collection) {
    const { trip_id: tripID, route_revision: revision, length_m: metres } = collection.properties ?? {};
    this.tripID = tripID;
    this.revision = revision;
    this.metres = metres;
    this.stops = [];
    this.connector = null;
    this.destination = null;
    let coordinates = [];
    for (const { geometry, properties } of collection.features) {
      switch (properties.kind) {
        case "travelled": coordinates = geometry.coordinates.concat(coordinates); break;
        case "remaining": coordinates = coordinates.concat(geometry.coordinates); break;
        case "connector": this.connector = geometry.coordinates.map(place); break;
        case "destination": this.destination = { ...place(geometry.coordinates), name: properties.name ?? properties.id }; break;
        case "via_point": this.stops.push(stop(geometry, properties)); break;
      }
    }
    this.line = new Line(coordinates);
    this.metres ??= this.line.along.length ? undefined : 0;
  }

  /** Returns how far along the line a vehicle is that has so many metres to go. */
  distanceAlong(remaining) {
    if (!this.metres || remaining === null || remaining === undefined) return undefined;
    return this.line.length * (1 - Math.min(1, remaining / this.metres));
  }
}

function place([lon, lat]) {
  return { x: mercatorX(lon), y: mercatorY(lat), lat, lon };
}

function stop(geometry, { index, status, name, id, reached_at: reachedAt }) {
  return { ...place(geometry.coordinates), index, status, name, id, reachedAt: reachedAt ? Date.parse(reachedAt) : undefined };
}

export class Routes {
  constructor() {
    this.kept = new Map();
    this.wanted = new Set();
    this.running = 0;
    /** Called when a route has come or gone. */
    this.onchange = () => {};
  }

  /** Returns a vehicle's route, where it is here. */
  of(vehicle) {
    const entry = this.kept.get(vehicle.id);
    return entry?.route && entry.route.tripID === vehicle.progress?.trip_id ? entry.route : undefined;
  }

  /** Fetches a vehicle's route, unless it is here and still the one in force. */
  want(vehicle) {
    if (!vehicle.progress?.trip_id || OVER.has(vehicle.progress.state)) return;
    const entry = this.kept.get(vehicle.id);
    if (entry && !this.#isOutdated(entry, vehicle)) return;
    this.wanted.add(vehicle);
    this.#run();
  }

  /** Notes that a vehicle's route has changed, or the state of its stops. */
  expire(vehicleID) {
    const entry = this.kept.get(vehicleID);
    if (entry) entry.isStale = true;
  }

  /** Notes that everything may have changed. */
  expireAll() {
    for (const entry of this.kept.values()) entry.isStale = true;
  }

  #isOutdated(entry, vehicle) {
    if (performance.now() < entry.retryAt) return false;
    const { trip_id: trip, route_revision: revision } = vehicle.progress;
    return entry.isStale || entry.trip !== trip || entry.revision !== revision;
  }

  async #run() {
    while (this.running < MOST_AT_ONCE && this.wanted.size) {
      const [vehicle] = this.wanted;
      this.wanted.delete(vehicle);
      this.running += 1;
      this.#fetch(vehicle).finally(() => {
        this.running -= 1;
        this.#run();
      });
    }
  }

  async #fetch(vehicle) {
    const { trip_id: trip, route_revision: revision } = vehicle.progress;
    const old = this.kept.get(vehicle.id);
    const entry = { trip, revision, route: old?.route, isStale: false, retryAt: 0 };
    this.kept.delete(vehicle.id);
    this.kept.set(vehicle.id, entry);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
    try {
      const collection = await getRoute(vehicle.id);
      entry.route = collection ? new Route(collection) : undefined;
      // The worker was asked while it was changing the route: ask again.
      if (entry.route && entry.route.revision < revision) this.#retry(entry, 1000);
    } catch {
      this.#retry(entry, RETRY_MS);
    }
    this.onchange(vehicle);
  }

  #retry(entry, ms) {
    entry.isStale = true;
    entry.retryAt = performance.now() + ms;
  }
}
