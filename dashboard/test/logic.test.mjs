// The logic that needs no browser: messages, the state between two, the keys of a driver.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.env.RTRD_LOGIC, path)).href);
const { acknowledgement, decode } = await load("protocol/decode.js");
const { blend, emptyShown, smallerTurn, StateBuffer } = await load("logic/interpolation.js");
const { NO_KEYS, ramp } = await load("logic/keyboard-ramps.js");
const { SimulatedClock } = await load("logic/clock.js");
const { LateHistory } = await load("logic/late-history.js");

const COUNTS = { bodies: 1, wheels: 1, gauges: 2 };

/** A state message, written by the table of docs/gateway.md and not by the page's own code. */
function stateBytes(time, values) {
  const bytes = Buffer.alloc(24 + 4 * values.length);
  bytes.writeUInt32LE(1, 0);
  bytes.writeUInt32LE(77, 4);
  bytes.writeDoubleLE(5000, 8);
  bytes.writeDoubleLE(time, 16);
  values.forEach((value, at) => bytes.writeFloatLE(value, 24 + 4 * at));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

const values = (x, angle, spin, gauge) => [
  x,
  2,
  3,
  Math.cos(angle / 2),
  0,
  0,
  Math.sin(angle / 2),
  spin,
  1,
  2,
  0,
  10,
  20,
  30,
  0.5,
  gauge,
  7,
];

test("a state message is read as its table says", () => {
  const message = decode(stateBytes(5, values(1, 0, 0.25, 42)), COUNTS);
  assert.deepEqual([message.kind, message.count, message.step, message.time_s], ["state", 77, 5000, 5]);
  assert.deepEqual([...message.bodies], [1, 2, 3, 1, 0, 0, 0]);
  assert.deepEqual([...message.wheels], [0.25, 1, 2, 0, 10, 20, 30, 0.5]);
  assert.deepEqual([...message.gauges], [42, 7]);
});

test("a scope message is read column by column", () => {
  const bytes = Buffer.alloc(24 + 2 * 8 + 4 * 2 * 3);
  [2, 9, 2, 3, 4, 6].forEach((value, at) => bytes.writeUInt32LE(value, 4 * at));
  [1.5, 1.501].forEach((time, at) => bytes.writeDoubleLE(time, 24 + 8 * at));
  [10, 11, 20, 21, 30, NaN].forEach((value, at) => bytes.writeFloatLE(value, 40 + 4 * at));
  const message = decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), COUNTS);
  assert.deepEqual([message.rows, message.missing, message.id], [2, 4, 6]);
  assert.deepEqual([...message.times_s], [1.5, 1.501]);
  assert.deepEqual(
    message.columns.map((column) => [...column]),
    [
      [10, 11],
      [20, 21],
      [30, NaN],
    ],
  );
});

test("malformed messages are refused, unknown ones are none, and both are acknowledged by their header", () => {
  const whole = stateBytes(5, values(1, 0, 0, 0));
  for (const length of [0, 7, 8, 23, whole.byteLength - 1])
    assert.throws(() => decode(whole.slice(0, length), COUNTS), RangeError, `${length} bytes`);
  assert.throws(() => decode(whole, { ...COUNTS, bodies: 2 }), RangeError);
  assert.deepEqual(acknowledgement(whole.slice(0, 20)), { stream: "state", count: 77 });
  const other = whole.slice(0);
  new DataView(other).setUint32(0, 9, true);
  assert.equal(decode(other, COUNTS), null);
  assert.equal(acknowledgement(other), null);
  const huge = new ArrayBuffer(24);
  const view = new DataView(huge);
  [2, 1, 0xffffffff, 0xffffffff, 0, 1].forEach((value, at) => view.setUint32(4 * at, value, true));
  assert.throws(() => decode(huge, COUNTS), RangeError);
});

test("between two states positions are linear, turns go the shorter way, spins wrap", () => {
  const a = decode(stateBytes(1, values(0, 0.2, 6.2, 10)), COUNTS);
  const b = decode(stateBytes(1.02, values(2, 0.4, 0.2, 20)), COUNTS);
  b.bodies.subarray(3, 7).forEach((value, at, all) => (all[at] = -value));
  const into = emptyShown(1, 1, 2);
  blend(a, b, 0.5, into);
  assert.equal(into.bodies[0], 1);
  assert.ok(Math.abs(2 * Math.atan2(into.bodies[6], into.bodies[3]) - 0.3) < 1e-3);
  assert.ok(Math.abs(into.wheels[0] - (6.2 + smallerTurn(0.2 - 6.2) / 2)) < 1e-5);
  assert.ok(into.wheels[0] > 6.2, "the wheel goes on in its direction");
  assert.equal(into.gauges[0], 15);
});

