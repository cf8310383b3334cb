// Mapbox vector tiles, version 2: as much as drawing a ground needs.

import { Message } from "./protobuf.js";

const MOVE = 1;
const LINE = 2;
const CLOSE = 7;

/**
 * Returns a tile's layers by name, each with its `extent` and `features`.
 *
 * A feature has a `type` (1 points, 2 lines, 3 areas), `properties`, and `lines`: arrays of x, y, x, y …
 * A damaged tile throws.
 */
export function readTile(bytes) {
  const layers = new Map();
  const tile = new Message(bytes);
  tile.each((field) => {
    if (field !== 3) return;
    const layer = readLayer(tile.message());
    layers.set(layer.name, layer);
  });
  return layers;
}

function readLayer(message) {
  const layer = { name: "", extent: 4096, features: [] };
  const [keys, values, features] = [[], [], []];
  message.each((field) => {
    if (field === 1) layer.name = message.string();
    else if (field === 2) features.push(message.message());
    else if (field === 3) keys.push(message.string());
    else if (field === 4) values.push(readValue(message.message()));
    else if (field === 5) layer.extent = Math.max(1, message.varint());
  });
  // Keys and values may come after the features that use them.
  layer.features = features.map((feature) => readFeature(feature, keys, values));
  return layer;
}

function readValue(message) {
  let value = null;
  message.each((field) => {
    if (field === 1) value = message.string();
    else if (field === 2) value = message.fixed("getFloat32", 4);
    else if (field === 3) value = message.fixed("getFloat64", 8);
    else if (field === 4 || field === 5) value = message.varint();
    else if (field === 6) value = message.signed();
    else if (field === 7) value = message.varint() !== 0;
  });
  return value;
}

function readFeature(message, keys, values) {
  const feature = { type: 0, properties: {}, lines: [] };
  message.each((field) => {
    if (field === 2) readTags(message.message(), keys, values, feature.properties);
    else if (field === 3) feature.type = message.varint();
    else if (field === 4) feature.lines = readGeometry(message.message());
  });
  return feature;
}

function readTags(message, keys, values, properties) {
  while (message.at < message.end) {
    const key = keys[message.varint()];
    const value = values[message.varint()];
    // A stranger's key must not reach an object's own inside.
    if (key !== undefined && key !== "__proto__") properties[key] = value;
  }
}

function readGeometry(message) {
  const lines = [];
  let line = [];
  let [x, y] = [0, 0];
  while (message.at < message.end) {
    const command = message.varint();
    const kind = command & 7;
    if (kind === CLOSE) {
      if (line.length > 2) line.push(line[0], line[1]);
      continue;
    }
    if (kind !== MOVE && kind !== LINE) throw new RangeError("an unknown command");
    for (let count = command >>> 3; count > 0; count--) {
      x += message.signed();
      y += message.signed();
      if (kind === MOVE) lines.push(line = []);
      line.push(x, y);
    }
  }
  return lines;
}
