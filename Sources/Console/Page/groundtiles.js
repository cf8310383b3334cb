// The tiles that the ground is painted of, fetched from the worker when they are needed and kept for a while.

import { prepare } from "./groundart.js";
import { readTile } from "./mvt.js";

const MOST_KEPT = 96;

export class GroundTiles {
  /** Takes which zooms there are, and where the worker is. */
  constructor({ minzoom, maxzoom }, base) {
    Object.assign(this, { minzoom, maxzoom, base });
    this.kept = new Map();
  }

  /** Returns the zoom of the tiles that show a square of `zoom`. */
  depthFor(zoom) {
    return Math.max(this.minzoom, Math.min(this.maxzoom, zoom));
  }

  /** Returns a tile made ready for drawing; `null` where there is nothing, `undefined` when it is not to be had now. */
  get({ depth, column, row }) {
    const key = `${depth}/${column}/${row}`;
    const kept = this.kept.get(key) ?? this.#load(key);
    // The last asked for is the last to be forgotten.
    this.kept.delete(key);
    this.kept.set(key, kept);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
    return kept;
  }

  async #load(key) {
    const parts = await this.#fetch(key);
    if (parts === undefined) this.kept.delete(key);
    return parts;
  }

  async #fetch(key) {
    try {
      const response = await fetch(`${this.base}api/ground/${key}`);
      if (response.status === 204) return response.headers.get("Cache-Control") === "no-store" ? undefined : null;
      if (!response.ok) return undefined;
      const bytes = new Uint8Array(await response.arrayBuffer());
      try {
        return prepare(readTile(bytes));
      } catch {
        // A damaged tile stays damaged.
        return null;
      }
    } catch {
      return undefined;
    }
  }
}
