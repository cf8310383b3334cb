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

/** Makes the two tabs work by click and by arrow; `onchange` is called with the one that is open. */
export function bindTabs(onchange) {
  const tabs = [byID("tab-vehicles"), byID("tab-events")];
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
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => open(tab, false));
    tab.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft" || key === "ArrowRight") open(tabs[1 - index], true);
    });
  });
  return () => open(tabs.find((tab) => tab.getAttribute("aria-selected") === "false"), false);
}
