// Puts the page together: the connection feeds the fleet, and lists and map show it.

import { Camera } from "./camera.js";
import { Commands } from "./commands.js";
import { Details } from "./details.js";
import { byID, throttled } from "./dom.js";
import { EventLog, describe } from "./events.js";
import { Filter } from "./filter.js";
import { Fleet } from "./fleet.js";
import { HeldList } from "./held.js";
import { History } from "./history.js";
import { Inbox } from "./inbox.js";
import { bindKeys, bindTabs } from "./keyboard.js";
import { showLarge } from "./kiosk.js";
import { bindAddress } from "./links.js";
import { VehicleList } from "./list.js";
import { createMap } from "./map.js";
import { Markers } from "./markers.js";
import { Network } from "./network.js";
import { PlaceBoard } from "./placeboard.js";
import { bindPreferences } from "./preferences.js";
import { Proposals } from "./proposals.js";
import { Routes } from "./routes.js";
import { byUrgency } from "./states.js";
import { Connection } from "./stream.js";

/** Events after which a route looks different. */
const ROUTE_EVENTS = new Set(["trip_assigned", "waypoint_reached", "waypoint_resumed", "waypoint_skipped", "rerouted", "arrived", "trip_stopped"]);

/** So often, in milliseconds, what is shown beside the map follows what is told. */
const RENDER_MS = 400;
/** What happened longer ago, in milliseconds, is no news for a wall. */
const RECENT_MS = 60_000;

/** Starts the page; `vehicles` is what `getVehicles` has promised. */
export function start(vehicles) {
  let links;
  const selection = { id: null, place: null };
  const routes = new Routes();
  const proposals = new Proposals();
  const fleet = new Fleet(routes);
  const inbox = new Inbox((progress) => fleet.apply(progress));
  const commands = new Commands(fleet);
  const filter = new Filter(fleet);
  const map = createMap();
  const markers = new Markers(map, fleet, routes, proposals, selection);
  const network = new Network(map, fleet, routes, markers, selection);
  const camera = new Camera(map, fleet, selection, filter);
  const list = new VehicleList(filter, selection, (id) => choose(id));
  const held = new HeldList(fleet, routes, commands, (id) => choose(id));
  const log = new EventLog(filter, (id) => choose(id));
  const history = new History(map);
  const details = new Details(fleet, routes, proposals, commands, selection, { onclose: () => choose(null), onday: (id) => history.open(id) });

  const board = new PlaceBoard({ map, fleet, filter, selection, onchoose: (id) => choosePlace(id, { goesThere: true }), onvehicle: (id) => choose(id) });

  function showFiltered() {
    filter.apply();
    markers.show(byUrgency(filter.shown.filter((vehicle) => vehicle.glide)).reverse());
    list.render();
  }

  const render = throttled(RENDER_MS, () => {
    showFiltered();
    held.render();
    details.render();
    log.render();
    camera.refresh();
    camera.start();
    network.update();
    board.render();
    links?.settle();
  });
  fleet.onchange = routes.onchange = commands.onchange = render;
  proposals.onchange = () => {
    markers.redraw();
    render();
  };
  filter.onchange = () => {
    // What is typed shows at once, the rest a moment later.
    showFiltered();
    render();
    board.layer.update();
    links?.update();
  };
  map.on("moveend", render);
  markers.onframe = () => camera.track();

  function choose(id, { isStep = true, staysPut = false } = {}) {
    const isNew = selection.id !== id || selection.place !== null;
    selection.id = id;
    if (selection.place !== null) board.choose(null);
    const vehicle = fleet.get(id);
    list.render();
    details.render();
    markers.redraw();
    network.update();
    if (!staysPut && camera.mode === "follow") camera.goTo(vehicle);
    else if (!staysPut) camera.reveal(vehicle);
    camera.refresh();
    if (isStep && isNew) links.step();
  }

  /** Shows a place's card in place of a vehicle's. */
  function choosePlace(id, { goesThere = false, isStep = true } = {}) {
    selection.id = null;
    board.choose(id, { goesThere });
    if (goesThere && id !== null) camera.set("free");
    details.render();
    list.render();
    markers.redraw();
    if (isStep) links.step();
  }

  function showTab() {
    board.render();
    links?.update();
  }

  bindMap({ board, choosePlace, map, markers, network, camera, choose });
  const tabs = bindPage({ fleet, history, camera, commands, held, list, selection, log, choose, onchange: showTab });
  bindPreferences();
  links = bindAddress({
    map, camera, filter, selection, fleet, tabs, choose,
    choosePlace: (id, options) => choosePlace(id, { ...options, isStep: false }),
  });
  const connection = new Connection({
    first: vehicles,
    onprogress: (ids, texts) => inbox.put(ids, texts),
    on(kind, event) {
      if (kind === "place") return board.tell(event);
      if (!log.add(event, kind)) return;
      if (Date.now() - Date.parse(event.time) < RECENT_MS) showLarge(event, describe(event, kind));
      if (kind === "alarm") return render();
      if (ROUTE_EVENTS.has(event.type)) routes.expire(event.vehicle_id);
      proposals.noteEvent(event);
      fleet.noteEvent(event);
      commands.noteEvent(event);
    },
    onsnapshot(collection, startedAt) {
      routes.expireAll();
      proposals.expireAll();
      fleet.replaceAll(collection, startedAt);
      render.now();
    },
    onstatus: showStatus,
    onclock: (time) => fleet.setClock(time),
  });
  window.waygate = { fleet, routes, proposals, history, markers, network, camera, map, connection, selection, inbox, board };
}

