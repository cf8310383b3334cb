// What is drawn beside and around a vehicle's marker.

/** Draws a circle's line. */
export function ring(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

/** Draws the wave that goes out from a held vehicle; `phase` is 0 to 1. */
export function drawPulse(context, color, x, y, radius, phase) {
  context.strokeStyle = color;
  context.lineWidth = 2.5;
  context.globalAlpha = 0.8 * (1 - phase);
  ring(context, x, y, radius + 2 + 11 * phase);
  context.globalAlpha = 1;
}

/** Draws the dashes around a vehicle that waits for a route. */
export function drawQuestion(context, color, x, y, radius) {
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.setLineDash([4, 4]);
  ring(context, x, y, radius + 6);
  context.setLineDash([]);
}

/** Draws the halo of the chosen vehicle. */
export function drawHalo(context, color, x, y) {
  context.strokeStyle = color;
  context.lineWidth = 3;
  context.globalAlpha = 0.45;
  ring(context, x, y, 19);
  context.globalAlpha = 1;
}

/** Keeps the names that are written from hiding each other. */
export class Room {
  constructor() {
    this.taken = [];
  }

  /** Takes a name's place, where no other has it. */
  take(x, y, width, always = false) {
    const isFree = always || this.taken.every(
      (other) => Math.abs(other.x - x) > (other.width + width) / 2 || Math.abs(other.y - y) > 16);
    if (isFree) this.taken.push({ x, y, width });
    return isFree;
  }
}
