// The connection to the worker: the stream of what happens, and how the worker is.

import { getReadiness, getVehicles } from "./api.js";
import { say } from "./words.js";

const EVENTS_AT_FIRST = 200;
const HEALTH_EVERY_MS = 5000;
const LONGEST_PAUSE_MS = 10_000;
/** After the first answer about all vehicles, so long passes before they are asked for again. */
const SETTLE_MS = 3000;

/**
 * Keeps the page up to date, through restarts of the worker and sleeps of this machine.
 *
 * Calls `onprogress` with ids and texts, `onsnapshot` with all vehicles, `onstatus`, `onclock`, and `on` with the kind and
 * the content of whatever else the stream tells.
 */
export class Connection {
  constructor({ first, onprogress, on, onsnapshot, onstatus, onclock }) {
    Object.assign(this, { onprogress, on, onsnapshot, onstatus, onclock });
    this.pause = 500;
    this.isOpen = false;
    this.isReachable = true;
    this.hasSnapshot = false;
    this.parts = [];
    this.reader = new Worker(new URL("streamworker.js", import.meta.url), { type: "module" });
    this.reader.onmessage = ({ data }) => this.#take(data);
    this.#show(first);
    this.#open();
    this.#watch();
    addEventListener("online", () => this.#open());
    document.addEventListener("visibilitychange", () => document.hidden || this.#check());
  }

  #open() {
    clearTimeout(this.timer);
    this.isOpen = false;
    this.reader.postMessage(new URL(`api/stream?events=${EVENTS_AT_FIRST}`, document.baseURI).href);
  }

  #take({ kind, data, ids, texts, isClosed }) {
    if (kind === "progress") this.onprogress(ids, texts);
    else if (kind === "open") this.#welcome();
    else if (kind === "error") this.#lose(isClosed);
    else if (kind === "reset") this.#load();
    else this.on(kind, JSON.parse(data));
  }

  #welcome() {
    this.pause = 500;
    this.isOpen = true;
    this.isReachable = true;
    if (this.hasSnapshot) this.#load();
    // What happened between the first answer and the stream is not lost, but need not hold the first picture up.
    else setTimeout(() => this.#load(), SETTLE_MS);
    this.#tell();
  }

  #lose(isClosed) {
    this.isOpen = false;
    this.#tell();
    // Only an answer other than 200 ends the browser's own attempts.
    if (!isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#open(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE_MS);
  }

  /** Shows what was asked for before anything else. */
  async #show(first) {
    const vehicles = await first.catch(() => null);
    if (!vehicles) this.#load();
    else if (!this.hasSnapshot) this.#takeAll(vehicles, 0);
  }

  #takeAll(vehicles, startedAt) {
    this.hasSnapshot = true;
    this.onsnapshot(vehicles, startedAt);
  }

  /** Fetches all vehicles, until it succeeds; what the stream tells meanwhile is newer and stays. */
  async #load() {
    const turn = this.turn = (this.turn ?? 0) + 1;
    for (let pause = 500; turn === this.turn; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const startedAt = performance.now();
      try {
        const vehicles = await getVehicles();
        if (turn === this.turn) this.#takeAll(vehicles, startedAt);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async #watch() {
    for (;;) {
      if (!document.hidden) await this.#check();
      await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
    }
  }

  async #check() {
    const wasReachable = this.isReachable;
    try {
      const { parts, time } = await getReadiness();
      this.parts = parts;
      this.isReachable = true;
      if (time) this.onclock(time);
      // The worker is back before the browser has noticed.
      if (!wasReachable && !this.isOpen) this.#open();
    } catch {
      this.isReachable = false;
    }
    this.#tell();
  }

  #tell() {
    const broken = this.parts.filter((part) => !part.ok);
    if (this.isOpen && this.isReachable && broken.length) {
      const [{ part, detail }] = broken;
      this.onstatus("degraded", `${part}: ${detail}`);
    } else if (this.isOpen && this.isReachable) {
      this.onstatus("live", say("live"));
    } else {
      this.onstatus(this.isReachable ? "connecting" : "lost", this.isReachable ? say("reconnecting") : say("unreachable"));
    }
  }
}
