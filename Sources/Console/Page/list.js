// The list of vehicles: as long as the fleet, but only the rows in sight exist.

import { byID, make, setText } from "./dom.js";
import { distance, number, speed, stopName, timeOfDay } from "./format.js";
import { byUrgency, glyph } from "./states.js";
import { say } from "./words.js";

const ROW = 56;

export class VehicleList {
  constructor(filter, selection, onopen) {
    Object.assign(this, { filter, selection, onopen });
    this.vehicles = [];
    this.rows = [];
    this.list = byID("vehicle-list");
    this.scroller = byID("vehicles");
    this.scroller.addEventListener("scroll", () => this.#showRows(), { passive: true });
    this.list.addEventListener("keydown", (event) => this.#press(event));
    this.list.addEventListener("click", ({ target }) => {
      const id = target.closest(".row")?.dataset.id;
      if (id !== undefined) this.onopen(id);
    });
    new ResizeObserver(() => this.#showRows()).observe(this.scroller);
  }

  /** Shows the vehicles that pass the filter, the urgent first. */
  render() {
    this.vehicles = byUrgency(this.filter.shown);
    setText(byID("vehicle-count"), number(this.vehicles.length));
    this.list.style.height = `${this.vehicles.length * ROW}px`;
    byID("vehicles-empty").hidden = this.vehicles.length > 0;
    setText(byID("vehicles-empty"), say(this.filter.isActive ? "no-match" : "no-vehicle"));
    this.#showRows();
  }

  /** Brings the chosen vehicle's row into sight. */
  scrollToChosen() {
    const index = this.vehicles.findIndex(({ id }) => id === this.selection.id);
    if (index < 0) return;
    const { scrollTop, clientHeight } = this.scroller;
    if (index * ROW < scrollTop) this.scroller.scrollTop = index * ROW;
    else if ((index + 1) * ROW > scrollTop + clientHeight) this.scroller.scrollTop = (index + 1) * ROW - clientHeight;
    this.#showRows();
  }

  #showRows() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - 2);
    const count = Math.ceil(this.scroller.clientHeight / ROW) + 4;
    const shown = this.vehicles.slice(first, first + count);
    while (this.rows.length < shown.length) this.rows.push(makeRow(this.list));
    this.rows.forEach((row, i) => {
      row.element.hidden = i >= shown.length;
      if (i < shown.length) this.#fill(row, shown[i], first + i);
      else delete row.element.dataset.id;
    });
    const chosen = this.rows.find((row) => !row.element.hidden && row.element.dataset.id === this.selection.id);
    if (chosen) this.list.setAttribute("aria-activedescendant", chosen.element.id);
    else this.list.removeAttribute("aria-activedescendant");
  }

  #fill({ element, icon, name, pace, line }, vehicle, index) {
    element.style.top = `${index * ROW}px`;
    if (element.dataset.id !== vehicle.id) element.dataset.id = vehicle.id;
    element.setAttribute("aria-selected", String(vehicle.id === this.selection.id));
    element.setAttribute("aria-setsize", String(this.vehicles.length));
    element.setAttribute("aria-posinset", String(index + 1));
    if (icon.dataset.state !== vehicle.state) {
      icon.dataset.state = vehicle.state;
      icon.replaceChildren(glyph(vehicle.state));
    }
    setText(name, vehicle.id);
    setText(pace, speed(vehicle.progress.speed_mps));
    setText(line, describe(vehicle));
  }

  #press(event) {
    const at = this.vehicles.findIndex(({ id }) => id === this.selection.id);
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 1);
    const last = this.vehicles.length - 1;
    const targets = {
      ArrowDown: at + 1, ArrowUp: at < 0 ? last : at - 1, Home: 0, End: last,
      PageDown: at + page, PageUp: at - page, Enter: at, " ": at,
    };
    if (!(event.key in targets) || last < 0) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(last, targets[event.key]));
    this.onopen(this.vehicles[index].id);
    this.scrollToChosen();
  }
}

let rowCount = 0;

function makeRow(list) {
  const icon = make("span");
  const name = make("strong");
  const pace = make("span", { class: "speed" });
  const line = make("small");
  const element = make("div", { class: "row", role: "option", id: `row-${rowCount++}` }, icon, name, pace, line);
  list.append(element);
  return { element, icon, name, pace, line };
}

function describe({ state, progress }) {
  const parts = [say(`state.${state}`)];
  const { active_waypoint: waypoint, remaining_distance_m: left, eta, deviation_m: deviation, level } = progress;
  if (state === "off_route") parts.push(say("away-by", { distance: distance(deviation) }));
  if (waypoint) parts.push(stopName(waypoint));
  if (eta && state !== "held") parts.push(`${timeOfDay(Date.parse(eta))}, ${distance(left)}`);
  if (level !== null && level !== undefined) parts.push(say("level", { level }));
  return parts.join(" · ");
}
