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

/**
 * Returns a function that calls `action` soon, however often it is called, at most once each `ms`; less often where
 * the action takes long. Its `now` calls it at once.
 */
export function throttled(ms, action) {
  let timer = 0;
  let next = 0;
  const now = () => {
    clearTimeout(timer);
    timer = 0;
    const start = performance.now();
    action();
    const end = performance.now();
    next = end + Math.max(ms, 6 * (end - start));
  };
  return Object.assign(() => {
    timer ||= setTimeout(now, Math.max(0, next - performance.now()));
  }, { now });
}

/** Shows a notice for some seconds. */
export function notify(text, kind = "good") {
  const notice = make("p", { "data-kind": kind }, text);
  byID("notices").append(notice);
  setTimeout(() => notice.remove(), kind === "bad" ? 9000 : 4500);
}
