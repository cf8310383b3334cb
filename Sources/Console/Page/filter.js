// Which vehicles are shown: by text, by what they are doing, by level.

import { byID, make, setText } from "./dom.js";
import { number } from "./format.js";
import { STATES, glyph } from "./states.js";
import { say } from "./words.js";

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
    for (const state of Object.keys(STATES)) {
      const count = make("b");
      const chip = make("button", { "aria-pressed": "false", onclick: () => this.#toggle(state) }, glyph(state), say(`state.${state}`), count);
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

  /** Returns what is asked for, as it stands in an address. */
  values() {
    return { q: this.text, state: [...this.states].join(","), level: this.level };
  }

  /** Asks for what stands in an address. */
  set({ q = "", state = "", level = "" }) {
    this.text = q.toLowerCase();
    byID("search").value = q;
    this.states = new Set(state.split(",").filter((name) => Object.hasOwn(STATES, name)));
    for (const [name, { chip }] of this.chips) chip.setAttribute("aria-pressed", String(this.states.has(name)));
    this.level = level;
    this.levels = null;
    this.onchange();
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
      const many = counts.get(state) ?? 0;
      chip.hidden = many === 0 && !this.states.has(state);
      setText(count, number(many));
    }
  }

  #showLevels(levels) {
    byID("levels").hidden = levels.length === 0 && !this.level;
    const key = levels.join("\n");
    if (key === this.levels) return;
    this.levels = key;
    const options = levels.map((level) => make("option", { value: level }, say("level", { level })));
    byID("level").replaceChildren(make("option", { value: "" }, say("all-levels")), ...options);
    // A level that is asked for but not there (yet) stays asked for.
    if (this.level && !levels.includes(this.level)) byID("level").append(make("option", { value: this.level }, say("level", { level: this.level })));
    byID("level").value = this.level;
  }
}
