// How a place is drawn.

import { isActive, isClosed } from "./hours.js";
import { lineWidth } from "./placeshape.js";

/** Draws a place; outside its window its edge is dashed, and a road that it closes is hatched in red. */
export function drawPlace(context, view, color, place, { isDot, isChosen, now }) {
  const { shape, properties } = place;
  const isBlocked = isClosed(properties.roadblock, now);
  const edge = isBlocked ? color("--off-route") : safeColor(properties.color) ?? color(`--place-${place.color}`);
  if (isDot || shape.kind === "point") {
    dot(context, view, shape, edge, isChosen, color);
    return;
  }
  trace(context, view, shape);
  const isLine = shape.kind === "line";
  if (!isLine) {
    context.fillStyle = `color-mix(in srgb, ${edge} 14%, transparent)`;
    context.fill("evenodd");
  }
  if (isBlocked && !isLine) hatch(context, view, shape, edge);
  trace(context, view, shape);
  context.strokeStyle = edge;
  context.lineJoin = context.lineCap = "round";
  context.setLineDash(isActive(properties.active, now) ? [] : [6, 5]);
  context.lineWidth = isLine ? Math.max(3, lineWidth(shape) * view.scale) : 1.6;
  if (isLine) context.globalAlpha *= 0.55;
  context.stroke();
  context.setLineDash([]);
  if (isLine) context.globalAlpha /= 0.55;
  if (isChosen) outline(context, view, shape, color("--focus"));
}

/** Writes a place's name in its middle. */
export function drawName(context, color, place, x, y, width) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 3.5;
  context.lineJoin = "round";
  context.strokeStyle = color("--label-halo");
  context.strokeText(place.name, x, y, width);
  context.fillStyle = color(`--place-${place.color}`);
  context.fillText(place.name, x, y, width);
}

/** Returns a colour that a place was given, if it is one; anything else could be any style. */
export function safeColor(text) {
  return /^#[0-9a-f]{6}$/i.test(text ?? "") ? text : null;
}

/** Makes a shape the context's path. */
export function trace(context, view, shape) {
  context.beginPath();
  const shift = view.x(shape.x) - shape.x * view.scale;
  if (shape.kind === "circle") {
    context.arc(view.x(shape.x), view.y(shape.y), shape.radius * view.scale, 0, 2 * Math.PI);
    return;
  }
  for (const ring of shape.parts.flat()) {
    for (let i = 0; i < ring.length; i += 2) {
      context[i ? "lineTo" : "moveTo"](ring[i] * view.scale + shift, view.y(ring[i + 1]));
    }
    if (shape.kind !== "line") context.closePath();
  }
}

function dot(context, view, shape, edge, isChosen, color) {
  const [x, y] = [view.x(shape.x), view.y(shape.y)];
  context.beginPath();
  context.arc(x, y, shape.kind === "point" ? 5 : 3, 0, 2 * Math.PI);
  context.fillStyle = edge;
  context.fill();
  context.lineWidth = isChosen ? 3 : 1.5;
  context.strokeStyle = isChosen ? color("--focus") : color("--marker-edge");
  context.stroke();
}

function outline(context, view, shape, color) {
  trace(context, view, shape);
  context.strokeStyle = color;
  context.lineWidth = 3.5;
  context.stroke();
}

/** Hatches a shape, no farther than the view goes. */
function hatch(context, view, shape, color) {
  context.save();
  context.clip("evenodd");
  const half = { w: shape.width * view.scale, h: shape.height * view.scale };
  const left = Math.max(-view.width, view.x(shape.x) - half.w);
  const right = Math.min(2 * view.width, view.x(shape.x) + half.w);
  const top = Math.max(-view.height, view.y(shape.y) - half.h);
  const bottom = Math.min(2 * view.height, view.y(shape.y) + half.h);
  context.beginPath();
  for (let x = left - (bottom - top); x < right; x += 9) {
    context.moveTo(x, bottom);
    context.lineTo(x + bottom - top, top);
  }
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.stroke();
  context.restore();
}
