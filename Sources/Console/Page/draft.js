// A shape that is being drawn: its points, what can be undone, and how it is sent.

const EARTH = 6371008.8;

/** The least number of points of each kind of shape. */
const LEAST = { point: 1, circle: 2, rectangle: 2, line: 2, polygon: 3 };
/** The kinds that end with the least number of points. */
const FIXED = new Set(["point", "circle", "rectangle"]);

/** A point, a circle, a rectangle, a line, or a polygon with holes, in the making. */
export class Draft {
  /** `rings` are lists of `{ lat, lng }`: a circle's centre and a point of its edge, a rectangle's two corners. */
  constructor(kind, rings = [[]]) {
    this.kind = kind;
    this.rings = rings;
    this.past = [];
    /** How wide a line is, in metres. */
    this.width = 0;
  }

  /** Whether there is enough for a place. */
  get isComplete() {
    return this.rings.every(({ length }) => length >= LEAST[this.kind]);
  }

  /** Adds a point to the ring that was begun last. */
  add(point) {
    const ring = this.rings.at(-1);
    this.#keep();
    if (FIXED.has(this.kind) && ring.length === LEAST[this.kind]) ring[ring.length - 1] = point;
    else ring.push(point);
  }

  /** Begins a hole in a polygon. */
  addHole() {
    if (this.kind !== "polygon" || !this.isComplete) return;
    this.#keep();
    this.rings.push([]);
  }

  /** Moves a point; `isNew` begins a move that is undone at once. */
  move(ring, index, point, isNew = true) {
    if (isNew) this.#keep();
    this.rings[ring][index] = point;
  }

  /** Takes a point away; a ring without points goes too. */
  remove(ring, index) {
    this.#keep();
    this.rings[ring].splice(index, 1);
    if (!this.rings[ring].length && this.rings.length > 1) this.rings.splice(ring, 1);
  }

  /** Puts a point between a point and the next one. */
  insert(ring, index, point) {
    this.#keep();
    this.rings[ring].splice(index + 1, 0, point);
  }

  /** Takes the last change back; returns whether there was one. */
  undo() {
    const before = this.past.pop();
    if (before) this.rings = before;
    return Boolean(before);
  }

  /** Returns the radius of a circle, in metres. */
  get radius() {
    const [center, edge] = this.rings[0];
    return edge ? distance(center, edge) : 0;
  }

  /** Returns the member `geometry` of a `put`. */
  geometry() {
    const [first, second] = this.rings[0];
    if (this.kind === "point") return { point: { lat: round(first.lat), lon: wrapped(first.lng) } };
    if (this.kind === "line") return { line: { coordinates: this.rings[0].map(pair), width_m: this.width } };
    if (this.kind === "circle") {
      return { circle: { center: { lat: round(first.lat), lon: wrapped(first.lng) }, radius_m: Math.max(1, Math.round(this.radius)) } };
    }
    if (this.kind === "rectangle") {
      return { rectangle: {
        south: round(Math.min(first.lat, second.lat)), west: wrapped(Math.min(first.lng, second.lng)),
        north: round(Math.max(first.lat, second.lat)), east: wrapped(Math.max(first.lng, second.lng)),
      } };
    }
    return { polygon: this.rings.map((ring) => [...ring, ring[0]].map(pair)) };
  }

  #keep() {
    this.past.push(this.rings.map((ring) => ring.map((point) => ({ ...point }))));
  }
}

/** Returns the draft of a place that exists; `null` where its shape cannot be drawn here: it has several parts. */
export function draftOf({ feature: { geometry, properties } }) {
  const point = ([lng, lat]) => ({ lat, lng });
  if (geometry.type === "Point" && properties.radius_m) {
    const center = point(geometry.coordinates);
    const turn = properties.radius_m / EARTH * 180 / Math.PI / Math.cos(center.lat * Math.PI / 180);
    return new Draft("circle", [[center, { lat: center.lat, lng: center.lng + turn }]]);
  }
  const { rectangle } = properties;
  if (rectangle) {
    const east = rectangle.east < rectangle.west ? rectangle.east + 360 : rectangle.east;
    return new Draft("rectangle", [[{ lat: rectangle.south, lng: rectangle.west }, { lat: rectangle.north, lng: east }]]);
  }
  if (geometry.type === "Point") return new Draft("point", [[point(geometry.coordinates)]]);
  if (geometry.type === "LineString") {
    return Object.assign(new Draft("line", [unrolled(geometry.coordinates.map(point))]), { width: properties.width_m ?? 0 });
  }
  if (geometry.type !== "Polygon") return null;
  return new Draft("polygon", geometry.coordinates.map((ring) => unrolled(ring.slice(0, -1).map(point))));
}

/** Lets each edge go the shorter way round, also across the antimeridian. */
function unrolled(ring) {
  for (let i = 1; i < ring.length; i++) {
    ring[i].lng += Math.round((ring[i - 1].lng - ring[i].lng) / 360) * 360;
  }
  return ring;
}

function pair({ lat, lng }) {
  return [wrapped(lng), round(lat)];
}

function distance(a, b) {
  const [latA, latB] = [a.lat, b.lat].map((lat) => lat * Math.PI / 180);
  const half = Math.sin((latB - latA) / 2) ** 2 + Math.cos(latA) * Math.cos(latB) * Math.sin((b.lng - a.lng) * Math.PI / 360) ** 2;
  return 2 * EARTH * Math.asin(Math.sqrt(half));
}

/** To a centimetre. */
function round(degrees) {
  return Math.round(degrees * 1e7) / 1e7;
}

function wrapped(longitude) {
  return round(((longitude + 180) % 360 + 360) % 360 - 180);
}
