// Where places are on the screen.

import { mercatorX, nearest } from "./geometry.js";

/** The part of the world that the map shows at one moment. */
export class View {
  constructor(map) {
    const size = map.getSize();
    this.width = size.x;
    this.height = size.y;
    this.scale = 2 ** map.getZoom();
    const pane = map.layerPointToContainerPoint([0, 0]);
    const origin = map.getPixelOrigin();
    this.left = pane.x - origin.x;
    this.top = pane.y - origin.y;
    this.middle = mercatorX(map.getCenter().lng);
  }

  /** Returns a place's distance from the left edge, in pixels. */
  x(x) {
    return nearest(x, this.middle) * this.scale + this.left;
  }

  /** Returns a place's distance from the top edge, in pixels. */
  y(y) {
    return y * this.scale + this.top;
  }

  /** Returns whether a point on the screen is in the view, or not farther from it than `margin`. */
  shows(px, py, margin = 0) {
    return px >= -margin && py >= -margin && px <= this.width + margin && py <= this.height + margin;
  }
}
