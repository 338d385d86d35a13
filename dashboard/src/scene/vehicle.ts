// The vehicle: its bodies as groups that the poses move, and its wheels, links and forces as instances of unit shapes, one draw call for each kind.
// A point d of the drawing is at p + q d q⁻¹ in the world.

import * as THREE from "three";
import type { Shown } from "../logic/interpolation.ts";
import { BODY_VALUES, WHEEL_VALUES } from "../protocol/decode.ts";
import type { Point, Scene, SceneBody, SceneLink } from "../protocol/messages.ts";
import { carBody, measures, trailerBody, type Measures, type Panel } from "./car-body.ts";
import type { SceneColours } from "./colours.ts";
import { ball, bar, merged, unitArrow, unitCoil, unitDamper, unitRod, unitWheel } from "./parts.ts";

const UP = new THREE.Vector3(0, 0, 1);
const LEFT = new THREE.Vector3(0, 1, 0);
const OPACITY = { body: 0.42, glass: 0.6, headlamp: 0.95, tail_lamp: 0.95 };
const HIDDEN = new THREE.Matrix4().makeScale(0, 0, 0);

/** A pose, for all that is fixed in a body. */
export interface Pose {
  place: THREE.Vector3;
  turn: THREE.Quaternion;
}

const vector = (point: Point): THREE.Vector3 => new THREE.Vector3(point[0], point[1], point[2]);

export class Vehicle {
  readonly group = new THREE.Group();
  readonly poses: Pose[];
  readonly size: Measures;
  /** Newtons in a metre of an arrow. */
  force_scale = 5000;
  showForces = true;
  private readonly groups: THREE.Group[] = [];
  private readonly cabin: THREE.Object3D[] = [];
  private readonly materials = new Map<string, THREE.MeshLambertMaterial | THREE.LineBasicMaterial>();
  private readonly wheels: THREE.InstancedMesh;
  private readonly loads: THREE.InstancedMesh;
  private readonly grips: THREE.InstancedMesh;
  private readonly links: { kind: SceneLink["kind"]; mesh: THREE.InstancedMesh; of: SceneLink[] }[];
  private readonly shadow: THREE.Mesh;
  private readonly axles: THREE.Quaternion[];
  private settled = false;

  private readonly scene: Scene;

  constructor(scene: Scene, colours: SceneColours) {
    this.scene = scene;
    this.poses = scene.bodies.map(() => ({ place: new THREE.Vector3(), turn: new THREE.Quaternion() }));
    this.size = measures(ownWheels(scene, chassisOf(scene))) ?? {
      front_m: 1.3,
      rear_m: -1.3,
      axles_m: [1.3, -1.3],
      hub_m: 0,
      radius_m: 0.32,
      half_width_m: 0.8,
    };
    this.axles = scene.wheels.map((wheel) =>
      new THREE.Quaternion().setFromUnitVectors(LEFT, vector(wheel.axle).normalize()),
    );
    scene.bodies.forEach((body) => this.addBody(body));
    this.wheels = this.instances(
      unitWheel(colours.tyre, colours.rim, colours.rod),
      new THREE.MeshLambertMaterial({ vertexColors: true }),
      scene.wheels.length,
    );
    this.loads = this.instances(unitArrow(), this.arrows("load"), scene.wheels.length);
    this.grips = this.instances(unitArrow(), this.arrows("grip"), scene.wheels.length);
    const shapes = { rod: unitRod(0.017), spring: unitCoil(), damper: unitDamper() };
    this.loads.renderOrder = this.grips.renderOrder = 20;
    this.links = (["rod", "spring", "damper"] as const).map((kind) => {
      const of = scene.links.filter((link) => link.kind === kind || (kind === "damper" && link.kind === "spring"));
      return { kind, of, mesh: this.instances(shapes[kind], this.lambert(kind), of.length) };
    });
    this.shadow = blobShadow(this.size);
    this.group.add(this.shadow);
    this.colour(colours);
  }

  private lambert(name: string, see_through = 1): THREE.MeshLambertMaterial {
    const known = this.materials.get(name);
    if (known instanceof THREE.MeshLambertMaterial) return known;
    const material = new THREE.MeshLambertMaterial({
      transparent: see_through < 1,
      opacity: see_through,
      depthWrite: see_through >= 1,
    });
    this.materials.set(name, material);
    return material;
  }

  /** Arrows are drawn over what is before them: most of each is within a wheel. */
  private arrows(name: "load" | "grip"): THREE.MeshLambertMaterial {
    return Object.assign(this.lambert(name, 0.92), { depthTest: false });
  }

