// Numbers and times as people read them, in their language and units.

import { locale, say } from "./words.js";

const KEPT = "waygate-units";
/** What a long distance, a short one and a speed are counted in, and how many of them a metre is. */
const SYSTEMS = {
  metric: { long: ["km", 1000], short: ["m", 1], speed: ["km/h", 1 / 3.6] },
  imperial: { long: ["mi", 1609.344], short: ["ft", 0.3048], speed: ["mph", 0.44704] },
  nautical: { long: ["NM", 1852], short: ["m", 1], speed: ["kn", 1852 / 3600] },
};

/** The names of the systems of units. */
export const systems = Object.keys(SYSTEMS);

/** The system that the address or the person has chosen. */
export const units = [new URLSearchParams(location.search).get("units"), localStorage.getItem(KEPT)]
  .find((name) => systems.includes(name)) ?? "metric";

/** Keeps a system for the next opening of the page. */
export function keepUnits(name) {
  localStorage.setItem(KEPT, name);
}

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });

/** Returns a count such as "12,345". */
export function number(value) {
  return whole.format(value);
}

/** Returns a share of 1 in percent. */
export function percent(value) {
  return share.format(value);
}

/** Returns a distance such as "850 m" or "12.4 km". */
export function distance(metres) {
  if (metres === null || metres === undefined) return "–";
  const { long: [longName, longLength], short: [shortName, shortLength] } = SYSTEMS[units];
  const near = metres / shortLength;
  if (metres < 0.995 * Math.min(longLength, 1000 * shortLength)) return `${whole.format(near < 100 ? near : Math.round(near / 10) * 10)} ${shortName}`;
  const far = metres / longLength;
  return `${(far < 99.5 ? tenths : whole).format(far)} ${longName}`;
}

/** Returns a speed such as "50 km/h". */
export function speed(mps) {
  if (mps === null || mps === undefined) return "";
  const [name, unit] = SYSTEMS[units].speed;
  return `${whole.format(mps / unit)} ${name}`;
}

/** Returns a duration such as "45 s", "12 min" or "2 h 05". */
export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return say("seconds", { n: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return say("minutes", { n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return say("hours", { n: hours, minutes: String(minutes % 60).padStart(2, "0") });
  return say("days", { n: whole.format(Math.floor(hours / 24)) });
}

/** Returns how long something has lasted, to the second: "0:45", "12:03" or "2:05:10". */
export function stopwatch(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`;
}

const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const fullClock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** Returns a time of day such as "14:05"; on another day with the date. */
export function timeOfDay(ms) {
  if (!Number.isFinite(ms)) return "–";
  const isNear = Math.abs(ms - Date.now()) < 12 * 3600_000;
  return (isNear ? clock : day).format(ms);
}

/** Returns a time of day with seconds. */
export function timeWithSeconds(ms) {
  return Number.isFinite(ms) ? fullClock.format(ms) : "–";
}

/** Returns how a via point is called: its name or id, or else its number, counted from 1. */
export function stopName(waypoint) {
  return waypoint.name || waypoint.id || say("stop", { number: number(waypoint.index + 1) });
}
