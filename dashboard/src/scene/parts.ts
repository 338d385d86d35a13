// Shapes of unit size that are drawn many times: a wheel, a rod, a coil, a damper, an arrow. Those along z reach from 0 to 1.

import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

function painted(geometry: THREE.BufferGeometry, colour: number): THREE.BufferGeometry {
  const plain = geometry.index ? geometry.toNonIndexed() : geometry;
  const shade = new THREE.Color(colour);
  const count = plain.getAttribute("position").count;
  const colours = new Float32Array(3 * count);
  for (let at = 0; at < count; at++) shade.toArray(colours, 3 * at);
  plain.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  plain.deleteAttribute("uv");
  return plain;
}

export function merged(parts: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const whole = mergeGeometries(parts);
  if (!whole) throw new Error("the parts of a shape do not go together");
  return whole;
}

/** A wheel of radius 1 and width 1 about the y axis; its spokes show that it turns, and one of them is coloured so that the turns can be counted. */
export function unitWheel(tyre: number, rim: number, mark: number): THREE.BufferGeometry {
  const profile = [
    [0.66, -0.4],
    [0.72, -0.46],
    [0.9, -0.5],
    [0.975, -0.42],
    [1, -0.3],
    [1, 0.3],
    [0.975, 0.42],
    [0.9, 0.5],
    [0.72, 0.46],
    [0.66, 0.4],
  ].map(([radius, along]) => new THREE.Vector2(radius!, along!));
  const parts = [
    painted(new THREE.LatheGeometry(profile, 36), tyre),
    painted(new THREE.CylinderGeometry(0.67, 0.67, 0.78, 30, 1, true), 0x59636e),
  ];
  for (const side of [-1, 1]) {
    const ring = new THREE.RingGeometry(0.57, 0.69, 36);
    parts.push(painted(faceAlongY(ring, side, 0.4), rim));
    for (let spoke = 0; spoke < 5; spoke++) {
      const bar = new THREE.BoxGeometry(0.13, 0.05, 0.62);
      bar.translate(0, side * 0.36, 0.31);
      bar.rotateY((2 * Math.PI * spoke) / 5);
      parts.push(painted(bar, spoke === 0 ? mark : rim));
    }
    const hub = new THREE.CylinderGeometry(0.17, 0.17, 0.06, 16);
    hub.translate(0, side * 0.38, 0);
    parts.push(painted(hub, rim));
  }
  const inside = new THREE.CylinderGeometry(0.5, 0.5, 0.08, 24);
  parts.push(painted(inside, 0x454d57));
  return merged(parts);
}

function faceAlongY(geometry: THREE.BufferGeometry, side: number, at: number): THREE.BufferGeometry {
  geometry.rotateX((-side * Math.PI) / 2);
  geometry.translate(0, side * at, 0);
  return geometry;
}

function alongZ(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  geometry.rotateX(Math.PI / 2);
  return geometry;
}

export function unitRod(radius: number, sides = 8): THREE.BufferGeometry {
  return alongZ(new THREE.CylinderGeometry(radius, radius, 1, sides)).translate(0, 0, 0.5);
}

/** A tube and the thinner rod that goes into it. */
export function unitDamper(): THREE.BufferGeometry {
  const tube = alongZ(new THREE.CylinderGeometry(0.034, 0.034, 0.55, 10)).translate(0, 0, 0.275);
  return merged([tube, unitRod(0.015, 6)]);
}

export function unitCoil(): THREE.BufferGeometry {
  const turns = 6;
  const points = Array.from({ length: 14 * turns + 1 }, (_, at) => {
    const angle = (2 * Math.PI * at) / 14;
    return new THREE.Vector3(0.062 * Math.cos(angle), 0.062 * Math.sin(angle), 0.06 + (0.88 * at) / (14 * turns));
  });
  return new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 14 * turns, 0.011, 5, false);
}

/** A head on a shaft; both grow with the length, within what can be seen. */
export function unitArrow(): THREE.BufferGeometry {
  const shaft = alongZ(new THREE.CylinderGeometry(0.022, 0.022, 0.84, 8)).translate(0, 0, 0.42);
  const head = alongZ(new THREE.ConeGeometry(0.065, 0.18, 12)).translate(0, 0, 0.91);
  return merged([shaft, head]);
}

/** A bar between two points, of one geometry with others. */
export function bar(from: THREE.Vector3, to: THREE.Vector3, radius: number): THREE.BufferGeometry {
  const along = to.clone().sub(from);
  const length = along.length();
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.normalize());
  const place = new THREE.Matrix4().compose(from, turn, new THREE.Vector3(1, 1, length));
  return unitRod(radius).applyMatrix4(place);
}

export function ball(at: THREE.Vector3, radius: number): THREE.BufferGeometry {
  return new THREE.SphereGeometry(radius, 10, 8).translate(at.x, at.y, at.z);
}

/** A cone with a foot. */
export function unitCone(): THREE.BufferGeometry {
  const foot = new THREE.BoxGeometry(0.3, 0.3, 0.03).translate(0, 0, 0.015);
  const body = alongZ(new THREE.ConeGeometry(0.115, 0.5, 14)).translate(0, 0, 0.27);
  const band = alongZ(new THREE.CylinderGeometry(0.065, 0.085, 0.1, 14)).translate(0, 0, 0.28);
  return merged([painted(foot, 0xff7a1a), painted(body, 0xff7a1a), painted(band, 0xffffff)]);
}
