// Four ways to look: from behind, from the seat, from above, and about the car by dragging.

import * as THREE from "three";
import type { Measures } from "./car-body.ts";
import type { Pose } from "./vehicle.ts";

export const VIEWS = ["chase", "driver", "top", "orbit"] as const;
export type ViewName = (typeof VIEWS)[number];

const UP = new THREE.Vector3(0, 0, 1);
/** How quickly the chase camera comes after the heading. */
const HEADING_RATE = 3.5;

export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(46, 16 / 9, 0.15, 2500);
  view: ViewName = "chase";
  /** For those who asked for less motion: the camera is fixed to the car. */
  still = false;
  private heading = NaN;
  private azimuth = 2.45;
  private elevation = 0.32;
  private zoom = 1;
  private top_m = 30;
  private readonly centre = new THREE.Vector3();
  private readonly eye = new THREE.Vector3();
  private readonly ahead = new THREE.Vector3();

  /** Of all that has wheels, and of the unit in which the driver sits. */
  private readonly size: Measures;
  private readonly cab: Measures;

  constructor(size: Measures, cab: Measures) {
    this.size = size;
    this.cab = cab;
    this.camera.up.copy(UP);
  }

  /** From where the chase camera is, so that nothing jumps when it is dragged. */
  orbitFromChase(): void {
    this.azimuth = Math.PI;
    this.elevation = 0.27;
  }

  /** By how far a drag goes, in parts of the picture's height. */
  drag(across: number, down: number): void {
    if (this.view !== "orbit") return;
    this.azimuth -= 4 * across;
    this.elevation = Math.min(1.5, Math.max(0.03, this.elevation + 3 * down));
  }

  wheel(notches: number): void {
    const factor = Math.exp(0.12 * notches);
    if (this.view === "top") this.top_m = Math.min(300, Math.max(8, this.top_m * factor));
    else this.zoom = Math.min(8, Math.max(0.35, this.zoom * factor));
  }

  update(pose: Pose, passed_s: number): void {
    const { size } = this;
    const length = size.front_m - size.rear_m + 3 * size.radius_m;
    this.ahead.set(1, 0, 0).applyQuaternion(pose.turn);
    const heading = Math.atan2(this.ahead.y, this.ahead.x);
    const error = Math.atan2(Math.sin(heading - this.heading), Math.cos(heading - this.heading));
    const follows = Number.isFinite(this.heading) && !this.still && Math.abs(error) < 1.2;
    this.heading = follows ? this.heading + error * (1 - Math.exp(-HEADING_RATE * passed_s)) : heading;
    this.centre
      .set((size.front_m + size.rear_m) / 2, 0, size.hub_m + 0.5 * size.radius_m)
      .applyQuaternion(pose.turn)
      .add(pose.place);
    this.camera.up.copy(UP);
    if (this.view === "driver") this.driver(pose);
    else if (this.view === "top") this.above();
    else if (this.view === "orbit")
      this.from(this.heading + this.azimuth, this.elevation, (2.6 + 0.8 * length) * this.zoom, 0);
    else this.from(this.heading + Math.PI, 0.27, (3.3 + 0.9 * length) * this.zoom, 0.35);
  }

  private from(azimuth: number, elevation: number, distance: number, higher: number): void {
    const flat = distance * Math.cos(elevation);
    this.eye.set(flat * Math.cos(azimuth), flat * Math.sin(azimuth), distance * Math.sin(elevation));
    this.camera.position.copy(this.centre).add(this.eye);
    this.eye.copy(this.centre);
    this.eye.z += higher;
    this.camera.lookAt(this.eye);
  }

  private driver(pose: Pose): void {
    const { cab: size } = this;
    const draws = this.size.rear_m < size.rear_m - 1;
    // A tractor's driver sits above the front axle, a car's in the middle.
    const x = draws ? size.front_m + 0.3 : size.front_m - 0.52 * (size.front_m - size.rear_m);
    const eye = draws ? 2.0 : 0.62 + 1.25 * size.radius_m;
    this.camera.up.copy(UP).applyQuaternion(pose.turn);
    this.camera.position
      .set(x, 0.38 * size.half_width_m, size.hub_m + eye)
      .applyQuaternion(pose.turn)
      .add(pose.place);
    this.eye
      .set(x + 20, 0.38 * size.half_width_m, size.hub_m + eye - 1.7)
      .applyQuaternion(pose.turn)
      .add(pose.place);
    this.camera.lookAt(this.eye);
  }

  private above(): void {
    this.camera.up.set(Math.cos(this.heading), Math.sin(this.heading), 0);
    this.camera.position.copy(this.centre);
    this.camera.position.z += this.top_m;
    this.camera.lookAt(this.centre);
  }
}