  private edges(): THREE.LineBasicMaterial {
    const known = this.materials.get("edge");
    if (known instanceof THREE.LineBasicMaterial) return known;
    const material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55 });
    this.materials.set("edge", material);
    return material;
  }

  private instances(geometry: THREE.BufferGeometry, material: THREE.Material, count: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, count));
    mesh.count = count;
    mesh.frustumCulled = false;
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.group.add(mesh);
    return mesh;
  }

  private addBody(body: SceneBody): void {
    const group = new THREE.Group();
    this.groups.push(group);
    this.group.add(group);
    const bars = barsOf(body);
    if (bars) group.add(new THREE.Mesh(bars, this.lambert("bar")));
    const draws = this.scene.bodies.some((other) => other.kind === "unit");
    if (body === chassisOf(this.scene)) this.addPanels(group, carBody(this.size, draws));
    else if (body.kind === "unit") this.addPanels(group, trailerBody(body, ownWheels(this.scene, body)));
  }

  private addPanels(group: THREE.Group, panels: Panel[]): void {
    for (const panel of panels) {
      const mesh = new THREE.Mesh(panel.geometry, this.lambert(panel.kind, OPACITY[panel.kind]));
      mesh.renderOrder = panel.kind === "body" ? 11 : 12;
      group.add(mesh);
      if (panel.cabin) this.cabin.push(mesh);
      if (panel.kind !== "body") continue;
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(panel.geometry, 40), this.edges());
      edges.renderOrder = 13;
      group.add(edges);
      if (panel.cabin) this.cabin.push(edges);
    }
  }

  colour(colours: SceneColours): void {
    for (const [name, material] of this.materials) material.color.setHex(colours[name as keyof SceneColours]);
  }

  /** The driver's view leaves out what would be in the way. */
  set cabinShown(shown: boolean) {
    for (const object of this.cabin) object.visible = shown;
  }

  update(shown: Shown): void {
    for (let index = 0; index < this.poses.length; index++) {
      const at = BODY_VALUES * index;
      const [x, y, z, qw, qx, qy, qz] = shown.bodies.subarray(at, at + BODY_VALUES) as unknown as number[];
      const pose = this.poses[index]!;
      pose.place.set(x!, y!, z!);
      pose.turn.set(qx!, qy!, qz!, qw!);
      this.groups[index]!.position.copy(pose.place);
      this.groups[index]!.quaternion.copy(pose.turn);
    }
    this.updateWheels(shown);
    this.links.forEach((links) => this.updateLinks(links.mesh, links.of));
    this.updateForces(shown);
    this.updateShadow(shown);
  }

  private world(point: Point, body: number, into: THREE.Vector3): THREE.Vector3 {
    into.set(point[0], point[1], point[2]);
    const pose = this.poses[body];
    return pose ? into.applyQuaternion(pose.turn).add(pose.place) : into;
  }

  private updateWheels(shown: Shown): void {
    this.scene.wheels.forEach((wheel, index) => {
      const pose = this.poses[wheel.body];
      this.world(wheel.centre, wheel.body, place);
      turn.setFromAxisAngle(LEFT, shown.wheels[WHEEL_VALUES * index]!).premultiply(this.axles[index]!);
      if (pose) turn.premultiply(pose.turn);
      scale.set(wheel.radius_m, wheel.width_m, wheel.radius_m);
      this.wheels.setMatrixAt(index, matrix.compose(place, turn, scale));
    });
    this.wheels.instanceMatrix.needsUpdate = true;
  }

  private updateLinks(mesh: THREE.InstancedMesh, links: SceneLink[]): void {
    links.forEach((link, index) => {
      this.world(link.points[0], link.bodies[0], place);
      this.world(link.points[1], link.bodies[1], end).sub(place);
      mesh.setMatrixAt(index, between(place, end, 1));
    });
    mesh.instanceMatrix.needsUpdate = true;
  }

  private updateForces(shown: Shown): void {
    this.loads.visible = this.grips.visible = this.showForces;
    if (!this.showForces) return;
    this.settleScale(shown);
    for (let index = 0; index < this.scene.wheels.length; index++) {
      const [, x, y, z, fx, fy, fz] = shown.wheels.subarray(
        WHEEL_VALUES * index,
        WHEEL_VALUES * (index + 1),
      ) as unknown as number[];
      place.set(x!, y!, z! + 0.02);
      this.loads.setMatrixAt(index, this.arrow(end.set(0, 0, fz!)));
      this.grips.setMatrixAt(index, this.arrow(end.set(fx!, fy!, 0)));
    }
    this.loads.instanceMatrix.needsUpdate = true;
    this.grips.instanceMatrix.needsUpdate = true;
  }

  private arrow(force: THREE.Vector3): THREE.Matrix4 {
    force.divideScalar(this.force_scale);
    return force.length() > 0.02 ? between(place, force, Math.min(2.2, 1.2 + 0.4 * force.length())) : HIDDEN;
  }

  /** The first loads say how long a newton is drawn: the static load of a wheel is a little less than its diameter. */
  private settleScale(shown: Shown): void {
    if (this.settled) return;
    let load = 0;
    for (let at = 6; at < shown.wheels.length; at += WHEEL_VALUES) load = Math.max(load, shown.wheels[at]!);
    if (load < 100) return;
    const wanted = load / (2.4 * this.size.radius_m);
    this.force_scale = [1000, 2000, 5000, 10000, 20000, 50000].find((step) => step >= 0.7 * wanted) ?? 100000;
    this.settled = true;
  }

  private updateShadow(shown: Shown): void {
    const body = this.poses[this.scene.bodies.indexOf(chassisOf(this.scene)!)] ?? this.poses[0];
    if (!body) return;
    end
      .set((this.size.front_m + this.size.rear_m) / 2, 0, 0)
      .applyQuaternion(body.turn)
      .add(body.place);
    let height = 0;
    for (let at = 3; at < shown.wheels.length; at += WHEEL_VALUES)
      height += shown.wheels[at]! / this.scene.wheels.length;
    this.shadow.position.set(end.x, end.y, height + 0.015);
    place.set(1, 0, 0).applyQuaternion(body.turn);
    this.shadow.rotation.z = Math.atan2(place.y, place.x);
  }
}

