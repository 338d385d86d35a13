"""Second route, part 3: the forces of a model file (gravity, TSDA, RSDA, wheels, point forces) on absolute coordinates."""

import numpy as np
from scipy.interpolate import CubicSpline

from dense_dynamics import Point, add, add_point, relative_angle


def curve(fields, value):
    """A curve of a model file, straight beyond its ends; natural cubic spline or straight lines between."""
    if fields is None:
        return 0.0
    x, y = np.array(fields["points"], float).T
    inside = np.clip(value, x[0], x[-1])
    if fields.get("interpolation", "linear") == "linear":
        slopes = np.diff(y) / np.diff(x)
        k = int(np.clip(np.searchsorted(x, value) - 1, 0, len(slopes) - 1))
        return y[k] + slopes[k] * (value - x[k])
    spline = CubicSpline(x, y, bc_type="natural")
    return float(spline(inside) + spline(inside, 1) * (value - inside))


def stops(fields, length, rate):
    force = 0.0
    bump, rebound = fields.get("bump_stop"), fields.get("rebound_stop")
    if bump and length < bump["length_m"]:
        push = bump["stiffness_n_m"] * (bump["length_m"] - length) - bump.get("damping_ns_m", 0.0) * rate
        force -= max(push, 0.0)
    if rebound and length > rebound["length_m"]:
        pull = rebound["stiffness_n_m"] * (length - rebound["length_m"]) + rebound.get("damping_ns_m", 0.0) * rate
        force += max(pull, 0.0)
    return force


def tsda_force(fields, length, rate, drawn_length):
    """Tension of a translational spring-damper."""
    extension = length - fields.get("free_length_m", drawn_length)
    return (
        fields.get("preload_n", 0.0)
        + fields.get("stiffness_n_m", 0.0) * extension
        + fields.get("damping_ns_m", 0.0) * rate
        + curve(fields.get("spring_curve"), extension)
        + curve(fields.get("damper_curve"), rate)
        + stops(fields, length, rate)
    )


def add_tsda(model, state, fields, load):
    a, b = (model.number_of[name] for name in fields["bodies"])
    drawn = np.array(fields["points_m"], float)
    one, two = Point(model, state, a, drawn[0]), Point(model, state, b, drawn[1])
    d = two.x - one.x
    length = np.linalg.norm(d)
    direction = d / length
    rate = direction @ (two.v - one.v)
    tension = tsda_force(fields, length, rate, np.linalg.norm(drawn[1] - drawn[0]))
    add_point(load, one, tension * direction)
    add_point(load, two, -tension * direction)


def add_rsda(model, state, fields, load):
    joint = model.joints[fields["joint"]]
    _, turn, _, spin_a = state.body(joint.first)
    _, _, _, spin_b = state.body(joint.second)
    axis = turn @ joint.axis
    slides = fields.get("coordinate", "angle") == "displacement"
    one, two = Point(model, state, joint.first, joint.point), Point(model, state, joint.second, joint.second_point)
    if slides:
        angle = axis @ (two.x - one.x)
        rate = axis @ (two.v - one.v) + np.cross(spin_a, axis) @ (two.x - one.x)
    else:
        angle, rate = relative_angle(state, joint), axis @ (spin_b - spin_a)
    assert "against" not in fields, "torsion bars between two joints are not in the second route"
    deflection = angle - fields.get("free_angle_rad", 0.0)
    torque = (
        fields.get("preload_nm", 0.0)
        + fields.get("stiffness_nm_rad", 0.0) * deflection
        + fields.get("damping_nms_rad", 0.0) * rate
        + curve(fields.get("spring_curve"), deflection)
        + curve(fields.get("damper_curve"), rate)
    )
    if slides:
        # The pair of forces acts on one line: at the second body's point on both bodies.
        add_point(load, two, -torque * axis)
        add(load, joint.first, torque * axis, np.cross(two.x - state.body(joint.first)[0], torque * axis))
    else:
        add(load, joint.second, np.zeros(3), -torque * axis)
        add(load, joint.first, np.zeros(3), torque * axis)


def add_antiroll(model, state, fields, load):
    """Roll = difference of height of the two ends along the chassis' z axis by their distance; chassis takes the reactions."""
    chassis, ends = model.number_of[fields["chassis"]], [model.number_of[name] for name in fields["bodies"]]
    drawn = np.array(fields["points_m"], float)
    distance, up = np.linalg.norm(drawn[0] - drawn[1]), state.body(chassis)[1][:, 2]
    left, right = (Point(model, state, body, point) for body, point in zip(ends, drawn))
    roll = ((left.x - right.x) @ up - (drawn[0] - drawn[1])[2]) / distance
    force = fields["stiffness_nm_rad"] * roll / distance * up
    for point, sign in ((left, -1.0), (right, 1.0)):
        add_point(load, point, sign * force)
        add(load, chassis, -sign * force, np.cross(point.x - state.position[chassis], -sign * force))


def wheel_load(model, state, fields):
    """Vertical tyre spring at the wheel centre: never pulls, the ground is z = 0."""
    centre = Point(model, state, model.number_of[fields["body"]], fields["centre_m"])
    force = fields["stiffness_n_m"] * (fields["radius_m"] - centre.x[2]) - fields.get("damping_ns_m", 0.0) * centre.v[2]
    return centre, (max(force, 0.0) if centre.x[2] < fields["radius_m"] else 0.0)


def load_of(model, state, tyres=True):
    """Generalised forces, six per body: force, and torque about the centre of gravity, world axes."""
    load = np.zeros(6 * len(model.bodies))
    for k, body in enumerate(model.bodies):
        load[6 * k : 6 * k + 3] = body.mass * model.gravity
    for fields in model.elements("tsda").values():
        add_tsda(model, state, fields, load)
    for fields in model.elements("rsda").values():
        add_rsda(model, state, fields, load)
    for fields in model.elements("antiroll").values():
        add_antiroll(model, state, fields, load)
    for fields in model.elements("point_force").values():
        body = model.number_of[fields["body"]]
        _, turn, _, _ = state.body(body)
        turn = turn if fields.get("axes", "earth") == "body" else np.eye(3)
        force, torque = (turn @ np.array(fields.get(key, [0, 0, 0]), float) for key in ("force_n", "torque_nm"))
        add_point(load, Point(model, state, body, fields["point_m"]), force)
        add(load, body, np.zeros(3), torque)
    if tyres:
        for fields in model.elements("wheels").values():
            centre, force = wheel_load(model, state, fields)
            add_point(load, centre, np.array([0, 0, force]))
    return load


def potential_energy(model, state):
    """Of gravity and of linear springs; for checks of conservation."""
    energy = -sum(body.mass * model.gravity @ state.position[k] for k, body in enumerate(model.bodies))
    for fields in model.elements("tsda").values():
        a, b = (model.number_of[name] for name in fields["bodies"])
        drawn = np.array(fields["points_m"], float)
        one, two = Point(model, state, a, drawn[0]), Point(model, state, b, drawn[1])
        extension = np.linalg.norm(two.x - one.x) - fields.get("free_length_m", np.linalg.norm(drawn[1] - drawn[0]))
        energy += 0.5 * fields.get("stiffness_n_m", 0.0) * extension**2 + fields.get("preload_n", 0.0) * extension
    return energy


def kinetic_energy(model, state):
    energy = 0.0
    for k, body in enumerate(model.bodies):
        inertia = state.rotation[k] @ body.inertia @ state.rotation[k].T
        energy += 0.5 * body.mass * state.velocity[k] @ state.velocity[k] + 0.5 * state.spin[k] @ inertia @ state.spin[k]
    return energy


