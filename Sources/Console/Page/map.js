// The map: its ground, or tiles where a server is set up, and what Leaflet brings.

import { getGround } from "./api.js";
import { byID, make } from "./dom.js";
import { units } from "./format.js";
import { addGround } from "./ground.js";
import { say } from "./words.js";

const { tiles, attribution, ground } = document.documentElement.dataset;
const OSM = "© OpenStreetMap contributors";

/** Returns the map, empty and showing the world. */
export function createMap() {
  const map = L.map(byID("map"), {
    minZoom: 2, maxZoom: 20, attributionControl: false, zoomControl: false,
    maxBounds: [[-86, -Infinity], [86, Infinity]],
  });
  map.setView([25, 10], 2);
  L.control.zoom({ position: "topleft", zoomInTitle: say("zoom-in"), zoomOutTitle: say("zoom-out") }).addTo(map);
  L.control.scale({ position: "bottomleft", metric: units !== "imperial", imperial: units === "imperial" }).addTo(map);
  if (tiles) {
    showCredit(map, attribution || OSM);
    L.tileLayer(tiles, { maxZoom: 20, maxNativeZoom: 19, className: "tiles" }).addTo(map);
  } else if (ground === "on") {
    addRoads(map);
  } else {
    if (attribution) showCredit(map, attribution);
    addGrid(map);
  }
  return map;
}

/** Lays roads under everything; without them the ground stays plain. */
async function addRoads(map) {
  let facts;
  try {
    facts = await getGround();
  } catch {
    if (attribution) showCredit(map, attribution);
    addGrid(map);
    return;
  }
  showCredit(map, attribution || plain(facts.attribution) || OSM);
  const [west, south, east, north] = facts.bounds ?? [];
  // Until there are vehicles, the map shows what there are roads of.
  if (facts.bounds && map.getZoom() === 2 && west < east) map.fitBounds([[south, west], [north, east]], { animate: false });
  addGround(map, facts);
}

function addGrid(map) {
  new Grid({ maxZoom: 20, updateWhenZooming: false, tileSize: 1024 }).addTo(map);
}

/** A plain ground with a faint grid, so that movement and scale can be seen. */
const Grid = L.GridLayer.extend({
  createTile() {
    return make("div", { class: "grid" });
  },
});

function showCredit(map, text) {
  L.control.attribution({ prefix: false }).addAttribution(credit(text)).addTo(map);
}

const ENTITIES = { "&copy;": "©", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&nbsp;": " " };

/** Returns the text of what may be HTML, without having it read as such: a file of tiles names its makers with links. */
function plain(html) {
  const text = String(html ?? "").replace(/<[^>]*>/g, "").replace(/&#?\w+;/g, (name) => ENTITIES[name] ?? name);
  return text.trim().slice(0, 200);
}

/** Returns whom the map is owed to, as HTML: the text itself, with a link for OpenStreetMap. */
function credit(text) {
  const escaped = make("span", {}, text).innerHTML;
  return escaped.replace("OpenStreetMap", '<a href="https://www.openstreetmap.org/copyright" rel="noopener">OpenStreetMap</a>');
}
