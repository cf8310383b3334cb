// The picture of a group: how many vehicles, in a ring of the colours of what they are doing.

import { countStates } from "./gather.js";
import { STATES, colorName } from "./states.js";

const MOST_KEPT = 800;
/** The ring's parts are drawn in steps, so that a picture serves many groups. */
const STEPS = 12;
const FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
const SMALL = `700 10px ${FONT}`;
const LARGE = `700 11.5px ${FONT}`;

export class GroupArt {
  /** Takes where colours and canvases come from. */
  constructor(sprites) {
    this.sprites = sprites;
    this.kept = new Map();
  }

  /** Forgets all pictures, as the colours or the resolution have changed. */
  forget() {
    this.kept.clear();
  }

  /** Draws a group at a point. */
  draw(context, group, x, y) {
    group.picture ??= this.#find(group);
    const { image, half, size } = group.picture;
    context.drawImage(image, Math.round(x) - half, Math.round(y) - half, size, size);
    group.text ??= short(group.vehicles.length);
    context.fillStyle = this.sprites.color("--text");
    context.font = group.text.length > 3 ? SMALL : LARGE;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(group.text, Math.round(x), Math.round(y) + 0.5);
  }

  /** Returns the ring of a group, without its number. */
  #find(group) {
    const radius = radiusOf(group.vehicles.length);
    const parts = shares(group);
    const key = `${radius} ${parts.map(({ state, steps }) => `${state}${steps}`).join()}`;
    let picture = this.kept.get(key);
    if (!picture) {
      if (this.kept.size > MOST_KEPT) this.kept.clear();
      picture = this.#paint(parts, radius);
      this.kept.set(key, picture);
    }
    return picture;
  }

  #paint(parts, radius) {
    const half = radius + 5;
    const { canvas, context } = this.sprites.canvas(2 * half, 2 * half);
    context.translate(half, half);
    context.shadowColor = "rgb(0 0 0 / 30%)";
    context.shadowBlur = 4 * this.sprites.ratio;
    disc(context, radius + 1, this.sprites.color("--marker-edge"));
    context.shadowColor = "transparent";
    let angle = -Math.PI / 2;
    for (const { state, steps } of parts) {
      const next = angle + steps / STEPS * 2 * Math.PI;
      context.beginPath();
      context.arc(0, 0, radius - 1.5, angle, next);
      context.lineWidth = 4;
      context.strokeStyle = this.sprites.color(colorName(state));
      context.stroke();
      angle = next;
    }
    disc(context, radius - 4, this.sprites.color("--surface"));
    return { image: canvas, half, size: canvas.width / this.sprites.ratio };
  }
}

/** Returns a group's radius in pixels. */
export function radiusOf(count) {
  return 14 + Math.min(8, 2 * Math.floor(Math.log10(count)));
}

function disc(context, radius, color) {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

/** Returns which states take how many steps of the ring, the urgent first; none that is there is left out. */
function shares(group) {
  const counts = [...countStates(group)].sort(([a], [b]) => STATES[a].rank - STATES[b].rank);
  const parts = counts.map(([state, count]) => ({ state, steps: Math.max(1, Math.round(count / group.vehicles.length * STEPS)) }));
  const largest = parts.reduce((a, b) => (b.steps > a.steps ? b : a));
  largest.steps += STEPS - parts.reduce((sum, { steps }) => sum + steps, 0);
  return parts;
}

function short(count) {
  if (count < 1000) return String(count);
  return count < 9950 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
}
