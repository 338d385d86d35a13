// What the scope shows, apart from how: which signals, their rows, the span of time, the trigger, the cursors.

import { SignalRing } from "../logic/ring.ts";
import { TimeView, type Span } from "../logic/time-view.ts";
import { Trigger } from "../logic/trigger.ts";
import { SimulatedClock } from "../logic/clock.ts";
import type { ScopeMessage } from "../protocol/decode.ts";
import type { Signal } from "../protocol/messages.ts";

export const MOST_SIGNALS = 16;
/** Sixty seconds of sixteen signals at 1 kHz. */
const MOST_ROWS = 60_000;
export const MOST_S = 60;
/** The plots end this much before the newest row, so that they run evenly. */
const DELAY_S = 0.06;

export class ScopeModel {
  ring = new SignalRing([], 1);
  signals: Signal[] = [];
  wanted: string[] = [];
  readonly view = new TimeView();
  readonly trigger = new Trigger({
    mode: "off",
    signal: "",
    level: 0,
    rising: true,
    hysteresis: 0,
    before: 0.5,
    window_s: 10,
  });
  paused = false;
  /** Times of the two cursors, while they are shown. */
  cursors: [number, number] | null = null;
  selected = "";
  /** Something other than new rows changed. */
  dirty = true;
  private id = 0;
  private readonly clock = new SimulatedClock(DELAY_S);
  private readonly send: (id: number, names: string[]) => boolean;
  private rowsIn: { at_ms: number; rows: number }[] = [];
  private paused_at: Span | null = null;
  private carried_s = NaN;

  constructor(send: (id: number, names: string[]) => boolean) {
    this.send = send;
  }

  watch(names: string[]): void {
    this.wanted = names.slice(0, MOST_SIGNALS);
    this.id += 1;
    this.send(this.id, this.wanted);
  }

  /** A new connection knows nothing of what was watched. */
  again(): void {
    this.clock.reset();
    if (this.wanted.length > 0) this.watch(this.wanted);
  }

  watching(id: number, signals: Signal[]): void {
    if (id !== this.id) return;
    const ring = new SignalRing(
      signals.map((signal) => signal.name),
      MOST_ROWS,
    );
    ring.inherit(this.ring);
    this.ring = ring;
    this.signals = signals;
    this.wanted = signals.map((signal) => signal.name);
    this.dirty = true;
  }

  /** Takes rows, unless it is paused or they answer an older question. Returns how many. */
  take(message: ScopeMessage, now_ms: number): number {
    if (message.id !== this.id) return 0;
    this.rowsIn.push({ at_ms: now_ms, rows: message.rows });
    while (this.rowsIn[0]!.at_ms < now_ms - 1000) this.rowsIn.shift();
    if (this.paused) return 0;
    const rows = this.ring.take(message);
    if (rows > 0) this.clock.message(this.ring.newest, now_ms / 1000);
    this.trigger.look(this.ring);
    return rows;
  }

  /** Rows in a second, and how long ago the newest came. */
  rate(now_ms: number): { rows_s: number; age_ms: number } {
    const last = this.rowsIn.at(-1);
    const rows = this.rowsIn.filter(({ at_ms }) => at_ms >= now_ms - 1000).reduce((sum, entry) => sum + entry.rows, 0);
    return { rows_s: rows, age_ms: last ? now_ms - last.at_ms : NaN };
  }

  pause(paused: boolean, now_ms: number): void {
    if (paused === this.paused) return;
    this.paused_at = paused ? this.span(now_ms) : null;
    this.paused = paused;
    if (!paused) this.ring.cut(this.ring.newest);
    this.dirty = true;
  }

  get isLive(): boolean {
    return !this.paused && this.view.held === null;
  }

  /** What the plots show now. */
  span(now_ms: number): Span {
    if (this.view.held) return this.view.held;
    if (this.paused_at) return this.paused_at;
    if (this.trigger.capture) return this.trigger.capture;
    const shown = this.clock.shown(now_ms / 1000);
    return this.view.span(Number.isFinite(shown) ? shown : 0);
  }

  /** While the plots move the cursors go with them: they stay where they are on the screen, and in a capture at the same time from the edge. */
  carryCursors(now_ms: number): void {
    const { from_s } = this.span(now_ms);
    const by_s = from_s - this.carried_s;
    this.carried_s = from_s;
    if (this.cursors && !this.view.held && !this.paused && Number.isFinite(by_s))
      this.cursors = [this.cursors[0] + by_s, this.cursors[1] + by_s];
  }

  /** The end of time, for zooms that begin from live. */
  end(now_ms: number): number {
    return this.span(now_ms).to_s;
  }

  live(now_ms: number): void {
    this.pause(false, now_ms);
    this.view.live();
    this.dirty = true;
  }

  fit(): void {
    if (this.ring.length > 1) this.view.hold({ from_s: this.ring.oldest, to_s: this.ring.newest });
    this.dirty = true;
  }

  setWindow(window_s: number): void {
    this.view.window_s = window_s;
    this.trigger.set({ window_s });
    this.view.live();
    this.dirty = true;
  }

  /** A part of how far the signal of the trigger goes, so that noise on an edge does not fire twice. */
  chooseHysteresis(): void {
    const column = this.ring.names.indexOf(this.trigger.settings.signal);
    if (column < 0) return;
    let [least, greatest] = [Infinity, -Infinity];
    for (let row = 0; row < this.ring.length; row++) {
      const value = this.ring.value(column, row);
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    this.trigger.settings.hysteresis = greatest > least ? 0.02 * (greatest - least) : 0;
  }

  /** The value of a signal at a time: that of the nearest step, or of one beside it where that is a hole. */
  valueAt(column: number, time_s: number): number {
    const row = this.ring.nearest(time_s);
    const beside = [row, row - 1, row + 1].filter((at) => at >= 0 && at < this.ring.length);
    const known = beside.find((at) => Number.isFinite(this.ring.value(column, at)));
    return known === undefined ? NaN : this.ring.value(column, known);
  }
}
