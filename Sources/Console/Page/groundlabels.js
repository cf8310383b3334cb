// The names of roads and towns, where there is room for them.

import { throttled } from "./dom.js";
import { View } from "./view.js";

const FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
/** The same name is not written nearer to itself than this, in pixels. */
const APART = 320;
const MOST = 140;
/** A name is written where its road bends by no more than this share of its length. */
const STRAIGHT = 0.97;
/** From which zoom each class of roads has its names. */
const NAMED_FROM = [17, 15, 14, 13, 12];

export class GroundLabels {
  /** `tiles` gives the squares in view, each with its `names` and `places`. */
  constructor(map, tiles) {
    Object.assign(this, { map, tiles });
    const pane = map.createPane("names");
    pane.style.zIndex = 250;
    this.canvas = L.DomUtil.create("canvas", "ground-names", pane);
    this.context = this.canvas.getContext("2d");
    this.update = throttled(120, () => this.#draw());
    map.on("moveend resize", this.update);
    map.on("zoomstart", () => this.canvas.classList.add("away"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.update);
  }

  #draw() {
    if (this.map._animatingZoom) return;
    const view = this.#fit();
    this.taken = [];
    this.written = new Map();
    const zoom = this.map.getZoom();
    const squares = [...this.tiles()];
    this.#style(13);
    const places = squares.flatMap(({ places }) => places).sort((a, b) => a.rank - b.rank);
    for (const { name, x, y } of places) this.#write(name, { x: view.x(x), y: view.y(y), angle: 0 }, view);
    const names = squares.flatMap(({ names }) => names).filter(({ level }) => zoom >= NAMED_FROM[level]);
    names.sort((a, b) => b.level - a.level || b.line.length - a.line.length);
    this.#style(zoom >= 16 ? 12 : 11);
    for (const { name, line } of names) {
      if (this.taken.length >= MOST) break;
      const spot = this.#spot(line, this.context.measureText(name).width, view);
      if (spot) this.#write(name, spot, view);
    }
    this.canvas.classList.remove("away");
  }

  /** Lays the empty canvas over the visible part of the map, and half as much around it. */
  #fit() {
    const view = new View(this.map);
    const ratio = devicePixelRatio || 1;
    const { canvas, context } = this;
    this.margin = Math.round(Math.min(view.width, view.height) / 4);
    const [width, height] = [view.width + 2 * this.margin, view.height + 2 * this.margin];
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    L.DomUtil.setPosition(canvas, this.map.containerPointToLayerPoint([-this.margin, -this.margin]));
    context.setTransform(ratio, 0, 0, ratio, this.margin * ratio, this.margin * ratio);
    return view;
  }

  #style(size) {
    const styles = getComputedStyle(document.documentElement);
    Object.assign(this.context, {
      font: `500 ${size}px ${FONT}`, textAlign: "center", textBaseline: "middle", lineWidth: 3.5, lineJoin: "round",
      fillStyle: styles.getPropertyValue("--ground-name"), strokeStyle: styles.getPropertyValue("--ground-halo"),
    });
    this.size = size;
  }

  /** Returns where a name fits along a road: the straight stretch that is nearest to its middle. */
  #spot(line, width, view) {
    const points = [];
    let length = 0;
    for (let i = 0; i < line.length; i += 2) {
      const [x, y] = [view.x(line[i]), view.y(line[i + 1])];
      const last = points.at(-1);
      if (last) length += Math.hypot(x - last.x, y - last.y);
      points.push({ x, y, along: length });
    }
    const room = width + 12;
    if (length < room) return null;
    let best = null;
    for (let from = 0; from <= length - room; from += Math.max(10, (length - room) / 12)) {
      const [a, b] = [pointAt(points, from), pointAt(points, from + room)];
      const chord = Math.hypot(b.x - a.x, b.y - a.y);
      const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      if (chord < room * STRAIGHT || !view.shows(middle.x, middle.y, this.margin)) continue;
      const off = Math.abs(from + room / 2 - length / 2);
      if (best && best.off <= off) continue;
      const angle = Math.atan2(b.y - a.y, b.x - a.x);
      best = { ...middle, off, angle: Math.abs(angle) > Math.PI / 2 ? angle + Math.PI : angle };
    }
    return best;
  }

  #write(name, { x, y, angle }, view) {
    if (!view.shows(x, y, this.margin)) return;
    const { context } = this;
    const width = context.measureText(name).width;
    const [w, h] = [Math.abs(Math.cos(angle)) * width + Math.abs(Math.sin(angle)) * this.size,
      Math.abs(Math.sin(angle)) * width + this.size];
    const isFree = this.taken.every((other) => Math.abs(other.x - x) > (other.w + w) / 2 + 4 || Math.abs(other.y - y) > (other.h + h) / 2 + 3);
    const others = this.written.get(name) ?? [];
    if (!isFree || others.some((other) => Math.hypot(other.x - x, other.y - y) < APART)) return;
    this.taken.push({ x, y, w, h });
    this.written.set(name, [...others, { x, y }]);
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.strokeText(name, 0, 0);
    context.fillText(name, 0, 0);
    context.restore();
  }
}

function pointAt(points, along) {
  let i = 1;
  while (i < points.length - 1 && points[i].along < along) i++;
  const [a, b] = [points[i - 1], points[i]];
  const share = b.along > a.along ? (along - a.along) / (b.along - a.along) : 0;
  return { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
}
