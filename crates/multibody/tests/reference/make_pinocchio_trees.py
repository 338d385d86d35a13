#!/usr/bin/env python3
"""Random open trees and their forward dynamics by Pinocchio -> pinocchio_trees.json.

    python3 -m venv venv && venv/bin/pip install pin==4.1.0 numpy==2.4.6
    venv/bin/python make_pinocchio_trees.py

Every tree is checked before it is written, by two routes that do not share code with `pinocchio.aba`:
finite differences of the body poses along the motion, and d'Alembert's principle in world axes with the
joint axes as README.md defines them (so the documentation itself is under test).
"""

import numpy as np
import pinocchio as pin

import golden

SEED = 20261116
TREE_SIZES = list(range(2, 31)) * 2
JOINT_TYPES = ["revolute", "prismatic", "cylindrical", "helical", "universal", "spherical", "planar", "free", "fixed"]
TYPE_WEIGHTS = [0.26, 0.14, 0.1, 0.1, 0.1, 0.1, 0.08, 0.05, 0.07]


def random_rotation(rng):
    quaternion = rng.normal(size=4)
    return pin.Quaternion(quaternion / np.linalg.norm(quaternion)).toRotationMatrix()


def random_axis(rng):
    axis = rng.normal(size=3)
    return axis / np.linalg.norm(axis)


def random_body(rng):
    """Mass, centre of mass and an inertia that a real cloud of points has (so it obeys the triangle inequality)."""
    mass = round(rng.uniform(0.5, 5.0), 3)
    points = rng.uniform(-0.4, 0.4, size=(12, 3))
    points -= points.mean(axis=0)
    second_moment = points.T @ points / len(points)
    inertia = mass * (np.trace(second_moment) * np.eye(3) - second_moment)
    return {"mass": mass, "com": np.round(rng.uniform(-0.3, 0.3, 3), 3), "inertia": np.round(inertia, 6)}


def random_parents(rng, size):
    """Parents of a random tree, renumbered depth-first: Pinocchio's composite algorithms need that order."""
    children = [[] for _ in range(size)]
    for body in range(1, size):
        # Half of the time the newest body, so that long chains occur beside bushy trees.
        parent = body - 1 if rng.random() < 0.5 else int(rng.integers(body))
        children[parent].append(body)
    parents, pending = [], [(0, -1)]
    while pending:
        body, parent = pending.pop()
        pending.extend((child, len(parents)) for child in reversed(children[body]))
        parents.append(parent)
    return parents


def random_joint(rng, child, parent, kind):
    joint = {
        "type": kind,
        "parent": parent,
        "child": child,
        "rotation": random_rotation(rng),
        "translation": np.round(rng.uniform(-0.6, 0.6, 3), 3),
    }
    if kind in ("revolute", "prismatic", "cylindrical", "helical"):
        joint["axis"] = random_axis(rng)
    if kind == "helical":
        joint["pitch_m_rad"] = round(rng.uniform(-0.2, 0.2), 3)
    if kind == "universal":
        first, other = random_axis(rng), random_axis(rng)
        second = np.cross(first, other)
        joint["axis"], joint["second_axis"] = first, second / np.linalg.norm(second)
    return joint


def pinocchio_joint(joint):
    kind = joint["type"]
    if kind == "revolute":
        return pin.JointModelRevoluteUnaligned(joint["axis"])
    if kind == "prismatic":
        return pin.JointModelPrismaticUnaligned(joint["axis"])
    if kind == "helical":
        return pin.JointModelHelicalUnaligned(joint["axis"], joint["pitch_m_rad"])
    if kind == "universal":
        return pin.JointModelUniversal(joint["axis"], joint["second_axis"])
    if kind == "cylindrical":
        composite = pin.JointModelComposite(2)
        composite.addJoint(pin.JointModelRevoluteUnaligned(joint["axis"]), pin.SE3.Identity())
        composite.addJoint(pin.JointModelPrismaticUnaligned(joint["axis"]), pin.SE3.Identity())
        return composite
    return {"spherical": pin.JointModelSpherical, "planar": pin.JointModelPlanar, "free": pin.JointModelFreeFlyer}[kind]()


def build_model(bodies, joints, gravity):
    """The Pinocchio model, and for each body its joint number and its pose in that joint's frame."""
    model = pin.Model()
    model.gravity.linear = gravity
    carriers = []
    for body, joint in zip(bodies, joints):
        placement = pin.SE3(joint["rotation"], joint["translation"])
        carrier, offset = carriers[joint["parent"]] if joint["parent"] >= 0 else (0, pin.SE3.Identity())
        inertia = pin.Inertia(body["mass"], body["com"], body["inertia"])
        if joint["type"] == "fixed":
            carriers.append((carrier, offset * placement))
        else:
            index = model.addJoint(carrier, pinocchio_joint(joint), offset * placement, f"joint{joint['child']}")
            carriers.append((index, pin.SE3.Identity()))
        model.appendBodyToJoint(carriers[-1][0], inertia, carriers[-1][1])
    return model, carriers


