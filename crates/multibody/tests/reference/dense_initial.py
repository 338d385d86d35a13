"""Second route, part 5: the initial state that a model file describes, and motion from there.

Poses follow the joints from the ground outwards: with c the coordinates, J(c) the rotation and d(c) the displacement of a joint,

    R_second = R_first J,     x_second = x_first + R_first d.

Joints that are cut, massless links and joints that come last close loops; what they ask is checked, not imposed.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from dense_dynamics import State, accelerations, constraints, project_position, project_velocity
from dense_forces import kinetic_energy, load_of, potential_energy
from dense_model import GROUND, normals

MASSLESS = ("spherical-spherical", "spherical-revolute", "spherical-translational", "revolute-revolute")
FREEDOMS = {"free": 6, "fixed": 0, "revolute": 1, "translational": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar": 3}


def turn(vector):
    return Rotation.from_rotvec(vector).as_matrix()


def motion(joint, c, r):
    """J, d in the first body's axes; relative angular velocity and rate of d, both in the first body's axes."""
    zero, kind, axis = np.zeros(3), joint.kind, joint.axis
    if kind == "revolute":
        return turn(c[0] * axis), zero, r[0] * axis, zero
    if kind == "translational":
        return np.eye(3), c[0] * axis, zero, r[0] * axis
    if kind == "cylindrical":
        return turn(c[0] * axis), c[1] * axis, r[0] * axis, r[1] * axis
    if kind == "universal":
        first = turn(c[0] * axis)
        return first @ turn(c[1] * joint.second_axis), zero, r[0] * axis + r[1] * first @ joint.second_axis, zero
    if kind == "spherical":
        return turn(np.array(c)), zero, turn(np.array(c)) @ r, zero
    if kind == "free":
        return turn(np.array(c[3:])), np.array(c[:3]), turn(np.array(c[3:])) @ r[3:], np.array(r[:3])
    if kind == "planar":
        x = joint.second_axis if joint.second_axis is not None else normals(axis)[0]
        y = np.cross(axis, x)
        return turn(c[2] * axis), c[0] * x + c[1] * y, r[2] * axis, r[0] * x + r[1] * y
    return np.eye(3), zero, zero, zero


def initial_state(model):
    """State from the coordinates and velocities of the joints."""
    poses = {GROUND: (np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))}  # rotation, centre, velocity of centre, spin
    tree = [joint for joint in model.joints.values() if joint.kind not in MASSLESS and joint.cut is not True]
    progress = True
    while progress and len(poses) <= len(model.bodies):
        progress = False
        for joint in tree:
            a, b = joint.first, joint.second
            if a not in poses or b in poses:
                continue
            count = FREEDOMS[joint.kind]
            c, r = joint.coordinates or [0.0] * count, joint.velocities or [0.0] * count
            rotation, centre, velocity, spin = poses[a]
            relative, shift, spin_gain, shift_rate = motion(joint, c, np.array(r, float))
            point = joint.point if joint.point is not None else np.zeros(3)
            second = joint.second_point if joint.second_point is not None else np.zeros(3)
            rotation_b = rotation @ relative
            arm_a = rotation @ (point - model.centre(a) + shift)
            arm_b = rotation_b @ (model.centre(b) - second)
            spin_b = spin + rotation @ spin_gain
            at_joint = velocity + np.cross(spin, arm_a) + rotation @ shift_rate
            poses[b] = (rotation_b, centre + arm_a + arm_b, at_joint + np.cross(spin_b, arm_b), spin_b)
            progress = True
    order = range(len(model.bodies))
    assert len(poses) == len(order) + 1, f"{model.name}: in some joint the outer body is listed first"
    return State(*([poses[k][part] for k in order] for part in (1, 0, 2, 3)))


def closure(model, state):
    """Largest opening of a constraint and largest rate of one."""
    phi, jacobian, _ = constraints(model, state)
    return np.abs(phi).max(initial=0.0), np.abs(jacobian @ state.rates()).max(initial=0.0)


def energy(model, state):
    return kinetic_energy(model, state) + potential_energy(model, state)


def simulate(model, state, times, tolerance=1e-11, extra=()):
    """States at `times`: Dormand-Prince 8(5,3) between them, projection onto the constraints at each of them.

    `extra` are further constraints that hold still (driven joints).
    """
    count, states = len(model.bodies), [state]
    for start, end in zip(times[:-1], times[1:]):
        origin = states[-1]

        def unpack(y):
            change, rates = y[: 6 * count].reshape(-1, 6), y[6 * count :]
            rotation = turn(change[:, 3:]) @ origin.rotation
            return State(change[:, :3] + origin.position, rotation).with_rates(rates), change[:, 3:]

        def derivative(_, y):
            now, vector = unpack(y)
            found, _ = accelerations(model, now, load_of(model, now), extra)
            return np.concatenate([np.hstack([now.velocity, rotation_vector_rate(vector, now.spin)]).ravel(), found])

        y = np.concatenate([np.zeros(6 * count), origin.rates()])
        answer = solve_ivp(derivative, (start, end), y, "DOP853", rtol=tolerance, atol=tolerance)
        assert answer.success, answer.message
        now, _ = unpack(answer.y[:, -1])
        now = project_position(model, now, extra, tolerance=1e-13)
        states.append(project_velocity(model, now.with_rates(answer.y[6 * count :, -1]), extra))
    return states


def rotation_vector_rate(vector, spin):
    """Rates of rotation vectors p with R = exp(p) R0 and world spin w:  p' = w - p x w / 2 + k p x (p x w)."""
    angle = np.linalg.norm(vector, axis=1)[:, None]
    safe = np.where(angle < 1e-4, 1.0, angle)
    factor = np.where(angle < 1e-4, 1 / 12 + angle**2 / 720, (1 - safe / 2 / np.tan(safe / 2)) / safe**2)
    once = np.cross(vector, spin)
    return spin - once / 2 + factor * np.cross(vector, once)
