// How often each duration came: both axes logarithmic, as one late wake-up in a million is what is looked for.

import type { Distribution } from "../protocol/messages.ts";
import { styleColour } from "../page/theme.ts";

export interface Series {
  distribution: Distribution;
  colour: string;
  /** So that no line is told apart by its colour alone. */
  dash: number[];
}

const PAD = { left: 40, right: 10, top: 8, bottom: 22 };
/** A bucket whose lower neighbour is empty is taken to be this wide. */
const BUCKET_RATIO = 1.25;

export function drawHistogram(canvas: HTMLCanvasElement, all: Series[], period_us: number): void {
  const context = sized(canvas);
  if (!context) return;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const edges = all.flatMap((series) => series.distribution.buckets.map(([edge]) => edge)).filter((edge) => edge > 0);
  const counts = all.flatMap((series) => series.distribution.buckets.map(([, count]) => count));
  if (edges.length === 0) return;
  const least = 10 ** Math.floor(Math.log10(Math.min(...edges) / BUCKET_RATIO));
  const most = 10 ** Math.ceil(Math.log10(Math.max(...edges, 1.2 * period_us)));
  const top = 10 ** Math.ceil(Math.log10(Math.max(...counts, 10)));
  const x = (us: number): number =>
    PAD.left + ((width - PAD.left - PAD.right) * Math.log(Math.max(us, least) / least)) / Math.log(most / least);
  const y = (count: number): number =>
    height -
    PAD.bottom -
    ((height - PAD.top - PAD.bottom) * Math.log(Math.max(count, 0.5) / 0.5)) / Math.log(top / 0.5);
  drawAxes(context, { least, most, top, x, y, width, height });
  drawDeadline(context, x(period_us), height);
  for (const series of all) drawSteps(context, series, x, y);
}

/** A context whose unit is a pixel of the style sheet; null where nothing is seen. */
export function sized(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const ratio = devicePixelRatio;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (width === 0 || height === 0) return null;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `11px ${styleColour("font")}`;
  return context;
}

interface Axes {
  least: number;
  most: number;
  top: number;
  x: (us: number) => number;
  y: (count: number) => number;
  width: number;
  height: number;
}

function drawAxes(context: CanvasRenderingContext2D, { least, most, top, x, y, width, height }: Axes): void {
  context.strokeStyle = styleColour("grid-line");
  context.fillStyle = styleColour("muted");
  context.lineWidth = 1;
  context.textAlign = "center";
  context.beginPath();
  for (let us = least; us <= most * 1.001; us *= 10) {
    context.moveTo(Math.round(x(us)) + 0.5, PAD.top);
    context.lineTo(Math.round(x(us)) + 0.5, height - PAD.bottom);
    context.fillText(spoken(us), Math.min(x(us), width - 22), height - 7);
  }
  context.textAlign = "right";
  for (let count = 1; count <= top * 1.001; count *= 10) {
    const decade = Math.round(Math.log10(count));
    if (top > 1e4 && decade % 2 === 1) continue;
    context.moveTo(PAD.left, Math.round(y(count)) + 0.5);
    context.lineTo(width - PAD.right, Math.round(y(count)) + 0.5);
    context.fillText(
      count < 1000 ? String(count) : count < 1e6 ? `${count / 1000}k` : `${count / 1e6}M`,
      PAD.left - 5,
      y(count) + 4,
    );
  }
  context.stroke();
}

function spoken(us: number): string {
  return us < 1 ? `${us * 1000} ns` : us < 1000 ? `${us} µs` : us < 1e6 ? `${us / 1000} ms` : `${us / 1e6} s`;
}

function drawDeadline(context: CanvasRenderingContext2D, x: number, height: number): void {
  context.strokeStyle = styleColour("warn");
  context.setLineDash([4, 4]);
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, PAD.top);
  context.lineTo(x, height - PAD.bottom);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = styleColour("warn");
  context.textAlign = "right";
  context.fillText("period", x - 4, PAD.top + 10);
}

function drawSteps(
  context: CanvasRenderingContext2D,
  series: Series,
  x: (us: number) => number,
  y: (count: number) => number,
): void {
  context.strokeStyle = series.colour;
  context.lineWidth = 1.8;
  context.setLineDash(series.dash);
  context.beginPath();
  let before = 0;
  for (const [edge, count] of series.distribution.buckets) {
    const joins = before > 0 && edge / before < BUCKET_RATIO * BUCKET_RATIO;
    const start = joins ? before : edge / BUCKET_RATIO;
    if (joins) context.lineTo(x(start), y(count));
    else {
      if (before > 0) context.lineTo(x(before), y(0));
      context.moveTo(x(start), y(0));
      context.lineTo(x(start), y(count));
    }
    context.lineTo(x(edge), y(count));
    before = edge;
  }
  context.lineTo(x(before), y(0));
  context.stroke();
  context.setLineDash([]);
}
