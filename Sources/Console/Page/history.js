// A vehicle's day, replayed: where it was at each moment, with its stops, visits and speedings.

import { getDay } from "./api.js";
import { byID, make, notify, setText } from "./dom.js";
import { duration, speed, timeWithSeconds } from "./format.js";
import { Line, latitude, longitude } from "./geometry.js";
import { Overlay } from "./overlay.js";
import { strokeLine } from "./routeart.js";
import { say } from "./words.js";

/** So many seconds pass in one that is replayed. */
const PACE = 120;
const TICK_MS = 100;
/** Between two positions that are farther apart, in milliseconds, the vehicle stays at the first. */
const LONGEST_GAP_MS = 300_000;
const DAY_MS = 86_400_000;

export class History {
  constructor(map) {
    this.map = map;
    this.panel = byID("history");
    this.overlay = new Overlay(map, "history", 450);
    /** So many days were asked for: only the answer to the last question counts. */
    this.asked = 0;
    map.on("moveend resize", () => this.#draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
  }

  /** Whether a day is shown. */
  get isOpen() {
    return !this.panel.hidden;
  }

  /** Shows a vehicle's day, today by default. */
  open(vehicleID, day = localDay(Date.now())) {
    this.vehicleID = vehicleID;
    this.#build(day);
    this.panel.hidden = false;
    this.date.focus();
    this.#load(day);
  }

  /** Ends the replay. */
  close() {
    this.#clear();
    this.panel.hidden = true;
  }

  /** Shows a moment of the day, in milliseconds. */
  show(time) {
    this.time = time;
    this.slider.value = String(Math.round(time / 1000));
    this.slider.setAttribute("aria-valuetext", timeWithSeconds(time));
    setText(this.clock, timeWithSeconds(time));
    this.#draw();
  }

  /** Where the vehicle was at the moment that is shown, on the map's plane; `undefined` before its first position. */
  get place() {
    const { times, line } = this.day;
    let [low, high] = [0, times.length - 1];
    if (high < 0 || times[0] > this.time) return undefined;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= this.time) low = middle;
      else high = middle - 1;
    }
    const gap = times[low + 1] - times[low];
    const share = low + 1 < times.length && gap > 0 && gap <= LONGEST_GAP_MS ? (this.time - times[low]) / gap : 0;
    const along = line.along[low] + share * ((line.along[low + 1] ?? line.along[low]) - line.along[low]);
    return { ...line.at(along), along };
  }

  #build(day) {
    this.date = make("input", { type: "date", value: day, max: localDay(Date.now()), "aria-label": say("history-date") });
    this.date.addEventListener("change", () => this.date.value && this.#load(this.date.value));
    this.slider = make("input", { type: "range", step: 10, "aria-label": say("history-time") });
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value) * 1000));
    this.clock = make("output");
    this.play = make("button", { onclick: () => (this.timer ? this.#pause() : this.#run()) }, say("history-play"));
    this.marks = make("div", { class: "marks", "aria-hidden": "true" });
    this.list = make("ol", { "aria-label": say("history-list") });
    this.message = make("p", { role: "status" });
    this.panel.replaceChildren(
      make("header", {}, make("h2", {}, say("history-title", { vehicle: this.vehicleID })), this.date,
        make("button", { class: "close", "aria-label": say("close"), onclick: () => this.close() }, "×")),
      make("div", { class: "track" }, this.marks, this.slider), make("div", { class: "controls" }, this.play, this.clock),
      this.message, this.list);
  }

  /** Shows nothing, whatever is still on its way. */
  #clear() {
    this.asked += 1;
    this.#pause();
    this.day = null;
    this.slider.disabled = this.play.disabled = true;
    for (const part of [this.marks, this.list]) part.replaceChildren();
    setText(this.clock, "");
    this.#draw();
  }

  async #load(day) {
    this.#clear();
    const question = this.asked;
    const start = new Date(`${day}T00:00`).getTime();
    const end = new Date(`${localDay(start + 1.5 * DAY_MS)}T00:00`).getTime();
    setText(this.message, say("history-loading"));
    try {
      const found = await getDay(this.vehicleID, day, localDay(end + DAY_MS / 4), Intl.DateTimeFormat().resolvedOptions().timeZone);
      if (question !== this.asked) return;
      if (!found) {
        this.close();
        notify(say("history-none"), "bad");
        return;
      }
      this.#take(found, start, end);
    } catch (error) {
      if (question === this.asked) setText(this.message, error.message);
    }
  }

  #take({ fixes, isCut, stops, visits, speedings }, start, end) {
    const line = new Line(fixes.map(([, lat, lon]) => [lon, lat]));
    this.day = { start, end, line, times: fixes.map(([time]) => time) };
    const entry = (kind, from, to, text) => ({ kind, from: Math.max(Date.parse(from), start), to: Math.min(to ? Date.parse(to) : Date.now(), end), text });
    this.entries = [
      ...stops.map(({ began_at: from, ended_at: to, duration_s: s, place, waypoint }) => (
        entry("stop", from, to, say(place ?? waypoint ? "history-stop-at" : "history-stop", { time: duration(s * 1000), place: place ?? waypoint })))),
      ...visits.map(({ entered_at: from, left_at: to, inside_s: s, name }) => (
        entry("visit", from, to, say("alarm.place_dwelled", { time: duration(s * 1000), place: name })))),
      ...speedings.map(({ began_at: from, ended_at: to, top_speed_mps: top, limit_mps: limit }) => (
        entry("speeding", from, to, say("history-speeding", { speed: speed(top), limit: speed(limit) })))),
    ].sort((a, b) => a.from - b.from);
    this.marks.replaceChildren(...this.entries.map(({ kind, from, to }) => {
      const mark = make("i", { "data-kind": kind });
      mark.style.left = `${(from - start) / (end - start) * 100}%`;
      mark.style.width = `max(3px, ${(to - from) / (end - start) * 100}%)`;
      return mark;
    }));
    this.list.replaceChildren(...this.entries.map(({ kind, from, text }) => make("li", { "data-kind": kind },
      make("button", { onclick: () => this.#goTo(from) }, make("time", {}, timeWithSeconds(from)), text))));
    setText(this.message, fixes.length ? (isCut ? say("history-more") : "") : say("history-empty"));
    this.slider.min = String(Math.round(start / 1000));
    this.slider.max = String(Math.round(end / 1000));
    this.slider.disabled = this.play.disabled = !fixes.length;
    this.show(fixes.length ? this.day.times[0] : start);
    if (fixes.length) this.#fit();
  }

  #fit() {
    const { xs, ys } = this.day.line;
    const bounds = L.latLngBounds(Array.from(xs, (x, i) => [latitude(ys[i]), longitude(x)]));
    this.map.fitBounds(bounds, { maxZoom: 16, padding: [60, 60] });
  }

  #goTo(time) {
    this.show(time);
    const { place } = this;
    if (place) this.map.panTo([latitude(place.y), longitude(place.x)]);
  }

  #run() {
    if (this.time >= this.day.times.at(-1)) this.show(this.day.times[0]);
    setText(this.play, say("history-pause"));
    this.timer = setInterval(() => {
      this.show(Math.min(this.time + PACE * TICK_MS, this.day.times.at(-1)));
      if (this.time >= this.day.times.at(-1)) this.#pause();
    }, TICK_MS);
  }

  #pause() {
    clearInterval(this.timer);
    this.timer = null;
    setText(this.play, say("history-play"));
  }

  #draw() {
    const { context } = this.overlay;
    if (!this.day) {
      context.clearRect(0, 0, context.canvas.width, context.canvas.height);
      return;
    }
    const view = this.overlay.fit();
    const styles = getComputedStyle(document.documentElement);
    const color = (name) => styles.getPropertyValue(name).trim();
    const { line } = this.day;
    const place = line.along.length ? this.place : undefined;
    if (line.along.length > 1) {
      strokeLine(context, view, line, 0, line.length, color("--route-case"), 7);
      strokeLine(context, view, line, 0, line.length, color("--route-behind"), 4);
      if (place?.along > 0) strokeLine(context, view, line, 0, place.along, color("--route-ahead"), 4);
    }
    if (!place) return;
    context.beginPath();
    context.arc(view.x(place.x), view.y(place.y), 9, 0, 2 * Math.PI);
    context.fillStyle = color("--accent");
    context.fill();
    context.lineWidth = 3;
    context.strokeStyle = color("--surface");
    context.stroke();
  }
}

/** Returns the date of a moment where the browser is, as date fields have it. */
function localDay(time) {
  const date = new Date(time);
  const two = (value) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
