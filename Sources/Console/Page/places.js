// The places that the worker knows, as far as they are needed for what is in view.

import { getPlaces } from "./api.js";
import { throttled } from "./dom.js";
import { shapeOf } from "./placeshape.js";

const MOST = 2000;
const RANKS = ["low", "medium", "high", "always"];
/** Colours of categories, in the order in which they are met; each has a counterpart for the dark. */
const COLORS = 8;

export class Places {
  constructor(map) {
    this.map = map;
    this.known = new Map();
    this.categories = new Map();
    /** Whether the worker serves places. */
    this.areServed = false;
    this.isOff = false;
    /** Called when places have come or gone. */
    this.onchange = () => {};
    this.load = throttled(300, () => this.#load());
    map.on("moveend", () => this.#isMissing() && this.load());
  }

  get(id) {
    return this.known.get(id);
  }

  all() {
    return [...this.known.values()];
  }

  /** Takes in what the stream tells of a place: its definition, or that it is gone. */
  tell(message) {
    if (message.geometry && message.id) this.#take(message);
    else if (message.type === "place_deleted" || message.deleted) this.known.delete(message.place_id ?? message.id);
    else this.load();
    this.onchange();
  }

  /** Fetches one place that may lie elsewhere; returns it, or `undefined`. */
  async find(id) {
    if (!this.known.has(id)) {
      const { features } = await getPlaces({ q: id, limit: 10 }) ?? { features: [] };
      for (const feature of features) this.#take(feature);
    }
    return this.known.get(id);
  }

  /** Returns the number of a category's colour, 0 for none. */
  colorIndex(category) {
    if (!category) return 0;
    const name = category.split("/")[0];
    if (!this.categories.has(name)) this.categories.set(name, this.categories.size % COLORS + 1);
    return this.categories.get(name);
  }

  #isMissing() {
    return !this.isOff && (!this.loaded || this.isTruncated || !this.loaded.contains(this.map.getBounds()));
  }

  async #load() {
    const bounds = this.map.getZoom() < 4 ? L.latLngBounds([-90, -180], [90, 180]) : this.map.getBounds().pad(0.5);
    const box = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()].map((degrees) => degrees.toFixed(5));
    let answer;
    try {
      answer = await getPlaces({ bbox: box.join(","), limit: MOST });
    } catch {
      setTimeout(this.load, 5000);
      return;
    }
    this.areServed = answer !== null;
    // Asked once: until the page is opened anew, such a worker is not asked again.
    this.isOff = !this.areServed;
    if (!answer) return;
    this.loaded = bounds;
    this.isTruncated = Boolean(answer.truncated);
    for (const feature of answer.features ?? []) this.#take(feature);
    this.onchange();
  }

  #take(feature) {
    const { id, properties } = feature;
    const shape = shapeOf(feature);
    if (!shape) return;
    const before = this.known.get(id);
    if (before && before.properties.revision > properties.revision) return;
    const name = properties.name ?? id;
    const words = [id, name, properties.category ?? "", ...properties.labels ?? []].map(plain);
    this.known.set(id, {
      id, name, properties, shape, feature, words, level: properties.level ?? null, category: properties.category ?? null,
      color: this.colorIndex(properties.category), rank: Math.max(0, RANKS.indexOf(properties.rank ?? "medium")),
    });
  }
}

/** Returns a text without case and accents. */
export function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Returns how well a place matches a text: 0 best, `null` not at all. */
export function match(place, text) {
  let best = null;
  for (const word of place.words) {
    const at = word.indexOf(text);
    if (at < 0) continue;
    const rank = word === text ? 0 : at === 0 ? 1 : /\W/.test(word[at - 1]) ? 2 : 3;
    best = best === null ? rank : Math.min(best, rank);
  }
  return best;
}
