// What has happened, newest first.

import { byID, make, setText } from "./dom.js";
import { distance, stopName, timeWithSeconds } from "./format.js";

const MOST_KEPT = 500;
const MOST_SHOWN = 200;

export class EventLog {
  constructor(filter, onopen) {
    Object.assign(this, { filter, onopen });
    this.events = [];
    this.ids = new Set();
  }

  /** Adds an event; returns whether it is new, and no repeat. */
  add(event) {
    if (this.ids.has(event.id)) return false;
    this.ids.add(event.id);
    this.events.push({ event, element: null });
    if (this.events.length > MOST_KEPT) this.ids.delete(this.events.shift().event.id);
    return true;
  }

  /** Shows the newest that pass the text of the filter. */
  render() {
    setText(byID("event-count"), this.events.length ? String(this.events.length) : "");
    if (byID("events").hidden) return;
    const shown = [];
    for (let i = this.events.length - 1; i >= 0 && shown.length < MOST_SHOWN; i--) {
      const entry = this.events[i];
      if (!this.filter.matchesText(entry.event.vehicle_id, entry.event.trip_id)) continue;
      entry.element ??= this.#item(entry.event);
      shown.push(entry.element);
    }
    byID("event-list").replaceChildren(...shown);
    byID("events-empty").hidden = shown.length > 0;
  }

  #item(event) {
    const { text, tone } = describe(event);
    const time = make("time", { datetime: event.time }, timeWithSeconds(Date.parse(event.time)));
    const button = make("button", { onclick: () => this.onopen(event.vehicle_id) },
      time, make("strong", {}, event.vehicle_id), make("small", {}, text));
    return make("li", { "data-type": event.type, "data-tone": tone }, button);
  }
}

const REASONS = { deviation: "left its route", requested: "a new route was asked for", initial: "first route", external: "handed over" };

/** Returns an event in words. */
function describe(event) {
  switch (event.type) {
    case "trip_assigned": return { text: `Trip ${event.trip_id} begins` };
    case "waypoint_reached":
      return event.held
        ? { text: `${stopName(event.waypoint)} reached, waits`, tone: "held" }
        : { text: `${stopName(event.waypoint)} reached`, tone: "good" };
    case "waypoint_resumed": return { text: `Goes on from ${stopName(event.waypoint)}`, tone: "good" };
    case "waypoint_skipped": return { text: `${stopName(event.waypoint)} skipped` };
    case "will_reroute":
      return event.reason === "deviation"
        ? { text: `Left its route by ${distance(event.deviation_m)}, asks for a new one`, tone: "bad" }
        : { text: "Asks for a new route" };
    case "rerouted": return { text: `New route ${event.route_revision} (${REASONS[event.reason] ?? event.reason})`, tone: "good" };
    case "reroute_failed": return { text: `No new route: ${event.error}`, tone: "bad" };
    case "reroute_cancelled": return { text: "Back on its route", tone: "good" };
    case "arrived": return { text: event.destination?.name ? `Arrived at ${event.destination.name}` : "Arrived", tone: "good" };
    case "trip_stopped": return { text: `Trip ended: ${event.reason}` };
    case "hold_breached": return { text: `${distance(event.distance_m)} away from ${stopName(event.waypoint)} without leave`, tone: "bad" };
    case "waypoint_approached": return { text: `${distance(event.distance_m)} before ${event.waypoint ? stopName(event.waypoint) : event.destination?.name ?? "its destination"}` };
    case "skip_suggested": return { text: `Drives on without ${stopName(event.waypoint)}: skip it?`, tone: "held" };
    case "command_rejected": return { text: `${event.command} refused: ${event.detail || event.reason}`, tone: "bad" };
    default: return { text: event.type.replaceAll("_", " ") };
  }
}
