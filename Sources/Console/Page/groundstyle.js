// What is drawn of vector tiles: OSRM's and Valhalla's roads, and the usual schemas of whole maps.

/** How roads are drawn, the important last: from which zoom, and how many pixels wide at zooms 12, 15 and 18. */
export const ROADS = [
  { name: "path", from: 15, widths: [0.4, 1, 2.5] },
  { name: "minor", from: 12, widths: [0.6, 2.4, 9] },
  { name: "street", from: 11, widths: [0.9, 3.4, 11] },
  { name: "major", from: 9, widths: [1.4, 4.6, 13] },
  { name: "motorway", from: 4, widths: [2, 6, 16] },
];

const [PATH, MINOR, STREET, MAJOR, MOTORWAY] = [0, 1, 2, 3, 4];

/** Classes of roads by the words of OpenMapTiles, Protomaps and Shortbread. */
const CLASSES = {
  motorway: MOTORWAY, trunk: MOTORWAY, highway: MOTORWAY, primary: MAJOR, major_road: MAJOR, secondary: MAJOR, tertiary: STREET,
  unclassified: MINOR, residential: MINOR, living_street: MINOR, minor: MINOR, minor_road: MINOR, medium_road: STREET, street: MINOR,
  service: PATH, track: PATH, path: PATH, footway: PATH, cycleway: PATH, pedestrian: PATH, steps: PATH, other: PATH, busway: PATH,
};
const CLASS_KEYS = ["class", "kind", "highway", "pmap:kind"];
/** Valhalla counts from motorways down to service roads. */
const VALHALLA = [MOTORWAY, MOTORWAY, MAJOR, MAJOR, STREET, MINOR, MINOR, PATH];

const ROAD_LAYERS = new Set(["transportation", "roads", "streets", "road", "street_polygons"]);
const NAME_LAYERS = new Set(["transportation_name", "street_labels", "road_names"]);
const PLACE_LAYERS = new Set(["place", "places", "place_labels", "place_label"]);
const WATER_LAYERS = new Set(["water", "water_polygons", "ocean"]);
const LAND_LAYERS = new Set(["landcover", "landuse", "park", "land", "natural", "sites"]);
const BUILDING_LAYERS = new Set(["building", "buildings"]);
const GREEN = /wood|forest|park|grass|meadow|garden|scrub|farmland|nature|orchard|vineyard|pitch|golf|cemetery|recreation|village_green|allotments/;

/** Returns what a feature is drawn as: its `kind`, and for roads their class; `null` when as nothing. */
export function styleOf(layer, { type, properties }) {
  if (layer === "speeds") return type === 2 ? { kind: "road", level: bySpeed(properties) } : null;
  if (layer === "edges") return { kind: "road", level: VALHALLA[properties.road_class] ?? MINOR };
  if (ROAD_LAYERS.has(layer)) return roadStyle(type, properties);
  if (NAME_LAYERS.has(layer)) return type === 2 ? { kind: "name", level: classOf(properties) ?? MINOR } : null;
  if (PLACE_LAYERS.has(layer)) return type === 1 ? { kind: "place" } : null;
  if (type !== 3) return null;
  if (WATER_LAYERS.has(layer)) return { kind: "water" };
  if (BUILDING_LAYERS.has(layer)) return { kind: "building" };
  return LAND_LAYERS.has(layer) && GREEN.test(wordOf(properties) ?? "") ? { kind: "green" } : null;
}

/** Returns a feature's name. */
export function nameOf({ name, "name:latin": latin }) {
  const text = name ?? latin;
  return typeof text === "string" && text !== "" ? text.slice(0, 80) : null;
}

/** OSRM tells how fast a road is driven, in km/h, and not what it is. */
function bySpeed({ speed }) {
  if (speed >= 80) return MOTORWAY;
  if (speed >= 50) return MAJOR;
  if (speed >= 35) return STREET;
  return speed >= 15 ? MINOR : PATH;
}

function roadStyle(type, properties) {
  if (type !== 2) return null;
  const word = wordOf(properties);
  if (word === "rail" || word === "transit") return { kind: "rail" };
  const level = classOf(properties);
  return level === undefined ? null : { kind: "road", level };
}

function wordOf(properties) {
  for (const key of CLASS_KEYS) if (typeof properties[key] === "string") return properties[key];
  return undefined;
}

function classOf(properties) {
  const word = wordOf(properties);
  return word !== undefined && Object.hasOwn(CLASSES, word) ? CLASSES[word] : undefined;
}