test("the buffer shows what is asked for and never more than has arrived", () => {
  const buffer = new StateBuffer();
  const into = emptyShown(1, 1, 2);
  assert.equal(buffer.at(1, into), false);
  for (const [time, x] of [
    [1, 0],
    [1.02, 2],
    [1.04, 4],
  ])
    buffer.push(decode(stateBytes(time, values(x, 0, 0, 0)), COUNTS));
  buffer.at(1.03, into);
  assert.ok(Math.abs(into.bodies[0] - 3) < 1e-5);
  buffer.at(9, into);
  assert.equal(into.bodies[0], 4);
  buffer.push(decode(stateBytes(0, values(-1, 0, 0, 0)), COUNTS));
  buffer.at(0, into);
  assert.equal(into.bodies[0], -1, "a run that began anew replaces what was");
});

test("the clock runs evenly while messages come unevenly, and takes a jump at once", () => {
  const clock = new SimulatedClock(0.04);
  let worst = 0;
  for (let step = 0; step < 400; step++) {
    const late = [0, 0.006, 0.001, 0.009][step % 4];
    clock.message(step / 60, 100 + step / 60 + late);
    if (step > 100)
      worst = Math.max(worst, Math.abs(clock.shown(100 + step / 60 + 0.009) - (step / 60 + 0.009 - 0.04 - 0.004)));
  }
  assert.ok(worst < 0.002, `${worst} s away from even`);
  assert.equal(clock.message(50, 107), true);
  assert.ok(clock.shown(107) <= 50);
});

test("the clock follows a run in slow motion as evenly, and shows the newest of one that is held", () => {
  const clock = new SimulatedClock(0.04);
  clock.message(7, 100);
  clock.go(0.1, 100);
  let worst = 0;
  for (let step = 1; step < 400; step++) {
    const passed = step / 60;
    assert.equal(clock.message(7 + 0.1 * passed, 100 + passed + [0, 0.006, 0.001, 0.009][step % 4]), false);
    const shown = clock.shown(100 + passed + 0.009);
    if (step > 100) worst = Math.max(worst, Math.abs(shown - (7 + 0.1 * (passed + 0.009 - 0.04 - 0.004))));
  }
  assert.ok(worst < 0.0002, `${worst} s away from even`);
  clock.go(0, 200);
  clock.message(8, 201);
  clock.message(8.001, 202);
  assert.equal(clock.shown(300), 8.001);
  clock.go(1, 300);
  assert.equal(clock.message(8.017, 300.016), false);
  assert.ok(clock.shown(300.016) > 7.97 && clock.shown(300.016) <= 8.017);
});

const drive = (controls, keys, speed, seconds) => {
  let now = controls;
  for (let step = 0; step < Math.round(50 * seconds); step++) now = ramp(now, { ...NO_KEYS, ...keys }, speed, 0.02);
  return now;
};
const REST = { steering: 0, throttle: 0, brake: 0 };

test("steering ramps out, comes back faster, and goes less far and more slowly at speed", () => {
  const slow = drive(REST, { left: true }, 0, 0.3).steering;
  assert.ok(slow > 0.2 && slow < 0.35, `${slow}`);
  assert.ok(drive(REST, { left: true }, 25, 0.3).steering < slow / 2);
  assert.ok(drive(REST, { left: true }, 25, 20).steering < 0.2);
  assert.equal(drive(REST, { left: true }, 0, 20).steering, 1);
  const out = 0.3 - drive({ ...REST, steering: 0.3 }, {}, 0, 0.1).steering;
  assert.ok(out > 1.5 * drive(REST, { left: true }, 0, 0.1).steering, "faster back than out");
  assert.equal(drive({ ...REST, steering: 0.3 }, {}, 0, 2).steering, 0);
  assert.equal(drive(REST, { left: true, right: true }, 0, 2).steering, 0);
  assert.ok(drive({ ...REST, steering: 0.5 }, { right: true }, 0, 1).steering < 0);
});

test("the pedals ramp, the brake takes the throttle away, and space brakes fully at once", () => {
  assert.ok(drive(REST, { throttle: true }, 0, 0.2).throttle < 0.3);
  assert.equal(drive(REST, { throttle: true }, 0, 2).throttle, 1);
  const both = drive({ ...REST, throttle: 1 }, { throttle: true, brake: true }, 20, 0.5);
  assert.ok(both.throttle === 0 && both.brake > 0.6);
  assert.equal(drive(REST, { fullBrake: true }, 20, 0.2).brake, 1);
  assert.ok(drive(REST, { brake: true }, 20, 0.2).brake < 0.4);
});

test("what is late is counted from when the page was opened, and a restart counts from zero", () => {
  const history = new LateHistory();
  const told = (overruns, misses, at) => history.add([{ name: "a", overruns, misses }], at);
  told(100, 5, 10);
  told(103, 5, 11);
  told(2, 1, 15);
  assert.deepEqual([history.overruns, history.misses], [5, 1]);
  assert.deepEqual(
    history.stretches.map((stretch) => stretch.overruns),
    [3, 0, 2],
  );
});
