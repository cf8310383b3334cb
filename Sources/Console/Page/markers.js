// The layer that shows the vehicles: one canvas, drawn in each frame in which something moves.

import { throttled } from "./dom.js";
import { gather } from "./gather.js";
import { mercatorX, mercatorY } from "./geometry.js";
import { GroupArt, radiusOf } from "./groupart.js";
import { Room, drawHalo, drawPulse, drawQuestion } from "./markerart.js";
import { drawProposal, drawRoute, drawTether } from "./routeart.js";
import { Sprites } from "./sprites.js";
import { colorName } from "./states.js";
import { View } from "./view.js";

/** Up to so many vehicles in view have their names beside them. */
const MOST_LABELS = 60;
/** With more vehicles in view, those that would overlap are gathered. */
const MOST_ALONE = 120;
/** At this zoom and beyond vehicles are never gathered: there is no nearer look. */
const NEVER_GATHERED = 19;
/** So far around the view, in pixels, vehicles are kept ready. */
const MARGIN = 200;
/** So long, in milliseconds, a picture may stand while something moves, however slowly. */
const LONGEST_STILL = 50;
/** So often, in milliseconds, vehicles are moved on that are out of view or gathered. */
const ADVANCE_MS = 700;
/** So near, in pixels, a click means a vehicle. */
const REACH = 20;

export class Markers {
  constructor(map, fleet, routes, proposals, selection) {
    Object.assign(this, { map, fleet, routes, proposals, selection });
    this.sprites = new Sprites();
    this.groupArt = new GroupArt(this.sprites);
    this.canvas = L.DomUtil.create("canvas", "marker-canvas leaflet-zoom-animated", map.getPanes().markerPane);
    this.context = this.canvas.getContext("2d");
    this.ordered = [];
    this.near = [];
    this.groups = [];
    this.visible = 0;
    this.hovered = null;
    this.isDirty = true;
    this.isZooming = false;
    this.drawnAt = 0;
    this.advancedAt = -Infinity;
    this.stillFor = 0;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    /** How many frames have been drawn, and how long that took, for whoever measures. */
    this.frames = 0;
    this.drawMs = 0;
    /** Called after each frame in which something may have moved. */
    this.onframe = () => {};
    this.#bind(map);
    requestAnimationFrame((now) => this.#frame(now));
  }

  /** Draws anew with the next frame. */
  redraw() {
    this.isDirty = true;
  }

  /** Takes in which vehicles there are, those on top last. */
  show(vehicles) {
    this.ordered = vehicles;
    this.#arrange();
  }

  /** Returns the vehicle at a point of the map, or `null`. */
  at(point) {
    const view = new View(this.map);
    return closest(this.near, point, REACH, (vehicle) => [view.x(vehicle.glide.x), view.y(vehicle.glide.y)]);
  }

  /** Returns the group of vehicles at a point of the map, or `null`. */
  groupAt(point) {
    const view = new View(this.map);
    const group = closest(this.groups, point, 24, ({ x, y }) => [view.x(x), view.y(y)]);
    return group?.vehicles.length ? group : null;
  }

  /** Marks the vehicle under the pointer. */
  hover(vehicle) {
    if (this.hovered === vehicle) return;
    this.hovered = vehicle;
    this.redraw();
  }

  #bind(map) {
    const arrange = throttled(200, () => this.#arrange());
    map.on("move resize viewreset", () => {
      this.redraw();
      arrange();
    });
    map.on("zoomanim", (event) => this.#zoom(event));
    map.on("zoomend", () => {
      this.isZooming = false;
      this.#arrange();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.groupArt.forget();
      this.redraw();
    });
  }

  /** Finds out which vehicles are in view, and which of them would hide each other. */
  #arrange() {
    const view = new View(this.map);
    const chosen = this.fleet.get(this.selection.id);
    const near = [];
    let visible = 0;
    this.#advanceAll(performance.now());
    for (const vehicle of this.ordered) {
      const [x, y] = [view.x(vehicle.glide.x), view.y(vehicle.glide.y)];
      if (!view.shows(x, y, MARGIN) && vehicle !== chosen) continue;
      near.push(vehicle);
      if (view.shows(x, y, 24)) visible += 1;
    }
    this.visible = visible;
    const isCrowded = visible > MOST_ALONE && this.map.getZoom() < NEVER_GATHERED;
    const { singles, groups } = isCrowded ? gather(near.filter((vehicle) => vehicle !== chosen), view) : { singles: near, groups: [] };
    if (isCrowded && chosen?.glide) singles.push(chosen);
    this.near = singles;
    this.groups = groups;
    this.redraw();
  }

  /** Moves also those vehicles on that no frame moves: not while the map is dragged, when time is short. */
  #advanceAll(now) {
    if (now - this.advancedAt < ADVANCE_MS) return;
    this.advancedAt = now;
    for (const { glide } of this.ordered) glide.advance(now);
  }

