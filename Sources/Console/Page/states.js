// What a vehicle can be doing: how urgent it is, and the shape that shows it.

/** Shapes are drawn in a square from -8 to 8; `turns` says that a shape points where the vehicle does. */
export const STATES = {
  held: { rank: 0, path: "M-4.5 -5.5h3v11h-3z M1.5 -5.5h3v11h-3z" },
  off_route: { rank: 1, color: "--off-route", turns: true, path: "M0 -7L5.5 6L0 3L-5.5 6Z" },
  rerouting: { rank: 2, turns: true, path: "M0 -7L5.5 6L0 3L-5.5 6Z" },
  awaiting_route: { rank: 3, path: "M-5 -1.2h2.4v2.4h-2.4z M-1.2 -1.2h2.4v2.4h-2.4z M2.6 -1.2h2.4v2.4h-2.4z" },
  tracking: { rank: 4, turns: true, path: "M0 -7L5.5 6L0 3L-5.5 6Z" },
  idle: { rank: 5, path: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0" },
  arrived: { rank: 6, path: "M-5.5 .3L-3.8 -1.4L-1.5 .9L3.8 -4.4L5.5 -2.7L-1.5 4.3Z" },
  stopped: { rank: 7, path: "M-4 -4h8v8h-8z" },
};

const RANKS = Object.keys(STATES).length;

/** Returns vehicles by the urgency of their states, otherwise in the order in which they come. */
export function byUrgency(vehicles) {
  const ranks = Array.from({ length: RANKS }, () => []);
  for (const vehicle of vehicles) ranks[STATES[vehicle.state].rank].push(vehicle);
  return ranks.flat();
}

/** Farther from its route than this, in metres, a vehicle is shown where it is and not on the route. */
export const STRAY_M = 100;

/** Returns which of `STATES` a vehicle is shown in. */
export function shownState(progress) {
  if (progress.state === "tracking" && progress.deviation_m > STRAY_M) return "off_route";
  return Object.hasOwn(STATES, progress.state) ? progress.state : "idle";
}

/** Returns the name of the colour of a state. */
export function colorName(state) {
  return STATES[state].color ?? `--${state}`;
}

/** Returns a small picture of a state. */
export function glyph(state) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-11 -11 22 22");
  svg.setAttribute("class", "glyph");
  svg.setAttribute("aria-hidden", "true");
  const disc = document.createElementNS(svg.namespaceURI, "circle");
  disc.setAttribute("r", "11");
  disc.style.fill = `var(${colorName(state)})`;
  const shape = document.createElementNS(svg.namespaceURI, "path");
  shape.setAttribute("d", STATES[state].path);
  shape.style.fill = "var(--surface)";
  svg.append(disc, shape);
  return svg;
}
