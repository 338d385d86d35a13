// The logic of the scope: the ring of rows, what is drawn of many, the trigger, the span of time, the search.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.env.RTRD_LOGIC, path)).href);
const { SignalRing } = await load("logic/ring.js");
const { envelope } = await load("logic/envelope.js");
const { Trigger } = await load("logic/trigger.js");
const { TimeView } = await load("logic/time-view.js");
const { search } = await load("logic/search.js");

/** Rows `from` to `to`, a millisecond apart, of functions of time. */
const rows = (from, to, functions, missing = 0) => {
  const times = Float64Array.from({ length: to - from }, (_, row) => (from + row) / 1000);
  const columns = functions.map((value) => Float32Array.from(times, value));
  return { kind: "scope", count: 1, rows: to - from, missing, id: 1, times_s: times, columns };
};

test("the ring keeps the newest rows and forgets the oldest", () => {
  const ring = new SignalRing(["a"], 100);
  for (let from = 0; from < 250; from += 30) ring.take(rows(from, from + 30, [(t) => 1000 * t]));
  assert.equal(ring.length, 100);
  assert.deepEqual([ring.oldest, ring.newest], [0.17, 0.269]);
  for (let row = 0; row < 100; row++) assert.ok(Math.abs(ring.value(0, row) - 1000 * ring.time(row)) < 1e-3);
  assert.equal(ring.rowAt(0.2), 30);
  assert.equal(ring.nearest(0.2004), 30);
  assert.equal(ring.nearest(99), 99);
});

test("a hole is a row without values, counted once, with the steps that are missing", () => {
  const ring = new SignalRing(["a"], 100);
  ring.take(rows(0, 10, [() => 1]));
  ring.take(rows(15, 20, [() => 1], 5));
  assert.deepEqual([ring.length, ring.holes, ring.missing], [16, 1, 5]);
  assert.ok(Number.isNaN(ring.value(0, 10)));
  assert.ok(ring.time(9) < ring.time(10) && ring.time(10) < ring.time(11));
});

test("a run that begins anew empties the ring, and rows of another shape are refused", () => {
  const ring = new SignalRing(["a"], 100);
  ring.take(rows(500, 510, [() => 1]));
  assert.equal(ring.take(rows(510, 520, [() => 1, () => 2])), 0);
  ring.take(rows(0, 3, [() => 1]));
  assert.equal(ring.length, 3);
});

test("a new choice of signals keeps what is known of the old ones", () => {
  const before = new SignalRing(["a", "b"], 100);
  before.take(rows(0, 10, [() => 1, () => 2]));
  const after = new SignalRing(["c", "b"], 100);
  after.inherit(before);
  assert.ok(Number.isNaN(after.value(0, 5)));
  assert.equal(after.value(1, 5), 2);
});

test("the envelope keeps the height of a peak of one step, and few points", () => {
  const ring = new SignalRing(["a"], 60000);
  ring.take(
    rows(0, 50000, [(t) => (Math.round(1000 * t) === 31415 ? 77 : Math.round(1000 * t) === 31416 ? -55 : Math.sin(t))]),
  );
  const { times, values } = envelope(ring, 0, 50, 500, [0]);
  assert.ok(times.length <= 3 * 502, `${times.length} points`);
  assert.equal(Math.max(...values[0]), 77);
  assert.equal(Math.min(...values[0]), -55);
  assert.ok(
    times.every((time, at) => at === 0 || time >= times[at - 1]),
    "times go forwards",
  );
  // Known to be wrong: every hundredth row would lose both.
  const thinned = Array.from({ length: 500 }, (_, at) => ring.value(0, 100 * at));
  assert.ok(Math.max(...thinned) < 77);
});

test("few rows are drawn as they are, and a hole breaks the line in both ways", () => {
  const ring = new SignalRing(["a"], 10000);
  ring.take(rows(0, 1000, [() => 1]));
  ring.take(rows(1500, 3000, [() => 1], 500));
  const near = envelope(ring, 0.99, 1.51, 500, [0]);
  assert.ok(near.values[0].includes(null));
  assert.ok(near.times.length < 30);
  const far = envelope(ring, 0, 3, 100, [0]);
  assert.ok(far.values[0].includes(null));
  assert.ok(far.values[0].filter((value) => value === null).length <= 4);
});

test("a hole that is narrower than a pixel does not break the line, and is still counted", () => {
  const ring = new SignalRing(["a"], 10000);
  for (let from = 0; from < 8000; from += 40) ring.take(rows(from, from + 37, [() => 1], from > 0 ? 3 : 0));
  assert.equal(ring.holes, 199);
  assert.ok(!envelope(ring, 0.1, 7.9, 200, [0]).values[0].includes(null));
  assert.ok(envelope(ring, 1, 1.2, 200, [0]).values[0].includes(null), "near by it is seen");
});

test("an envelope that scrolls does not change what it has drawn", () => {
  const ring = new SignalRing(["a"], 60000);
  ring.take(rows(0, 30000, [(t) => Math.sin(700 * t)]));
  const at = (from) => envelope(ring, from, from + 10, 100, [0]);
  const points = ({ times, values }) => new Map(times.map((time, index) => [time.toFixed(6), values[0][index]]));
  const [first, second] = [points(at(5)), points(at(5.023))];
  const shared = [...first].filter(([time]) => Number(time) > 5.3 && Number(time) < 14.7);
  assert.ok(shared.length > 200);
  for (const [time, value] of shared) assert.equal(second.get(time), value);
});

