// Which vehicles are shown: by text, by what they are doing, by level.

import { byID, make, setText } from "./dom.js";
import { STATES, glyph } from "./states.js";

export class Filter {
  constructor(fleet) {
    this.fleet = fleet;
    this.text = "";
    this.states = new Set();
    this.level = "";
    this.levels = "";
    /** The vehicles that pass, as of the last `apply`. */
    this.shown = [];
    /** Called when the person has changed what passes. */
    this.onchange = () => {};
    this.chips = new Map();
    for (const [state, { label }] of Object.entries(STATES)) {
      const count = make("b");
      const chip = make("button", { "aria-pressed": "false", onclick: () => this.#toggle(state) }, glyph(state), label, count);
      this.chips.set(state, { chip, count });
      byID("states").append(chip);
    }
    byID("search").addEventListener("input", ({ target }) => {
      this.text = target.value.trim().toLowerCase();
      this.onchange();
    });
    byID("level").addEventListener("change", ({ target }) => {
      this.level = target.value;
      this.onchange();
    });
  }

  /** Whether anything is asked for. */
  get isActive() {
    return this.text !== "" || this.states.size > 0 || this.level !== "";
  }

  /** Finds the vehicles that pass, and counts all by state. */
  apply() {
    const counts = new Map();
    const levels = new Set();
    this.shown = [];
    for (const vehicle of this.fleet.inOrder()) {
      counts.set(vehicle.state, (counts.get(vehicle.state) ?? 0) + 1);
      const { level } = vehicle.progress;
      if (level !== null && level !== undefined) levels.add(String(level));
      if (this.#passes(vehicle)) this.shown.push(vehicle);
    }
    this.#showCounts(counts);
    this.#showLevels([...levels].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })));
  }

  /** Returns whether a text asked for is part of a vehicle's id or its trip's. */
  matchesText(vehicleID, tripID) {
    return vehicleID.toLowerCase().includes(this.text) || (tripID ?? "").toLowerCase().includes(this.text);
  }

  #passes(vehicle) {
    const { trip_id: trip, level } = vehicle.progress;
    if (this.states.size && !this.states.has(vehicle.state)) return false;
    if (this.level && String(level ?? "") !== this.level) return false;
    return !this.text || vehicle.searched.includes(this.text) || (trip ?? "").toLowerCase().includes(this.text);
  }

  #toggle(state) {
    if (!this.states.delete(state)) this.states.add(state);
    this.chips.get(state).chip.setAttribute("aria-pressed", String(this.states.has(state)));
    this.onchange();
  }

  #showCounts(counts) {
    for (const [state, { chip, count }] of this.chips) {
      const number = counts.get(state) ?? 0;
      chip.hidden = number === 0 && !this.states.has(state);
      setText(count, String(number));
    }
  }

  #showLevels(levels) {
    byID("levels").hidden = levels.length === 0 && !this.level;
    const key = levels.join("\n");
    if (key === this.levels) return;
    this.levels = key;
    const options = levels.map((level) => make("option", { value: level }, `Level ${level}`));
    byID("level").replaceChildren(make("option", { value: "" }, "All levels"), ...options);
    byID("level").value = levels.includes(this.level) ? this.level : "";
    this.level = byID("level").value;
  }
}
