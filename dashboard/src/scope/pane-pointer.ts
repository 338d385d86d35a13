// What a pointer does on a plot beyond uPlot's dragging of a span: the wheel zooms about the pointer, cursors and the level of the trigger are
// dragged, fingers move and stretch what is seen.

import type uPlot from "uplot";
import { MOST_S, type ScopeModel } from "./model.ts";

const NEAR_PX = { mouse: 9, pen: 14, touch: 24 } as const;
type Grip = { kind: "cursor"; index: number } | { kind: "level" } | { kind: "finger" };

export class PanePointer {
  private grip: Grip | null = null;
  private readonly fingers = new Map<number, number>();
  private readonly plot: uPlot;
  private readonly model: ScopeModel;
  private readonly unit: string;

  constructor(plot: uPlot, model: ScopeModel, unit: string) {
    this.plot = plot;
    this.model = model;
    this.unit = unit;
    const { over } = plot;
    over.addEventListener("pointerdown", (event) => this.down(event));
    over.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      over.addEventListener(end, (event) => this.up(event));
    over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const box = this.plot.over.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private gripAt(event: PointerEvent): Grip | null {
    const { x, y } = this.at(event);
    const near = NEAR_PX[event.pointerType as keyof typeof NEAR_PX] ?? NEAR_PX.mouse;
    const away = (this.model.cursors ?? []).map((time_s) => Math.abs(this.plot.valToPos(time_s, "x") - x));
    const index = away.indexOf(Math.min(...away));
    if (index >= 0 && away[index]! <= near) return { kind: "cursor", index };
    const { trigger } = this.model;
    const signal = this.model.signals.find(({ name }) => name === trigger.settings.signal);
    if (
      trigger.state !== "off" &&
      signal?.unit === this.unit &&
      Math.abs(this.plot.valToPos(trigger.settings.level, "y") - y) <= near
    )
      return { kind: "level" };
    return event.pointerType === "touch" ? { kind: "finger" } : null;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.grip = this.gripAt(event);
    if (!this.grip) return;
    // Without this uPlot would drag a span as well.
    event.preventDefault();
    this.plot.over.setPointerCapture(event.pointerId);
    if (this.grip.kind === "finger") this.fingers.set(event.pointerId, this.at(event).x);
  }

  private move(event: PointerEvent): void {
    if (!this.grip) return this.shape(event);
    const { x, y } = this.at(event);
    if (this.grip.kind === "cursor" && this.model.cursors)
      this.model.cursors[this.grip.index] = this.plot.posToVal(x, "x");
    else if (this.grip.kind === "level")
      this.model.trigger.set({ level: Number(this.plot.posToVal(y, "y").toPrecision(4)) });
    else if (this.fingers.has(event.pointerId)) this.finger(event.pointerId, x);
    this.model.dirty = true;
  }

  private shape(event: PointerEvent): void {
    const grip = this.gripAt(event);
    this.plot.over.style.cursor =
      grip?.kind === "cursor" ? "ew-resize" : grip?.kind === "level" ? "ns-resize" : "crosshair";
  }

  private finger(id: number, x: number): void {
    const before = this.fingers.get(id)!;
    const other = [...this.fingers].find(([finger]) => finger !== id)?.[1];
    this.fingers.set(id, x);
    const now = performance.now();
    const perPixel = this.plot.posToVal(1, "x") - this.plot.posToVal(0, "x");
    if (other === undefined) return this.model.view.pan(this.model.end(now), (before - x) * perPixel);
    const factor = Math.abs(before - other) / Math.max(8, Math.abs(x - other));
    this.zoom(this.plot.posToVal(other, "x"), factor);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.fingers.size === 0) this.grip = null;
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.zoom(
      this.plot.posToVal(this.at(event).x, "x"),
      Math.exp(0.0022 * Math.max(-200, Math.min(200, event.deltaY))),
    );
  }

  private zoom(about_s: number, factor: number): void {
    const span = this.model.span(performance.now());
    // What is shown may be a capture or a pause: the zoom begins from that.
    if (!this.model.view.held) this.model.view.hold(span);
    this.model.view.zoom(span.to_s, about_s, factor, MOST_S);
    this.model.dirty = true;
  }
}
