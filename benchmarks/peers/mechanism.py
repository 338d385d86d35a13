"""A model folder as a tree with cut joints, read without any help of the engine that is compared.

Every body carries the axes of the drawing: in the design position all bodies coincide with the earth. A pose is then
(R, p), the rotation and where the body has taken the drawing's origin; a velocity is (w, v), v being that of that point.

Joints are taken in the order of the topology file. A joint whose second body hangs nowhere yet carries it; any other
one closes a loop. A tie rod (spherical-spherical) always closes one.
"""

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

# A massless rod becomes a body of this mass where a peer knows no rods: light enough to change little,
# heavy enough for `lcaba`, which loses its digits on bodies that weigh next to nothing.
ROD_MASS_KG = 1e-3


@dataclass
class Body:
    name: str
    mass: float
    centre: np.ndarray
    inertia: np.ndarray  # about the centre, axes of the drawing


@dataclass
class Joint:
    name: str
    kind: str
    parent: str
    child: str
    point: np.ndarray
    axis: np.ndarray
    second_point: np.ndarray


@dataclass
class Mechanism:
    gravity: np.ndarray
    bodies: dict = field(default_factory=dict)
    tree: list = field(default_factory=list)
    balls: list = field(default_factory=list)  # cut spherical joints
    rods: list = field(default_factory=list)
    springs: list = field(default_factory=list)
    wheels: list = field(default_factory=list)

    def depth_first(self):
        """The tree's joints with each subtree in one piece."""
        order = []

        def visit(body):
            for joint in self.tree:
                if joint.parent == body:
                    order.append(joint)
                    visit(joint.child)

        visit("ground")
        return order


KINDS = {"free", "revolute", "translational", "spherical"}


def read(folder):
    """Reads topology.toml and parameters.toml."""
    folder = Path(folder)
    topology = tomllib.loads((folder / "topology.toml").read_text())
    parameters = tomllib.loads((folder / "parameters.toml").read_text())
    mechanism = Mechanism(np.array(parameters["gravity_m_s2"]))
    for name in topology["bodies"]:
        mechanism.bodies[name] = body(name, parameters["bodies"][name])
    reached = {"ground"}
    for name, text in topology["joints"].items():
        joint = make_joint(name, text, parameters["joints"].get(name, {}))
        if joint.kind == "spherical-spherical":
            mechanism.rods.append(joint)
        elif joint.kind not in KINDS:
            raise SystemExit(f"{folder}: joint {name} is {joint.kind}; the peers' models have {sorted(KINDS)}")
        elif joint.child not in reached:
            reached.add(joint.child)
            mechanism.tree.append(joint)
        elif joint.kind == "spherical":
            mechanism.balls.append(joint)
        else:
            raise SystemExit(f"{folder}: joint {name} closes a loop and is {joint.kind}; expected spherical")
    mechanism.springs = list(parameters.get("tsda", {}).items())
    mechanism.wheels = list(parameters.get("wheels", {}).values())
    return mechanism


def body(name, text):
    xx, yy, zz = text["moments_kg_m2"]
    xy, xz, yz = text.get("products_kg_m2", (0.0, 0.0, 0.0))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    turn = rotation(text.get("orientation_wxyz", (1.0, 0.0, 0.0, 0.0)))
    return Body(name, text["mass_kg"], np.array(text["centre_of_gravity_m"]), turn @ tensor @ turn.T)


def make_joint(name, text, numbers):
    point = np.array(numbers.get("point_m", (0.0, 0.0, 0.0)))
    axis = np.array(numbers.get("axis", (0.0, 0.0, 1.0)))
    second = np.array(numbers.get("second_point_m", point))
    parent, child = text["bodies"]
    return Joint(name, text["type"], parent, child, point, axis / np.linalg.norm(axis), second)


def rotation(wxyz):
    w, x, y, z = np.array(wxyz) / np.linalg.norm(wxyz)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def quaternion(r):
    """Scalar first. Good for turns of less than 180 degrees, which joints of a suspension never reach."""
    w = 0.5 * np.sqrt(1.0 + np.trace(r))
    return np.array([w, *(vee(r) / (2.0 * w))])


def vee(r):
    return 0.5 * np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])