/** Lets a click on a vehicle or a route choose it, and one on a group open that. */
function bindMap({ board, choosePlace, map, markers, network, camera, choose }) {
  map.on("click", ({ containerPoint }) => {
    if (board.editor.isOpen) return;
    const vehicle = markers.at(containerPoint);
    const group = vehicle ? null : markers.groupAt(containerPoint);
    if (group) camera.open(group);
    else open(vehicle ?? network.at(containerPoint), containerPoint);
  });
  const open = (vehicle, point) => {
    const place = vehicle ? null : board.at(point);
    if (place) choosePlace(place.id);
    else choose(vehicle?.id ?? null);
  };
  const look = throttled(60, () => {
    const vehicle = map.pointer ? markers.at(map.pointer) : null;
    markers.hover(vehicle);
    const isOver = vehicle !== null || (map.pointer && markers.groupAt(map.pointer) !== null);
    map.getContainer().classList.toggle("pointing", Boolean(isOver));
  });
  map.on("mousemove", ({ containerPoint }) => {
    map.pointer = containerPoint;
    look();
  });
  map.on("mouseout", () => {
    map.pointer = null;
    look();
  });
  new ResizeObserver(() => map.invalidateSize({ pan: false })).observe(map.getContainer());
}

/** Binds keys, tabs and the phone's sheet. */
function bindPage({ fleet, history, camera, commands, held, list, selection, log, choose, onchange }) {
  const tabs = bindTabs(() => {
    list.render();
    log.render();
    onchange();
  });
  bindKeys({
    "/": () => byID("search").focus(),
    "?": () => byID("help-dialog").showModal(),
    o: () => camera.set("overview"),
    f: () => camera.set(camera.mode === "follow" ? "free" : "follow"),
    e: tabs.next,
    p: () => selection.id !== null && commands.proceed(selection.id),
    h: () => {
      const next = held.ids[(held.ids.indexOf(selection.id) + 1) % held.ids.length];
      if (next === undefined) return;
      choose(next);
      camera.goTo(fleet.get(next));
    },
    close(isWriting) {
      if (history.isOpen) history.close();
      else if (isWriting) document.activeElement.blur();
      else choose(null);
    },
  });
  byID("help").onclick = () => byID("help-dialog").showModal();
  byID("sheet").onclick = () => {
    const isExpanded = document.body.classList.toggle("expanded");
    byID("sheet").setAttribute("aria-expanded", String(isExpanded));
  };
  return tabs;
}

function showStatus(state, text) {
  const status = byID("status");
  if (status.dataset.state === state && status.lastElementChild.textContent === text) return;
  status.dataset.state = state;
  status.lastElementChild.textContent = text;
  byID("kiosk-status").dataset.state = state;
  byID("kiosk-status").textContent = text;
}
