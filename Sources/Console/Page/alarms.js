// Alarms in words.

import { distance, duration, speed, stopName } from "./format.js";
import { knows, say } from "./words.js";

const TONES = {
  place_entered: "good", place_exited: "good", place_passed: "good", place_dwelled: "held", place_approached: "good",
  speeding_started: "bad", speeding_ended: "good", stop_started: "held", stop_ended: "good", vehicle_silent: "bad", vehicle_heard: "good",
};

/** Returns an alarm in words. */
export function describeAlarm(alarm) {
  const key = `alarm.${alarm.type}`;
  if (!knows(key)) return { text: String(alarm.type).replaceAll("_", " ") };
  const seconds = alarm.inside_s ?? alarm.duration_s ?? alarm.silence_s;
  const text = say(key, {
    place: alarm.place?.name ?? alarm.place?.id ?? "", distance: distance(alarm.distance_m), speed: speed(alarm.speed_mps ?? alarm.top_speed_mps),
    limit: speed(alarm.limit_mps), time: seconds === undefined || seconds === null ? "" : duration(seconds * 1000),
    stop: alarm.waypoint_index === null || alarm.waypoint_index === undefined ? "" : stopName({ index: alarm.waypoint_index }),
  });
  return { text, tone: TONES[alarm.type] };
}
