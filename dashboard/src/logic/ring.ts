// The newest rows of the watched signals, in memory of a fixed size: the oldest row goes first. Where steps are missing there is a row without
// values, through which no line is drawn.

import type { ScopeMessage } from "../protocol/decode.ts";

export class SignalRing {
  readonly names: readonly string[];
  readonly capacity: number;
  /** Rows that are kept. */
  length = 0;
  /** Holes, and the steps that are missing in them. */
  holes = 0;
  missing = 0;
  private first = 0;
  private readonly times: Float64Array;
  private readonly columns: Float32Array[];

  constructor(names: readonly string[], capacity: number) {
    this.names = names;
    this.capacity = capacity;
    this.times = new Float64Array(capacity);
    this.columns = names.map(() => new Float32Array(capacity));
  }

  time(row: number): number {
    return this.times[(this.first + row) % this.capacity]!;
  }

  value(column: number, row: number): number {
    return this.columns[column]![(this.first + row) % this.capacity]!;
  }

  get oldest(): number {
    return this.length > 0 ? this.time(0) : NaN;
  }

  get newest(): number {
    return this.length > 0 ? this.time(this.length - 1) : NaN;
  }

  /** Takes the rows of a message. Returns how many. */
  take(message: ScopeMessage): number {
    if (message.columns.length !== this.names.length || message.rows === 0) return 0;
    if (message.times_s[0]! < this.newest) this.clear();
    if (message.missing > 0) {
      this.holes += 1;
      this.missing += message.missing;
      this.cut((this.newest + message.times_s[0]!) / 2);
    }
    for (let row = Math.max(0, message.rows - this.capacity); row < message.rows; row++) {
      const at = this.next(message.times_s[row]!);
      for (let column = 0; column < this.columns.length; column++)
        this.columns[column]![at] = message.columns[column]![row]!;
    }
    return message.rows;
  }

  /** A row without values, where the line ends. */
  cut(time_s: number): void {
    if (!Number.isFinite(time_s) || this.length === 0) return;
    const at = this.next(time_s);
    for (const column of this.columns) column[at] = NaN;
  }

  private next(time_s: number): number {
    const at = (this.first + this.length) % this.capacity;
    if (this.length < this.capacity) this.length += 1;
    else this.first = (this.first + 1) % this.capacity;
    this.times[at] = time_s;
    return at;
  }

  clear(): void {
    this.first = this.length = this.holes = this.missing = 0;
  }

  /** The first row that is not before this time. */
  rowAt(time_s: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < time_s) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The row that is nearest to this time; -1 where there is none. */
  nearest(time_s: number): number {
    if (this.length === 0) return -1;
    const after = Math.min(this.rowAt(time_s), this.length - 1);
    return after > 0 && time_s - this.time(after - 1) < this.time(after) - time_s ? after - 1 : after;
  }

  /** Takes over what another ring knows of the same signals, and cuts there: what comes next does not join. */
  inherit(other: SignalRing): void {
    const from = this.names.map((name) => other.names.indexOf(name));
    for (let row = Math.max(0, other.length - this.capacity); row < other.length; row++) {
      const at = this.next(other.time(row));
      from.forEach((column, index) => (this.columns[index]![at] = column < 0 ? NaN : other.value(column, row)));
    }
    this.cut(this.newest);
    this.holes = other.holes;
    this.missing = other.missing;
  }
}