def welded(mechanism, name):
    """The same mechanism with a joint of the tree rigid: its second body is one with its first. Bodies coincide in the drawing, so nothing turns."""
    joint = next(joint for joint in mechanism.tree if joint.name == name)
    mechanism.tree.remove(joint)
    kept, lost = mechanism.bodies[joint.parent], mechanism.bodies.pop(joint.child)
    mechanism.bodies[kept.name] = together(kept, lost)

    def host(body):
        return kept.name if body == lost.name else body

    for other in mechanism.tree + mechanism.balls + mechanism.rods:
        other.parent, other.child = host(other.parent), host(other.child)
    for _, spring in mechanism.springs:
        spring["bodies"] = [host(body) for body in spring["bodies"]]
    for wheel in mechanism.wheels:
        wheel["body"] = host(wheel["body"])
    return mechanism


def together(kept, lost):
    """Two bodies as one; each inertia is moved to the common centre (Steiner)."""
    mass = kept.mass + lost.mass
    centre = (kept.mass * kept.centre + lost.mass * lost.centre) / mass
    inertia = np.zeros((3, 3))
    for body in (kept, lost):
        arm = body.centre - centre
        inertia += body.inertia + body.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return Body(kept.name, mass, centre, inertia)


GROUND = (np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))


def read_state(path):
    """Name -> (R, p, w, v) of each body, as the harness writes it."""
    state = {"ground": GROUND}
    for it in json.loads(Path(path).read_text())["bodies"]:
        state[it["name"]] = (
            np.array(it["rotation"]),
            np.array(it["origin"]),
            np.array(it["angular_velocity"]),
            np.array(it["velocity"]),
        )
    return state


def coordinates(joint, state):
    """Coordinates and velocities of a joint of the tree: quaternions scalar first, angular velocities in the child's axes."""
    (r0, p0, w0, v0), (r1, p1, w1, v1) = state[joint.parent], state[joint.child]
    turn, spin = r0.T @ r1, r1.T @ (w1 - w0)
    if joint.kind == "free":
        # Of the drawing's origin, because the peers' frame of the base is there.
        return [*p1, *quaternion(r1)], [*v1, *spin]
    if joint.kind == "spherical":
        return [*quaternion(turn)], [*spin]
    if joint.kind == "revolute":
        angle = np.arctan2(vee(turn) @ joint.axis, 0.5 * (np.trace(turn) - 1.0))
        return [angle], [spin @ joint.axis]
    arm = p1 + r1 @ joint.point - p0
    shift = r0.T @ arm - joint.point
    rate = r0.T @ (v1 + np.cross(w1, r1 @ joint.point) - v0 - np.cross(w0, arm))
    return [shift @ joint.axis], [rate @ joint.axis]


def rods_as_bodies(mechanism, state):
    """The same mechanism with each rod a light body that hangs on a ball and closes a loop with another; poses are added."""
    for rod in mechanism.rods:
        name, span = rod.name, rod.second_point - rod.point
        length, along = np.linalg.norm(span), span / np.linalg.norm(span)
        across = ROD_MASS_KG * length**2 / 12.0
        inertia = across * np.eye(3)
        mechanism.bodies[name] = Body(name, ROD_MASS_KG, 0.5 * (rod.point + rod.second_point), inertia)
        mechanism.tree.append(Joint(name, "spherical", rod.parent, name, rod.point, along, rod.point))
        end = rod.second_point
        mechanism.balls.append(Joint(f"{name}_end", "spherical", name, rod.child, end, along, end))
        state[name] = rod_pose(rod, along, state)
    mechanism.rods = []
    return mechanism, state


def rod_pose(rod, along, state):
    """The shortest turn from the drawing; the rod does not spin about itself."""
    ends = [carried(state[rod.parent], rod.point), carried(state[rod.child], rod.second_point)]
    (a, a_rate), (b, b_rate) = ends
    span = b - a
    now = span / np.linalg.norm(span)
    half = np.array([1.0 + along @ now, *np.cross(along, now)])
    r = rotation(half)
    w = np.cross(span, b_rate - a_rate) / (span @ span)
    return r, a - r @ rod.point, w, a_rate - np.cross(w, r @ rod.point)


def carried(pose, point):
    """Where a body has taken a point of the drawing, and how fast it moves."""
    r, p, w, v = pose
    return p + r @ point, v + np.cross(w, r @ point)
