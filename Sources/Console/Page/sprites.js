// The markers' pictures, drawn once for each state, size and direction, in the colours of the page.

import { STATES, colorName } from "./states.js";

const DIRECTIONS = 72;

/** Keeps pictures for one resolution of the screen. */
export class Sprites {
  constructor() {
    this.kept = new Map();
    this.labels = new Map();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.forget());
    this.forget();
  }

  /** Forgets all pictures, as the colours or the resolution have changed. */
  forget() {
    this.kept.clear();
    this.labels.clear();
    this.styles = getComputedStyle(document.documentElement);
    this.colors = new Map();
    this.ratio = devicePixelRatio || 1;
  }

  /** Returns one of the page's colours. */
  color(name) {
    let color = this.colors.get(name);
    if (color === undefined) {
      color = this.styles.getPropertyValue(name).trim();
      this.colors.set(name, color);
    }
    return color;
  }

  /** Returns the picture of a vehicle, its size in pixels and where its middle is. */
  marker(state, radius, angle) {
    const step = STATES[state].turns
      ? ((Math.round(angle / (2 * Math.PI) * DIRECTIONS) % DIRECTIONS) + DIRECTIONS) % DIRECTIONS
      : 0;
    const key = `${state} ${radius} ${step}`;
    let sprite = this.kept.get(key);
    if (!sprite) {
      sprite = this.#draw(state, radius, step / DIRECTIONS * 2 * Math.PI);
      this.kept.set(key, sprite);
    }
    return sprite;
  }

  /** Returns the picture of a vehicle's name. */
  label(text) {
    let label = this.labels.get(text);
    if (label) return label;
    if (this.labels.size > 400) this.labels.clear();
    const font = "600 12px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
    const { canvas, context } = this.canvas(1, 1);
    context.font = font;
    const width = Math.min(160, Math.ceil(context.measureText(text).width)) + 8;
    const drawn = this.canvas(width, 18, canvas);
    drawn.context.font = font;
    drawn.context.textAlign = "center";
    drawn.context.textBaseline = "middle";
    drawn.context.lineWidth = 4;
    drawn.context.lineJoin = "round";
    drawn.context.strokeStyle = this.color("--label-halo");
    drawn.context.strokeText(text, width / 2, 9, width - 8);
    drawn.context.fillStyle = this.color("--label");
    drawn.context.fillText(text, width / 2, 9, width - 8);
    label = { image: drawn.canvas, width, height: 18 };
    this.labels.set(text, label);
    return label;
  }

  #draw(state, radius, angle) {
    const isSmall = radius < 8;
    const half = radius + (isSmall ? 5 : 8);
    const { canvas, context } = this.canvas(2 * half, 2 * half);
    context.translate(half, half);
    context.shadowColor = isSmall ? "transparent" : "rgb(0 0 0 / 35%)";
    context.shadowBlur = 3 * this.ratio;
    context.fillStyle = this.color("--marker-edge");
    this.#outline(context, state, radius + (isSmall ? 1.2 : 2), angle);
    context.shadowColor = "transparent";
    context.fillStyle = this.color(colorName(state));
    this.#outline(context, state, radius, angle);
    if (!isSmall) {
      context.rotate(STATES[state].turns ? angle : 0);
      context.scale(radius / 13, radius / 13);
      context.fillStyle = this.color("--marker-edge");
      context.fill(new Path2D(STATES[state].path));
    }
    // In device pixels the picture is drawn as it is, not scaled.
    return { image: canvas, half, size: canvas.width / this.ratio };
  }

  /** Fills a disc, with a nose where the vehicle is heading. */
  #outline(context, state, radius, angle) {
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    if (STATES[state].turns) {
      const nose = radius + Math.max(3.5, radius * 0.42);
      for (const [turn, length] of [[-0.62, radius], [0, nose], [0.62, radius]]) {
        const method = turn < 0 ? "moveTo" : "lineTo";
        context[method](Math.sin(angle + turn) * length, -Math.cos(angle + turn) * length);
      }
      context.closePath();
    }
    context.fill();
  }

  /** Returns a canvas of so many pixels of the page, with what draws on it. */
  canvas(width, height, canvas = document.createElement("canvas")) {
    canvas.width = Math.ceil(width * this.ratio);
    canvas.height = Math.ceil(height * this.ratio);
    const context = canvas.getContext("2d");
    context.scale(this.ratio, this.ratio);
    return { canvas, context };
  }
}
