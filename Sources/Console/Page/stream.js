// The connection to the worker: the stream of what happens, and how the worker is.

import { getReadiness, getVehicles } from "./api.js";

const EVENTS_AT_FIRST = 200;
const HEALTH_EVERY_MS = 5000;
const LONGEST_PAUSE_MS = 10_000;

/** Keeps `fleet` and `log` up to date, through restarts of the worker and sleeps of this machine. */
export class Connection {
  constructor({ onprogress, onevent, onsnapshot, onstatus, onclock }) {
    Object.assign(this, { onprogress, onevent, onsnapshot, onstatus, onclock });
    this.pause = 500;
    this.isReachable = true;
    this.parts = [];
    this.#open();
    this.#watch();
    addEventListener("online", () => this.#reopen());
    document.addEventListener("visibilitychange", () => document.hidden || this.#check());
  }

  #open() {
    this.source = new EventSource(`api/stream?events=${EVENTS_AT_FIRST}`);
    this.source.onopen = () => {
      this.pause = 500;
      this.isReachable = true;
      this.#load();
      this.#tell();
    };
    this.source.onerror = () => {
      this.#tell();
      // Only an answer other than 200 ends the browser's own attempts.
      if (this.source.readyState === EventSource.CLOSED) this.#reopenLater();
    };
    this.source.addEventListener("progress", (message) => this.onprogress(JSON.parse(message.data)));
    this.source.addEventListener("event", (message) => this.onevent(JSON.parse(message.data)));
    this.source.addEventListener("reset", () => this.#load());
  }

  #reopen() {
    this.source.close();
    clearTimeout(this.timer);
    this.#open();
  }

  #reopenLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#reopen(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE_MS);
  }

  /** Fetches all vehicles, until it succeeds; what the stream tells meanwhile is newer and stays. */
  async #load() {
    const turn = this.turn = (this.turn ?? 0) + 1;
    for (let pause = 500; turn === this.turn; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const startedAt = performance.now();
      try {
        const vehicles = await getVehicles();
        if (turn === this.turn) this.onsnapshot(vehicles, startedAt);
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
      if (!wasReachable && this.source.readyState !== EventSource.OPEN) this.#reopen();
    } catch {
      this.isReachable = false;
    }
    this.#tell();
  }

  #tell() {
    const isOpen = this.source.readyState === EventSource.OPEN;
    const broken = this.parts.filter((part) => !part.ok);
    if (isOpen && this.isReachable && broken.length) {
      const [{ part, detail }] = broken;
      this.onstatus("degraded", `${part}: ${detail}`);
    } else if (isOpen && this.isReachable) {
      this.onstatus("live", "Live");
    } else {
      this.onstatus(this.isReachable ? "connecting" : "lost", this.isReachable ? "Reconnecting" : "Worker unreachable");
    }
  }
}
