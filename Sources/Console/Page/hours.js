// When a place's alarms are told: its windows in a zone of its own.

const DAYS = ["su", "mo", "tu", "we", "th", "fr", "sa"];
const zones = new Map();

/** Returns whether a time lies in a place's windows; without any it always does. */
export function isActive(active, now) {
  if (!active) return true;
  if (active.since && now < Date.parse(active.since)) return false;
  if (active.until && now >= Date.parse(active.until)) return false;
  if (!active.weekly?.length) return true;
  const { day, minute } = localTime(active.tz ?? "UTC", now);
  return active.weekly.some((window) => holds(window, day, minute));
}

/** Returns whether a roadblock closes its road at a time. */
export function isClosed(roadblock, now) {
  if (!roadblock) return false;
  return !(roadblock.since && now < Date.parse(roadblock.since)) && !(roadblock.until && now >= Date.parse(roadblock.until));
}

/** A window that ends before it begins goes into the next day, and belongs to the day of its begin. */
function holds({ days = DAYS, from, to }, day, minute) {
  const [start, end] = [minutes(from), minutes(to)];
  const isDay = (index) => days.includes(DAYS[(index + 7) % 7]);
  if (start < end) return isDay(day) && minute >= start && minute < end;
  return (isDay(day) && minute >= start) || (isDay(day - 1) && minute < end);
}

function minutes(text) {
  const [hours, rest] = String(text ?? "0:0").split(":").map(Number);
  return hours * 60 + (rest || 0);
}

function localTime(zone, now) {
  const parts = Object.fromEntries(clock(zone).formatToParts(now).map(({ type, value }) => [type, value]));
  const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(parts.weekday);
  return { day, minute: Number(parts.hour) * 60 + Number(parts.minute) };
}

function clock(zone) {
  if (!zones.has(zone)) zones.set(zone, makeClock(zone));
  return zones.get(zone);
}

/** A zone that this browser does not know is taken for UTC: the worker judges, the map only shows. */
function makeClock(zone) {
  const options = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  try {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  }
}
