// The vehicles that wait for someone to let them go on, the longest waiting first.

import { byID, make, setText } from "./dom.js";
import { stopName, stopwatch } from "./format.js";
import { say } from "./words.js";

const MOST_SHOWN = 100;

export class HeldList {
  constructor(fleet, routes, commands, onopen) {
    Object.assign(this, { fleet, routes, commands, onopen });
    this.items = new Map();
    /** The ids of the held vehicles, the longest waiting first. */
    this.ids = [];
    setInterval(() => this.#showTimes(), 1000);
  }

  /** Shows who is held now. */
  render() {
    const held = this.fleet.inOrder().filter(({ state }) => state === "held");
    const since = new Map(held.map((vehicle) => [vehicle, this.fleet.heldSince(vehicle)]));
    held.sort((a, b) => since.get(a) - since.get(b));
    this.ids = held.map(({ id }) => id);
    byID("held").hidden = held.length === 0;
    setText(byID("held-title"), say("waiting", { count: held.length }));
    const shown = held.slice(0, MOST_SHOWN);
    for (const vehicle of shown) this.routes.want(vehicle);
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, { element }] of this.items) {
      if (ids.has(id)) continue;
      element.remove();
      this.items.delete(id);
    }
    shown.forEach((vehicle, index) => this.#place(this.#item(vehicle), index));
    this.#showTimes();
  }

  #item(vehicle) {
    let item = this.items.get(vehicle.id);
    if (!item) {
      const { id } = vehicle;
      const where = make("small");
      const time = make("time");
      const button = make("button", { class: "proceed", "aria-label": say("proceed-vehicle", { vehicle: id }), onclick: () => this.commands.proceed(id) }, say("proceed"));
      button.hidden = !this.commands.areOn;
      const who = make("button", { class: "who", onclick: () => this.onopen(id) }, make("strong", {}, id), where);
      const element = make("li", { "data-id": id }, who, time, button);
      item = { element, where, time, button };
      this.items.set(id, item);
    }
    const waypoint = vehicle.progress.active_waypoint;
    setText(item.where, waypoint ? stopName(waypoint) : "");
    item.button.disabled = this.commands.isPending("proceed", vehicle.id);
    return item;
  }

  /** Puts an item in its place without touching it when it is there, so that it keeps the focus. */
  #place({ element }, index) {
    const list = byID("held-list");
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  }

  #showTimes() {
    for (const [id, { time }] of this.items) {
      const vehicle = this.fleet.get(id);
      if (vehicle) setText(time, stopwatch(this.fleet.now() - this.fleet.heldSince(vehicle)));
    }
  }
}
