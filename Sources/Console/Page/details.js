// The card of the chosen vehicle.

import { byID, make } from "./dom.js";
import { distance, duration, speed, stopName, stopwatch, timeOfDay, timeWithSeconds } from "./format.js";
import { STATES, colorName, glyph } from "./states.js";

const STATUS = { pending: "", reached: "held", visited: "visited", skipped: "skipped" };

/** Less than this is a device's usual error, and not worth a line. */
const LEAST_DEVIATION_M = 20;

export class Details {
  constructor(fleet, routes, commands, selection, onclose) {
    Object.assign(this, { fleet, routes, commands, selection, onclose });
    this.card = byID("details");
    this.drawn = "";
    setInterval(() => this.render(), 1000);
  }

  /** Shows the chosen vehicle, or nothing. */
  render() {
    const vehicle = this.fleet.get(this.selection.id);
    this.card.hidden = !vehicle;
    if (!vehicle) {
      this.drawn = "";
      return;
    }
    this.routes.want(vehicle);
    const route = this.routes.of(vehicle);
    // Buttons are made anew only when they differ: a click must not lose its target.
    const frame = [vehicle.id, vehicle.state, this.#next(vehicle, route)?.index,
      ...["proceed", "skip", "reroute", "stop"].map((name) => this.commands.isPending(name, vehicle.id))].join();
    if (frame !== this.drawn) {
      this.drawn = frame;
      this.#rebuild(vehicle, route);
    }
    this.#fill(vehicle, route);
  }

  #rebuild(vehicle, route) {
    const close = make("button", { class: "close", "aria-label": "Close", onclick: this.onclose }, "×");
    this.trip = make("p");
    this.badges = make("p");
    this.progress = make("div");
    this.bar = make("div", { class: "bar", role: "img" }, this.progress);
    this.facts = make("dl", { class: "facts" });
    this.stops = make("ol", { class: "stops", "aria-label": "Stops" });
    const focused = this.card.contains(document.activeElement) ? document.activeElement.dataset.command : undefined;
    this.card.replaceChildren(
      make("header", {}, glyph(vehicle.state), make("div", {}, make("h2", {}, vehicle.id), this.trip), close),
      this.badges, this.bar, this.facts, this.stops, ...this.#actions(vehicle, route));
    if (focused) this.card.querySelector(`[data-command="${focused}"]`)?.focus();
  }

  #fill(vehicle, route) {
    const { progress } = vehicle;
    this.trip.textContent = progress.trip_id ? `Trip ${progress.trip_id}` : "No trip";
    const badge = make("span", { class: "badge" }, STATES[vehicle.state].label);
    badge.style.background = `var(${colorName(vehicle.state)})`;
    this.badges.replaceChildren(badge);
    const share = progress.fraction;
    this.bar.hidden = share === null || share === undefined;
    this.progress.style.width = `${Math.round((share ?? 0) * 1000) / 10}%`;
    this.bar.setAttribute("aria-label", `${Math.round((share ?? 0) * 100)} % driven`);
    this.facts.replaceChildren(...this.#facts(vehicle, route));
    const stops = route?.stops ?? [];
    this.stops.hidden = stops.length === 0;
    this.stops.replaceChildren(...stops.map((stop) => make("li", { "data-status": stop.status },
      make("i", {}, String(stop.index)), make("span", {}, stop.name || stop.id || "Unnamed"),
      make("small", {}, STATUS[stop.status] ?? stop.status))));
  }

  #facts(vehicle, route) {
    const { progress, state } = vehicle;
    const now = this.fleet.now();
    const facts = [];
    const fact = (name, value, note) => facts.push(
      make("div", {}, make("dt", {}, name), make("dd", {}, value, note ? make("small", {}, note) : null)));
    if (state === "held") fact("Waits for", stopwatch(now - this.fleet.heldSince(vehicle)));
    const next = this.#next(vehicle, route);
    if (state === "held" && progress.active_waypoint) fact("At", stopName(progress.active_waypoint));
    if (progress.trip_id && state !== "arrived" && state !== "stopped") {
      fact("Next", next ? stopName(next) : route?.destination?.name || "Destination");
    }
    if (progress.eta) {
      const eta = Date.parse(progress.eta);
      fact("Arrives", timeOfDay(eta), eta > now ? `in ${duration(eta - now)}` : "due");
    }
    if (progress.remaining_distance_m !== null) {
      fact("Remaining", distance(progress.remaining_distance_m), `${distance(progress.travelled_distance_m)} driven`);
    }
    if (progress.speed_mps !== null) fact("Speed", speed(progress.speed_mps));
    if (progress.deviation_m >= LEAST_DEVIATION_M) fact("From its route", distance(progress.deviation_m));
    if (progress.level !== null && progress.level !== undefined) fact("Level", String(progress.level));
    const age = now - vehicle.time;
    fact("Last report", timeWithSeconds(vehicle.time), age > 1000 ? `${duration(age)} ago` : "now");
    if (progress.route_revision > 1) fact("Route", `No. ${progress.route_revision}`);
    return facts;
  }

  /** Returns the next stop that is still to be visited, after the one where the vehicle is held. */
  #next(vehicle, route) {
    const { active_waypoint: active, state } = vehicle.progress;
    if (state !== "held") return active ?? undefined;
    return route?.stops.find((stop) => stop.status === "pending" && stop.index > (active?.index ?? -1));
  }

  #actions(vehicle, route) {
    const { id, state, progress } = vehicle;
    const isOver = !progress.trip_id || state === "arrived" || state === "stopped";
    if (isOver) return [];
    if (!this.commands.areOn) {
      return [make("p", { class: "off" }, "Commands are off: the worker has no http.command_token.")];
    }
    const button = (name, label, action) => {
      const made = make("button", { class: name, "data-command": name, onclick: action }, label);
      made.disabled = this.commands.isPending(name, id);
      return made;
    };
    const next = this.#next(vehicle, route);
    return [make("div", { class: "actions" },
      state === "held" ? button("proceed", "Proceed", () => this.commands.proceed(id)) : null,
      next ? button("skip", "Skip", () => this.commands.skip(id, next)) : null,
      button("reroute", "Reroute", () => this.commands.send("reroute", id, { trip_id: progress.trip_id })),
      button("stop", "Stop", () => this.commands.stop(id)))];
  }
}
