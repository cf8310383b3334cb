// Holds the stream open on a thread of its own: of each vehicle only the newest is handed on, ten times a second.

const FLUSH_MS = 100;
const VEHICLE = /"vehicle_id":"((?:[^"\\]|\\.)*)"/;
/** What happened is handed on at once, and whole. */
const SINGLE = ["event", "alarm", "place", "reset"];

const waiting = new Map();
let source;
let timer = 0;

onmessage = ({ data: url }) => {
  source?.close();
  source = new EventSource(url);
  source.onopen = () => postMessage({ kind: "open" });
  source.onerror = ({ target }) => postMessage({ kind: "error", isClosed: target.readyState === EventSource.CLOSED });
  source.addEventListener("progress", ({ data }) => {
    const id = VEHICLE.exec(data)?.[1];
    if (id === undefined) return;
    waiting.set(id, data);
    timer ||= setTimeout(flush, FLUSH_MS);
  });
  for (const kind of SINGLE) {
    source.addEventListener(kind, ({ data }) => {
      // In the order in which they came.
      flush();
      postMessage({ kind, data });
    });
  }
};

function flush() {
  clearTimeout(timer);
  timer = 0;
  if (!waiting.size) return;
  postMessage({ kind: "progress", ids: [...waiting.keys()], texts: [...waiting.values()] });
  waiting.clear();
}
