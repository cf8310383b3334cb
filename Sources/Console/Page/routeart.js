// The chosen vehicle's route, as it is drawn in each frame.

/** Draws the route, its stops and its end; `s` is how far along it the vehicle is. */
export function drawRoute(context, view, colors, route, s) {
  const { line } = route;
  if (line.along.length > 1) {
    const split = s === undefined ? 0 : Math.max(0, Math.min(line.length, s));
    strokeLine(context, view, line, 0, line.length, colors("--route-case"), 9);
    if (split > 0) strokeLine(context, view, line, 0, split, colors("--route-behind"), 5);
    if (split < line.length) strokeLine(context, view, line, split, line.length, colors("--route-ahead"), 5);
  }
  if (route.connector) {
    dashes(context, view, colors("--route-ahead"), route.connector);
  }
  if (route.destination) drawDestination(context, view, colors, route.destination);
  for (const stop of route.stops) drawStop(context, view, colors, stop);
}

/** Draws a better route that is on offer, under the one in force. */
export function drawProposal(context, view, colors, { line }) {
  if (line.along.length < 2) return;
  strokeLine(context, view, line, 0, line.length, colors("--route-case"), 9);
  context.setLineDash([10, 8]);
  strokeLine(context, view, line, 0, line.length, colors("--held"), 5);
  context.setLineDash([]);
}

/** Draws what joins a vehicle that has left its route to where it was last on it. */
export function drawTether(context, view, color, from, to) {
  dashes(context, view, color, [from, to]);
}

/** Draws a part of a line, between two distances along it. */
export function strokeLine(context, view, line, from, to, color, width) {
  context.beginPath();
  // One shift for the whole line: a world's edge must not tear it.
  const shift = view.x(line.xs[0]) - line.xs[0] * view.scale;
  let first = true;
  line.walk(from, to, (x, y) => {
    const px = x * view.scale + shift;
    const py = view.y(y);
    if (first) context.moveTo(px, py);
    else context.lineTo(px, py);
    first = false;
  });
  context.strokeStyle = color;
  context.lineWidth = width;
  context.lineJoin = "round";
  context.lineCap = "round";
  context.stroke();
}

function dashes(context, view, color, [from, to]) {
  context.beginPath();
  context.moveTo(view.x(from.x), view.y(from.y));
  context.lineTo(view.x(to.x), view.y(to.y));
  context.setLineDash([3, 6]);
  context.strokeStyle = color;
  context.lineWidth = 3;
  context.lineCap = "round";
  context.stroke();
  context.setLineDash([]);
}

function drawDestination(context, view, colors, place) {
  const x = view.x(place.x);
  const y = view.y(place.y);
  context.fillStyle = colors("--route-case");
  disc(context, x, y, 10);
  context.fillStyle = colors("--route-ahead");
  disc(context, x, y, 8);
  context.fillStyle = colors("--route-case");
  disc(context, x, y, 3.5);
}

const FILLS = { pending: "--surface", reached: "--held", visited: "--arrived", skipped: "--surface" };
const EDGES = { pending: "--route-ahead", reached: "--held", visited: "--arrived", skipped: "--muted" };

function drawStop(context, view, colors, { x, y, index, status }) {
  const px = view.x(x);
  const py = view.y(y);
  const isOpen = status === "pending" || status === "skipped";
  context.fillStyle = colors("--route-case");
  disc(context, px, py, 13);
  context.fillStyle = colors(FILLS[status] ?? FILLS.pending);
  disc(context, px, py, 11);
  context.strokeStyle = context.fillStyle = colors(EDGES[status] ?? EDGES.pending);
  context.lineWidth = 2.5;
  if (status === "skipped") context.setLineDash([3, 3]);
  context.beginPath();
  context.arc(px, py, 10, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = isOpen ? context.strokeStyle : colors("--surface");
  context.font = "700 12px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(index + 1), px, py + 0.5);
  if (status === "skipped") {
    context.beginPath();
    context.moveTo(px - 7, py + 7);
    context.lineTo(px + 7, py - 7);
    context.stroke();
  }
}

function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
