// Numbers and times as people read them.

/** Returns a distance such as "850 m" or "12.4 km". */
export function distance(metres) {
  if (metres === null || metres === undefined) return "–";
  if (metres < 995) return `${Math.round(metres / (metres < 100 ? 1 : 10)) * (metres < 100 ? 1 : 10)} m`;
  return `${(metres / 1000).toFixed(metres < 99_500 ? 1 : 0)} km`;
}

/** Returns a speed in km/h. */
export function speed(mps) {
  return mps === null || mps === undefined ? "" : `${Math.round(mps * 3.6)} km/h`;
}

/** Returns a duration such as "45 s", "12 min" or "2 h 05". */
export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${String(minutes % 60).padStart(2, "0")}` : `${Math.floor(hours / 24)} d`;
}

/** Returns how long something has lasted, to the second: "0:45", "12:03" or "2:05:10". */
export function stopwatch(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const fullClock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** Returns a time of day such as "14:05". */
export function timeOfDay(ms) {
  return clock.format(ms);
}

/** Returns a time of day with seconds. */
export function timeWithSeconds(ms) {
  return fullClock.format(ms);
}

/** Returns how a via point is called: its name or id where it has one. */
export function stopName(waypoint) {
  const name = waypoint.name || waypoint.id;
  return name ? `Stop ${waypoint.index} · ${name}` : `Stop ${waypoint.index}`;
}
