// What the page asks of the worker.

import { byID } from "./dom.js";
import { say } from "./words.js";

const TOKEN_KEY = "waygate-command-token";

async function get(path) {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(15_000) });
  if (!response.ok && response.status !== 503 && response.status !== 404) {
    throw new Error(`${path}: ${response.status}`);
  }
  return response;
}

/** Returns the newest progress of all vehicles. */
export async function getVehicles() {
  const response = await get("api/vehicles");
  if (!response.ok) throw new Error(`vehicles: ${response.status}`);
  return response.json();
}

/** Returns a vehicle's route, or `null` when it has none. */
export async function getRoute(vehicleID) {
  const response = await get(`api/vehicles/${encodeURIComponent(vehicleID)}/route`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`route: ${response.status}`);
  return response.json();
}

/** Returns the better route that a vehicle is offered, or `null` when there is none. */
export async function getProposal(vehicleID) {
  const response = await get(`api/vehicles/${encodeURIComponent(vehicleID)}/proposal`);
  if (response.status === 204) return null;
  if (!response.ok) throw new Error(`proposal: ${response.status}`);
  return response.json();
}

/**
 * Returns what happened to a vehicle between two local midnights: `fixes`, whether some are left out, `stops`, `visits` and
 * `speedings`; `null` from a worker that tells no past.
 */
export async function getDay(vehicleID, from, to, tz) {
  const ask = (path, more = {}) => get(`api/${path}?${new URLSearchParams({ from, to, tz, ...more })}`);
  const answers = await Promise.all([ask(`vehicles/${encodeURIComponent(vehicleID)}/track`),
    ...["stops", "visits", "speedings"].map((name) => ask(`reports/${name}`, { vehicle: vehicleID }))]);
  if (answers.some(({ status }) => status === 404)) return null;
  const [track, stops, visits, speedings] = await Promise.all(answers.map((answer) => answer.json()));
  const failed = [track, stops, visits, speedings].find(({ error }) => error);
  if (failed) throw new Error(failed.error);
  return { fixes: track.fixes, isCut: track.truncated, stops: stops.rows, visits: visits.rows, speedings: speedings.rows };
}

/** Returns what is known of the ground's tiles. */
export async function getGround() {
  const response = await get("api/ground");
  if (!response.ok) throw new Error(`ground: ${response.status}`);
  return response.json();
}

/** Returns what works and what does not, and the worker's time. */
export async function getReadiness() {
  const response = await get("readyz");
  return { ...await response.json(), time: Date.parse(response.headers.get("Date")) };
}

/** Returns places, by `bbox`, `q` and so on; `null` from a worker that serves none. */
export async function getPlaces(wanted) {
  const response = await get(`api/places?${new URLSearchParams(wanted)}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`places: ${response.status}`);
  return response.json();
}

/** Whether the worker takes commands from this page. */
export const commandsAreOn = document.documentElement.dataset.commands === "on";

/** Sends a command to a vehicle; see `send`. */
export function sendCommand(name, vehicleID, body = {}) {
  return send("POST", `api/vehicles/${encodeURIComponent(vehicleID)}/${name}`, body);
}

/** Makes or changes a place; see `send`. */
export function putPlace(id, body) {
  return send("POST", `api/places/${encodeURIComponent(id)}`, body);
}

/** Deletes a place; see `send`. */
export function deletePlace(id) {
  return send("DELETE", `api/places/${encodeURIComponent(id)}`, {});
}

/**
 * Sends a command, and asks for the token where there is none that holds.
 *
 * Returns the id of the command, or `null` when the person did not give a token; throws an error with
 * the worker's words.
 */
async function send(method, path, body) {
  let reason;
  for (;;) {
    const token = sessionStorage.getItem(TOKEN_KEY) ?? await askForToken(reason);
    if (!token) return null;
    const response = await fetch(path, {
      method,
      // Not in Authorization, where a proxy in front may want a password.
      headers: { "X-Waygate-Token": token, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    const answer = await response.json().catch(() => ({}));
    // What is refused for another reason has had the right token all the same.
    if (response.status !== 401 && response.status !== 403) sessionStorage.setItem(TOKEN_KEY, token);
    if (response.ok) return answer.command_id;
    if (response.status !== 401) throw new Error(answer.error ?? `the worker answered ${response.status}`);
    sessionStorage.removeItem(TOKEN_KEY);
    reason = say("token-wrong");
  }
}

/** Shows the dialog for the token; returns what was given, or `null`. */
function askForToken(reason) {
  const dialog = byID("token-dialog");
  const field = byID("token");
  if (reason) byID("token-reason").textContent = reason;
  field.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    byID("token-cancel").onclick = () => dialog.close();
    dialog.onclose = () => resolve(dialog.returnValue === "ok" ? field.value.trim() : null);
  });
}
