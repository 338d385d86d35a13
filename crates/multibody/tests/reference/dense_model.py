"""Second route, part 1: a model folder read into bodies, constraints and forces in absolute coordinates.

Nothing here resembles the engine: every body has six absolute velocities (velocity of its centre of gravity and angular
velocity, both in world axes), every joint is a set of algebraic constraints, and there is no tree, no recursion and no
cutting of loops. Points and axes follow docs/model-files.md: all are drawn in the design position.

Four primitive constraints make all joints. With x the world position of a body-fixed point, s = x - r its arm,
u and w body-fixed unit vectors, d = x_b - x_a:

    coincide   x_b - x_a = 0                (3 rows)
    dot        u_a . w_b = c                (1)
    along      u_a . d = c                  (1)
    distance   (d . d - L^2) / 2L = 0       (1)
"""

import tomllib
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

GROUND = -1


def unit(vector):
    vector = np.array(vector, float)
    return vector / np.linalg.norm(vector)


def normals(axis):
    """Two unit vectors that complete `axis` to a right-handed triad."""
    other = np.eye(3)[np.argmin(np.abs(axis))]
    first = unit(np.cross(other, axis))
    return first, np.cross(axis, first)


class Body:
    def __init__(self, name, fields):
        self.name = name
        self.mass = fields["mass_kg"]
        self.centre = np.array(fields["centre_of_gravity_m"], float)
        xy, xz, yz = fields.get("products_kg_m2", (0, 0, 0))
        xx, yy, zz = fields["moments_kg_m2"]
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], float)
        turn = Rotation.from_quat(fields.get("orientation_wxyz", (1, 0, 0, 0)), scalar_first=True).as_matrix()
        self.inertia = turn @ tensor @ turn.T
        moments = np.linalg.eigvalsh(self.inertia)
        assert moments[0] + moments[1] >= moments[2] * (1 - 1e-12), f"{name}: triangle inequality"


class Joint:
    """A joint as drawn: `first`, `second` are body numbers, points and axes are in the drawing."""

    def __init__(self, name, link, fields, number_of):
        self.name, self.kind = name, link["type"]
        self.first, self.second = (number_of[body] for body in link["bodies"])
        self.driven, self.cut = link.get("driven", False), link.get("cut", None)
        point = fields.get("point_m")
        self.point = None if point is None else np.array(point, float)
        other = fields.get("second_point_m")
        self.second_point = self.point if other is None else np.array(other, float)
        self.axis = unit(fields["axis"]) if "axis" in fields else None
        self.second_axis = unit(fields["second_axis"]) if "second_axis" in fields else None
        self.length = fields.get("length_m")
        self.coordinates = fields.get("coordinates")
        self.velocities = fields.get("velocities")

    def constraints(self):
        """The list of primitive constraints (kind, body a, data a, body b, data b, constant)."""
        a, b, p, q, rows = self.first, self.second, self.point, self.second_point, []

        def dot(u, w, value):
            rows.append(("dot", a, u, b, w, value))

        def along(u, body, start, other, end, value):
            rows.append(("along", body, (u, start), other, end, value))

        def lock(axes):
            for u, w in axes:
                dot(u, w, u @ w)

        if self.kind == "free":
            return rows
        if self.kind == "spherical-spherical":
            length = self.length if self.length is not None else np.linalg.norm(q - p)
            return [("distance", a, p, b, q, length)]
        if self.kind == "spherical-revolute":
            arm = p - q
            along(self.second_axis, b, q, a, p, self.second_axis @ arm)
            rows.append(("distance", a, p, b, q, np.linalg.norm(arm)))
            return rows
        if self.kind == "spherical-translational":
            for normal in normals(self.second_axis):
                along(normal, b, p, a, p, 0.0)
            return rows
        if self.kind in ("spherical", "revolute", "universal", "fixed"):
            rows.append(("coincide", a, p if p is not None else np.zeros(3), b, q if q is not None else np.zeros(3), 0.0))
        if self.kind == "universal":
            dot(self.axis, self.second_axis, self.axis @ self.second_axis)
        if self.kind in ("revolute", "cylindrical", "planar"):
            lock((self.axis, normal) for normal in normals(self.axis))
        if self.kind in ("fixed", "translational"):
            x, y, z = np.eye(3)
            lock([(x, y), (x, z), (y, z)])
        if self.kind in ("translational", "cylindrical"):
            start, end = (p, q) if p is not None else (np.zeros(3), np.zeros(3))
            for normal in normals(self.axis):
                along(normal, a, start, b, end, 0.0)
        if self.kind == "planar":
            along(self.axis, a, p, b, q, 0.0)
        supported = ("spherical", "revolute", "universal", "fixed", "cylindrical", "planar", "translational")
        assert self.kind in supported, f"{self.name}: {self.kind} is not in the second route"
        return rows


class Model:
    """A model folder in absolute coordinates."""

    def __init__(self, folder):
        folder = Path(folder)
        topology = tomllib.loads((folder / "topology.toml").read_text(encoding="utf-8"))
        self.parameters = tomllib.loads((folder / "parameters.toml").read_text(encoding="utf-8"))
        self.name = topology["name"]
        self.gravity = np.array(self.parameters.get("gravity_m_s2", [0, 0, -9.81]), float)
        self.bodies = [Body(name, self.parameters["bodies"][name]) for name in topology["bodies"]]
        self.number_of = {body.name: k for k, body in enumerate(self.bodies)} | {"ground": GROUND}
        described = self.parameters.get("joints", {})
        unknown = set(described) - set(topology["joints"])
        assert not unknown, f"joints without topology: {unknown}"
        self.joints = {
            name: Joint(name, link, described.get(name, {}), self.number_of) for name, link in topology["joints"].items()
        }
        for name, link in topology["joints"].items():
            if link["type"] == "free" and self.joints[name].point is None:
                self.joints[name].point = self.joints[name].second_point = self.bodies[self.joints[name].second].centre
        self.rows = [row for joint in self.joints.values() for row in joint.constraints()]

    def centre(self, body):
        return np.zeros(3) if body == GROUND else self.bodies[body].centre

    def elements(self, family):
        return self.parameters.get(family, {})
