// The state between two messages: positions and gauges linearly, orientations along the shorter arc (normalised linear interpolation, whose error
// between two messages 17 ms apart is far below a pixel), spin angles by the smaller turn.

import { BODY_VALUES, WHEEL_VALUES, type StateMessage } from "../protocol/decode.ts";

const KEPT = 16;

export interface Shown {
  time_s: number;
  bodies: Float32Array;
  wheels: Float32Array;
  gauges: Float32Array;
}

export class StateBuffer {
  private messages: StateMessage[] = [];

  push(message: StateMessage): void {
    const last = this.messages.at(-1);
    if (last && message.time_s < last.time_s) this.messages = [];
    this.messages.push(message);
    if (this.messages.length > KEPT) this.messages.shift();
  }

  clear(): void {
    this.messages = [];
  }

  get newest(): StateMessage | undefined {
    return this.messages.at(-1);
  }

  /** The state at this time, written into `into`; false where nothing has arrived. */
  at(time_s: number, into: Shown): boolean {
    const after = this.messages.findIndex((message) => message.time_s >= time_s);
    const later = after < 0 ? this.messages.at(-1) : this.messages[after];
    if (!later) return false;
    const earlier = after > 0 ? this.messages[after - 1]! : later;
    const span = later.time_s - earlier.time_s;
    blend(earlier, later, span > 0 ? (time_s - earlier.time_s) / span : 1, into);
    return true;
  }
}

export function emptyShown(bodies: number, wheels: number, gauges: number): Shown {
  return {
    time_s: 0,
    bodies: new Float32Array(BODY_VALUES * bodies),
    wheels: new Float32Array(WHEEL_VALUES * wheels),
    gauges: new Float32Array(gauges),
  };
}

export function blend(a: StateMessage, b: StateMessage, part: number, into: Shown): void {
  into.time_s = mix(a.time_s, b.time_s, part);
  mixAll(a.gauges, b.gauges, part, into.gauges);
  mixAll(a.bodies, b.bodies, part, into.bodies);
  mixAll(a.wheels, b.wheels, part, into.wheels);
  for (let at = 3; at < into.bodies.length; at += BODY_VALUES) turn(a.bodies, b.bodies, part, into.bodies, at);
  for (let at = 0; at < into.wheels.length; at += WHEEL_VALUES) {
    const from = a.wheels[at]!;
    into.wheels[at] = from + part * smallerTurn(b.wheels[at]! - from);
  }
}

const mix = (a: number, b: number, part: number): number => a + part * (b - a);

function mixAll(a: Float32Array, b: Float32Array, part: number, into: Float32Array): void {
  for (let at = 0; at < into.length; at++) into[at] = mix(a[at]!, b[at]!, part);
}

function turn(a: Float32Array, b: Float32Array, part: number, into: Float32Array, at: number): void {
  let along = 0;
  for (let k = at; k < at + 4; k++) along += a[k]! * b[k]!;
  const sign = along < 0 ? -1 : 1;
  let square = 0;
  for (let k = at; k < at + 4; k++) {
    into[k] = mix(a[k]!, sign * b[k]!, part);
    square += into[k]! * into[k]!;
  }
  const length = Math.sqrt(square) || 1;
  for (let k = at; k < at + 4; k++) into[k] = into[k]! / length;
}

/** The same turn, between -π and π. */
export function smallerTurn(angle_rad: number): number {
  return angle_rad - 2 * Math.PI * Math.round(angle_rad / (2 * Math.PI));
}
