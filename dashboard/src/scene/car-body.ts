// A body that fits the wheels: its outline from the side is drawn from wheelbase, track and tyre, with arches cut out for the wheels, and pulled
// across the width. It stands for the vehicle, it does not claim its shape; it can be seen through, as the suspension is what matters.

import * as THREE from "three";
import type { Point, SceneBody, SceneWheel } from "../protocol/messages.ts";

/** Measures of a vehicle, in the axes of the drawing. */
export interface Measures {
  front_m: number;
  rear_m: number;
  axles_m: number[];
  hub_m: number;
  radius_m: number;
  half_width_m: number;
}

export function measures(wheels: readonly SceneWheel[]): Measures | null {
  if (wheels.length === 0) return null;
  const xs = wheels.map((wheel) => wheel.centre[0]);
  const axles = [...new Set(xs.map((x) => Math.round(20 * x) / 20))].sort((a, b) => b - a);
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    front_m: Math.max(...xs),
    rear_m: Math.min(...xs),
    axles_m: axles,
    hub_m: mean(wheels.map((wheel) => wheel.centre[2])),
    radius_m: mean(wheels.map((wheel) => wheel.radius_m)),
    half_width_m: Math.max(0.3, ...wheels.map((wheel) => Math.abs(wheel.centre[1]) + 0.5 * wheel.width_m)),
  };
}

export interface Panel {
  geometry: THREE.BufferGeometry;
  kind: "body" | "glass" | "headlamp" | "tail_lamp";
  /** Left out in the driver's view. */
  cabin: boolean;
}

/** The body of a car, or the cab of a tractor where it draws something. */
export function carBody(size: Measures, draws: boolean): Panel[] {
  return draws ? tractor(size) : car(size);
}

function car(size: Measures): Panel[] {
  const radius = size.radius_m;
  // 0 for the wheels of a passenger car, 1 for those of an off-road vehicle, which is more upright.
  const upright = Math.min(1, Math.max(0, (radius - 0.33) / 0.12));
  const nose = size.front_m + (1.75 - 0.35 * upright) * radius + 0.15;
  const tail = size.rear_m - (1.7 - 0.4 * upright) * radius - 0.1;
  const sill = size.hub_m - 0.35 * radius;
  const belt = size.hub_m + 0.2 + 1.2 * radius;
  const bonnet = belt - 0.08 + 0.06 * upright;
  const roof = size.hub_m + 0.75 + 1.27 * radius;
  const length = nose - tail;
  const screen = size.front_m - 0.32 * (size.front_m - size.rear_m) * (1 - 0.35 * upright);
  const back = tail + (0.16 - 0.12 * upright) * length;

  const side = new THREE.Shape();
  side.moveTo(tail, sill + 0.12);
  side.lineTo(tail + 0.02, belt - 0.1);
  side.lineTo(tail + 0.12, belt);
  side.lineTo(screen + 0.1, belt);
  side.lineTo(nose - 0.35 * (1 - 0.6 * upright), bonnet - 0.1 * (1 - upright));
  side.lineTo(nose, bonnet - 0.3);
  side.lineTo(nose, sill + 0.15);
  side.lineTo(nose - 0.12, sill);
  for (const axle of apart(size.axles_m, 2.6 * radius)) arch(side, axle, size.hub_m, 1.22 * radius, sill);
  side.lineTo(tail + 0.15, sill);
  side.closePath();

  const rake = 0.62 * (1 - 0.55 * upright);
  const cabin = (inset: number, from: number, to: number): THREE.Shape => {
    const shape = new THREE.Shape();
    const height = roof - belt;
    const at = (x: number, z: number): void => void shape.lineTo(x, z);
    const front = (z: number): number => screen - (rake * (z - belt)) / height - inset;
    const rear = (z: number): number => back + (0.5 * rake * (z - belt)) / height + inset;
    shape.moveTo(rear(from), from);
    at(rear(to), to);
    at(front(to), to);
    at(front(from), from);
    shape.closePath();
    return shape;
  };
  const half = size.half_width_m;
  return [
    { geometry: across(side, half - 0.02), kind: "body", cabin: false },
    { geometry: across(cabin(0, belt, roof), 0.86 * half), kind: "body", cabin: true },
    { geometry: across(cabin(0.14, belt + 0.06, roof - 0.12), 0.86 * half + 0.012), kind: "glass", cabin: true },
    { geometry: across(cabin(-0.012, belt + 0.08, roof - 0.1), 0.74 * half), kind: "glass", cabin: true },
    ...lamps(nose - 0.02, 0.74 * half, bonnet - 0.42, "headlamp"),
    ...lamps(tail + 0.02, 0.82 * half, belt - 0.32, "tail_lamp"),
  ];
}

