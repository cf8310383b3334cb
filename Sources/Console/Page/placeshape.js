// The shape of a place on the plane of the map, out of its definition.

import { mercatorX, mercatorY, metresPerUnit, nearest } from "./geometry.js";

/**
 * Returns a definition's shape: its `kind`; `parts`, each of rings of x, y, x, y …; the `x`, `y` of its middle, and half
 * its `width` and `height`, all in units of the world. `null` when it is no shape.
 */
export function shapeOf({ geometry, properties = {} }) {
  const { type, coordinates } = geometry ?? {};
  if (type === "Point" && properties.radius_m > 0) return circle(coordinates, properties.radius_m);
  if (type === "Point") return framed("point", [[place(coordinates)]]);
  if (type === "LineString") {
    const line = framed("line", [[flat(coordinates)]]);
    return { ...line, metres: properties.width_m ?? 15 };
  }
  const parts = { Polygon: [coordinates], MultiPolygon: coordinates }[type];
  return parts?.length ? framed(properties.rectangle ? "rectangle" : "polygon", parts.map((rings) => rings.map(flat))) : null;
}

/** Returns whether a point of the world is inside, or so near to a line or point as `reach`. */
export function holds(shape, x, y, reach) {
  const px = nearest(x, shape.x);
  if (Math.abs(px - shape.x) > shape.width + reach || Math.abs(y - shape.y) > shape.height + reach) return false;
  if (shape.kind === "circle") return Math.hypot(px - shape.x, y - shape.y) <= shape.radius;
  if (shape.kind === "point") return true;
  if (shape.kind === "line") return isNearLine(shape.parts[0][0], px, y, Math.max(reach, lineWidth(shape) / 2));
  return shape.parts.some((rings) => rings.filter((ring) => isWithin(ring, px, y)).length % 2 === 1);
}

/** Returns how wide a line's strip is, in units of the world. */
export function lineWidth({ metres, y }) {
  return metres / metresPerUnit(y);
}

function circle([lon, lat], metres) {
  const [x, y] = place([lon, lat]);
  const radius = metres / metresPerUnit(y);
  return { kind: "circle", parts: [], x, y, radius, width: radius, height: radius };
}

function place([lon, lat]) {
  return [mercatorX(lon), mercatorY(lat)];
}

/** Returns a line's points; each edge goes the shorter way round the world. */
function flat(coordinates) {
  const points = [];
  for (const position of coordinates) {
    const [x, y] = place(position);
    points.push(points.length ? nearest(x, points.at(-2)) : x, y);
  }
  return points;
}

function framed(kind, parts) {
  let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const ring of parts.flat()) {
    for (let i = 0; i < ring.length; i += 2) {
      west = Math.min(west, ring[i]);
      east = Math.max(east, ring[i]);
      north = Math.min(north, ring[i + 1]);
      south = Math.max(south, ring[i + 1]);
    }
  }
  return { kind, parts, x: (west + east) / 2, y: (north + south) / 2, width: (east - west) / 2, height: (south - north) / 2 };
}

function isWithin(ring, x, y) {
  let isInside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [ring[j], ring[j + 1], ring[i], ring[i + 1]];
    if (ay > y !== by > y && x < ax + (y - ay) / (by - ay) * (bx - ax)) isInside = !isInside;
  }
  return isInside;
}

function isNearLine(line, x, y, reach) {
  for (let i = 2; i < line.length; i += 2) {
    const [dx, dy] = [line[i] - line[i - 2], line[i + 1] - line[i - 1]];
    const square = dx * dx + dy * dy;
    const t = square > 0 ? Math.max(0, Math.min(1, ((x - line[i - 2]) * dx + (y - line[i - 1]) * dy) / square)) : 0;
    if (Math.hypot(x - line[i - 2] - t * dx, y - line[i - 1] - t * dy) <= reach) return true;
  }
  return false;
}
