// Better routes on offer, fetched for the vehicle that is looked at.

import { getProposal } from "./api.js";
import { Line } from "./geometry.js";

const RETRY_MS = 5000;

/** A better route, as the worker offers it. */
class Proposal {
  constructor({ properties, geometry }) {
    this.number = properties.proposal;
    this.tripID = properties.trip_id;
    this.gain = properties.gain_s;
    this.metres = properties.length_m;
    this.branchMetres = properties.branch_distance_m;
    this.validUntil = Date.parse(properties.valid_until);
    this.line = new Line(geometry.coordinates);
  }
}

export class Proposals {
  constructor() {
    /** What is known by vehicle: `null` where nothing is on offer. */
    this.kept = new Map();
    this.retryAt = 0;
    /** Called when an offer has come or gone. */
    this.onchange = () => {};
  }

  /** Returns what a vehicle is offered, where it is here and still stands. */
  of(vehicle, now) {
    const proposal = this.kept.get(vehicle.id)?.proposal;
    return proposal && proposal.tripID === vehicle.progress?.trip_id && proposal.validUntil > now ? proposal : undefined;
  }

  /** Fetches what a vehicle is offered, unless that is known. */
  want(vehicle) {
    const tripID = vehicle.progress?.trip_id;
    if (!tripID || this.kept.get(vehicle.id)?.tripID === tripID || performance.now() < this.retryAt) return;
    this.#fetch(vehicle.id, tripID);
  }

  /** Takes in an event, which may make an offer or end it. */
  noteEvent(event) {
    if (event.type === "better_route_found") this.kept.delete(event.vehicle_id);
    else if (event.type === "better_route_gone") this.kept.set(event.vehicle_id, { tripID: event.trip_id });
    else return;
    this.onchange();
  }

  /** Notes that everything may have changed. */
  expireAll() {
    this.kept.clear();
  }

  async #fetch(vehicleID, tripID) {
    const entry = { tripID };
    this.kept.set(vehicleID, entry);
    try {
      const feature = await getProposal(vehicleID);
      if (!feature) return;
      entry.proposal = new Proposal(feature);
      this.onchange();
    } catch {
      this.retryAt = performance.now() + RETRY_MS;
      if (this.kept.get(vehicleID) === entry) this.kept.delete(vehicleID);
    }
  }
}
