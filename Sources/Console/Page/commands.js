// Commands to vehicles: sent, waited for, and told what became of them.

import { commandsAreOn, sendCommand } from "./api.js";
import { byID, notify } from "./dom.js";
import { stopName } from "./format.js";
import { say } from "./words.js";

const PATIENCE_MS = 10_000;
const NAMES = { proceed: "proceed", skip: "skip", reroute: "reroute", accept: "accept", decline: "decline", stop: "stop_trip" };

export class Commands {
  constructor(fleet) {
    this.fleet = fleet;
    this.areOn = commandsAreOn;
    this.pending = new Map();
    /** Called when a command is sent or answered. */
    this.onchange = () => {};
  }

  /** Returns whether such a command to the vehicle is still unanswered. */
  isPending(name, vehicleID) {
    return this.pending.has(key(name, vehicleID));
  }

  /** Lets a held vehicle go on; naming the via point, so that a second click releases no later hold. */
  proceed(vehicleID) {
    const progress = this.fleet.get(vehicleID)?.progress;
    if (!this.areOn || progress?.state !== "held") return;
    this.send("proceed", vehicleID, { waypoint_index: progress.active_waypoint?.index });
  }

  /** Drops a via point, after a question. */
  async skip(vehicleID, stop) {
    const isSure = await ask(say("skip-question", { stop: stopName(stop) }), say("skip-text", { vehicle: vehicleID }), say("skip"));
    if (isSure) this.send("skip", vehicleID, { waypoint_index: stop.index });
  }

  /** Ends the vehicle's trip, after a question. */
  async stop(vehicleID) {
    const isSure = await ask(say("stop-question", { vehicle: vehicleID }), say("stop-text"), say("stop-action"));
    if (isSure) this.send("stop", vehicleID, { trip_id: this.fleet.get(vehicleID)?.progress.trip_id });
  }

  /** Sends a command, unless the same is under way. */
  async send(name, vehicleID, body) {
    if (!this.areOn || this.isPending(name, vehicleID)) return;
    const entry = { name, vehicleID, commandID: null, early: [] };
    this.pending.set(key(name, vehicleID), entry);
    this.onchange();
    try {
      entry.commandID = await sendCommand(name, vehicleID, body);
      if (!entry.commandID) this.#settle(entry);
      else entry.timer = setTimeout(() => this.#fail(entry, say("no-answer")), PATIENCE_MS);
      for (const event of entry.early) this.noteEvent(event);
    } catch (error) {
      this.#fail(entry, error.message);
    }
  }

  /** Takes in an event, which may answer a command. */
  noteEvent(event) {
    if (!event.command_id) return;
    for (const entry of this.pending.values()) {
      // The stream may be ahead of the answer that tells the command's id.
      if (!entry.commandID && entry.vehicleID === event.vehicle_id) entry.early.push(event);
      if (entry.commandID !== event.command_id) continue;
      if (event.type === "command_rejected") {
        this.#fail(entry, event.detail || event.reason);
      } else {
        this.#settle(entry, say("command-done", { command: say(NAMES[entry.name]), vehicle: entry.vehicleID }));
      }
    }
  }

  #fail(entry, reason) {
    this.#settle(entry, say("command-failed", { command: say(NAMES[entry.name]), vehicle: entry.vehicleID, reason }), "bad");
  }

  #settle(entry, text, kind) {
    if (!this.pending.delete(key(entry.name, entry.vehicleID))) return;
    clearTimeout(entry.timer);
    if (text) notify(text, kind);
    this.onchange();
  }
}

function key(name, vehicleID) {
  return `${name} ${vehicleID}`;
}

/** Asks before something that cannot be undone; returns the answer. */
export function ask(title, text, action) {
  const dialog = byID("confirm-dialog");
  byID("confirm-title").textContent = title;
  byID("confirm-text").textContent = text;
  byID("confirm-ok").textContent = action;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    byID("confirm-cancel").onclick = () => dialog.close();
    dialog.onclose = () => resolve(dialog.returnValue === "ok");
  });
}
