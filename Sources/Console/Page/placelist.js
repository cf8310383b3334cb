// The tab of the places: search, categories, and how many vehicles are inside.

import { byID, make, setText } from "./dom.js";
import { number } from "./format.js";
import { safeColor } from "./placeart.js";
import { match, plain } from "./places.js";
import { say } from "./words.js";

const MOST_SHOWN = 200;

export class PlaceList {
  constructor(places, fleet, { chosen, onopen }) {
    Object.assign(this, { places, fleet, chosen, onopen });
    this.text = "";
    this.category = null;
    byID("place-search").addEventListener("input", ({ target }) => {
      this.text = plain(target.value.trim());
      this.render();
    });
  }

  /** Shows the places that match, the best match first. */
  render() {
    byID("tab-places").hidden = !this.places.areServed;
    const all = this.places.all();
    setText(byID("place-count"), all.length ? number(all.length) : "");
    if (byID("places").hidden) return;
    this.#renderCategories(all);
    const inside = this.inside();
    const found = all.map((place) => ({ place, rank: this.text ? match(place, this.text) : 0 }))
      .filter(({ place, rank }) => rank !== null && (this.category === null || topOf(place) === this.category))
      .sort((a, b) => a.rank - b.rank || (inside.get(b.place.id) ?? 0) - (inside.get(a.place.id) ?? 0) || a.place.name.localeCompare(b.place.name));
    byID("places-empty").hidden = found.length > 0;
    this.#renderRows(found.slice(0, MOST_SHOWN).map(({ place }) => ({ place, count: inside.get(place.id) ?? 0 })));
  }

  /** Makes rows anew only when they differ: a click must not lose its target. */
  #renderRows(rows) {
    const key = JSON.stringify([this.chosen(), rows.map(({ place, count }) => [place.id, place.properties.revision, count])]);
    if (key === this.rows) return;
    this.rows = key;
    const focused = document.activeElement?.closest("#place-list button")?.dataset.id;
    const list = byID("place-list");
    list.replaceChildren(...rows.map(({ place, count }) => this.#row(place, count)));
    if (focused !== undefined) [...list.querySelectorAll("button")].find(({ dataset }) => dataset.id === focused)?.focus();
  }

  /** Returns how many vehicles are in each place. */
  inside() {
    const counts = new Map();
    for (const { progress } of this.fleet.inOrder()) {
      for (const id of progress.places ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  #renderCategories(all) {
    const names = [...new Set(all.map(topOf))].filter((name) => name !== "").sort();
    const key = `${names.join("\n")}\n${this.category}`;
    if (key === this.drawn) return;
    this.drawn = key;
    byID("place-categories").replaceChildren(...names.map((name) => make("button", {
      "aria-pressed": String(name === this.category),
      onclick: () => {
        this.category = name === this.category ? null : name;
        this.render();
      },
    }, swatch(this.places.colorIndex(name)), name)));
  }

  #row(place, count) {
    const { id, name, category, level, properties } = place;
    const line = [category, level === null ? null : say("level", { level })].filter(Boolean).join(" · ");
    const element = make("button", { "data-id": id, "aria-current": String(id === this.chosen()), onclick: () => this.onopen(id) },
      swatch(place.color, properties.color), make("strong", {}, name), count ? make("b", {}, number(count)) : null, make("small", {}, line));
    return make("li", {}, element);
  }
}

function topOf({ category }) {
  return (category ?? "").split("/")[0];
}

/** Returns a spot of a category's colour, or of the place's own. */
export function swatch(index, own) {
  const spot = make("i", { class: "swatch", "aria-hidden": "true" });
  spot.style.background = safeColor(own) ?? `var(--place-${index})`;
  return spot;
}
