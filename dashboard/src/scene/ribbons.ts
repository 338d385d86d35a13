// Bands on the ground along a line of points: lanes, the path, and the trail of where the car has been.

import * as THREE from "three";
import type { Point } from "../protocol/messages.ts";

/** Above the ground, and drawn as if nearer still, so that no band flickers with it. */
const ABOVE_M = 0.01;

export function bandMaterial(order: number, opacity = 1): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    polygonOffset: true,
    polygonOffsetFactor: -order,
    polygonOffsetUnits: -4 * order,
    side: THREE.DoubleSide,
    transparent: opacity < 1,
    opacity,
    depthWrite: false,
  });
}

type Flat = [number, number];

/** A band of this width along each line, in one geometry; `dash` metres drawn and as many left out where it is given. */
export function bands(
  lines: readonly Point[][],
  width_m: number,
  closed = false,
  dash_m = Infinity,
): THREE.BufferGeometry {
  const places: number[] = [];
  for (const line of lines) {
    const points = closed && line.length > 2 ? [...line, line[0]!] : line;
    const sides = points.map((_, at) => sideAt(points, at, closed));
    let along = 0;
    for (let at = 0; at + 1 < points.length; at++) {
      const [from, to] = [points[at]!, points[at + 1]!];
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      const side = (part: number): Flat => [
        mix(sides[at]![0], sides[at + 1]![0], part),
        mix(sides[at]![1], sides[at + 1]![1], part),
      ];
      for (const [start, end] of dashes(along, length, dash_m)) {
        places.push(...corners(between(from, to, start), between(from, to, end), width_m, side(start), side(end)));
      }
      along += length;
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  return geometry;
}

/** To the left of a line at one of its points: the pieces on both sides of the point share their corners. */
function sideAt(points: readonly Point[], at: number, closed: boolean): Flat {
  const last = points.length - 1;
  const before = points[at > 0 ? at - 1 : closed ? last - 1 : 0]!;
  const after = points[at < last ? at + 1 : closed ? 1 : last]!;
  return leftOf(before, after);
}

function leftOf(from: Point, to: Point): Flat {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  return [-(to[1] - from[1]) / length, (to[0] - from[0]) / length];
}

/** The drawn parts of a piece that begins `along` metres from the start, as fractions of it. */
function dashes(along: number, length: number, dash_m: number): Flat[] {
  if (length <= 0) return [];
  if (!Number.isFinite(dash_m)) return [[0, 1]];
  const parts: Flat[] = [];
  for (let dash = Math.floor(along / (2 * dash_m)); 2 * dash_m * dash < along + length; dash++) {
    const start = Math.max(0, 2 * dash_m * dash - along);
    const end = Math.min(length, 2 * dash_m * dash + dash_m - along);
    if (end > start) parts.push([start / length, end / length]);
  }
  return parts;
}

const mix = (a: number, b: number, part: number): number => a + part * (b - a);

const between = (a: Point, b: Point, part: number): Point => [
  mix(a[0], b[0], part),
  mix(a[1], b[1], part),
  mix(a[2], b[2], part),
];

function corners(from: Point, to: Point, width_m: number, left = leftOf(from, to), left_end = left): number[] {
  const half = width_m / 2;
  const [low, high] = [from[2] + ABOVE_M, to[2] + ABOVE_M];
  const a = [from[0] + half * left[0], from[1] + half * left[1], low];
  const b = [from[0] - half * left[0], from[1] - half * left[1], low];
  const c = [to[0] + half * left_end[0], to[1] + half * left_end[1], high];
  const d = [to[0] - half * left_end[0], to[1] - half * left_end[1], high];
  return [...a, ...b, ...c, ...b, ...d, ...c];
}

const PIECES = 3000;
const PIECE_M = 0.6;
const JUMP_M = 15;

/** Where the car has been, in a ring of pieces: the oldest goes first. */
export class Trail {
  readonly mesh: THREE.Mesh;
  private readonly places = new THREE.BufferAttribute(new Float32Array(18 * PIECES), 3);
  private next = 0;
  private last: Point | null = null;

  constructor(material: THREE.Material) {
    const geometry = new THREE.BufferGeometry();
    this.places.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("position", this.places);
    geometry.setDrawRange(0, 0);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  add(point: Point): void {
    if (this.last) {
      const gone = Math.hypot(point[0] - this.last[0], point[1] - this.last[1]);
      if (gone < PIECE_M) return;
      if (gone < JUMP_M) this.addPiece(this.last, point);
    }
    this.last = point;
  }

  private addPiece(from: Point, to: Point): void {
    const at = 18 * (this.next % PIECES);
    (this.places.array as Float32Array).set(corners(from, to, 0.16), at);
    this.places.addUpdateRange(at, 18);
    this.places.needsUpdate = true;
    this.next += 1;
    this.mesh.geometry.setDrawRange(0, 6 * Math.min(this.next, PIECES));
  }

  clear(): void {
    this.next = 0;
    this.last = null;
    this.mesh.geometry.setDrawRange(0, 0);
  }
}
