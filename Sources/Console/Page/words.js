// What the page says, in the person's language; each language is one file, words-xx.js.

const { languages } = document.documentElement.dataset;
const KEPT = "waygate-language";

/** The languages that there are, such as `en` and `de`. */
export const available = languages.split(",");

/** The language of the page: asked for in the address, set, or the browser's. */
export const language = choose();

/** How numbers and times are written: as the browser does, where it speaks the page's language. */
export const locale = [navigator.language, ...navigator.languages].find((tag) => tag.split("-")[0] === language) ?? language;

const { default: words } = await import(`./words-${language}.js`);
const plurals = new Intl.PluralRules(locale);

/** Returns a text with `values` in the places of their names; with `count`, in the form that goes with it. */
export function say(key, values = {}) {
  let text = words[key] ?? key;
  if (typeof text === "object") text = text[plurals.select(values.count)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (place, name) => (Object.hasOwn(values, name) ? String(values[name]) : place));
}

/** Returns whether there is such a text. */
export function knows(key) {
  return Object.hasOwn(words, key);
}

/** Keeps a language, or none for the browser's, for the next opening of the page. */
export function keepLanguage(tag) {
  if (tag) localStorage.setItem(KEPT, tag);
  else localStorage.removeItem(KEPT);
}

/** Returns the language that was set, or an empty text. */
export function keptLanguage() {
  return localStorage.getItem(KEPT) ?? "";
}

/** Puts the texts of a language in the places that the document names: `data-say`, `data-say-title` and so on. */
export function translate(root) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const name of ["title", "placeholder", "aria-label"]) {
    for (const element of root.querySelectorAll(`[data-say-${name}]`)) {
      element.setAttribute(name, say(element.getAttribute(`data-say-${name}`)));
    }
  }
}

function choose() {
  const wanted = [new URLSearchParams(location.search).get("lang"), keptLanguage(), ...navigator.languages];
  return wanted.map((tag) => (tag ?? "").split("-")[0].toLowerCase()).find((tag) => available.includes(tag)) ?? "en";
}
