// What is drawn of many rows on few pixels: of every bucket of time the least and the greatest value, in the order in which they came, so that a
// peak of one step keeps its height. The buckets lie on multiples of their width: a picture that scrolls does not shimmer.

import type { SignalRing } from "./ring.ts";

export interface Lines {
  times: number[];
  /** A value of each signal at each time; null where there is none, and the line is broken. */
  values: (number | null)[][];
}

/** Rows up to which each is drawn itself. */
const PLAIN = 2;

export function envelope(
  ring: SignalRing,
  from_s: number,
  to_s: number,
  buckets: number,
  columns: readonly number[],
): Lines {
  // One row more on both sides: lines go on to the edge.
  const first = Math.max(0, ring.rowAt(from_s) - 1);
  const last = Math.min(ring.length, ring.rowAt(to_s) + 1);
  if (last - first <= PLAIN * buckets) return plain(ring, first, last, columns);
  return thinned(ring, first, last, (to_s - from_s) / buckets, columns);
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);

function plain(ring: SignalRing, first: number, last: number, columns: readonly number[]): Lines {
  const times: number[] = [];
  for (let row = first; row < last; row++) times.push(ring.time(row));
  const values = columns.map((column) => {
    const line: (number | null)[] = [];
    for (let row = first; row < last; row++) line.push(known(ring.value(column, row)));
    return line;
  });
  return { times, values };
}

function thinned(ring: SignalRing, first: number, last: number, width_s: number, columns: readonly number[]): Lines {
  const ends = bucketEnds(ring, first, last, width_s);
  const lines: Lines = { times: [], values: columns.map(() => []) };
  let row = first;
  for (const end of ends) {
    const start_s = ring.time(row);
    const span_s = ring.time(end - 1) - start_s;
    lines.times.push(start_s, start_s + span_s / 2, start_s + span_s);
    columns.forEach((column, index) => addExtremes(lines.values[index]!, ring, column, row, end, width_s));
    row = end;
  }
  return lines;
}

/** The row after the last of each bucket. */
function bucketEnds(ring: SignalRing, first: number, last: number, width_s: number): number[] {
  const ends: number[] = [];
  let bucket = Math.floor(ring.time(first) / width_s);
  for (let row = first; row < last; row++) {
    const here = Math.floor(ring.time(row) / width_s);
    if (here !== bucket) ends.push(row);
    bucket = here;
  }
  ends.push(last);
  return ends;
}

/** The extremes of a bucket, and a third place: null where the bucket has a hole that can be seen, otherwise its last value. */
function addExtremes(
  into: (number | null)[],
  ring: SignalRing,
  column: number,
  first: number,
  end: number,
  width_s: number,
): void {
  let [least, greatest, at_least, at_greatest, holes] = [Infinity, -Infinity, first, first, 0];
  for (let row = first; row < end; row++) {
    const value = ring.value(column, row);
    if (value < least) [least, at_least] = [value, row];
    if (value > greatest) [greatest, at_greatest] = [value, row];
    if (Number.isNaN(value) && isWide(ring, row, width_s)) holes += 1;
  }
  if (greatest < least) into.push(null, null, null);
  else {
    const order = at_least <= at_greatest ? [least, greatest] : [greatest, least];
    into.push(order[0]!, order[1]!, holes > 0 ? null : lastKnown(ring, column, first, end));
  }
}

function lastKnown(ring: SignalRing, column: number, first: number, end: number): number | null {
  for (let row = end - 1; row >= first; row--)
    if (Number.isFinite(ring.value(column, row))) return ring.value(column, row);
  return null;
}

/** Whether a row without a value stands for more time than a bucket: a narrower hole has no pixel of its own. */
function isWide(ring: SignalRing, row: number, width_s: number): boolean {
  const before = ring.time(Math.max(0, row - 1));
  return ring.time(Math.min(ring.length - 1, row + 1)) - before > width_s;
}
