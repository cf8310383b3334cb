// The routes of the vehicles in view, faintly, and the fetching of those that are needed.

import { metresPerUnit, latitude, longitude } from "./geometry.js";
import { View } from "./view.js";

/** With more vehicles in view, their routes would hide each other. */
const MOST_DRAWN = 120;
/** A vehicle that moves fewer pixels from one fix to the next needs no road to glide along. */
const LEAST_STEP = 4;
/** So near, in pixels, a click means a route. */
const REACH = 8;

export class Network {
  constructor(map, fleet, routes, markers, selection) {
    Object.assign(this, { map, fleet, routes, markers, selection });
    this.renderer = L.canvas({ padding: 0.1 });
    this.lines = new Map();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#recolor());
  }

  /** Fetches and draws what the present view asks for. */
  update() {
    const view = new View(this.map);
    const { near, visible } = this.markers;
    const isClear = visible <= MOST_DRAWN;
    for (const vehicle of near) {
      if (isClear || this.#needsRoad(vehicle, view)) this.routes.want(vehicle);
    }
    this.#draw(isClear ? near : []);
    // Beside the chosen vehicle's route, the others' step back.
    this.map.getPane("overlayPane").classList.toggle("dimmed", Boolean(this.fleet.get(this.selection.id)));
  }

  /** Returns the vehicle whose route passes a point of the map, or `null`. */
  at(point) {
    const view = new View(this.map);
    const x = (point.x - view.left) / view.scale;
    const y = (point.y - view.top) / view.scale;
    let best = null;
    let distance = REACH / view.scale;
    for (const [vehicle, { route }] of this.lines) {
      const near = route.line.locate(x, y);
      if (near.distance < distance) {
        best = vehicle;
        distance = near.distance;
      }
    }
    return best;
  }

  #needsRoad(vehicle, view) {
    const { speed_mps: speed, animation_ms: ms } = vehicle.progress;
    const metresPerPixel = metresPerUnit(vehicle.glide.y) / view.scale;
    return (speed ?? 15) * (ms ?? 2000) / 1000 / metresPerPixel >= LEAST_STEP;
  }

  #draw(vehicles) {
    const drawn = new Set(vehicles);
    for (const [vehicle, { layer, route }] of this.lines) {
      if (drawn.has(vehicle) && this.routes.of(vehicle) === route) continue;
      layer.remove();
      this.lines.delete(vehicle);
    }
    for (const vehicle of vehicles) {
      const route = this.routes.of(vehicle);
      if (!route || this.lines.has(vehicle) || route.line.along.length < 2) continue;
      const points = Array.from(route.line.xs, (x, i) => [latitude(route.line.ys[i]), longitude(x)]);
      const layer = L.polyline(points, {
        renderer: this.renderer, interactive: false, weight: 3, color: color(), opacity: 0.9,
      }).addTo(this.map);
      this.lines.set(vehicle, { layer, route });
    }
  }

  #recolor() {
    for (const { layer } of this.lines.values()) layer.setStyle({ color: color() });
  }
}

function color() {
  return getComputedStyle(document.documentElement).getPropertyValue("--route-other").trim();
}
