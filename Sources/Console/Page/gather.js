// Vehicles that would hide each other, gathered into groups.

import { nearest } from "./geometry.js";

/** Vehicles in one square of so many pixels are one group. */
const CELL = 46;
/** Groups nearer to each other than this, in pixels, become one. */
const APART = 34;
const COLUMNS = 2 ** 26;

/** Vehicles that stand together: where, and how many in which state. */
class Group {
  constructor() {
    this.vehicles = [];
    this.x = 0;
    this.y = 0;
  }

  /** Takes a vehicle in; the group lies in the middle of all. */
  add(vehicle, x, y) {
    const count = this.vehicles.push(vehicle);
    this.x += (x - this.x) / count;
    this.y += (y - this.y) / count;
  }

  /** Takes another group in. */
  merge({ vehicles, x, y }) {
    const share = vehicles.length / (vehicles.length + this.vehicles.length);
    this.x += (x - this.x) * share;
    this.y += (y - this.y) * share;
    this.vehicles.push(...vehicles);
    vehicles.length = 0;
  }
}

/** Returns the `groups` of two and more vehicles, and the `singles` that stand alone. */
export function gather(vehicles, view) {
  const side = CELL / view.scale;
  const cells = new Map();
  for (const vehicle of vehicles) {
    const x = nearest(vehicle.glide.x, view.middle);
    const { y } = vehicle.glide;
    const key = Math.floor(x / side) * COLUMNS + Math.floor(y / side);
    let group = cells.get(key);
    if (!group) cells.set(key, group = new Group());
    group.add(vehicle, x, y);
  }
  mergeNeighbours(cells, APART / view.scale);
  const all = [...cells.values()];
  return {
    groups: all.filter((group) => group.vehicles.length > 1),
    singles: all.flatMap((group) => (group.vehicles.length === 1 ? group.vehicles : [])),
  };
}

/** Joins groups on both sides of a square's edge that lie too near to each other. */
function mergeNeighbours(cells, reach) {
  for (const [key, group] of cells) {
    for (const step of [COLUMNS, 1, COLUMNS + 1, COLUMNS - 1]) {
      const other = cells.get(key + step);
      if (!other?.vehicles.length || !group.vehicles.length) continue;
      if (Math.hypot(other.x - group.x, other.y - group.y) >= reach) continue;
      if (other.vehicles.length > group.vehicles.length) other.merge(group);
      else group.merge(other);
    }
  }
}

/** Returns how many vehicles of a group are in each state. */
export function countStates({ vehicles }) {
  const counts = new Map();
  for (const { state } of vehicles) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}
