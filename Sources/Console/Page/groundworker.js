// Paints squares of the ground on a thread of its own, so that the page never waits for roads.

import { draw } from "./groundart.js";
import { namesOf } from "./groundnames.js";
import { GroundTiles } from "./groundtiles.js";

/** So many zooms below the first that there are tiles of, the ground is put together of smaller ones. */
const MOST_BELOW = 2;

let tiles;
const given = new Set();

onmessage = ({ data }) => {
  if (data.facts) tiles = new GroundTiles(data.facts, data.base);
  else if (data.drop) given.delete(data.drop);
  else {
    given.add(data.id);
    paint(data).catch(() => postMessage({ id: data.id, isMissing: true }));
  }
};

/** Paints the square at a zoom, column and row; `size` is its side in pixels, `ratio` the screen's. */
async function paint({ id, zoom, column, row, size, ratio, colors }) {
  const depth = tiles.depthFor(zoom);
  const parts = depth - zoom > MOST_BELOW ? [] : await Promise.all(squaresOf(zoom, column, row, depth, size));
  if (!given.delete(id)) return;
  const found = parts.filter((tile) => tile.parts);
  const canvas = new OffscreenCanvas(size * ratio, size * ratio);
  const context = canvas.getContext("2d", { alpha: false });
  context.scale(ratio, ratio);
  context.fillStyle = colors.land;
  context.fillRect(0, 0, size, size);
  draw(context, found, zoom + 1, colors);
  const bitmap = canvas.transferToImageBitmap();
  const names = found.flatMap((tile) => namesOf(tile));
  const places = found.flatMap(({ parts, depth, column, row }) => parts.places.map(({ name, rank, at }) => (
    { name, rank, x: (column + at[0]) / 2 ** depth * 256, y: (row + at[1]) / 2 ** depth * 256 })));
  postMessage({ id, bitmap, names, places, isMissing: parts.some((tile) => tile.parts === undefined) }, [bitmap]);
}

/** Returns the tiles that make up a square, each with where it lies in it. */
function squaresOf(zoom, column, row, depth, size) {
  const count = Math.max(1, 2 ** (depth - zoom));
  const side = size * 2 ** (zoom - depth);
  const first = [column, row].map((number) => Math.floor(number * 2 ** (depth - zoom)));
  const shift = [column, row].map((number, i) => (first[i] * 2 ** (zoom - depth) - number) * size);
  return Array.from({ length: count * count }, async (_, i) => {
    const [dx, dy] = [i % count, Math.floor(i / count)];
    const place = { depth, column: first[0] + dx, row: first[1] + dy };
    return { ...place, side, x: shift[0] + dx * side, y: shift[1] + dy * side, parts: await tiles.get(place) };
  });
}
