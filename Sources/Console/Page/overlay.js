// A canvas over the visible part of the map and some of what is around, that grows and shrinks with it.

import { View } from "./view.js";

export class Overlay {
  /** `zIndex` is its height among Leaflet's panes: 200 tiles, 400 routes, 600 vehicles. */
  constructor(map, name, zIndex) {
    this.map = map;
    const pane = map.createPane(name);
    pane.style.zIndex = zIndex;
    this.canvas = L.DomUtil.create("canvas", "overlay-canvas leaflet-zoom-animated", pane);
    this.context = this.canvas.getContext("2d");
    map.on("zoomanim", ({ zoom, center }) => this.#zoom(zoom, center));
  }

  /** Lays the empty canvas over the view; returns that. */
  fit() {
    const view = new View(this.map);
    const ratio = devicePixelRatio || 1;
    const { canvas, context } = this;
    this.margin = Math.round(Math.min(view.width, view.height) / 4);
    const [width, height] = [view.width + 2 * this.margin, view.height + 2 * this.margin];
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    L.DomUtil.setTransform(canvas, this.map.containerPointToLayerPoint([-this.margin, -this.margin]), 1);
    context.setTransform(ratio, 0, 0, ratio, this.margin * ratio, this.margin * ratio);
    this.corner = this.map.containerPointToLatLng([-this.margin, -this.margin]);
    this.zoom = this.map.getZoom();
    return view;
  }

  #zoom(zoom, center) {
    if (!this.corner) return;
    L.DomUtil.setTransform(this.canvas, this.map._latLngToNewLayerPoint(this.corner, zoom, center), this.map.getZoomScale(zoom, this.zoom));
  }
}
