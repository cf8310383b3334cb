// Places on the plane of the web's map projection, in units of a 256 units wide world, and lines there.

const WORLD = 256;
const EQUATOR = 40075016.686;

/** Returns a longitude's place, growing eastwards. */
export function mercatorX(lon) {
  return (lon + 180) / 360 * WORLD;
}

/** Returns a latitude's place, growing southwards; beyond the projection's edge it is the edge's. */
export function mercatorY(lat) {
  const sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, lat)) * Math.PI / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * WORLD;
}

/** Returns the latitude of a place. */
export function latitude(y) {
  return Math.atan(Math.sinh(Math.PI * (1 - 2 * y / WORLD))) * 180 / Math.PI;
}

/** Returns the longitude of a place. */
export function longitude(x) {
  return x / WORLD * 360 - 180;
}

/** Returns how many metres a unit is at a place. */
export function metresPerUnit(y) {
  return EQUATOR / WORLD * Math.cos(latitude(y) * Math.PI / 180);
}

/** Returns `x`, or the same place a world further, whichever is nearest to `reference`. */
export function nearest(x, reference) {
  return x + Math.round((reference - x) / WORLD) * WORLD;
}

/**
 * Returns the narrowest stretch of the world, from west to east, that holds all of `xs`.
 *
 * Its ends may lie beyond the world's edge: vehicles on both sides of it are neighbours.
 */
export function narrowest(xs) {
  const sorted = Float64Array.from(xs, (x) => x - Math.floor(x / WORLD) * WORLD).sort();
  const last = sorted.length - 1;
  let start = 0;
  let widest = sorted[0] + WORLD - sorted[last];
  for (let i = 1; i <= last; i++) {
    if (sorted[i] - sorted[i - 1] <= widest) continue;
    start = i;
    widest = sorted[i] - sorted[i - 1];
  }
  return { west: sorted[start], east: start ? sorted[start - 1] + WORLD : sorted[last] };
}

/** A line with the distance of each of its points from the start. */
export class Line {
  /** Takes an array of `[lon, lat]`. */
  constructor(coordinates) {
    const count = coordinates.length;
    this.xs = new Float64Array(count);
    this.ys = new Float64Array(count);
    this.along = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const x = mercatorX(coordinates[i][0]);
      this.xs[i] = i ? nearest(x, this.xs[i - 1]) : x;
      this.ys[i] = mercatorY(coordinates[i][1]);
      if (i) {
        this.along[i] = this.along[i - 1]
          + Math.hypot(this.xs[i] - this.xs[i - 1], this.ys[i] - this.ys[i - 1]);
      }
    }
  }

  get length() {
    return this.along.length ? this.along[this.along.length - 1] : 0;
  }

  /** Returns the index of the segment that holds the distance `s`. */
  segment(s) {
    let low = 0;
    let high = this.along.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.along[middle] <= s) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the place at the distance `s`, with the direction of the line there in radians. */
  at(s) {
    if (this.along.length < 2) return { x: this.xs[0], y: this.ys[0], angle: 0 };
    const i = this.segment(s);
    const step = this.along[i + 1] - this.along[i];
    const t = step > 0 ? Math.max(0, Math.min(1, (s - this.along[i]) / step)) : 0;
    const dx = this.xs[i + 1] - this.xs[i];
    const dy = this.ys[i + 1] - this.ys[i];
    return { x: this.xs[i] + t * dx, y: this.ys[i] + t * dy, angle: Math.atan2(dx, -dy) };
  }

  /**
   * Returns the distance along the line, and from it, of its point nearest to a place, between the
   * distances `from` and `to` along it.
   */
  locate(x, y, from = 0, to = this.length) {
    const px = this.along.length ? nearest(x, this.xs[0]) : x;
    let best = { s: 0, distance: Infinity };
    if (this.along.length === 1) {
      return { s: 0, distance: Math.hypot(px - this.xs[0], y - this.ys[0]) };
    }
    for (let i = this.segment(from); i < this.along.length - 1 && this.along[i] <= to; i++) {
      const dx = this.xs[i + 1] - this.xs[i];
      const dy = this.ys[i + 1] - this.ys[i];
      const square = dx * dx + dy * dy;
      const offset = (px - this.xs[i]) * dx + (y - this.ys[i]) * dy;
      const t = square > 0 ? Math.max(0, Math.min(1, offset / square)) : 0;
      const distance = Math.hypot(px - this.xs[i] - t * dx, y - this.ys[i] - t * dy);
      if (distance < best.distance) best = { s: this.along[i] + t * Math.sqrt(square), distance };
    }
    return best;
  }

  /** Calls `visit` with each corner between two distances, in order, and with both ends. */
  walk(from, to, visit) {
    const start = this.at(from);
    visit(start.x, start.y);
    for (let i = this.segment(from) + 1; i < this.along.length && this.along[i] < to; i++) {
      if (this.along[i] > from) visit(this.xs[i], this.ys[i]);
    }
    const end = this.at(to);
    visit(end.x, end.y);
  }
}
