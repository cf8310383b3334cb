// What the stream tells of vehicles, taken in no faster than the page can show it.

/** So long, in milliseconds, a turn may take before the page gets to draw. */
const TURN_MS = 5;
const PAUSE_MS = 16;

/** Holds the newest progress of each vehicle, as text, until its turn comes; what it replaces is never read. */
export class Inbox {
  constructor(apply) {
    this.apply = apply;
    this.waiting = new Map();
    this.isRunning = false;
  }

  /** Takes progress messages and the vehicles that they are of. */
  put(ids, texts) {
    ids.forEach((id, i) => this.waiting.set(id, texts[i]));
    if (!this.isRunning) this.#turn();
  }

  #turn() {
    const end = performance.now() + (document.hidden ? 200 : TURN_MS);
    for (const [id, text] of this.waiting) {
      this.waiting.delete(id);
      this.apply(JSON.parse(text));
      if (performance.now() > end) break;
    }
    this.isRunning = this.waiting.size > 0;
    if (this.isRunning) setTimeout(() => this.#turn(), PAUSE_MS);
  }
}
