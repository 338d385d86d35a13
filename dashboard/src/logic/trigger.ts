// The trigger of a scope. It fires on an edge and not on "is above": the signal must have been beyond the level by the hysteresis on the other side
// first. A capture is the window about the edge, with a part of it before; it is shown when it is whole.

import type { SignalRing } from "./ring.ts";

export type TriggerMode = "off" | "auto" | "normal" | "single";

export interface TriggerSettings {
  mode: TriggerMode;
  signal: string;
  level: number;
  rising: boolean;
  hysteresis: number;
  /** The part of the window that is before the edge, 0..1. */
  before: number;
  window_s: number;
}

export type TriggerState = "off" | "waiting" | "filling" | "triggered" | "free" | "stopped";

export const TRIGGER_WORDS: Record<TriggerState, string> = {
  off: "Off: the plots roll",
  waiting: "Waiting for an edge",
  filling: "Triggered, filling",
  triggered: "Triggered",
  free: "No edge: running free",
  stopped: "Stopped after one capture",
};

/** Without an edge for this long, and for a window, `auto` runs free. */
const FREE_AFTER_S = 1;

export class Trigger {
  state: TriggerState = "off";
  /** The window of the last whole capture, and its edge. */
  capture: { from_s: number; to_s: number; edge_s: number } | null = null;
  settings: TriggerSettings;
  private armed = false;
  private edge_s = NaN;
  private looked_s = -Infinity;
  private waits_s = NaN;

  constructor(settings: TriggerSettings) {
    this.settings = settings;
  }

  /** Settings that change begin anew; the capture stays on the screen until there is another. */
  set(settings: Partial<TriggerSettings>): void {
    this.settings = { ...this.settings, ...settings };
    this.arm();
  }

  /** Waits for the next edge: after `single`, or when something was set. */
  arm(): void {
    this.state = this.settings.mode === "off" ? "off" : "waiting";
    if (this.state === "off") this.capture = null;
    this.armed = false;
    this.edge_s = this.waits_s = NaN;
  }

  /** As if an edge were now. */
  force(ring: SignalRing): void {
    if (this.state === "off" || ring.length === 0) return;
    this.edge_s = ring.newest;
    this.state = "filling";
  }

  /** Looks at the rows that are new. */
  look(ring: SignalRing): void {
    if (this.state === "off" || ring.length === 0) return;
    if (ring.newest < this.looked_s) this.looked_s = -Infinity;
    if (Number.isNaN(this.waits_s)) this.waits_s = ring.newest;
    const column = ring.names.indexOf(this.settings.signal);
    const from = ring.rowAt(this.looked_s);
    if (column >= 0 && this.state !== "stopped") this.findEdge(ring, column, from);
    this.looked_s = ring.newest + 1e-9;
    this.complete(ring);
    const free_s = Math.max(FREE_AFTER_S, this.settings.window_s);
    const waits = this.state === "waiting" || this.state === "triggered";
    if (this.settings.mode === "auto" && waits && ring.newest - this.waits_s > free_s) {
      this.state = "free";
      this.capture = null;
    }
  }

  private findEdge(ring: SignalRing, column: number, from: number): void {
    const { level, rising, hysteresis } = this.settings;
    const sign = rising ? 1 : -1;
    for (let row = from; row < ring.length && this.state !== "filling"; row++) {
      const beyond = sign * (ring.value(column, row) - level);
      if (Number.isNaN(beyond)) this.armed = false;
      else if (beyond < -hysteresis) this.armed = true;
      else if (beyond >= 0 && this.armed) this.fire(crossing(ring, column, row, level));
    }
  }

  private fire(edge_s: number): void {
    this.armed = false;
    // The one that is shown is left whole before the next begins.
    if (this.capture && edge_s < this.capture.to_s) return;
    this.edge_s = edge_s;
    this.state = "filling";
  }

  private complete(ring: SignalRing): void {
    const { window_s, before, mode } = this.settings;
    if (this.state !== "filling" || ring.newest < this.edge_s + (1 - before) * window_s) return;
    const from_s = this.edge_s - before * window_s;
    this.capture = { from_s, to_s: from_s + window_s, edge_s: this.edge_s };
    this.state = mode === "single" ? "stopped" : "triggered";
    this.waits_s = ring.newest;
  }
}

/** When the line between a row and the one before goes through the level. */
function crossing(ring: SignalRing, column: number, row: number, level: number): number {
  if (row === 0) return ring.time(row);
  const [a, b] = [ring.value(column, row - 1), ring.value(column, row)];
  const part = Number.isFinite(a) && a !== b ? (level - a) / (b - a) : 1;
  return ring.time(row - 1) + Math.min(1, Math.max(0, part)) * (ring.time(row) - ring.time(row - 1));
}
