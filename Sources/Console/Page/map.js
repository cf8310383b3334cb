// The map: its ground, or tiles where a server is set up, and what Leaflet brings.

import { byID, make } from "./dom.js";

const { tiles, attribution } = document.documentElement.dataset;
const OSM = "© OpenStreetMap contributors";

/** Returns the map, empty and showing the world. */
export function createMap() {
  const map = L.map(byID("map"), {
    minZoom: 2, maxZoom: 20, attributionControl: false, zoomControl: false,
    maxBounds: [[-86, -Infinity], [86, Infinity]],
  });
  map.setView([25, 10], 2);
  L.control.zoom({ position: "topleft" }).addTo(map);
  L.control.scale({ position: "bottomleft", imperial: false }).addTo(map);
  if (tiles) {
    L.control.attribution({ prefix: false }).addTo(map);
    L.tileLayer(tiles, { maxZoom: 20, maxNativeZoom: 19, className: "tiles", attribution: credit(attribution || OSM) }).addTo(map);
  } else {
    if (attribution) L.control.attribution({ prefix: false }).addAttribution(credit(attribution)).addTo(map);
    new Ground({ maxZoom: 20, updateWhenZooming: false, tileSize: 1024 }).addTo(map);
  }
  return map;
}

/** A plain ground with a faint grid, so that movement and scale can be seen. */
const Ground = L.GridLayer.extend({
  createTile() {
    return make("div", { class: "ground" });
  },
});

/** Returns whom the map is owed to, as HTML: the text itself, with a link for OpenStreetMap. */
function credit(text) {
  const plain = make("span", {}, text).innerHTML;
  return plain.replace("OpenStreetMap", '<a href="https://www.openstreetmap.org/copyright" rel="noopener">OpenStreetMap</a>');
}
