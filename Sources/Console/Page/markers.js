// The layer that shows the vehicles: one canvas, drawn in each frame in which something moves.

import { mercatorX, mercatorY } from "./geometry.js";
import { drawRoute, drawTether } from "./routeart.js";
import { Sprites } from "./sprites.js";
import { STATES, colorName } from "./states.js";
import { View } from "./view.js";

/** Up to so many vehicles in view have their names beside them. */
const MOST_LABELS = 60;
/** With more vehicles in view, they are drawn on whole pixels, which costs a third. */
const MOST_BETWEEN_PIXELS = 150;
/** So long, in milliseconds, a picture may stand while something moves, however slowly. */
const LONGEST_STILL = 50;
/** So near, in pixels, a click means a vehicle. */
const REACH = 20;

export class Markers {
  constructor(map, fleet, routes, selection) {
    Object.assign(this, { map, fleet, routes, selection });
    this.sprites = new Sprites();
    this.canvas = L.DomUtil.create("canvas", "marker-canvas leaflet-zoom-animated", map.getPanes().markerPane);
    this.context = this.canvas.getContext("2d");
    this.ordered = [];
    this.visible = 0;
    this.hovered = null;
    this.isDirty = true;
    this.isZooming = false;
    this.drawnAt = 0;
    this.stillFor = 0;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    /** How many frames have been drawn, and how long that took, for whoever measures. */
    this.frames = 0;
    this.drawMs = 0;
    /** Called after each frame in which something may have moved. */
    this.onframe = () => {};
    map.on("move zoom resize viewreset", () => this.redraw());
    map.on("zoomanim", (event) => this.#zoom(event));
    map.on("zoomend", () => {
      this.isZooming = false;
      this.redraw();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    requestAnimationFrame((now) => this.#frame(now));
  }

  /** Draws anew with the next frame. */
  redraw() {
    this.isDirty = true;
  }

  /** Takes in which vehicles there are, those on top last. */
  show(vehicles) {
    this.ordered = vehicles.filter((vehicle) => vehicle.glide)
      .sort((a, b) => STATES[b.state].rank - STATES[a.state].rank);
    this.redraw();
  }

  /** Returns the vehicle at a point of the map, or `null`. */
  at(point) {
    const view = new View(this.map);
    let best = null;
    let distance = REACH;
    for (const vehicle of this.ordered) {
      const { x, y } = vehicle.glide;
      const away = Math.hypot(view.x(x) - point.x, view.y(y) - point.y);
      if (away <= distance) {
        best = vehicle;
        distance = away;
      }
    }
    return best;
  }

  /** Marks the vehicle under the pointer. */
  hover(vehicle) {
    if (this.hovered === vehicle) return;
    this.hovered = vehicle;
    this.redraw();
  }

  #frame(now) {
    requestAnimationFrame((next) => this.#frame(next));
    if (this.isZooming) return;
    let moving = false;
    for (const vehicle of this.ordered) {
      if (vehicle.glide.advance(now)) moving = true;
    }
    const isDue = (moving || (this.hasHeld && !this.calm.matches)) && now - this.drawnAt >= this.stillFor - 2;
    if (isDue || this.isDirty) {
      const start = performance.now();
      this.isDirty = false;
      this.drawnAt = now;
      this.#draw(now);
      this.frames += 1;
      this.drawMs += performance.now() - start;
    }
    if (moving) this.onframe();
  }

  #draw(now) {
    const view = this.#fit();
    const { context, sprites } = this;
    const chosen = this.fleet.get(this.selection.id);
    if (chosen?.glide) this.#drawChosen(view, chosen);
    const radius = this.visible > 400 ? 5 : this.visible > MOST_LABELS ? 8 : 11;
    const labelled = this.visible <= MOST_LABELS;
    let visible = 0;
    let fastest = 0;
    this.hasHeld = false;
    this.isExact = this.visible <= MOST_BETWEEN_PIXELS;
    for (const vehicle of this.ordered) {
      const x = view.x(vehicle.glide.x);
      const y = view.y(vehicle.glide.y);
      if (!view.shows(x, y, 24)) continue;
      visible += 1;
      if (vehicle.glide.end) fastest = Math.max(fastest, vehicle.glide.pace);
      if (vehicle === chosen) continue;
      this.#drawVehicle(vehicle, x, y, radius, now);
    }
    if (labelled) this.#drawLabels(view, chosen, radius);
    else if (this.hovered?.glide) this.#drawLabel(this.hovered, view.x(this.hovered.glide.x), view.y(this.hovered.glide.y), radius);
    if (chosen?.glide) {
      const x = view.x(chosen.glide.x);
      const y = view.y(chosen.glide.y);
      context.strokeStyle = sprites.color(colorName(chosen.state));
      context.lineWidth = 3;
      context.globalAlpha = 0.45;
      ring(context, x, y, 19);
      context.globalAlpha = 1;
      this.#drawVehicle(chosen, x, y, 11, now);
      this.#drawLabel(chosen, x, y, 15);
    }
    // Half a pixel is as far as anything may jump from one picture to the next.
    this.stillFor = Math.min(LONGEST_STILL, 500 / (fastest * view.scale));
    if (visible !== this.visible && (visible > MOST_LABELS) !== labelled) this.redraw();
    this.visible = visible;
  }

  #drawVehicle(vehicle, x, y, radius, now) {
    const { context, sprites } = this;
    if (vehicle.state === "held") {
      this.hasHeld = true;
      if (this.isExact) this.#drawPulse(x, y, radius, now);
    } else if (vehicle.state === "rerouting") {
      context.strokeStyle = sprites.color("--rerouting");
      context.lineWidth = 2;
      context.setLineDash([4, 4]);
      ring(context, x, y, radius + 6);
      context.setLineDash([]);
    }
    const { image, half, size } = sprites.marker(vehicle.state, radius, vehicle.glide.angle);
    const { ratio } = sprites;
    const left = this.isExact ? x - half : Math.round((x - half) * ratio) / ratio;
    const top = this.isExact ? y - half : Math.round((y - half) * ratio) / ratio;
    context.drawImage(image, left, top, size, size);
  }

  #drawPulse(x, y, radius, now) {
    const phase = this.calm.matches ? 0.4 : (now % 1600) / 1600;
    this.context.strokeStyle = this.sprites.color("--held");
    this.context.lineWidth = 2.5;
    this.context.globalAlpha = 0.8 * (1 - phase);
    ring(this.context, x, y, radius + 2 + 11 * phase);
    this.context.globalAlpha = 1;
  }

  /** Draws the names beside the vehicles, the urgent first, without those that would hide another. */
  #drawLabels(view, chosen, radius) {
    const taken = [];
    for (let i = this.ordered.length - 1; i >= 0; i--) {
      const vehicle = this.ordered[i];
      const x = view.x(vehicle.glide.x);
      const y = view.y(vehicle.glide.y);
      if (vehicle === chosen || !view.shows(x, y, 24)) continue;
      const width = this.sprites.label(vehicle.id).width;
      const isFree = vehicle === this.hovered || taken.every(
        (other) => Math.abs(other.x - x) > (other.width + width) / 2 || Math.abs(other.y - y) > 16);
      if (!isFree) continue;
      taken.push({ x, y, width });
      this.#drawLabel(vehicle, x, y, radius);
    }
  }