  #frame(now) {
    requestAnimationFrame((next) => this.#frame(next));
    if (this.isZooming) return;
    let moving = false;
    for (const vehicle of this.near) {
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
    const chosen = this.fleet.get(this.selection.id);
    if (chosen?.glide) this.#drawChosen(view, chosen);
    this.#drawGroups(view);
    const radius = this.visible > MOST_LABELS ? 8 : 11;
    let fastest = 0;
    this.hasHeld = false;
    for (const vehicle of this.near) {
      const x = view.x(vehicle.glide.x);
      const y = view.y(vehicle.glide.y);
      if (!view.shows(x, y, 24)) continue;
      if (vehicle.glide.end) fastest = Math.max(fastest, vehicle.glide.pace);
      if (vehicle !== chosen) this.#drawVehicle(vehicle, x, y, radius, now);
    }
    this.#drawLabels(view, chosen, radius);
    if (chosen?.glide) this.#drawOnTop(view, chosen, now);
    // Half a pixel is as far as anything may jump from one picture to the next.
    this.stillFor = Math.min(LONGEST_STILL, 500 / (fastest * view.scale));
  }

  #drawGroups(view) {
    for (const group of this.groups) {
      const [x, y] = [view.x(group.x), view.y(group.y)];
      if (!view.shows(x, y, radiusOf(group.vehicles.length))) continue;
      this.groupArt.draw(this.context, group, x, y);
    }
  }

  #drawOnTop(view, vehicle, now) {
    const [x, y] = [view.x(vehicle.glide.x), view.y(vehicle.glide.y)];
    drawHalo(this.context, this.sprites.color(colorName(vehicle.state)), x, y);
    this.#drawVehicle(vehicle, x, y, 11, now);
    this.#drawLabel(vehicle, x, y, 15);
  }

  #drawVehicle(vehicle, x, y, radius, now) {
    const { context, sprites } = this;
    if (vehicle.state === "held") {
      this.hasHeld = true;
      drawPulse(context, sprites.color("--held"), x, y, radius, this.calm.matches ? 0.4 : (now % 1600) / 1600);
    } else if (vehicle.state === "rerouting") {
      drawQuestion(context, sprites.color("--rerouting"), x, y, radius);
    }
    const { image, half, size } = sprites.marker(vehicle.state, radius, vehicle.glide.angle);
    context.drawImage(image, x - half, y - half, size, size);
  }

  /** Draws the names beside the vehicles, the urgent first, without those that would hide another. */
  #drawLabels(view, chosen, radius) {
    const room = new Room();
    const isNamed = this.visible <= MOST_LABELS;
    for (let i = this.near.length - 1; i >= 0; i--) {
      const vehicle = this.near[i];
      const isHovered = vehicle === this.hovered;
      if (vehicle === chosen || !(isNamed || isHovered)) continue;
      const x = view.x(vehicle.glide.x);
      const y = view.y(vehicle.glide.y);
      if (!view.shows(x, y, 24)) continue;
      if (room.take(x, y, this.sprites.label(vehicle.id).width, isHovered)) this.#drawLabel(vehicle, x, y, radius);
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
    const proposal = this.proposals.of(vehicle, this.fleet.now());
    if (proposal) drawProposal(this.context, view, colors, proposal);
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
    if (sprites.ratio !== (devicePixelRatio || 1)) {
      sprites.forget();
      this.groupArt.forget();
    }
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

/** Returns what lies nearest to a point, within `reach` pixels, or `null`. */
function closest(things, point, reach, place) {
  let best = null;
  let distance = reach;
  for (const thing of things) {
    const [x, y] = place(thing);
    const away = Math.hypot(x - point.x, y - point.y);
    if (away > distance) continue;
    best = thing;
    distance = away;
  }
  return best;
}