const place = new THREE.Vector3();
const end = new THREE.Vector3();
const scale = new THREE.Vector3();
const turn = new THREE.Quaternion();
const matrix = new THREE.Matrix4();
const direction = new THREE.Vector3();

/** A unit shape along z from `from`, as long as `along`. */
function between(from: THREE.Vector3, along: THREE.Vector3, thickness: number): THREE.Matrix4 {
  const length = along.length();
  turn.setFromUnitVectors(UP, direction.copy(along).divideScalar(length || 1));
  return matrix.compose(from, turn, scale.set(thickness, thickness, length));
}

export function chassisOf(scene: Scene): SceneBody | undefined {
  return scene.bodies.find((body) => body.kind === "chassis") ?? scene.bodies[0];
}

/** The wheels that are nearer to this frame than to any other. */
function ownWheels(scene: Scene, body: SceneBody | undefined): Scene["wheels"] {
  const frames = scene.bodies.filter((other) => other === chassisOf(scene) || other.kind === "unit");
  const nearest = (x: number): SceneBody | undefined =>
    [...frames].sort((a, b) => Math.abs(a.centre[0] - x) - Math.abs(b.centre[0] - x))[0];
  return scene.wheels.filter((wheel) => nearest(wheel.centre[0]) === body);
}

function barsOf(body: SceneBody): THREE.BufferGeometry | null {
  const radius = body.kind === "link" ? 0.02 : 0.012;
  const parts = body.lines
    .map(([from, to]) => [vector(from), vector(to)] as const)
    .filter(([from, to]) => from.distanceTo(to) > 1e-4)
    .map(([from, to]) => bar(from, to, radius));
  if (parts.length === 0) return null;
  return merged([...parts, ...body.points.map((point) => ball(vector(point), 1.5 * radius))]);
}

function blobShadow(size: Measures): THREE.Mesh {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d")!;
  const fade = context.createRadialGradient(32, 32, 4, 32, 32, 32);
  fade.addColorStop(0, "rgba(0,0,0,0.55)");
  fade.addColorStop(0.55, "rgba(0,0,0,0.38)");
  fade.addColorStop(1, "rgba(0,0,0,0)");
  context.fillStyle = fade;
  context.fillRect(0, 0, 64, 64);
  const material = new THREE.MeshBasicMaterial({
    map: new THREE.CanvasTexture(canvas),
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -5,
    polygonOffsetUnits: -20,
  });
  const length = 1.45 * (size.front_m - size.rear_m + 2 * size.radius_m);
  return new THREE.Mesh(new THREE.PlaneGeometry(length, 2.9 * size.half_width_m), material);
}
