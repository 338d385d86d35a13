// What is seen, as a table or as a picture. Both are made here and saved by the browser; nothing goes to the gateway.

import { styleColour } from "../page/theme.ts";
import type { Theme } from "../scene/colours.ts";
import type { ScopeModel } from "./model.ts";
import type { Panes } from "./panes.ts";
import { traceColour } from "./trace-colours.ts";

/** The rows of the span; a field is empty where the value is not known. */
export function asTable(model: ScopeModel, now_ms: number): string {
  const { ring, signals } = model;
  const { from_s, to_s } = model.span(now_ms);
  const head = ["time_s", ...signals.map((signal) => quoted(signal.name))].join(",");
  const lines = [head];
  for (let row = ring.rowAt(from_s); row < ring.length && ring.time(row) <= to_s; row++) {
    const values = signals.map((_, column) => ring.value(column, row));
    if (values.some((value) => !Number.isNaN(value)))
      lines.push([ring.time(row).toFixed(6), ...values.map(field)].join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** f32 on the wire: nine digits are all there is. */
const field = (value: number): string => (Number.isNaN(value) ? "" : String(Number(value.toPrecision(9))));
const quoted = (name: string): string => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

const LEGEND_PX = 30;

/** The plots below each other with the names of the traces above them. */
export function asPicture(model: ScopeModel, panes: Panes, theme: Theme, title: string): Promise<Blob> {
  const plots = panes.plots;
  const ratio = devicePixelRatio;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(...plots.map((plot) => plot.ctx.canvas.width));
  canvas.height = plots.reduce((sum, plot) => sum + plot.ctx.canvas.height + LEGEND_PX * ratio, LEGEND_PX * ratio);
  const context = canvas.getContext("2d")!;
  context.fillStyle = styleColour("panel");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = `600 ${14 * ratio}px sans-serif`;
  context.fillStyle = styleColour("strong");
  context.fillText(title, 16 * ratio, 20 * ratio);
  let top = LEGEND_PX * ratio;
  const units = [...new Set(model.signals.map((signal) => signal.unit))];
  plots.forEach((plot, index) => {
    let left = 16 * ratio;
    context.font = `${13 * ratio}px sans-serif`;
    model.signals.forEach((signal, column) => {
      if (signal.unit !== units[index]) return;
      const name = `${signal.name} [${signal.unit}]`;
      context.fillStyle = traceColour(column, theme);
      context.fillText(name, left, top + 20 * ratio);
      left += context.measureText(name).width + 20 * ratio;
    });
    context.drawImage(plot.ctx.canvas, 0, top + LEGEND_PX * ratio);
    top += plot.ctx.canvas.height + LEGEND_PX * ratio;
  });
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture could be made"))), "image/png"),
  );
}

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
