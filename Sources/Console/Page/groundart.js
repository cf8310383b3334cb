// Draws a piece of the ground out of vector tiles.

import { ROADS, nameOf, styleOf } from "./groundstyle.js";

/** Sorts a tile's features by what they are drawn as, with their lines in shares of the tile's side. */
export function prepare(layers) {
  const parts = { green: [], water: [], building: [], rail: [], roads: ROADS.map(() => []), names: [], places: [] };
  for (const [layerName, { extent, features }] of layers) {
    for (const feature of features) {
      const style = styleOf(layerName, feature);
      if (!style) continue;
      const lines = feature.lines.map((line) => Float32Array.from(line, (value) => value / extent));
      const name = nameOf(feature.properties);
      if (style.kind === "road") parts.roads[style.level].push(...lines);
      if ((style.kind === "road" || style.kind === "name") && name) parts.names.push({ name, level: style.level, lines });
      if (style.kind === "place" && name) parts.places.push({ name, rank: placeRank(feature.properties), at: lines[0] });
      if (style.kind in parts && style.kind !== "place") parts[style.kind].push(...lines);
    }
  }
  return parts;
}

/** Draws tiles into a square; each has `parts`, and `x`, `y` and `side` of its own square in pixels. */
export function draw(context, tiles, zoom, colors) {
  for (const kind of ["green", "water", "building"]) {
    if (kind === "building" && zoom < 14) continue;
    fill(context, tiles, (parts) => parts[kind], colors[kind]);
  }
  ROADS.forEach(({ from, widths }, level) => {
    if (zoom < from || level === 0) return;
    stroke(context, tiles, (parts) => parts.roads[level], colors.edge, widthAt(widths, zoom) + (zoom < 13 ? 1 : 2));
  });
  stroke(context, tiles, (parts) => parts.rail, colors.rail, zoom < 14 ? 0.8 : 1.6);
  ROADS.forEach(({ name, from, widths }, level) => {
    if (zoom >= from) stroke(context, tiles, (parts) => parts.roads[level], colors[name], widthAt(widths, zoom));
  });
}

/** Returns how wide a road is at a zoom, in pixels. */
export function widthAt([at12, at15, at18], zoom) {
  const [low, high, share] = zoom < 15 ? [at12, at15, (zoom - 12) / 3] : [at15, at18, (zoom - 15) / 3];
  return Math.max(0.4, low * (high / low) ** Math.min(share, 1.4));
}

function trace(context, tiles, pick) {
  context.beginPath();
  for (const { parts, x, y, side } of tiles) {
    for (const line of pick(parts)) {
      context.moveTo(x + line[0] * side, y + line[1] * side);
      for (let i = 2; i < line.length; i += 2) context.lineTo(x + line[i] * side, y + line[i + 1] * side);
    }
  }
}

function fill(context, tiles, pick, color) {
  trace(context, tiles, pick);
  context.fillStyle = color;
  context.fill("evenodd");
}

function stroke(context, tiles, pick, color, width) {
  trace(context, tiles, pick);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.lineJoin = context.lineCap = "round";
  context.stroke();
}

const PLACE_RANKS = ["city", "town", "village", "suburb", "hamlet"];

function placeRank(properties) {
  const word = [properties.class, properties.kind_detail, properties.kind, properties["pmap:kind"]].find((word) => PLACE_RANKS.includes(word));
  return word ? PLACE_RANKS.indexOf(word) : PLACE_RANKS.length;
}
