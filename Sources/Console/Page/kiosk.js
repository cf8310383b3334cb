// A page for a wall, `?kiosk`: the whole screen is the map, and what is wrong stands large upon it.

import { byID, make } from "./dom.js";

const SHOWN_MS = 60_000;
const MOST_SHOWN = 4;

/** Whether this page is for a wall. */
export const isKiosk = new URLSearchParams(location.search).has("kiosk");

/** Shows an event in large letters for a minute, where this page is for a wall and the event is bad. */
export function showLarge({ vehicle_id: vehicle }, { text, tone }) {
  if (!isKiosk || tone !== "bad") return;
  const board = byID("board");
  const alarm = make("p", {}, make("strong", {}, vehicle), make("span", {}, text));
  board.prepend(alarm);
  while (board.children.length > MOST_SHOWN) board.lastElementChild.remove();
  setTimeout(() => alarm.remove(), SHOWN_MS);
}

if (isKiosk) document.body.classList.add("kiosk");
