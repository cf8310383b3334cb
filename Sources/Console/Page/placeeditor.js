// Places drawn and changed on the map: by click and drag, and as well by keyboard.

import { deletePlace, putPlace } from "./api.js";
import { byID, make, notify } from "./dom.js";
import { Draft, draftOf } from "./draft.js";
import { say } from "./words.js";

/** An arrow key moves a point by so many pixels. */
const STEP = 8;
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
/** What a definition tells beyond what a `put` takes. */
const DERIVED = ["revision", "put_at", "area_m2", "radius_m", "rectangle", "width_m"];

export class PlaceEditor {
  constructor(map, places, { ondone }) {
    Object.assign(this, { map, places, ondone });
    this.draft = null;
    this.layer = L.layerGroup().addTo(map);
    this.panel = byID("editor");
    map.on("click", ({ latlng }) => this.draft && this.#change(() => this.draft.add({ lat: latlng.lat, lng: latlng.lng })));
    addEventListener("keydown", (event) => this.#press(event), { capture: true });
  }

  /** Whether something is being drawn, so that a click is a point and chooses nothing. */
  get isOpen() {
    return this.draft !== null;
  }

  /** Begins a place of a kind: `circle`, `rectangle`, `polygon`, `line` or `point`. */
  begin(kind) {
    this.#open(new Draft(kind), null);
  }

  /** Takes up a place that exists. */
  edit(id) {
    const place = this.places.get(id);
    const draft = place && draftOf(place);
    if (draft) this.#open(draft, place);
    else notify(say("draw.not-here"), "bad");
  }

  /** Deletes a place; asks first. */
  async remove(id, ask) {
    if (!await ask(say("place.delete-question", { place: this.places.get(id)?.name ?? id }), say("place.delete-text"), say("place.delete"))) return;
    try {
      if (await deletePlace(id)) notify(say("place.deleted", { place: id }));
    } catch (error) {
      notify(error.message, "bad");
    }
  }

  /** Ends drawing, and forgets what was drawn. */
  close() {
    this.draft = null;
    this.layer.clearLayers();
    this.panel.hidden = true;
    this.map.getContainer().classList.remove("drawing");
    this.map.doubleClickZoom.enable();
  }

  /** Shows why the worker refused the place, and where, if it says that. */
  refuse(detail) {
    if (!this.isOpen) return;
    this.#say(detail, "bad");
    const numbers = detail.match(/-?\d+\.\d+/g)?.map(Number) ?? [];
    for (let i = 0; i + 1 < numbers.length; i += 2) this.#markWrong(numbers[i], numbers[i + 1]);
  }

  #open(draft, place) {
    this.close();
    this.draft = draft;
    this.place = place;
    this.map.getContainer().classList.add("drawing");
    this.map.doubleClickZoom.disable();
    this.message = make("p", { role: "status" });
    this.id = make("input", { "aria-label": say("draw.id"), placeholder: say("draw.id"), maxlength: 128, value: place?.id ?? "" });
    this.id.disabled = Boolean(place);
    this.name = make("input", { "aria-label": say("draw.name"), placeholder: say("draw.name"), maxlength: 256, value: place?.properties.name ?? "" });
    this.closes = make("input", { type: "checkbox" });
    this.closes.checked = Boolean(place?.properties.roadblock);
    this.save = make("button", { class: "primary", onclick: () => this.#send() }, say("draw.save"));
    const hole = draft.kind === "polygon" ? make("button", { onclick: () => this.#change(() => this.draft.addHole()) }, say("draw.hole")) : null;
    this.panel.replaceChildren(
      this.message, make("div", {}, this.id, this.name, make("label", { class: "switch", title: say("draw.closes-what") }, this.closes, say("draw.closes"))),
      make("div", {}, make("button", { onclick: () => this.#addMiddle() }, say("draw.middle")), hole,
        make("button", { onclick: () => this.#change(() => this.draft.undo()) }, say("draw.undo")),
        make("button", { onclick: () => this.close() }, say("cancel")), this.save));
    this.panel.hidden = false;
    this.#change(() => {});
  }

  #change(action) {
    action();
    this.#draw();
    this.save.disabled = !this.draft.isComplete;
    this.#say(say(this.draft.isComplete ? "draw.complete" : this.draft.kind === "point" ? "draw.point-at" : `draw.${this.draft.kind}`));
  }

  #addMiddle() {
    const { lat, lng } = this.map.getCenter();
    this.#change(() => this.draft.add({ lat, lng }));
  }

  #draw() {
    this.layer.clearLayers();
    this.shape = this.#shape();
    this.shape?.addTo(this.layer);
    this.draft.rings.forEach((ring, r) => ring.forEach((point, i) => this.#handle(point, r, i).addTo(this.layer)));
  }

  #shape() {
    const { kind, rings } = this.draft;
    const style = { color: "var(--focus)", weight: 2, fillOpacity: 0.12, interactive: false, className: "draft" };
    if (kind === "circle") return rings[0].length === 2 ? L.circle(rings[0][0], { ...style, radius: this.draft.radius }) : null;
    if (kind === "rectangle") return rings[0].length === 2 ? L.rectangle(rings[0], style) : null;
    if (kind === "point") return null;
    if (kind === "line") return L.polyline(rings[0], { ...style, weight: 4 });
    return L.polygon(rings, style);
  }

  /** A point that can be dragged, moved by arrow keys, and taken away by Delete. */
  #handle(point, r, i) {
    const icon = L.divIcon({ className: "handle", iconSize: [16, 16] });
    const title = say("draw.point", { number: i + 1 });
    const handle = L.marker(point, { icon, draggable: true, keyboard: true, title, alt: title });
    handle.on("dragstart", () => this.draft.move(r, i, point));
    handle.on("drag", ({ latlng: { lat, lng } }) => {
      this.draft.move(r, i, { lat, lng }, false);
      this.shape?.remove();
      this.shape = this.#shape();
      this.shape?.addTo(this.layer);
    });
    handle.on("dragend", () => this.#change(() => {}));
    handle.on("add", () => handle.getElement().addEventListener("keydown", (event) => this.#pressOn(event, point, r, i)));
    return handle;
  }

  #pressOn(event, point, r, i) {
    const arrow = ARROWS[event.key];
    if (!arrow && event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    event.stopPropagation();
    if (arrow) {
      const { lat, lng } = this.map.containerPointToLatLng(this.map.latLngToContainerPoint(point).add(arrow));
      this.#change(() => this.draft.move(r, i, { lat, lng }));
    } else {
      this.#change(() => this.draft.remove(r, i));
    }
    // The same point, which was drawn anew, keeps the focus.
    this.layer.getLayers().filter((layer) => layer instanceof L.Marker)[this.draft.rings.slice(0, r).flat().length + i]?.getElement()?.focus();
  }

  #press(event) {
    if (!this.isOpen || document.querySelector("dialog[open]")) return;
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.matches?.("input");
    if (!isUndo && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (isUndo) this.#change(() => this.draft.undo());
    else this.close();
  }

  async #send() {
    const id = this.id.value.trim();
    if (!id) {
      this.#say(say("draw.needs-id"), "bad");
      this.id.focus();
      return;
    }
    const kept = Object.entries(this.place?.feature.properties ?? {}).filter(([name]) => !DERIVED.includes(name));
    const name = this.name.value.trim();
    this.save.disabled = true;
    try {
      // A roadblock keeps its times when it stays.
      const roadblock = this.closes.checked ? this.place?.feature.properties.roadblock ?? {} : null;
      const body = { ...Object.fromEntries(kept), ...name ? { name } : {}, roadblock, geometry: this.draft.geometry() };
      if (await putPlace(id, body)) {
        this.sent = id;
        this.#say(say("draw.sent"));
        this.ondone(id);
      }
    } catch (error) {
      this.refuse(error.message);
    }
    this.save.disabled = false;
  }

  #say(text, kind = "good") {
    this.message.textContent = text;
    this.message.dataset.kind = kind;
  }

  #markWrong(lon, lat) {
    L.circleMarker([lat, lon], { radius: 12, color: "var(--off-route)", weight: 3, fill: false, interactive: false }).addTo(this.layer);
  }
}
