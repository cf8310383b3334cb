// What the map keeps in view: one vehicle, all of them, or whatever the person has moved it to.

import { byID } from "./dom.js";
import { latitude, longitude, mercatorX, narrowest, nearest } from "./geometry.js";
import { View } from "./view.js";

const CLOSE_ZOOM = 15;

export class Camera {
  constructor(map, fleet, selection, filter) {
    Object.assign(this, { map, fleet, selection, filter });
    this.mode = "overview";
    map.on("dragstart", () => this.set("free"));
    for (const kind of ["wheel", "dblclick"]) {
      map.getContainer().addEventListener(kind, () => this.mode === "overview" && this.set("free"), { passive: true });
    }
    byID("overview").onclick = () => this.set(this.mode === "overview" ? "free" : "overview");
    byID("follow").onclick = () => this.set(this.mode === "follow" ? "free" : "follow");
    setInterval(() => this.mode === "overview" && this.#fit(false), 4000);
  }

  /** Changes what is kept in view: `follow`, `overview` or `free`. */
  set(mode) {
    if (mode === "follow" && !this.#chosen()) return;
    this.mode = mode;
    if (mode === "overview") this.#fit(true);
    if (mode === "follow") this.goTo(this.#chosen());
    else this.refresh();
  }

  /** Shows the mode on its buttons. */
  refresh() {
    if (this.mode === "follow" && !this.#chosen()) this.mode = "free";
    byID("overview").setAttribute("aria-pressed", String(this.mode === "overview"));
    byID("follow").setAttribute("aria-pressed", String(this.mode === "follow"));
    byID("follow").disabled = !this.#chosen();
  }

  /** Moves the map to a vehicle, near enough to see its road. */
  goTo(vehicle) {
    if (!vehicle?.glide) return;
    if (this.mode === "overview") this.mode = "free";
    const zoom = Math.max(this.map.getZoom(), CLOSE_ZOOM);
    this.map.setView(this.#place(vehicle), zoom, { animate: true });
    this.refresh();
  }

  /** Moves the map to a vehicle only if that is out of view. */
  reveal(vehicle) {
    if (!vehicle?.glide) return;
    const view = new View(this.map);
    if (view.shows(view.x(vehicle.glide.x), view.y(vehicle.glide.y), -60)) return;
    if (this.mode === "overview") this.mode = "free";
    this.map.panTo(this.#place(vehicle));
    this.refresh();
  }

  /** Keeps the followed vehicle in the middle; called in each frame in which something moves. */
  track() {
    const vehicle = this.mode === "follow" ? this.#chosen() : undefined;
    if (!vehicle?.glide || this.map._animatingZoom || this.map._panAnim?._inProgress) return;
    const view = new View(this.map);
    const dx = Math.round(view.x(vehicle.glide.x) - view.width / 2);
    const dy = Math.round(view.y(vehicle.glide.y) - view.height / 2);
    if (dx || dy) this.map.panBy([dx, dy], { animate: false });
  }

  /** Moves the map so near to a group that its vehicles come apart. */
  open(group) {
    this.set("free");
    this.map.fitBounds(this.#bounds(group.vehicles), { padding: [80, 80], maxZoom: Math.min(20, this.map.getZoom() + 4) });
  }

  /** Fits all vehicles into the view once there are some. */
  start() {
    if (this.hasStarted || !this.filter.shown.some((vehicle) => vehicle.glide)) return;
    this.hasStarted = true;
    if (this.mode === "overview") this.#fit(true, false);
  }

  #chosen() {
    return this.fleet.get(this.selection.id);
  }

  /** Returns a vehicle's place, in the copy of the world that is in view. */
  #place({ glide }) {
    return [latitude(glide.y), longitude(nearest(glide.x, this.#middle()))];
  }

  #middle() {
    return mercatorX(this.map.getCenter().lng);
  }

  /** Returns what holds some vehicles, across the antimeridian where that is shorter; `null` without any. */
  #bounds(vehicles) {
    const glides = vehicles.flatMap(({ glide }) => glide ?? []);
    if (!glides.length) return null;
    const { west, east } = narrowest(glides.map(({ x }) => x));
    const shift = nearest((west + east) / 2, this.#middle()) - (west + east) / 2;
    let [north, south] = [Infinity, -Infinity];
    for (const { y } of glides) {
      north = Math.min(north, y);
      south = Math.max(south, y);
    }
    return L.latLngBounds([latitude(south), longitude(west + shift)], [latitude(north), longitude(east + shift)]);
  }

  /** Returns how much of the map's width the card of the chosen vehicle takes. */
  #cardWidth() {
    const width = byID("details").offsetWidth;
    return width < this.map.getSize().x / 2 ? width : 0;
  }

  #fit(always, animate = true) {
    const bounds = this.#bounds(this.filter.shown);
    if (!bounds) return;
    const isComfortable = this.map.getBounds().pad(-0.02).contains(bounds)
      && this.map.getBoundsZoom(bounds) <= this.map.getZoom() + 1.5;
    if (!always && isComfortable) return;
    this.map.fitBounds(bounds, {
      paddingTopLeft: [48, 56], paddingBottomRight: [48 + this.#cardWidth(), 48], maxZoom: CLOSE_ZOOM, animate,
    });
  }
}
