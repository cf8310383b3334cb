// The places on the map, below the routes: only those in view.

import { throttled } from "./dom.js";
import { Overlay } from "./overlay.js";
import { drawName, drawPlace } from "./placeart.js";
import { holds } from "./placeshape.js";
import { View } from "./view.js";

/** Smaller than this, in pixels, a place is a dot; smaller than `LEAST` it is nothing. */
const DOT = 6;
const LEAST = 2;
/** Points and gates have no size of their own. */
const SIZELESS = 10;
const ALWAYS = 3;

export class PlaceLayer {
  constructor(map, places, { now, level, chosen }) {
    Object.assign(this, { map, places, now, level, chosen });
    this.overlay = new Overlay(map, "places", 350);
    this.shown = [];
    this.update = throttled(80, () => this.#draw());
    map.on("moveend resize", this.update);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.update);
    // Windows open and close by the minute.
    setInterval(this.update, 60_000);
  }

  /** Returns the smallest place at a point of the map, or `null`. */
  at(point) {
    const view = new View(this.map);
    const [x, y] = [(point.x - view.left) / view.scale, (point.y - view.top) / view.scale];
    const found = this.shown.filter(({ shape }) => holds(shape, x, y, 6 / view.scale));
    return found.sort((a, b) => area(a.shape) - area(b.shape))[0] ?? null;
  }

  #draw() {
    if (this.map._animatingZoom || !(this.places.all().length || this.shown.length)) return;
    const view = this.overlay.fit();
    const { context, margin } = this.overlay;
    const styles = getComputedStyle(document.documentElement);
    const color = (name) => styles.getPropertyValue(name).trim();
    const seen = this.places.all().map((place) => ({ place, size: sizeOf(place, view) }))
      .filter(({ place, size }) => (size >= LEAST || place.rank === ALWAYS) && isNear(place.shape, view, margin))
      .sort((a, b) => b.size - a.size);
    this.shown = seen.map(({ place }) => place);
    const chosen = this.chosen();
    for (const { place, size } of seen) {
      context.globalAlpha = this.level() && place.level !== null && String(place.level) !== this.level() ? 0.25 : 1;
      drawPlace(context, view, color, place, { isDot: size < DOT, isChosen: place.id === chosen, now: this.now() });
    }
    this.#drawNames(seen, view, color);
    context.globalAlpha = 1;
  }

  /** Writes names by rank, then by size, so that none hides another; `always` is always there. */
  #drawNames(seen, view, color) {
    const { context } = this.overlay;
    const taken = [];
    const wanted = seen.filter(({ place, size }) => size >= 24 || place.rank >= 2).sort((a, b) => b.place.rank - a.place.rank || b.size - a.size);
    context.font = "600 12px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
    for (const { place } of wanted) {
      const [x, y] = [view.x(place.shape.x), view.y(place.shape.y)];
      const width = Math.min(180, context.measureText(place.name).width);
      const isFree = taken.every((other) => Math.abs(other.x - x) > (other.width + width) / 2 + 6 || Math.abs(other.y - y) > 16);
      if (!isFree && place.rank !== ALWAYS) continue;
      taken.push({ x, y, width });
      drawName(context, color, place, x, y, width);
    }
  }
}

function sizeOf({ shape }, view) {
  const size = 2 * Math.max(shape.width, shape.height) * view.scale;
  return shape.kind === "point" ? SIZELESS : size;
}

function isNear(shape, view, margin) {
  const [x, y] = [view.x(shape.x), view.y(shape.y)];
  const [w, h] = [shape.width * view.scale, shape.height * view.scale];
  return x + w >= -margin && x - w <= view.width + margin && y + h >= -margin && y - h <= view.height + margin;
}

function area({ width, height }) {
  return width * height;
}
