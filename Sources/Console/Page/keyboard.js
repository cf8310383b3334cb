// What the keys do.

import { byID } from "./dom.js";

/** Binds the page's keys to what they do; a key alone, and not while something is written. */
export function bindKeys(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const isWriting = event.target.matches?.("input, select, textarea");
    if (event.key === "Escape") {
      actions.close(isWriting);
      return;
    }
    const action = isWriting ? undefined : actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Makes the tabs work by click and by arrow; `onchange` is called when another one is open. */
export function bindTabs(onchange) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const shown = () => tabs.filter((tab) => !tab.hidden);
  const current = () => tabs.find((tab) => tab.getAttribute("aria-selected") === "true");
  const open = (tab, takeFocus) => {
    for (const other of tabs) {
      const isOpen = other === tab;
      other.setAttribute("aria-selected", String(isOpen));
      other.tabIndex = isOpen ? 0 : -1;
      byID(other.getAttribute("aria-controls")).hidden = !isOpen;
    }
    if (takeFocus) tab.focus();
    onchange();
  };
  const neighbour = (tab, step) => shown().at((shown().indexOf(tab) + step) % shown().length);
  for (const tab of tabs) {
    tab.addEventListener("click", () => open(tab, false));
    tab.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft") open(neighbour(tab, -1), true);
      if (key === "ArrowRight") open(neighbour(tab, 1), true);
    });
  }
  return {
    next: () => open(neighbour(current(), 1), false),
    /** Returns the open tab's name, and `null` for the first, which is open without being asked for. */
    current: () => (current() === tabs[0] ? null : current().id.replace("tab-", "")),
    show: (name) => open(tabs.find(({ id }) => id === `tab-${name}`) ?? tabs[0], false),
  };
}
