"""Second route, part 2: the dense Lagrange-multiplier system of a model in absolute coordinates.

    [ M  G^T ] [  a  ]   [ Q ]        M a + G^T lambda = Q       Newton and Euler, world axes
    [ G   0  ] [lambda] = [gamma]     G a = gamma                constraints differentiated twice

Q holds gravity, springs, tyres and -w x (I w). Solved by least squares, so that redundant constraints (planar mechanisms drawn
in space) do no harm: accelerations stay unique.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from dense_model import GROUND, normals

ZERO, EYE = np.zeros(3), np.eye(3)


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


class State:
    """Position of the centre of gravity, rotation (drawing axes to world), velocity, angular velocity per body."""

    def __init__(self, position, rotation, velocity=None, spin=None):
        self.position, self.rotation = np.array(position, float), np.array(rotation, float)
        self.velocity = np.zeros_like(self.position) if velocity is None else np.array(velocity, float)
        self.spin = np.zeros_like(self.position) if spin is None else np.array(spin, float)

    @classmethod
    def design(cls, model):
        return cls([body.centre for body in model.bodies], [EYE] * len(model.bodies))

    def moved(self, change):
        """The state after small displacements and rotation vectors, six per body."""
        change = change.reshape(-1, 6)
        turn = Rotation.from_rotvec(change[:, 3:]).as_matrix()
        return State(self.position + change[:, :3], turn @ self.rotation, self.velocity, self.spin)

    def rates(self):
        return np.hstack([self.velocity, self.spin]).ravel()

    def with_rates(self, rates):
        rates = rates.reshape(-1, 6)
        return State(self.position, self.rotation, rates[:, :3], rates[:, 3:])

    def body(self, k):
        if k == GROUND:
            return ZERO, EYE, ZERO, ZERO
        return self.position[k], self.rotation[k], self.velocity[k], self.spin[k]


class Point:
    """World kinematics of a body-fixed point: position, arm, velocity, and acceleration without the unknown part."""

    def __init__(self, model, state, body, drawn):
        r, turn, v, w = state.body(body)
        self.body, self.arm = body, turn @ (np.asarray(drawn, float) - model.centre(body))
        self.x, self.v = r + self.arm, v + np.cross(w, self.arm)
        self.bias = np.cross(w, np.cross(w, self.arm))


class Direction:
    """World kinematics of a body-fixed unit vector."""

    def __init__(self, state, body, drawn):
        _, turn, _, self.spin = state.body(body)
        self.body, self.u = body, turn @ drawn
        self.rate = np.cross(self.spin, self.u)
        self.bias = np.cross(self.spin, self.rate)


def add(row, body, linear, angular):
    if body != GROUND:
        row[6 * body : 6 * body + 3] += linear
        row[6 * body + 3 : 6 * body + 6] += angular


def add_point(row, point, weight):
    """Adds weight . (velocity of point) to a Jacobian row."""
    add(row, point.body, weight, np.cross(point.arm, weight))


def primitive(model, state, constraint, width):
    """Residuals, Jacobian rows and gamma of one primitive constraint."""
    kind, a, data_a, b, data_b, value = constraint
    if kind == "dot":
        one, two = Direction(state, a, data_a), Direction(state, b, data_b)
        row, normal = np.zeros(width), np.cross(one.u, two.u)
        add(row, a, ZERO, normal)
        add(row, b, ZERO, -normal)
        bias = one.bias @ two.u + 2 * one.rate @ two.rate + one.u @ two.bias
        return [one.u @ two.u - value], [row], [-bias]
    if kind == "coincide":
        one, two = Point(model, state, a, data_a), Point(model, state, b, data_b)
        rows = np.zeros((3, width))
        for k in range(3):
            add_point(rows[k], two, EYE[k])
            add_point(rows[k], one, -EYE[k])
        return list(two.x - one.x), list(rows), list(one.bias - two.bias)
    if kind == "along":
        axis, one, two = Direction(state, a, data_a[0]), Point(model, state, a, data_a[1]), Point(model, state, b, data_b)
        d, rate, row = two.x - one.x, two.v - one.v, np.zeros(width)
        add_point(row, two, axis.u)
        add_point(row, one, -axis.u)
        add(row, a, ZERO, np.cross(axis.u, d))
        bias = axis.bias @ d + 2 * axis.rate @ rate + axis.u @ (two.bias - one.bias)
        return [axis.u @ d - value], [row], [-bias]
    assert kind == "distance"
    one, two = Point(model, state, a, data_a), Point(model, state, b, data_b)
    d, rate, row = two.x - one.x, two.v - one.v, np.zeros(width)
    add_point(row, two, d / value)
    add_point(row, one, -d / value)
    bias = (rate @ rate + d @ (two.bias - one.bias)) / value
    return [(d @ d - value**2) / (2 * value)], [row], [-bias]


def constraints(model, state, extra=()):
    """Phi, G, gamma of all joints and of `extra` primitive constraints (driven joints)."""
    width, phi, jacobian, gamma = 6 * len(model.bodies), [], [], []
    for constraint in [*model.rows, *extra]:
        value, rows, right = primitive(model, state, constraint, width)
        phi += value
        jacobian += rows
        gamma += right
    return np.array(phi), np.array(jacobian).reshape(-1, width), np.array(gamma)


def mass_matrix(model, state):
    size = 6 * len(model.bodies)
    matrix = np.zeros((size, size))
    for k, body in enumerate(model.bodies):
        turn = state.rotation[k]
        matrix[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * EYE
        matrix[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = turn @ body.inertia @ turn.T
    return matrix


def accelerations(model, state, load, extra=(), extra_gamma=None):
    """Accelerations (six per body) and the multipliers of the `extra` constraints.

    `load` is the generalised force without gyroscopic terms; `extra_gamma` adds to the right side of the last rows.
    """
    matrix = mass_matrix(model, state)
    _, jacobian, gamma = constraints(model, state, extra)
    if extra_gamma is not None:
        gamma[len(gamma) - len(extra_gamma) :] += extra_gamma
    right = load.copy()
    for k in range(len(model.bodies)):
        inertia = matrix[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6]
        right[6 * k + 3 : 6 * k + 6] -= np.cross(state.spin[k], inertia @ state.spin[k])
    size, rows = len(right), len(gamma)
    system = np.block([[matrix, jacobian.T], [jacobian, np.zeros((rows, rows))]])
    # Multipliers are scaled to the masses' size, or small masses would drown in the cut-off of redundant rows.
    scale = np.concatenate([1 / np.sqrt(np.diag(matrix)), np.full(rows, np.sqrt(np.diag(matrix).mean()))])
    scaled = scale[:, None] * system * scale
    answer = scale * np.linalg.lstsq(scaled, scale * np.concatenate([right, gamma]), rcond=1e-11)[0]
    # One step of refinement takes the residual to round-off.
    residual = np.concatenate([right, gamma]) - system @ answer
    answer += scale * np.linalg.lstsq(scaled, scale * residual, rcond=1e-11)[0]
    return answer[:size], answer[size:][rows - len(extra) :]


def project_position(model, state, extra=(), tolerance=1e-14, limit=40):
    """Nearest assembled state (Gauss-Newton with least-norm steps)."""
    for _ in range(limit):
        phi, jacobian, _ = constraints(model, state, extra)
        if np.abs(phi).max(initial=0.0) < tolerance:
            return state
        state = state.moved(-np.linalg.lstsq(jacobian, phi, rcond=1e-10)[0])
    phi, _, _ = constraints(model, state, extra)
    assert np.abs(phi).max() < 100 * tolerance, f"{model.name}: loops do not close, {np.abs(phi).max():.1e}"
    return state


def project_velocity(model, state, extra=(), extra_rates=None):
    """Nearest admissible velocities."""
    _, jacobian, _ = constraints(model, state, extra)
    wanted = np.zeros(len(jacobian))
    if extra_rates is not None:
        wanted[len(wanted) - len(extra_rates) :] = extra_rates
    rates = state.rates()
    for _ in range(2):
        rates = rates - np.linalg.lstsq(jacobian, jacobian @ rates - wanted, rcond=1e-10)[0]
    return state.with_rates(rates)


def relative_angle(state, joint):
    """Angle of the second body relative to the first about the joint's axis, in (-pi, pi]."""
    _, turn_a, _, _ = state.body(joint.first)
    _, turn_b, _, _ = state.body(joint.second)
    first, second = normals(joint.axis)
    moved = turn_a.T @ turn_b @ first
    return np.arctan2(moved @ second, moved @ first)
