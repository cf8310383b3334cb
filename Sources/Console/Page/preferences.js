// The person's own settings: language and units, kept by the browser.

import { byID, make } from "./dom.js";
import { keepUnits, systems, units } from "./format.js";
import { available, keepLanguage, keptLanguage, say } from "./words.js";

/** Fills the dialog's lists; a change shows the page anew. */
export function bindPreferences() {
  byID("language").append(
    make("option", { value: "" }, say("browser-language")),
    ...available.map((tag) => make("option", { value: tag, lang: tag }, new Intl.DisplayNames(tag, { type: "language" }).of(tag))));
  byID("language").value = keptLanguage();
  byID("language").onchange = ({ target }) => {
    keepLanguage(target.value);
    location.reload();
  };
  byID("units").append(...systems.map((name) => make("option", { value: name }, say(`units.${name}`))));
  byID("units").value = units;
  byID("units").onchange = ({ target }) => {
    keepUnits(target.value);
    location.reload();
  };
}
