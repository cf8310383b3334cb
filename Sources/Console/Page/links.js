// What an address says, on this page: the chosen vehicle, trip or place, the view, and the filter.

import { Address } from "./address.js";

/** Makes the address follow the page and the page the address. */
export function bindAddress({ map, camera, filter, selection, fleet, tabs, choose, choosePlace }) {
  let wanted = null;
  const address = new Address({
    read() {
      const { lat, lng } = map.getCenter();
      const zoom = map.getZoom();
      const digits = Math.max(2, Math.ceil(zoom / 3.3));
      return {
        vehicle: selection.id, place: selection.place, ...filter.values(), tab: tabs.current(),
        at: camera.mode === "free" ? `${lat.toFixed(digits)},${wrapped(lng).toFixed(digits)},${zoom}` : null,
        camera: camera.mode === "follow" ? "follow" : null,
      };
    },
    show({ vehicle, trip, place, view, q, state, level, tab, camera: mode }) {
      filter.set({ q, state, level });
      if (tab) tabs.show(tab);
      wanted = { vehicle, trip, place, hasView: view !== null, isFollowed: mode === "follow" };
      if (view) {
        camera.set("free");
        map.setView([view.lat, view.lon], view.zoom, { animate: false });
      } else if (!vehicle && !trip && !place) {
        camera.set("overview");
      }
      settle();
    },
  });

  /** Chooses what the address asks for as soon as it is there. */
  function settle() {
    if (!wanted) return;
    const { vehicle: id, trip, place, hasView, isFollowed } = wanted;
    if (place) {
      wanted = null;
      choosePlace(place, { goesThere: !hasView });
      return;
    }
    const vehicle = trip ? fleet.inOrder().find(({ progress }) => progress.trip_id === trip) : fleet.get(id);
    if ((id || trip) && !vehicle) return;
    wanted = null;
    if (!vehicle && selection.id === null && selection.place === null) return;
    choose(vehicle?.id ?? null, { isStep: false, staysPut: true });
    if (vehicle && isFollowed) camera.set("follow");
    else if (vehicle && !hasView) camera.goTo(vehicle);
  }

  function step() {
    wanted = null;
    address.step();
  }

  map.on("moveend", address.update);
  return { update: address.update, step, settle };
}

function wrapped(longitude) {
  return ((longitude + 180) % 360 + 360) % 360 - 180;
}
