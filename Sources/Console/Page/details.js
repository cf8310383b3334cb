// The card of the chosen vehicle.

import { byID, make } from "./dom.js";
import { distance, duration, number, percent, speed, stopName, stopwatch, timeOfDay, timeWithSeconds } from "./format.js";
import { colorName, glyph } from "./states.js";
import { knows, say } from "./words.js";

/** Less than this is a device's usual error, and not worth a line. */
const LEAST_DEVIATION_M = 20;

export class Details {
  constructor(fleet, routes, proposals, commands, selection, { onclose, onday }) {
    Object.assign(this, { fleet, routes, proposals, commands, selection, onclose, onday });
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
    this.proposals.want(vehicle);
    const route = this.routes.of(vehicle);
    const proposal = this.proposals.of(vehicle, this.fleet.now());
    // Buttons are made anew only when they differ: a click must not lose its target.
    const frame = [vehicle.id, vehicle.state, this.#next(vehicle, route)?.index, proposal?.number,
      ...["proceed", "skip", "reroute", "accept", "decline", "stop"].map((name) => this.commands.isPending(name, vehicle.id))].join();
    if (frame !== this.drawn) {
      this.drawn = frame;
      this.#rebuild(vehicle, route, proposal);
    }
    this.#fill(vehicle, route);
    if (proposal) this.#fillOffer(proposal);
  }

  #rebuild(vehicle, route, proposal) {
    const close = make("button", { class: "close", "aria-label": say("close"), onclick: this.onclose }, "×");
    this.trip = make("p");
    this.badges = make("p");
    this.progress = make("div");
    this.bar = make("div", { class: "bar", role: "img" }, this.progress);
    this.facts = make("dl", { class: "facts" });
    const day = make("button", { class: "day", "data-command": "day", onclick: () => this.onday(vehicle.id) }, say("history"));
    this.stops = make("ol", { class: "stops", "aria-label": say("stops") });
    const focused = this.card.contains(document.activeElement) ? document.activeElement.dataset.command : undefined;
    this.card.replaceChildren(
      make("header", {}, glyph(vehicle.state), make("div", {}, make("h2", {}, vehicle.id), this.trip), close),
      this.badges, this.bar, this.facts, day, proposal ? this.#offer(vehicle, proposal) : "", this.stops, ...this.#actions(vehicle, route));
    if (focused) this.card.querySelector(`[data-command="${focused}"]`)?.focus();
  }

  #fill(vehicle, route) {
    const { progress } = vehicle;
    this.trip.textContent = progress.trip_id ? say("trip", { trip: progress.trip_id }) : say("no-trip");
    const badge = make("span", { class: "badge" }, say(`state.${vehicle.state}`));
    badge.style.background = `var(${colorName(vehicle.state)})`;
    this.badges.replaceChildren(badge);
    const share = progress.fraction;
    this.bar.hidden = share === null || share === undefined;
    this.progress.style.width = `${Math.round((share ?? 0) * 1000) / 10}%`;
    this.bar.setAttribute("aria-label", say("driven", { share: percent(share ?? 0) }));
    this.facts.replaceChildren(...this.#facts(vehicle, route));
    const stops = route?.stops ?? [];
    this.stops.hidden = stops.length === 0;
    this.stops.replaceChildren(...stops.map((stop) => make("li", { "data-status": stop.status },
      make("i", {}, number(stop.index + 1)), make("span", {}, stop.name || stop.id || say("unnamed")),
      make("small", {}, knows(`stop.${stop.status}`) ? say(`stop.${stop.status}`) : ""))));
  }

  /** What a better route is worth, and the buttons to answer. */
  #offer(vehicle, proposal) {
    const { gain, metres, branchMetres, number: proposalNumber } = proposal;
    this.offerTime = make("small");
    const button = (name) => this.#button(name, vehicle.id, say(name), () => (
      this.commands.send(name, vehicle.id, { proposal: proposalNumber })));
    return make("section", { class: "offer", "aria-label": say("offer") },
      make("h3", {}, gain ? say("offer-gain", { time: duration(gain * 1000) }) : say("offer-open")),
      make("p", {}, say("offer-text", { length: distance(metres), distance: distance(branchMetres) })), this.offerTime,
      this.commands.areOn ? make("div", { class: "actions" }, button("accept"), button("decline")) : null);
  }

  #fillOffer({ validUntil }) {
    this.offerTime.textContent = say("offer-until", { time: stopwatch(Math.max(0, validUntil - this.fleet.now())) });
  }

  #button(name, vehicleID, label, action) {
    const made = make("button", { class: name, "data-command": name, onclick: action }, label);
    made.disabled = this.commands.isPending(name, vehicleID);
    return made;
  }

  #facts(vehicle, route) {
    const { progress, state } = vehicle;
    const now = this.fleet.now();
    const facts = [];
    const fact = (name, value, note) => facts.push(
      make("div", {}, make("dt", {}, name), make("dd", {}, value, note ? make("small", {}, note) : null)));
    if (state === "held") fact(say("waits-for"), stopwatch(now - this.fleet.heldSince(vehicle)));
    const next = this.#next(vehicle, route);
    if (state === "held" && progress.active_waypoint) fact(say("at"), stopName(progress.active_waypoint));
    if (progress.trip_id && state !== "arrived" && state !== "stopped") {
      fact(say("next"), next ? stopName(next) : route?.destination?.name || say("destination"));
    }
    if (progress.eta) {
      const eta = Date.parse(progress.eta);
      fact(say("arrives"), timeOfDay(eta), eta > now ? say("arrives-in", { time: duration(eta - now) }) : say("due"));
    }
    if (progress.remaining_distance_m !== null) {
      fact(say("remaining"), distance(progress.remaining_distance_m), say("driven-distance", { distance: distance(progress.travelled_distance_m) }));
    }
    if (progress.speed_mps !== null) fact(say("speed"), speed(progress.speed_mps));
    if (progress.deviation_m >= LEAST_DEVIATION_M) fact(say("from-route"), distance(progress.deviation_m));
    if (progress.level !== null && progress.level !== undefined) fact(say("level-label"), String(progress.level));
    if (progress.places?.length) fact(say("inside-places"), progress.places.slice(0, 4).join(", "));
    if (progress.speed_limit_mps) fact(say("speed-limit"), speed(progress.speed_limit_mps), progress.speeding ? say("speeding") : null);
    if (progress.stopped_since) fact(say("stopped-for"), stopwatch(now - Date.parse(progress.stopped_since)));
    const age = now - vehicle.time;
    fact(say("last-report"), timeWithSeconds(vehicle.time), age > 1000 ? say("ago", { time: duration(age) }) : say("now"));
    if (progress.route_revision > 1) fact(say("route"), say("route-number", { number: number(progress.route_revision) }));
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
      return [make("p", { class: "off" }, say("commands-off"))];
    }
    const button = (name, label, action) => this.#button(name, id, label, action);
    const next = this.#next(vehicle, route);
    return [make("div", { class: "actions" },
      state === "held" ? button("proceed", say("proceed"), () => this.commands.proceed(id)) : null,
      next ? button("skip", say("skip"), () => this.commands.skip(id, next)) : null,
      button("reroute", say("reroute"), () => this.commands.send("reroute", id, { trip_id: progress.trip_id })),
      button("stop", say("stop_trip"), () => this.commands.stop(id)))];
  }
}
