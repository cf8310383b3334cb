// The page's address says what it shows, so that it can be sent to somebody: what is chosen, the view, the filter.

import { throttled } from "./dom.js";

const WRITE_MS = 400;

/** Reads the part of an address after `#`; of a damaged one only what can be read counts. */
export function readAddress(hash) {
  const values = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name, value] = part.split("=", 2);
    try {
      if (value !== undefined) values[name] = decodeURIComponent(value);
    } catch {
      continue;
    }
  }
  const [lat, lon, zoom] = (values.at ?? "").split(",").map(Number);
  const isView = Math.abs(lat) <= 90 && Number.isFinite(lon) && zoom >= 0 && zoom <= 24;
  return { ...values, view: values.at && isView ? { lat, lon, zoom } : null };
}

/** Writes values as they stand after `#`; empty ones are left out. */
export function writeAddress(values) {
  const parts = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = parts.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  return text.length ? `#${text.join("&")}` : "";
}

/** Keeps the address and the page alike; `parts` read and show what is chosen, the view and the filter. */
export class Address {
  /** `read` returns the present values, `show` takes those of an address. */
  constructor({ read, show }) {
    Object.assign(this, { read, show });
    /** Notes a change that is no step back of its own: a moved view, a letter typed. */
    this.update = throttled(WRITE_MS, () => this.#write("replaceState"));
    addEventListener("popstate", () => this.#follow());
    addEventListener("hashchange", () => this.#follow());
    this.#follow();
  }

  /** Notes that something else was chosen: a step that Back takes back. */
  step() {
    this.#write("pushState");
  }

  #follow() {
    if (location.hash === this.written) return;
    this.written = location.hash;
    this.isFollowing = true;
    this.show(readAddress(location.hash));
    this.isFollowing = false;
  }

  #write(method) {
    const hash = writeAddress(this.read());
    if (this.isFollowing || hash === location.hash) return;
    this.written = hash;
    history[method](null, "", hash || location.pathname + location.search);
  }
}
