// Which span of time the plots show: the newest seconds, or one that was chosen by zooming. Every zoom can be undone.

export interface Span {
  from_s: number;
  to_s: number;
}

const LEAST_S = 0.002;
const UNDONE = 50;

export class TimeView {
  window_s = 10;
  /** The span that is held; null is live. */
  held: Span | null = null;
  private readonly before: (Span | null)[] = [];

  span(now_s: number): Span {
    return this.held ?? { from_s: now_s - this.window_s, to_s: now_s };
  }

  hold(span: Span): void {
    if (!(span.to_s - span.from_s > 0)) return;
    if (this.held && this.held.from_s === span.from_s && this.held.to_s === span.to_s) return;
    this.before.push(this.held);
    if (this.before.length > UNDONE) this.before.shift();
    this.held = span;
  }

  /** Makes the span `factor` times as long; the time under the pointer stays where it is. */
  zoom(now_s: number, about_s: number, factor: number, most_s: number): void {
    const { from_s, to_s } = this.span(now_s);
    const length = Math.min(most_s, Math.max(LEAST_S, (to_s - from_s) * factor));
    const part = (about_s - from_s) / (to_s - from_s);
    const start = about_s - part * length;
    this.hold({ from_s: start, to_s: start + length });
  }

  /** Moves what is shown, without a step to undo. */
  pan(now_s: number, by_s: number): void {
    const { from_s, to_s } = this.span(now_s);
    if (!this.held) this.hold({ from_s, to_s });
    this.held = { from_s: from_s + by_s, to_s: to_s + by_s };
  }

  back(): void {
    if (this.before.length > 0) this.held = this.before.pop()!;
  }

  live(): void {
    if (!this.held) return;
    this.before.push(this.held);
    this.held = null;
  }
}
