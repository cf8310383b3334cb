// The ground under everything: roads out of vector tiles, painted by a worker of the browser's.

import { make } from "./dom.js";
import { GroundLabels } from "./groundlabels.js";

const SIDE = 512;
const RETRY_MS = 5000;
/** The colours of the page that the ground is painted in. */
const COLORS = ["land", "green", "water", "building", "rail", "edge", "path", "minor", "street", "major", "motorway"];

/** Adds the ground to a map; `facts` is what the server of this page knows of the tiles. */
export function addGround(map, facts) {
  new Roads({ facts, tileSize: SIDE, maxZoom: 20, updateWhenZooming: false, keepBuffer: 1 }).addTo(map);
}

const Roads = L.GridLayer.extend({
  onAdd(map) {
    this.waiting = new Map();
    this.painted = new Map();
    this.count = 0;
    this.labels = new GroundLabels(map, () => this.painted.values());
    this.painter = new Worker(new URL("groundworker.js", import.meta.url), { type: "module" });
    this.painter.onmessage = ({ data }) => this.show(data);
    this.painter.postMessage({ facts: this.options.facts, base: new URL(".", document.baseURI).href });
    this.on("tileunload", ({ tile }) => this.forget(tile));
    this.on("load", () => this.labels.update());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    L.GridLayer.prototype.onAdd.call(this, map);
  },

  createTile(coords, done) {
    const tile = make("canvas", { class: "ground" });
    this.ask(tile, coords, () => done(null, tile));
    return tile;
  },

  /** Has a square painted. */
  ask(tile, coords, done) {
    const count = 2 ** (coords.z - 1);
    const ratio = Math.min(2, devicePixelRatio || 1);
    tile.square = ++this.count;
    this.waiting.set(tile.square, { tile, coords, done });
    const styles = getComputedStyle(document.documentElement);
    const colors = Object.fromEntries(COLORS.map((name) => [name, styles.getPropertyValue(`--ground-${name}`).trim()]));
    this.painter.postMessage({
      id: tile.square, zoom: coords.z - 1, column: ((coords.x % count) + count) % count, row: coords.y, size: SIDE, ratio, colors,
    });
  },

  /** Shows a square that was painted, and asks again later where tiles were missing. */
  show({ id, bitmap, names, places, isMissing }) {
    const entry = this.waiting.get(id);
    if (!entry) return;
    const { tile, coords, done } = entry;
    this.waiting.delete(id);
    if (bitmap) {
      tile.width = bitmap.width;
      tile.height = bitmap.height;
      tile.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
      this.painted.set(tile, { names, places });
      this.labels.update();
    }
    if (isMissing) tile.retry = setTimeout(() => this.ask(tile, coords, () => {}), RETRY_MS);
    done();
  },

  forget(tile) {
    clearTimeout(tile.retry);
    this.painted.delete(tile);
    if (this.waiting.delete(tile.square)) this.painter.postMessage({ drop: tile.square });
  },
});
