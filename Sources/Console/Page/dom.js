// Small help with the document.

/** Returns the element with an id. */
export const byID = (id) => document.getElementById(id);

/** Returns a new element with attributes, and with texts and elements in it. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets a text where it differs, so that what has not changed costs no layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Returns a function that calls `action` soon, however often it is called, at most once each `ms`. */
export function throttled(ms, action) {
  let timer = 0;
  let last = 0;
  return () => {
    if (timer) return;
    timer = setTimeout(() => {
      timer = 0;
      last = performance.now();
      action();
    }, Math.max(0, last + ms - performance.now()));
  };
}

/** Shows a notice for some seconds. */
export function notify(text, kind = "good") {
  const notice = make("p", { "data-kind": kind }, text);
  byID("notices").append(notice);
  setTimeout(() => notice.remove(), kind === "bad" ? 9000 : 4500);
}