const SETTINGS = {
  mode: "normal",
  signal: "a",
  level: 0.5,
  rising: true,
  hysteresis: 0.1,
  before: 0.25,
  window_s: 0.4,
};
const square = (t) => (t % 1 < 0.5 ? 0 : 1);

/** Feeds a signal in batches, as it would come. */
const feed = (trigger, ring, from, to, signal) => {
  for (let at = from; at < to; at += 16) {
    ring.take(rows(at, Math.min(to, at + 16), [signal]));
    trigger.look(ring);
  }
};
const armed = (more = {}) => {
  const trigger = new Trigger({ ...SETTINGS, ...more });
  trigger.arm();
  return [trigger, new SignalRing(["a"], 60000)];
};

test("the trigger fires on the edge, with the asked part of the window before it", () => {
  const [trigger, ring] = armed();
  feed(trigger, ring, 0, 450, square);
  assert.equal(trigger.state, "waiting");
  feed(trigger, ring, 450, 600, square);
  assert.equal(trigger.state, "filling");
  assert.equal(trigger.capture, null, "it is shown when it is whole");
  feed(trigger, ring, 600, 1000, square);
  assert.equal(trigger.state, "triggered");
  assert.ok(Math.abs(trigger.capture.edge_s - 0.4995) < 1e-6, "between the two steps, at the level");
  assert.ok(Math.abs(trigger.capture.from_s - (trigger.capture.edge_s - 0.1)) < 1e-9);
  assert.ok(Math.abs(trigger.capture.to_s - trigger.capture.from_s - 0.4) < 1e-9);
  feed(trigger, ring, 1000, 2000, square);
  assert.ok(Math.abs(trigger.capture.edge_s - 1.4995) < 1e-6, "normal waits for the next");
});

test("a falling edge is not a rising one", () => {
  const [trigger, ring] = armed({ rising: false });
  feed(trigger, ring, 0, 1400, square);
  assert.ok(Math.abs(trigger.capture.edge_s - 0.9995) < 1e-6);
});

test("noise within the hysteresis does not fire", () => {
  const noisy = (t) => 0.5 + 0.04 * Math.sin(900 * t);
  const [trigger, ring] = armed();
  feed(trigger, ring, 0, 3000, noisy);
  assert.equal(trigger.capture, null);
  // Without hysteresis it would: the checker can tell.
  const [careless, other] = armed({ hysteresis: 0 });
  feed(careless, other, 0, 3000, noisy);
  assert.notEqual(careless.capture, null);
});

test("a signal that is above from the start has no edge", () => {
  const [trigger, ring] = armed();
  feed(trigger, ring, 0, 3000, () => 2);
  assert.deepEqual([trigger.state, trigger.capture], ["waiting", null]);
});

test("single stops after one capture until it is armed again", () => {
  const [trigger, ring] = armed({ mode: "single" });
  feed(trigger, ring, 0, 2300, square);
  assert.equal(trigger.state, "stopped");
  assert.ok(trigger.capture.edge_s < 0.6);
  trigger.arm();
  feed(trigger, ring, 2300, 3000, square);
  assert.ok(trigger.capture.edge_s > 2.4);
});

test("auto runs free where no edge comes, normal keeps waiting, force makes a capture", () => {
  const [auto, ring] = armed({ mode: "auto" });
  feed(auto, ring, 0, 2500, () => 0);
  assert.deepEqual([auto.state, auto.capture], ["free", null]);
  feed(auto, ring, 2500, 4200, square);
  assert.ok(auto.capture.edge_s > 3, "an edge ends the free run");
  const [normal, other] = armed();
  feed(normal, other, 0, 2500, () => 0);
  assert.equal(normal.state, "waiting");
  normal.force(other);
  feed(normal, other, 2500, 3000, () => 0);
  assert.equal(normal.state, "triggered");
  assert.ok(Math.abs(normal.capture.edge_s - 2.499) < 1e-9);
});

test("a zoom keeps the time under the pointer where it is, and can be undone", () => {
  const view = new TimeView();
  view.zoom(20, 12.5, 0.5, 60);
  assert.deepEqual(view.held, { from_s: 11.25, to_s: 16.25 });
  view.zoom(20, 12.5, 1e-9, 60);
  assert.ok(view.held.to_s - view.held.from_s >= 0.002);
  view.back();
  view.back();
  assert.equal(view.held, null, "live again");
  assert.deepEqual(view.span(30), { from_s: 20, to_s: 30 });
  view.pan(30, -5);
  assert.deepEqual(view.held, { from_s: 15, to_s: 25 });
  view.live();
  assert.equal(view.held, null);
});

test("the search knows names, units and descriptions, and puts names first", () => {
  const signals = [
    { name: "engine_speed_rpm", unit: "rpm", description: "speed of the engine" },
    { name: "yaw_rate_deg_s", unit: "°/s", description: "yaw rate, positive to the left" },
    { name: "speed_km_h", unit: "km/h", description: "forward speed" },
  ];
  const names = (words) => search(signals, words, 10).map((signal) => signal.name);
  assert.deepEqual(names("speed"), ["speed_km_h", "engine_speed_rpm"]);
  assert.deepEqual(names("left YAW"), ["yaw_rate_deg_s"]);
  assert.deepEqual(names("km/h"), ["speed_km_h"]);
  assert.deepEqual(names("nothing"), []);
  assert.equal(search(signals, "", 2).length, 2);
});