def random_state(rng, model, joints, carriers):
    """Coordinates q, rates v, generalised forces tau; rounded where the manifold allows it."""
    q = pin.neutral(model)
    for joint, (index, _) in zip(joints, carriers):
        if joint["type"] == "fixed":
            continue
        start, kind = model.joints[index].idx_q, joint["type"]
        if kind in ("spherical", "free"):
            quaternion = rng.normal(size=4)
            quaternion /= np.linalg.norm(quaternion)
            if kind == "free":
                q[start : start + 3] = np.round(rng.uniform(-2, 2, 3), 3)
            q[start + (3 if kind == "free" else 0) :][:4] = quaternion
        elif kind == "planar":
            angle = rng.uniform(-np.pi, np.pi)
            q[start : start + 4] = [*np.round(rng.uniform(-0.5, 0.5, 2), 3), np.cos(angle), np.sin(angle)]
        else:
            width = model.joints[index].nq
            q[start : start + width] = np.round(rng.uniform(-1.2, 1.2, width), 3)
            if kind == "prismatic":
                q[start] *= 0.25
    v = np.round(rng.uniform(-2, 2, model.nv), 3)
    tau = np.round(rng.uniform(-10, 10, model.nv), 3)
    return q, v, tau


def body_kinematics(model, data, carriers, q, v, a):
    """Pose, velocity and classical acceleration of each body's origin, in world axes."""
    pin.forwardKinematics(model, data, q, v, a)
    rows = []
    for index, offset in carriers:
        pose = data.oMi[index] * offset
        turn = pose.rotation
        if index == 0:
            velocity, acceleration = pin.Motion.Zero(), pin.Motion.Zero()
        else:
            velocity, acceleration = offset.actInv(data.v[index]), offset.actInv(data.a[index])
        classical = acceleration.linear + np.cross(velocity.angular, velocity.linear)
        rows.append(
            {
                "rotation": turn,
                "position": pose.translation,
                "angular_velocity": turn @ velocity.angular,
                "velocity": turn @ velocity.linear,
                "angular_acceleration": turn @ acceleration.angular,
                "acceleration": turn @ classical,
            }
        )
    return rows


def check_finite_differences(model, carriers, q, v, a, rows):
    """Velocities and accelerations against central differences of the poses along the motion."""
    data, step = model.createData(), 1e-4

    def at(time):
        # q(t) with v(t) = v + a t; the half-step velocity makes the displacement second-order exact.
        return body_kinematics(model, data, carriers, pin.integrate(model, q, time * (v + 0.5 * time * a)), v + time * a, a)

    ahead, behind = at(step), at(-step)
    for now, plus, minus in zip(rows, ahead, behind):
        for value, rate in [("position", "velocity"), ("velocity", "acceleration"), ("angular_velocity", "angular_acceleration")]:
            difference = (plus[value] - minus[value]) / (2 * step)
            scale = 1 + max(np.abs(now[rate]).max(), np.abs(now["angular_velocity"]).max() ** 3)
            assert np.allclose(difference, now[rate], atol=2e-5 * scale), (value, difference, now[rate])
        spin = (plus["rotation"] - minus["rotation"]) @ now["rotation"].T / (2 * step)
        found = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        assert np.allclose(found, now["angular_velocity"], atol=1e-4)


def motion_axes(joint, parent_rotation, row):
    """Free directions of a joint as README.md states them: (angular, linear at the child's origin), world axes."""
    inboard, outboard, zero = parent_rotation @ joint["rotation"], row["rotation"], np.zeros(3)
    kind = joint["type"]
    if kind in ("revolute", "prismatic", "helical", "cylindrical"):
        axis = inboard @ joint["axis"]
        return {
            "revolute": [(axis, zero)],
            "prismatic": [(zero, axis)],
            "helical": [(axis, joint.get("pitch_m_rad", 0.0) * axis)],
            "cylindrical": [(axis, zero), (zero, axis)],
        }[kind]
    if kind == "universal":
        return [(inboard @ joint["axis"], zero), (outboard @ joint["second_axis"], zero)]
    turns = [(outboard[:, k], zero) for k in range(3)]
    slides = [(zero, outboard[:, k]) for k in range(3)]
    return {"spherical": turns, "planar": slides[:2] + turns[2:], "free": slides + turns, "fixed": []}[kind]


