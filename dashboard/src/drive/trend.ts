// A small plot of the last minute of one value, for the pages of a plant.

import { figure } from "./gauge-list.ts";
import { styleColour } from "../page/theme.ts";

const SPAN_S = 60;
const POINTS = 600;

export class Trend {
  readonly canvas = document.createElement("canvas");
  private times: number[] = [];
  private values: number[] = [];

  add(time_s: number, value: number): void {
    const last = this.times.at(-1);
    if (last !== undefined && time_s < last) this.clear();
    else if (last !== undefined && time_s - last < SPAN_S / POINTS) return;
    this.times.push(time_s);
    this.values.push(value);
    while (this.times[0]! < time_s - SPAN_S) {
      this.times.shift();
      this.values.shift();
    }
  }

  clear(): void {
    this.times = [];
    this.values = [];
  }

  draw(): void {
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.round(this.canvas.clientWidth * ratio), Math.round(this.canvas.clientHeight * ratio)];
    if (width === 0 || height === 0) return;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const context = this.canvas.getContext("2d")!;
    context.clearRect(0, 0, width, height);
    const known = this.values.filter(Number.isFinite);
    if (known.length < 2) return;
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const middle = (low + high) / 2;
    const half = Math.max((high - low) / 2, 1e-3 * Math.max(1, Math.abs(middle)));
    const now = this.times.at(-1)!;
    this.label(context, high, 12 * ratio, ratio);
    this.label(context, low, height - 4 * ratio, ratio);
    context.lineWidth = 2 * ratio;
    context.lineJoin = "round";
    context.strokeStyle = styleColour("accent");
    context.beginPath();
    this.times.forEach((time, at) => {
      const x = width * (1 - (now - time) / SPAN_S);
      const y = height * (0.5 - (0.44 * (this.values[at]! - middle)) / half);
      if (at === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
    context.stroke();
  }

  private label(context: CanvasRenderingContext2D, value: number, y: number, ratio: number): void {
    context.font = `${11 * ratio}px ${styleColour("font")}`;
    context.fillStyle = styleColour("muted");
    context.fillText(figure(value, 3), 0, y);
  }
}
