// What has happened, newest first.

import { describeAlarm } from "./alarms.js";
import { byID, make, setText } from "./dom.js";
import { distance, duration, number, stopName, timeWithSeconds } from "./format.js";
import { knows, say } from "./words.js";

const MOST_KEPT = 500;
const MOST_SHOWN = 200;

export class EventLog {
  constructor(filter, onopen) {
    Object.assign(this, { filter, onopen });
    this.events = [];
    this.ids = new Set();
    byID("event-kind").addEventListener("change", () => this.render());
  }

  /** Adds an event of a trip, or an alarm; returns whether it is new, and no repeat. */
  add(event, kind = "event") {
    if (this.ids.has(event.id)) return false;
    this.ids.add(event.id);
    this.events.push({ event, kind, element: null });
    if (this.events.length > MOST_KEPT) this.ids.delete(this.events.shift().event.id);
    return true;
  }

  /** Shows the newest that pass the text of the filter. */
  render() {
    setText(byID("event-count"), this.events.length ? number(this.events.length) : "");
    if (byID("events").hidden) return;
    const shown = [];
    for (let i = this.events.length - 1; i >= 0 && shown.length < MOST_SHOWN; i--) {
      const entry = this.events[i];
      if (byID("event-kind").value && byID("event-kind").value !== entry.kind) continue;
      if (!this.filter.matchesText(entry.event.vehicle_id, entry.event.trip_id)) continue;
      entry.element ??= this.#item(entry);
      shown.push(entry.element);
    }
    byID("event-list").replaceChildren(...shown);
    byID("events-empty").hidden = shown.length > 0;
  }

  #item({ event, kind }) {
    const { text, tone } = describe(event, kind);
    const time = make("time", { datetime: event.time }, timeWithSeconds(Date.parse(event.time)));
    const button = make("button", { onclick: () => this.onopen(event.vehicle_id) },
      time, make("strong", {}, kind === "alarm" ? bell() : null, event.vehicle_id), make("small", {}, text));
    return make("li", { "data-type": event.type, "data-kind": kind, "data-tone": tone }, button);
  }
}

/** What each event is in words: how its text is called, how it looks, and what the text needs. */
const DESCRIBED = {
  trip_assigned: (event) => ({ values: { trip: event.trip_id } }),
  waypoint_reached: ({ held }) => ({ key: held ? "event.waypoint_held" : "event.waypoint_reached", tone: held ? "held" : "good" }),
  waypoint_resumed: () => ({ tone: "good" }),
  waypoint_skipped: () => ({}),
  waypoint_approached: () => ({}),
  skip_suggested: () => ({ tone: "held" }),
  will_reroute: ({ reason }) => {
    if (reason === "deviation") return { key: "event.left_route", tone: "bad" };
    return reason === "roadblock" ? { key: "event.road_closed", tone: "bad" } : {};
  },
  rerouted: () => ({ tone: "good" }),
  reroute_failed: () => ({ tone: "bad" }),
  reroute_cancelled: () => ({ tone: "good" }),
  arrived: ({ destination }) => ({
    key: destination?.name ? "event.arrived_at" : "event.arrived", tone: "good", values: { destination: destination?.name },
  }),
  trip_stopped: ({ reason }) => ({ values: { reason: worded("ended", reason) } }),
  hold_breached: () => ({ tone: "bad" }),
  roadblock_ahead: ({ place }) => ({ tone: "bad", values: { place: place?.name } }),
  better_route_found: ({ gain_s: gain }) => ({
    key: gain ? "event.better_route_found" : "event.better_route_open", tone: "held", values: { time: duration((gain ?? 0) * 1000) },
  }),
  better_route_gone: ({ reason }) => ({ tone: reason === "accepted" ? "good" : undefined, values: { reason: worded("gone", reason) } }),
  command_rejected: ({ detail, reason }) => ({ tone: "bad", values: { reason: detail || reason } }),
};

/** Returns an event in words. */
export function describe(event, kind = "event") {
  if (kind === "alarm") return describeAlarm(event);
  if (!Object.hasOwn(DESCRIBED, event.type)) return { text: event.type.replaceAll("_", " ") };
  const { key = `event.${event.type}`, tone, values } = DESCRIBED[event.type](event);
  const text = say(key, {
    ...event, stop: event.waypoint ? stopName(event.waypoint) : "", distance: distance(event.distance_m ?? event.deviation_m),
    number: event.route_revision, reason: worded("reason", event.reason), ...values,
  });
  return { text, tone };
}

/** Returns the glyph of an alarm. */
function bell() {
  return make("span", { class: "bell", role: "img", "aria-label": say("alarm") });
}

/** Returns a reason in words, or as it is where there are none for it. */
function worded(kind, reason) {
  return knows(`${kind}.${reason}`) ? say(`${kind}.${reason}`) : reason;
}
