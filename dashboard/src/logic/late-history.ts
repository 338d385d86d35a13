// Overruns and misses over time. The gateway tells counts since the start; the page keeps how many were new in every stretch of two seconds.

import type { ProcessStatus } from "../protocol/messages.ts";

export const STRETCH_S = 2;
const KEPT = 150;

export interface Stretch {
  overruns: number;
  misses: number;
}

export class LateHistory {
  readonly stretches: Stretch[] = [];
  overruns = 0;
  misses = 0;
  private readonly before = new Map<string, Stretch>();
  private began_s = NaN;

  add(processes: readonly ProcessStatus[], now_s: number): void {
    if (Number.isNaN(this.began_s)) this.began_s = now_s;
    const index = Math.floor((now_s - this.began_s) / STRETCH_S);
    while (this.count <= index) this.next();
    const last = this.stretches.at(-1)!;
    for (const { name, overruns, misses } of processes) {
      const known = this.before.get(name);
      // Less than before: the process began anew, and all it has is new.
      const late = known
        ? { overruns: grown(known.overruns, overruns), misses: grown(known.misses, misses) }
        : { overruns: 0, misses: 0 };
      this.before.set(name, { overruns, misses });
      last.overruns += late.overruns;
      last.misses += late.misses;
      this.overruns += late.overruns;
      this.misses += late.misses;
    }
  }

  private count = 0;

  private next(): void {
    this.count += 1;
    this.stretches.push({ overruns: 0, misses: 0 });
    if (this.stretches.length > KEPT) this.stretches.shift();
  }
}

const grown = (before: number, now: number): number => (now >= before ? now - before : now);
