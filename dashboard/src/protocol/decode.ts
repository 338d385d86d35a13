// Binary messages of the gateway: little-endian, header, then columns. A message that does not fit its own header is refused, not guessed at.
// A typed array would take the byte order of this machine, a DataView does not; every machine with a browser is little-endian, so arrays it is.

/** How many there are of each, from /api/run. */
export interface Counts {
  bodies: number;
  wheels: number;
  gauges: number;
}

export interface StateMessage {
  kind: "state";
  count: number;
  step: number;
  time_s: number;
  /** x, y, z, w, x, y, z of each body. */
  bodies: Float32Array;
  /** Spin angle, contact x, y, z, force x, y, z, slip ratio of each wheel. */
  wheels: Float32Array;
  gauges: Float32Array;
}

export interface ScopeMessage {
  kind: "scope";
  count: number;
  rows: number;
  /** Steps that are missing before this message. */
  missing: number;
  /** The `watch` that it answers. */
  id: number;
  times_s: Float64Array;
  columns: Float32Array[];
}

export const BODY_VALUES = 7;
export const WHEEL_VALUES = 8;

/** What a binary message says; null where it is of a kind that this page does not know. Throws where it is malformed. */
export function decode(buffer: ArrayBuffer, counts: Counts): StateMessage | ScopeMessage | null {
  if (buffer.byteLength < 8) throw new RangeError(`a message of ${buffer.byteLength} bytes has no header`);
  const kind = new DataView(buffer).getUint32(0, true);
  if (kind === 1) return decodeState(buffer, counts);
  if (kind === 2) return decodeScope(buffer);
  return null;
}

/** The stream and count of a message, even if its body is malformed: what was received is acknowledged. */
export function acknowledgement(buffer: ArrayBuffer): { stream: "state" | "scope"; count: number } | null {
  if (buffer.byteLength < 8) return null;
  const view = new DataView(buffer);
  const kind = view.getUint32(0, true);
  if (kind !== 1 && kind !== 2) return null;
  return { stream: kind === 1 ? "state" : "scope", count: view.getUint32(4, true) };
}

function expectLength(buffer: ArrayBuffer, expected: number, what: string): void {
  if (buffer.byteLength !== expected) {
    throw new RangeError(`a ${what} message of ${buffer.byteLength} bytes, expected ${expected}`);
  }
}

function decodeState(buffer: ArrayBuffer, counts: Counts): StateMessage {
  const bodyValues = BODY_VALUES * counts.bodies;
  const wheelValues = WHEEL_VALUES * counts.wheels;
  expectLength(buffer, 24 + 4 * (bodyValues + wheelValues + counts.gauges), "state");
  const view = new DataView(buffer);
  return {
    kind: "state",
    count: view.getUint32(4, true),
    step: view.getFloat64(8, true),
    time_s: view.getFloat64(16, true),
    bodies: new Float32Array(buffer, 24, bodyValues),
    wheels: new Float32Array(buffer, 24 + 4 * bodyValues, wheelValues),
    gauges: new Float32Array(buffer, 24 + 4 * (bodyValues + wheelValues), counts.gauges),
  };
}

function decodeScope(buffer: ArrayBuffer): ScopeMessage {
  if (buffer.byteLength < 24) throw new RangeError(`a scope message of ${buffer.byteLength} bytes has no header`);
  const view = new DataView(buffer);
  const rows = view.getUint32(8, true);
  const columns = view.getUint32(12, true);
  expectLength(buffer, 24 + 8 * rows + 4 * rows * columns, "scope");
  return {
    kind: "scope",
    count: view.getUint32(4, true),
    rows,
    missing: view.getUint32(16, true),
    id: view.getUint32(20, true),
    times_s: new Float64Array(buffer, 24, rows),
    columns: Array.from(
      { length: columns },
      (_, column) => new Float32Array(buffer, 24 + 8 * rows + 4 * rows * column, rows),
    ),
  };
}