  #drawLabel(vehicle, x, y, radius) {
    const label = this.sprites.label(vehicle.id);
    this.context.drawImage(
      label.image, Math.round(x - label.width / 2), Math.round(y + radius + 4), label.width, label.height);
  }

  #drawChosen(view, vehicle) {
    const colors = (name) => this.sprites.color(name);
    const route = this.routes.of(vehicle);
    const { location } = vehicle.progress;
    if (route) {
      const s = vehicle.onRoute && vehicle.glide.line === route.line
        ? vehicle.glide.s : route.distanceAlong(vehicle.progress.remaining_distance_m);
      drawRoute(this.context, view, colors, route, s);
    }
    if (location && !vehicle.onRoute) {
      const from = { x: mercatorX(location.lon), y: mercatorY(location.lat) };
      drawTether(this.context, view, colors("--off-route"), from, vehicle.glide);
    }
  }

  /** Lays the empty canvas over the visible part of the map. */
  #fit() {
    const view = new View(this.map);
    const { canvas, context, sprites } = this;
    if (sprites.ratio !== (devicePixelRatio || 1)) sprites.forget();
    const width = Math.round(view.width * sprites.ratio);
    const height = Math.round(view.height * sprites.ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${view.width}px`;
      canvas.style.height = `${view.height}px`;
    }
    L.DomUtil.setTransform(canvas, this.map.containerPointToLayerPoint([0, 0]), 1);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(sprites.ratio, 0, 0, sprites.ratio, 0, 0);
    this.corner = this.map.containerPointToLatLng([0, 0]);
    this.zoom = this.map.getZoom();
    return view;
  }

  /** Lets the canvas grow or shrink with the map until the zoom has ended. */
  #zoom({ zoom, center }) {
    this.isZooming = true;
    const offset = this.map._latLngToNewLayerPoint(this.corner, zoom, center);
    L.DomUtil.setTransform(this.canvas, offset, this.map.getZoomScale(zoom, this.zoom));
  }
}

function ring(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}
