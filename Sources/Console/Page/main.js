// The start: without Leaflet there is no map, and the page says how to get it.

import { getVehicles } from "./api.js";
import { say, translate } from "./words.js";

translate(document);

if (window.L) {
  // The largest answer is asked for first, and comes while the rest of the page is loaded.
  const vehicles = getVehicles();
  const { start } = await import("./app.js");
  start(vehicles);
} else {
  const message = document.createElement("p");
  message.className = "empty";
  message.textContent = say("no-leaflet");
  document.getElementById("map").append(message);
}
