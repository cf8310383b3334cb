// The names of roads: pieces of one road are joined, so that a name has room along them.

/** Returns the named roads of a tile, each as one line or several, in units of the world. */
export function namesOf({ parts, depth, column, row }) {
  parts.joined ??= join(parts.names);
  const scale = 256 / 2 ** depth;
  return parts.joined.map(({ name, level, line }) => ({
    name, level, line: line.map((value, i) => (value + (i % 2 ? row : column)) * scale),
  }));
}

function join(names) {
  const roads = new Map();
  for (const { name, level, lines } of names) {
    const road = roads.get(name) ?? { name, level, lines: [] };
    road.level = Math.max(road.level, level);
    road.lines.push(...lines);
    roads.set(name, road);
  }
  return [...roads.values()].flatMap(({ name, level, lines }) => chain(lines).map((line) => ({ name, level, line })));
}

const key = (line, at) => `${Math.round(line[at] * 4096)},${Math.round(line[at + 1] * 4096)}`;
const start = (line) => key(line, 0);
const end = (line) => key(line, line.length - 2);

/** Joins lines that end where another begins; of the two directions of one piece only one is taken. */
function chain(lines) {
  const open = new Map();
  for (const line of lines) {
    const ends = [start(line), end(line)].sort().join(" ");
    if (start(line) !== end(line) && !open.has(ends)) open.set(ends, line);
  }
  const byEnd = new Map();
  for (const line of open.values()) {
    for (const point of [start(line), end(line)]) byEnd.set(point, [...byEnd.get(point) ?? [], line]);
  }
  const used = new Set();
  const chains = [];
  for (const line of open.values()) {
    if (used.has(line)) continue;
    used.add(line);
    const back = extend(reversed(line), byEnd, used);
    chains.push(extend(reversed(back), byEnd, used));
  }
  return chains;
}

function extend(points, byEnd, used) {
  for (;;) {
    const last = end(points);
    const next = byEnd.get(last)?.find((line) => !used.has(line));
    if (!next) return points;
    used.add(next);
    const turned = start(next) === last ? Array.from(next) : reversed(next);
    points.push(...turned.slice(2));
  }
}

function reversed(line) {
  const points = [];
  for (let i = line.length - 2; i >= 0; i -= 2) points.push(line[i], line[i + 1]);
  return points;
}
