// The card of the chosen place.

import { byID, make } from "./dom.js";
import { distance, duration, number, speed } from "./format.js";
import { isActive, isClosed } from "./hours.js";
import { swatch } from "./placelist.js";
import { knows, say } from "./words.js";

export class PlaceCard {
  constructor(places, fleet, { chosen, onclose, onvehicle, onlevel, edit, remove, mayChange }) {
    Object.assign(this, { places, fleet, chosen, onclose, onvehicle, onlevel, edit, remove, mayChange });
    this.card = byID("place-card");
  }

  /** Shows the chosen place, or nothing. */
  render() {
    const place = this.places.get(this.chosen());
    this.card.hidden = !place;
    if (!place) {
      this.drawn = "";
      return;
    }
    const inside = this.fleet.inOrder().filter(({ progress }) => progress.places?.includes(place.id));
    const key = JSON.stringify([place.id, place.properties.revision, isActive(place.properties.active, Date.now()), inside.map(({ id }) => id)]);
    if (key === this.drawn) return;
    this.drawn = key;
    const close = make("button", { class: "close", "aria-label": say("close"), onclick: this.onclose }, "×");
    const parts = [
      make("header", {}, swatch(place.color, place.properties.color), make("div", {}, make("h2", {}, place.name), make("p", {}, place.category ?? say("place"))), close),
      ...this.#badges(place), this.#text(place), this.#floors(place), this.#facts(place), ...this.#vehicles(inside), ...this.#actions(place),
    ];
    this.card.replaceChildren(...parts.filter((part) => part !== null));
  }

  #badges({ properties }) {
    const now = Date.now();
    const badges = [];
    if (isClosed(properties.roadblock, now)) badges.push(["--off-route", "place.closed"]);
    else if (properties.roadblock) badges.push(["--idle", "place.closed-not-now"]);
    if (!isActive(properties.active, now)) badges.push(["--idle", "place.outside-hours"]);
    return badges.map(([color, key]) => {
      const badge = make("span", { class: "badge" }, say(key));
      badge.style.background = `var(${color})`;
      return badge;
    });
  }

  #text({ properties }) {
    return properties.description ? make("p", { class: "description" }, properties.description) : null;
  }

  /** A strip of the floors of what the place belongs to, the nearest to the ground first. */
  #floors(place) {
    const top = place.properties.parent ?? place.id;
    const levels = [...new Set(this.places.all().filter(({ properties, level }) => properties.parent === top && level !== null).map(({ level }) => String(level)))];
    if (levels.length < 2) return null;
    levels.sort((a, b) => Math.abs(Number(a)) - Math.abs(Number(b)) || Number(a) - Number(b));
    return make("div", { class: "floors", role: "group", "aria-label": say("level-label") },
      ...levels.map((level) => make("button", { onclick: () => this.onlevel(level) }, level)));
  }

  #facts({ properties, shape, level }) {
    const facts = [];
    const fact = (name, value) => facts.push(make("div", {}, make("dt", {}, say(name)), make("dd", {}, value)));
    if (level !== null) fact("level-label", String(level));
    if (properties.labels?.length) fact("place.labels", properties.labels.join(", "));
    if (properties.radius_m) fact("place.radius", distance(properties.radius_m));
    else if (properties.area_m2) fact("place.area", area(properties.area_m2));
    if (shape.kind === "line" && properties.width_m) fact("place.width", distance(properties.width_m));
    if (properties.speed_limit_mps) fact("place.limit", speed(properties.speed_limit_mps));
    if (properties.dwell_s) fact("place.dwell", duration(properties.dwell_s * 1000));
    if (properties.tell?.length) fact("place.tells", properties.tell.map((name) => (knows(`tell.${name}`) ? say(`tell.${name}`) : name)).join(", "));
    for (const window of properties.active?.weekly ?? []) {
      fact("place.hours", `${(window.days ?? []).join(" ")} ${window.from}–${window.to}`);
    }
    for (const [name, value] of Object.entries(properties.attributes ?? {}).slice(0, 8)) {
      facts.push(make("div", {}, make("dt", {}, name), make("dd", {}, typeof value === "string" ? value : JSON.stringify(value))));
    }
    return make("dl", { class: "facts" }, ...facts);
  }

  #vehicles(inside) {
    const title = make("h3", {}, say("place.inside", { count: inside.length }));
    if (!inside.length) return [title];
    return [title, make("ul", { class: "inside" }, ...inside.slice(0, 50).map(({ id }) => (
      make("li", {}, make("button", { onclick: () => this.onvehicle(id) }, id)))))];
  }

  #actions({ id }) {
    if (!this.mayChange) return [];
    return [make("div", { class: "actions" },
      make("button", { "data-action": "edit", onclick: () => this.edit(id) }, say("place.change")),
      make("button", { "data-action": "delete", onclick: () => this.remove(id) }, say("place.delete")))];
  }
}

function area(squareMetres) {
  return squareMetres < 1e5 ? `${number(squareMetres)} m²` : `${number(Math.round(squareMetres / 1e4) / 100)} km²`;
}
