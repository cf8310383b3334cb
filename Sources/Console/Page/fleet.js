// All vehicles, as the worker last told, and what the page itself knows of them.

import { mercatorX, mercatorY } from "./geometry.js";
import { Glide } from "./glide.js";
import { shownState, STRAY_M } from "./states.js";

/** Events by which a stay at a via point begins and ends. */
const HOLD_BEGINS = "waypoint_reached";

export class Fleet {
  constructor(routes) {
    this.vehicles = new Map();
    /** The vehicles by id, until there are others. */
    this.sorted = null;
    this.routes = routes;
    /** Called after any change. */
    this.onchange = () => {};
    /** How far the worker's clock is ahead of this one, in milliseconds. */
    this.clockOffset = 0;
  }

  /** The worker's time. */
  now() {
    return Date.now() + this.clockOffset;
  }

  /** Takes in what time it is for the worker, to the second; small differences are not worth a jump. */
  setClock(time) {
    const offset = time + 500 - Date.now();
    this.clockOffset = Math.abs(offset) > 3000 ? offset : 0;
  }

  get(id) {
    return this.vehicles.get(id);
  }

  /** Returns all vehicles in the order of their ids. */
  inOrder() {
    this.sorted ??= [...this.vehicles.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.sorted;
  }

  /** Takes in the progress of all vehicles, and forgets those that are no longer among them. */
  replaceAll(collection, startedAt) {
    const ids = new Set();
    for (const { properties: progress } of collection.features) {
      ids.add(progress.vehicle_id);
      // What the stream has told since the question is newer than the answer.
      if (!(this.get(progress.vehicle_id)?.toldAt >= startedAt)) this.apply(progress);
    }
    for (const [id, vehicle] of this.vehicles) {
      if (ids.has(id) || vehicle.toldAt >= startedAt) continue;
      this.vehicles.delete(id);
      this.sorted = null;
    }
    this.onchange();
  }

  /** Takes in the newest progress of one vehicle. */
  apply(progress) {
    const time = Date.parse(progress.time);
    let vehicle = this.vehicles.get(progress.vehicle_id);
    const place = shownPlace(progress);
    const course = progress.course_deg === null || progress.course_deg === undefined
      ? undefined : progress.course_deg * Math.PI / 180;
    if (!vehicle) {
      const id = progress.vehicle_id;
      vehicle = { id, searched: id.toLowerCase(), glide: null, heldSince: null, time };
      this.vehicles.set(id, vehicle);
      this.sorted = null;
    }
    const gap = time - vehicle.time;
    const before = vehicle.progress;
    vehicle.progress = progress;
    vehicle.state = shownState(progress);
    vehicle.time = time;
    vehicle.toldAt = performance.now();
    this.#noteHold(vehicle, before);
    if (place) this.#move(vehicle, place, course, gap);
    this.onchange();
  }

  /** Takes in an event, for what progress does not tell. */
  noteEvent(event) {
    const vehicle = this.vehicles.get(event.vehicle_id);
    if (event.type === HOLD_BEGINS && event.held) {
      this.holds ??= new Map();
      this.holds.set(event.vehicle_id, { trip: event.trip_id, index: event.waypoint.index, since: Date.parse(event.time) });
      if (vehicle) this.#noteHold(vehicle, vehicle.progress);
    }
    this.onchange();
  }

  /** Returns since when a held vehicle waits, as well as is known. */
  heldSince(vehicle) {
    const index = vehicle.progress.active_waypoint?.index;
    const stop = this.routes.of(vehicle)?.stops.find((stop) => stop.index === index);
    return stop?.reachedAt ?? vehicle.heldSince ?? vehicle.time;
  }

  #noteHold(vehicle, before) {
    const { state, trip_id: trip, active_waypoint: waypoint, time } = vehicle.progress;
    if (state !== "held") {
      vehicle.heldSince = null;
      return;
    }
    const told = this.holds?.get(vehicle.id);
    if (told && told.trip === trip && told.index === waypoint?.index) vehicle.heldSince = told.since;
    else if (!vehicle.heldSince || before?.active_waypoint?.index !== waypoint?.index) {
      vehicle.heldSince = Date.parse(time);
    }
  }

  #move(vehicle, place, course, gap) {
    const x = mercatorX(place.lon);
    const y = mercatorY(place.lat);
    const { progress } = vehicle;
    vehicle.onRoute = place === progress.location;
    if (!vehicle.glide) {
      vehicle.glide = new Glide(x, y, course ?? 0);
      return;
    }
    const route = vehicle.onRoute ? this.routes.of(vehicle) : null;
    vehicle.glide.moveTo(x, y, {
      now: performance.now(),
      duration: Math.max(progress.animation_ms ?? 2000, gap),
      line: route?.line,
      hint: route?.distanceAlong(progress.remaining_distance_m),
      course,
    });
  }
}

/** Returns where a vehicle is shown: on its route, unless it has left it. */
function shownPlace(progress) {
  const { location, reported, deviation_m: deviation, state } = progress;
  if (state === "held" || !reported) return location ?? reported;
  return location && !(deviation > STRAY_M) ? location : reported;
}