def check_dalembert(bodies, joints, rows, gravity, tau, tolerance):
    """What a joint transmits to everything outboard of it, projected on its free directions, is tau."""
    size = len(bodies)
    force, moment = [np.zeros(3)] * size, [np.zeros(3)] * size  # moment about the world's origin
    for k in reversed(range(size)):
        body, row = bodies[k], rows[k]
        turn, spin, spin_rate = row["rotation"], row["angular_velocity"], row["angular_acceleration"]
        arm = turn @ body["com"]
        centre = row["acceleration"] + np.cross(spin_rate, arm) + np.cross(spin, np.cross(spin, arm))
        inertia = turn @ body["inertia"] @ turn.T
        inertial_force = body["mass"] * (centre - gravity)
        inertial_moment = inertia @ spin_rate + np.cross(spin, inertia @ spin)
        force[k] = force[k] + inertial_force
        moment[k] = moment[k] + inertial_moment + np.cross(row["position"] + arm, inertial_force)
        parent = joints[k]["parent"]
        if parent >= 0:
            force[parent] = force[parent] + force[k]
            moment[parent] = moment[parent] + moment[k]
    start, worst = 0, 0.0
    for k, joint in enumerate(joints):
        parent_rotation = rows[joint["parent"]]["rotation"] if joint["parent"] >= 0 else np.eye(3)
        about_origin = moment[k] - np.cross(rows[k]["position"], force[k])
        axes = motion_axes(joint, parent_rotation, rows[k])
        found = np.array([angular @ about_origin + linear @ force[k] for angular, linear in axes])
        if axes:
            worst = max(worst, np.abs(found - tau[start : start + len(axes)]).max())
        start += len(axes)
    assert start == len(tau) and worst < tolerance, worst
    return worst


def make_tree(rng, number, size):
    parents = random_parents(rng, size)
    kinds = list(rng.choice(JOINT_TYPES, size=size, p=TYPE_WEIGHTS))
    # Every other tree floats; the roots of the rest take every type in turn.
    kinds[0] = "free" if number % 2 == 0 else [k for k in JOINT_TYPES if k not in ("free", "fixed")][(number // 2) % 7]
    bodies = [random_body(rng) for _ in range(size)]
    joints = [random_joint(rng, k, parents[k], kinds[k]) for k in range(size)]
    gravity = np.round(rng.uniform(-10, 10, 3), 3)
    model, carriers = build_model(bodies, joints, gravity)
    q, v, tau = random_state(rng, model, joints, carriers)
    data = model.createData()
    a = pin.aba(model, data, q, v, tau).copy()
    rows = body_kinematics(model, data, carriers, q, v, a)

    mass_matrix = pin.crba(model, data, q).copy()
    mass_matrix = np.triu(mass_matrix) + np.triu(mass_matrix, 1).T
    bias = pin.nonLinearEffects(model, data, q, v)
    dense = np.linalg.solve(mass_matrix, tau - bias)
    assert np.allclose(dense, a, rtol=1e-9, atol=1e-9 * np.abs(a).max()), (number, np.abs(dense - a).max())
    check_finite_differences(model, carriers, q, v, a, rows)
    scale = 1 + np.abs(a).max()
    worst = check_dalembert(bodies, joints, rows, gravity, tau, 1e-10 * scale)

    for joint, (index, _) in zip(joints, carriers):
        if joint["type"] == "fixed":
            joint["q"], joint["v"], joint["tau"], joint["a"] = [], [], [], []
            continue
        entry = model.joints[index]
        joint["q"] = q[entry.idx_q : entry.idx_q + entry.nq]
        rates = slice(entry.idx_v, entry.idx_v + entry.nv)
        joint["v"], joint["tau"], joint["a"] = v[rates], tau[rates], a[rates]
    pin.computeAllTerms(model, data, q, v)
    return {
        "name": f"tree{number:02}",
        "gravity": gravity,
        "bodies": bodies,
        "joints": joints,
        "result": rows,
        "kinetic_energy_j": data.kinetic_energy,
        "potential_energy_j": data.potential_energy,
        "mass_matrix": {
            "size": model.nv,
            "trace": np.trace(mass_matrix),
            "frobenius_norm": np.linalg.norm(mass_matrix),
            "log_determinant": np.linalg.slogdet(mass_matrix)[1],
            "condition": float(f"{np.linalg.cond(mass_matrix):.3e}"),
        },
    }, worst


def main():
    rng = np.random.default_rng(SEED)
    trees, worst = [], 0.0
    for number, size in enumerate(TREE_SIZES):
        tree, error = make_tree(rng, number, size)
        trees.append(tree)
        worst = max(worst, error)
    used = {joint["type"] for tree in trees for joint in tree["joints"]}
    assert used == set(JOINT_TYPES), used
    print(f"{len(trees)} trees, worst d'Alembert residual {worst:.1e} N or Nm, worst condition "
          f"{max(tree['mass_matrix']['condition'] for tree in trees):.1e}")
    source = f"Pinocchio {pin.__version__} (aba), generated by make_pinocchio_trees.py with seed {SEED}; conventions in README.md"
    golden.write("pinocchio_trees.json", {"source": source, "trees": trees}, flat_keys=("bodies", "joints", "result"))


if __name__ == "__main__":
    main()