function lamps(x: number, y: number, z: number, kind: "headlamp" | "tail_lamp"): Panel[] {
  return [-1, 1].map((side) => ({
    geometry: new THREE.BoxGeometry(0.06, 0.2, 0.12).translate(x, side * y, z),
    kind,
    cabin: false,
  }));
}

/** A cab above the front axle and a low frame behind it. */
function tractor(size: Measures): Panel[] {
  const radius = size.radius_m;
  const floor = size.hub_m + 0.35 * radius;
  const nose = size.front_m + 1.3;
  const wall = size.front_m - 0.9;
  const roof = size.hub_m + 2.7;
  const cab = new THREE.Shape();
  cab.moveTo(wall, floor);
  cab.lineTo(wall, roof);
  cab.lineTo(nose - 0.5, roof);
  cab.lineTo(nose - 0.05, floor + 1.1);
  cab.lineTo(nose, floor - 0.4);
  arch(cab, size.front_m, size.hub_m, 1.2 * radius, floor - 0.4);
  cab.closePath();
  const window = new THREE.Shape();
  window.moveTo(size.front_m - 0.1, floor + 1.05);
  window.lineTo(size.front_m - 0.1, roof - 0.5);
  window.lineTo(nose - 0.55, roof - 0.5);
  window.lineTo(nose - 0.2, floor + 1.05);
  window.closePath();
  const frame = new THREE.BoxGeometry(size.front_m - size.rear_m + 0.8, 0.9, 0.22);
  frame.translate((size.front_m + size.rear_m) / 2 - 0.2, 0, size.hub_m + 0.2);
  const half = size.half_width_m;
  return [
    { geometry: across(cab, half), kind: "body", cabin: true },
    { geometry: across(window, half + 0.01), kind: "glass", cabin: true },
    { geometry: frame, kind: "body", cabin: false },
  ];
}

/** The box of a trailer, about its own points and wheels. */
export function trailerBody(body: SceneBody, wheels: readonly SceneWheel[]): Panel[] {
  const places: Point[] = [...body.points, body.centre, ...wheels.map((wheel) => wheel.centre)];
  const xs = places.map((place) => place[0]);
  const size = measures(wheels);
  const half = size?.half_width_m ?? 1.2;
  const floor = size ? size.hub_m + 1.15 * size.radius_m : body.centre[2];
  const [tail, nose] = [Math.min(...xs) - 0.8, Math.max(...xs) + 0.8];
  const box = new THREE.BoxGeometry(nose - tail, 2 * half, 2.6);
  box.translate((nose + tail) / 2, 0, floor + 1.3);
  return [{ geometry: box, kind: "body", cabin: false }];
}

/** Those of the axles whose arches do not run into each other. */
function apart(axles: readonly number[], least: number): number[] {
  const kept: number[] = [];
  for (const axle of axles) if (kept.length === 0 || kept.at(-1)! - axle > least) kept.push(axle);
  return kept;
}

/** Cuts an arch of a wheel into the lower edge of an outline that runs backwards along z = `edge`. */
function arch(shape: THREE.Shape, x: number, z: number, radius: number, edge: number): void {
  const rise = Math.min(0.95, Math.max(-0.95, (edge - z) / radius));
  const start = Math.asin(rise);
  shape.lineTo(x + radius * Math.cos(start), edge);
  shape.absarc(x, z, radius, start, Math.PI - start, false);
}

/** Pulls an outline in x and z across the vehicle, with edges a little rounded. */
function across(shape: THREE.Shape, half_width: number): THREE.BufferGeometry {
  const round = 0.05;
  const geometry = new THREE.ExtrudeGeometry(shape, {
    depth: 2 * (half_width - round),
    bevelEnabled: true,
    bevelThickness: round,
    bevelSize: round,
    bevelOffset: -round,
    bevelSegments: 2,
    curveSegments: 14,
  });
  // The outline lies in x and y and grows along z: turned so that its y is up and it grows to the right.
  geometry.rotateX(Math.PI / 2);
  geometry.translate(0, half_width - round, 0);
  return geometry;
}
