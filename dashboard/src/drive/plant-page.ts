// The page of a plant, which has no bodies: its values large, how each went in the last minute, and a tank where one of them is a level.

import type { Shown } from "../logic/interpolation.ts";
import { drawing, element, say } from "../page/elements.ts";
import type { Run } from "../protocol/messages.ts";
import { figure, spoken } from "./gauge-list.ts";
import { Trend } from "./trend.ts";

const WRITE_MS = 100;

export class PlantPage {
  private readonly cards: { value: HTMLElement; trend: Trend }[];
  private readonly tank: Tank | null;
  private written_ms = -Infinity;

  constructor(page: HTMLElement, run: Run) {
    page.classList.add("plant");
    const grid = element("div", { class: "cards" });
    this.cards = run.gauges.map((name, index) => {
      const value = element("output", { class: "number" });
      const trend = new Trend();
      trend.canvas.setAttribute("role", "img");
      trend.canvas.setAttribute("aria-label", `${spoken(name)}, the last minute`);
      const unit = run.units[index] ?? "";
      grid.append(
        element(
          "article",
          { class: "card panel" },
          element("h2", {}, spoken(name)),
          element("p", { class: "card-value" }, value, " ", element("small", {}, unit === "-" ? "" : unit)),
          trend.canvas,
          element("p", { class: "small" }, name),
        ),
      );
      return { value, trend };
    });
    const level = run.gauges.findIndex((_, index) => run.units[index] === "cm" || run.units[index] === "m");
    this.tank = level >= 0 ? new Tank(run, level) : null;
    page.replaceChildren(element("div", { class: "plant-layout" }, ...(this.tank ? [this.tank.box] : []), grid));
  }

  /** Keeps the values, seen or not. */
  add(time_s: number, gauges: Float32Array): void {
    this.cards.forEach(({ trend }, index) => trend.add(time_s, gauges[index] ?? NaN));
  }

  draw(shown: Shown, now_ms: number): void {
    this.tank?.show(shown.gauges);
    if (now_ms - this.written_ms < WRITE_MS) return;
    this.written_ms = now_ms;
    this.cards.forEach(({ value, trend }, index) => {
      say(value, figure(shown.gauges[index] ?? NaN));
      trend.draw();
    });
    this.tank?.write(shown.gauges);
  }
}

/** A vessel that fills to its level, with a mark at what is asked for where a gauge of the same unit says so. */
class Tank {
  readonly box: HTMLElement;
  private readonly fill = drawing("rect", { x: 12, width: 156, class: "tank-fill" });
  private readonly surface = drawing("path", { class: "tank-surface" });
  private readonly mark = drawing("path", { class: "tank-mark" });
  private readonly scale = drawing("g", { class: "tank-scale" });
  private readonly value = element("output", { class: "number" });
  private readonly wanted: number;
  private full = 0;

  private readonly level: number;
  private readonly unit: string;

  constructor(run: Run, level: number) {
    this.level = level;
    this.unit = run.units[level] ?? "";
    this.wanted = run.gauges.findIndex(
      (name, index) =>
        index !== level && run.units[index] === this.unit && /demand|wanted|set|target|reference/.test(name),
    );
    const svg = drawing(
      "svg",
      { viewBox: "0 0 220 320", role: "img", "aria-label": spoken(run.gauges[level]!) },
      this.fill,
      this.surface,
      drawing("path", { d: "M10 20 V300 H170 V20", class: "tank-wall" }),
      this.mark,
      this.scale,
    );
    this.box = element(
      "figure",
      { class: "tank panel" },
      svg,
      element("figcaption", {}, `${spoken(run.gauges[level]!)} `, this.value),
    );
    this.grow(this.unit === "cm" ? 25 : 1);
  }

  private grow(full: number): void {
    this.full = full;
    this.scale.replaceChildren();
    for (let at = 0; at <= 5; at++) {
      const y = this.height((full * at) / 5);
      const label = drawing("text", { x: 186, y: y + 4 });
      label.textContent = String(Number(((full * at) / 5).toPrecision(3)));
      this.scale.append(drawing("path", { d: `M172 ${y} h8` }), label);
    }
  }

  private height(level: number): number {
    return 298 - (270 * level) / this.full;
  }

  show(gauges: Float32Array): void {
    const level = Math.max(0, gauges[this.level] ?? 0) || 0;
    while (level > this.full) this.grow(2 * this.full);
    const top = this.height(level);
    this.fill.setAttribute("y", top.toFixed(2));
    this.fill.setAttribute("height", Math.max(0, 298 - top).toFixed(2));
    this.surface.setAttribute("d", `M12 ${top.toFixed(2)} h156`);
    const wanted = this.wanted >= 0 ? gauges[this.wanted]! : NaN;
    this.mark.setAttribute("d", Number.isFinite(wanted) ? `M4 ${this.height(wanted).toFixed(2)} h172` : "");
  }

  write(gauges: Float32Array): void {
    say(this.value, `${figure(gauges[this.level] ?? NaN)} ${this.unit}`);
  }
}
