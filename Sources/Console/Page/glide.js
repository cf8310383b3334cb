// How a marker gets from where it is shown to where the vehicle is: along its road, where that is known.

import { metresPerUnit, nearest } from "./geometry.js";

/** Longer than this, a vehicle is put where it is: it has been away, or the page has. */
const LONGEST_MS = 60_000;
/** A road is taken when both ends lie on it, this near. */
const ON_ROAD_M = 35;
/** A faster move than this is a correction, not a drive. */
const FASTEST_MPS = 90;

/** The way of one marker. */
export class Glide {
  constructor(x, y, angle) {
    this.x = x;
    this.y = y;
    this.angle = angle;
    this.line = null;
    this.s = 0;
    this.end = 0;
    this.pace = 0;
  }

  /**
   * Sets out for a place, to be there after `duration` milliseconds.
   *
   * `line` is the vehicle's road, and `hint` about how far along it the place is; both may be missing.
   */
  moveTo(x, y, { now, duration, line, hint, course }) {
    this.advance(now);
    x = nearest(x, this.x);
    const metres = Math.hypot(x - this.x, y - this.y) * metresPerUnit(y);
    const isJump = duration > LONGEST_MS || metres > FASTEST_MPS * duration / 1000 + 150;
    this.start = now;
    this.end = isJump ? now : now + duration;
    this.toX = x;
    this.toY = y;
    this.fromX = this.x;
    this.fromY = this.y;
    this.course = course;
    this.line = null;
    if (line && line.along.length > 1) this.#takeRoad(line, hint, x, y);
    const way = this.line ? Math.abs(this.toS - this.fromS) : Math.hypot(x - this.x, y - this.y);
    /** Units of the world a second. */
    this.pace = isJump ? 0 : way / Math.max(1, duration) * 1000;
    if (isJump) this.#arrive();
  }

  /** Moves to where the marker is at `now`; returns whether it is still under way. */
  advance(now) {
    if (this.end === 0) return false;
    if (now >= this.end) {
      this.#arrive();
      return false;
    }
    const t = (now - this.start) / (this.end - this.start);
    if (this.line) {
      this.s = this.fromS + t * (this.toS - this.fromS);
      const at = this.line.at(this.s);
      // What lay beside the road at the start is led onto it on the way.
      this.x = at.x + this.shift + (1 - t) * this.asideX;
      this.y = at.y + (1 - t) * this.asideY;
      this.#turn(this.toS === this.fromS ? this.course : at.angle, 0.2);
    } else {
      this.x = this.fromX + t * (this.toX - this.fromX);
      this.y = this.fromY + t * (this.toY - this.fromY);
      this.#turn(this.#heading(), 0.2);
    }
    return true;
  }

  /** Puts the marker on the road `line`, and sees how far along both ends of its way are. */
  #takeRoad(line, hint, x, y) {
    const near = ON_ROAD_M / metresPerUnit(y);
    const around = Math.max(near * 20, Math.abs(x - this.x) + Math.abs(y - this.y)) * 2;
    const to = hint === undefined ? line.locate(x, y) : line.locate(x, y, hint - around, hint + around);
    if (to.distance > near) return;
    const from = line.locate(this.x, this.y, to.s - around, to.s + near);
    if (from.distance > near) return;
    this.line = line;
    this.fromS = from.s;
    this.toS = to.s;
    this.s = from.s;
    const at = line.at(from.s);
    this.shift = nearest(at.x, this.x) - at.x;
    this.asideX = this.x - at.x - this.shift;
    this.asideY = this.y - at.y;
  }

  #arrive() {
    this.x = this.toX;
    this.y = this.toY;
    if (this.line) this.s = this.toS;
    this.#turn(this.line && this.toS > this.fromS ? this.line.at(this.toS).angle : this.#heading(), 1);
    this.end = 0;
  }

  #heading() {
    if (this.course !== undefined) return this.course;
    const dx = this.toX - this.fromX;
    const dy = this.toY - this.fromY;
    return dx || dy ? Math.atan2(dx, -dy) : this.angle;
  }

  /** Turns the marker towards `angle` by a share of what is missing, the short way round. */
  #turn(angle, share) {
    if (angle === undefined) return;
    const missing = Math.atan2(Math.sin(angle - this.angle), Math.cos(angle - this.angle));
    this.angle += missing * share;
  }
}
