// The whole picture, and its loop: it draws only what is seen, and asks the software renderers for less.

import * as THREE from "three";
import type { Shown } from "../logic/interpolation.ts";
import type { Scene } from "../protocol/messages.ts";
import { measures } from "./car-body.ts";
import { Cameras, type ViewName } from "./cameras.ts";
import { sceneColours, type Theme } from "./colours.ts";
import { Ground, Sky } from "./ground.ts";
import { unitCone } from "./parts.ts";
import { bandMaterial, bands, Trail } from "./ribbons.ts";
import { chassisOf, Vehicle } from "./vehicle.ts";

const ROAD_WIDTH_M = 7;

export class Picture {
  readonly vehicle: Vehicle;
  readonly cameras: Cameras;
  readonly renderer: THREE.WebGLRenderer;
  /** What draws, and whether that is the processor. */
  readonly software: boolean;
  private readonly scene = new THREE.Scene();
  private readonly ground: Ground;
  private readonly sky: Sky;
  private readonly trail: Trail;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2);
  private readonly ambient = new THREE.HemisphereLight(0xffffff, 0x556070, 1.5);
  private readonly bandMaterials: { material: THREE.MeshBasicMaterial; colour: "road" | "lane" | "path" | "trail" }[] =
    [];
  private readonly chassis: number;
  private readonly box: HTMLElement;

  constructor(box: HTMLElement, described: Scene, theme: Theme) {
    this.box = box;
    this.software = drawnBySoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: !this.software, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(this.software ? 1 : Math.min(2, devicePixelRatio));
    this.renderer.domElement.setAttribute("aria-hidden", "true");
    box.prepend(this.renderer.domElement);
    const colours = sceneColours(theme);
    this.ground = new Ground(described.road, colours);
    this.sky = new Sky(colours);
    this.vehicle = new Vehicle(described, colours);
    this.cameras = new Cameras(measures(described.wheels) ?? this.vehicle.size, this.vehicle.size);
    this.trail = new Trail(this.band("trail", 4, 0.75));
    this.chassis = Math.max(0, described.bodies.indexOf(chassisOf(described)!));
    this.sun.position.set(0.45, 0.3, 1);
    this.scene.add(this.ground.group, this.sky.mesh, this.vehicle.group, this.trail.mesh, this.sun, this.ambient);
    this.addRoad(described);
    this.colour(theme);
    new ResizeObserver(() => this.resize()).observe(box);
    this.resize();
  }

  private band(colour: "road" | "lane" | "path" | "trail", order: number, opacity = 1): THREE.MeshBasicMaterial {
    const material = bandMaterial(order, opacity);
    this.bandMaterials.push({ material, colour });
    return material;
  }

  private addRoad(described: Scene): void {
    const add = (geometry: THREE.BufferGeometry, material: THREE.Material, order: number): void => {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      this.scene.add(mesh);
    };
    const path = described.path?.points ?? [];
    const closed = described.path?.closed ?? false;
    const lanes = described.lanes ?? [];
    if (path.length > 1 && lanes.length === 0 && described.road.kind === "flat")
      add(bands([path], ROAD_WIDTH_M, closed), this.band("road", 1), 1);
    if (path.length > 1) add(bands([path], 0.12, closed, 2), this.band("path", 2, 0.8), 2);
    if (lanes.length > 0) add(bands(lanes, 0.12), this.band("lane", 3), 3);
    this.trail.mesh.renderOrder = 4;
    const cones = described.cones ?? [];
    if (cones.length === 0) return;
    const mesh = new THREE.InstancedMesh(
      unitCone(),
      new THREE.MeshLambertMaterial({ vertexColors: true }),
      cones.length,
    );
    mesh.frustumCulled = false;
    cones.forEach((cone, index) =>
      mesh.setMatrixAt(index, new THREE.Matrix4().makeTranslation(cone[0], cone[1], cone[2])),
    );
    this.scene.add(mesh);
  }

  colour(theme: Theme): void {
    const colours = sceneColours(theme);
    this.ground.colour(colours);
    this.sky.colour(colours);
    this.vehicle.colour(colours);
    this.ambient.intensity = 1.5 * colours.light;
    for (const { material, colour } of this.bandMaterials) material.color.setHex(colours[colour]);
  }

  set view(view: ViewName) {
    this.cameras.view = view;
    this.vehicle.cabinShown = view !== "driver";
  }

  clearTrail(): void {
    this.trail.clear();
  }

  draw(shown: Shown, passed_s: number): void {
    this.vehicle.update(shown);
    const pose = this.vehicle.poses[this.chassis];
    if (!pose) return;
    this.cameras.update(pose, passed_s);
    this.ground.follow(pose.place.x, pose.place.y);
    this.sky.mesh.position.copy(this.cameras.camera.position);
    this.sky.mesh.position.z = 0;
    this.leaveTrail(shown);
    this.renderer.render(this.scene, this.cameras.camera);
  }

  private leaveTrail(shown: Shown): void {
    const wheels = shown.wheels.length / 8;
    if (wheels === 0) return;
    const last = 8 * (wheels - 1);
    const before = 8 * Math.max(0, wheels - 2);
    const middle = (k: number): number => (shown.wheels[last + k]! + shown.wheels[before + k]!) / 2;
    this.trail.add([middle(1), middle(2), middle(3)]);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.box;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight);
    this.cameras.camera.aspect = clientWidth / clientHeight;
    this.cameras.camera.updateProjectionMatrix();
  }
}

/** Whether WebGL is drawn by the processor; asked of a context that is given back. */
function drawnBySoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) throw new Error("this browser has no WebGL 2");
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const renderer = String(names ? context.getParameter(names.UNMASKED_RENDERER_WEBGL) : "");
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer);
}
