// All of the page that is about places, put together.

import { commandsAreOn } from "./api.js";
import { ask } from "./commands.js";
import { byID, make } from "./dom.js";
import { latitude, longitude } from "./geometry.js";
import { PlaceCard } from "./placecard.js";
import { PlaceEditor } from "./placeeditor.js";
import { PlaceLayer } from "./placelayer.js";
import { PlaceList } from "./placelist.js";
import { Places } from "./places.js";
import { say } from "./words.js";

const KINDS = ["circle", "rectangle", "polygon", "line", "point"];

export class PlaceBoard {
  /** `onchoose` is called with the id of a place, or `null`, that the person has chosen. */
  constructor({ map, fleet, filter, selection, onchoose, onvehicle }) {
    Object.assign(this, { map, selection });
    const chosen = () => selection.place;
    this.places = new Places(map);
    this.layer = new PlaceLayer(map, this.places, { now: () => fleet.now(), level: () => filter.level, chosen });
    this.editor = new PlaceEditor(map, this.places, { ondone: () => this.render() });
    this.list = new PlaceList(this.places, fleet, { chosen, onopen: onchoose });
    this.card = new PlaceCard(this.places, fleet, {
      chosen, onclose: () => onchoose(null), onvehicle, onlevel: (level) => filter.set({ ...filter.values(), level }), mayChange: commandsAreOn,
      edit: (id) => this.editor.edit(id), remove: (id) => this.editor.remove(id, ask),
    });
    this.places.onchange = () => this.redraw();
    byID("drawbar").replaceChildren(...KINDS.map((kind) => (
      make("button", { "data-draw": kind, onclick: () => this.editor.begin(kind) }, say(`draw.new-${kind}`)))));
    this.places.load();
  }

  /** Draws the places anew too: others are known, chosen, or on the level that is asked for. */
  redraw() {
    this.layer.update();
    this.render();
  }

  /** Shows in lists and cards what has changed of the vehicles. */
  render() {
    byID("drawbar").hidden = !commandsAreOn;
    this.list.render();
    this.card.render();
  }

  /** Takes in what the stream tells of a place. */
  tell(message) {
    if (message.type === "command_rejected" && message.place_id === this.editor.sent) this.editor.refuse(message.detail || message.reason);
    else if (this.editor.isOpen && (message.id === this.editor.sent || message.place_id === this.editor.sent)) this.editor.close();
    this.places.tell(message);
  }

  /** Shows a place's card, and with `goesThere` moves the map to it; waits for a place that is not here yet. */
  async choose(id, { goesThere = false } = {}) {
    this.selection.place = id;
    this.redraw();
    if (id === null) return;
    const place = await this.places.find(id).catch(() => undefined);
    if (!place || this.selection.place !== id) return;
    if (goesThere) this.#goTo(place);
    this.redraw();
  }

  /** Returns the place at a point of the map, or `null`. */
  at(point) {
    return this.layer.at(point);
  }

  #goTo({ shape: { x, y, width, height } }) {
    const corners = [[latitude(y + height), longitude(x - width)], [latitude(y - height), longitude(x + width)]];
    this.map.fitBounds(corners, { padding: [80, 80], maxZoom: 16 });
  }
}
