// The ground: a fine grid of 1 m and a coarse one of 10 m, thinned out with the distance and lost in the haze of the horizon. The lines are drawn by
// the fragment, as wide as a pixel wherever they are, hence without a texture and without flicker.

import * as THREE from "three";
import type { Road } from "../protocol/messages.ts";
import type { SceneColours } from "./colours.ts";

const SIDE_M = 1600;
const COARSE_M = 10;
/** The haze takes two thirds of what is this far. */
const HAZE_M = 110;

const VERTEX = /* glsl */ `
  varying vec2 place;
  varying vec3 up;
  varying vec3 seen_at;
  void main() {
    place = position.xy;
    up = normal;
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    seen_at = seen.xyz;
    gl_Position = projectionMatrix * seen;
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 ground;
  uniform vec3 grid;
  uniform vec3 haze;
  varying vec2 place;
  varying vec3 up;
  varying vec3 seen_at;
  float lines(vec2 at, float pitch) {
    vec2 cell = at / pitch;
    vec2 width = max(fwidth(cell), vec2(1e-5));
    vec2 away = abs(fract(cell - 0.5) - 0.5) / width;
    float line = 1.0 - min(min(away.x, away.y), 1.0);
    return line * clamp(1.0 - 2.5 * max(width.x, width.y), 0.0, 1.0);
  }
  void main() {
    float strength = 0.26 * lines(place, 1.0) + 0.5 * lines(place, 10.0);
    float slope = 0.75 + 0.25 * dot(normalize(up) * sign(up.z), normalize(vec3(0.5, 0.3, 1.0))) / 0.864;
    vec3 colour = mix(ground * slope, grid, strength);
    float far = 1.0 - exp(-max(0.0, length(seen_at) - 10.0) / ${HAZE_M.toFixed(1)});
    gl_FragColor = vec4(mix(colour, haze, far), 1.0);
    #include <colorspace_fragment>
  }`;

export class Ground {
  readonly group = new THREE.Group();
  private readonly material: THREE.ShaderMaterial;
  private readonly plane: THREE.Mesh;

  constructor(road: Road, colours: SceneColours) {
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        ground: { value: new THREE.Color() },
        grid: { value: new THREE.Color() },
        haze: { value: new THREE.Color() },
      },
      side: THREE.DoubleSide,
      // Drawn first, and nothing lies under flat ground: what is on it cannot flicker with it.
      depthWrite: road.kind === "mesh",
    });
    this.plane = new THREE.Mesh(new THREE.PlaneGeometry(SIDE_M, SIDE_M), this.material);
    this.plane.renderOrder = -2;
    this.group.add(this.plane);
    if (road.kind === "mesh") this.addMesh(road);
    this.colour(colours);
  }

  private addMesh(road: Road & { kind: "mesh" }): void {
    const geometry = new THREE.BufferGeometry();
    const places = new Float32Array(road.points);
    geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
    geometry.setIndex(triangles(road.columns, road.rows));
    geometry.computeVertexNormals();
    const mesh = new THREE.Mesh(geometry, this.material);
    mesh.renderOrder = -1;
    this.group.add(mesh);
    let lowest = 0;
    for (let at = 2; at < places.length; at += 3) lowest = Math.min(lowest, places[at]!);
    this.plane.position.z = lowest - 0.05;
  }

  colour(colours: SceneColours): void {
    const set = (name: string, hex: number): void => {
      (this.material.uniforms[name]!.value as THREE.Color).setHex(hex);
    };
    set("ground", colours.ground);
    set("grid", colours.grid);
    set("haze", colours.horizon);
  }

  /** Goes with the car, by whole coarse squares so that the lines stay where they are. */
  follow(x: number, y: number): void {
    this.plane.position.x = COARSE_M * Math.round(x / COARSE_M);
    this.plane.position.y = COARSE_M * Math.round(y / COARSE_M);
  }
}

function triangles(columns: number, rows: number): number[] {
  const index: number[] = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const corner = row * columns + column;
      index.push(corner, corner + 1, corner + columns, corner + 1, corner + columns + 1, corner + columns);
    }
  }
  return index;
}

/** A dome whose colour goes from the horizon up. */
export class Sky {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.SphereGeometry(900, 24, 16);

  constructor(colours: SceneColours) {
    this.geometry.rotateX(Math.PI / 2);
    this.mesh = new THREE.Mesh(
      this.geometry,
      new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide, depthWrite: false }),
    );
    this.mesh.renderOrder = -10;
    this.mesh.frustumCulled = false;
    this.colour(colours);
  }

  colour(colours: SceneColours): void {
    const zenith = new THREE.Color(colours.zenith);
    const horizon = new THREE.Color(colours.horizon);
    const places = this.geometry.getAttribute("position");
    const values = new Float32Array(3 * places.count);
    for (let at = 0; at < places.count; at++) {
      const height = Math.max(0, places.getZ(at) / 900);
      horizon
        .clone()
        .lerp(zenith, Math.pow(height, 0.55))
        .toArray(values, 3 * at);
    }
    this.geometry.setAttribute("color", new THREE.BufferAttribute(values, 3));
  }
}
