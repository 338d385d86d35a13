#!/usr/bin/env python3
"""Sampled MSC ADAMS results of single-joint mechanisms -> adams_joints.json.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1
    venv/bin/python make_adams_joints.py FOLDER

FOLDER is a copy of the joint test data of Project Chrono (BSD-3): one sub-folder per joint with tab-separated ADAMS
results (`revolute_joint/Revolute_Case01_ADAMS_Pos.txt` and so on) beside the ADAMS models (`.adm`). The models below
are transcribed from the `.adm` files by hand. Each case is checked against an accurate integration of its one-
coordinate equation of motion, and the deviation found (ADAMS's integration error and its six printed digits) is
stored as the tolerance that a test can ask for.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import golden

GRAVITY = 9.80665
SAMPLE_EVERY = 25  # of the recorded 10 ms: 21 samples over 5 s
QUANTITIES = {
    "position": "Pos",
    "quaternion": "Quat",
    "velocity": "Vel",
    "angular_velocity": "Avel",
    "acceleration": "Acc",
    "angular_acceleration": "Aacc",
    "reaction_force": "Rforce",
    "reaction_torque": "Rtorque",
}
FROM_MINUS_90_ABOUT_X = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
FROM_PLUS_90_ABOUT_X = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def pendulum_body(position, rotation, inertia):
    """The one moving part; its frame is the ADAMS marker at its centre of mass."""
    return {
        "mass": 1.0,
        "com": [0, 0, 0],
        "inertia": np.diag(inertia),
        "initial_position": position,
        "initial_rotation": rotation,
        "initial_velocity": [0, 0, 0],
        "initial_angular_velocity": [0, 0, 0],
    }


def case(name, files, body, joint, motion, **more):
    """One of ADAMS's mechanisms: where its results are, what it is made of and how it moves."""
    return {"name": name, "files": files, "body": body, "joint": joint, **more, "motion": motion}


CASES = [
    case(
        "revolute_case01",
        "revolute_joint/Revolute",
        pendulum_body([2, 0, 0], FROM_MINUS_90_ABOUT_X, [0.04, 0.1, 0.1]),
        {"type": "revolute", "point": [0, 0, 0], "axis": [0, 1, 0]},
        "turn about +y from the horizontal",
    ),
    case(
        "spherical_case01",
        "spherical_joint/Spherical",
        pendulum_body([2, 0, 0], IDENTITY, [0.04, 0.1, 0.1]),
        {"type": "spherical", "point": [0, 0, 0]},
        "turn about +y from the horizontal",
    ),
    case(
        "universal_case01",
        "universal_joint/Universal",
        pendulum_body([0, 2, 0], FROM_PLUS_90_ABOUT_X, [0.1, 0.1, 0.04]),
        {
            "type": "universal",
            "point": [0, 0, 0],
            "axis": [1, 0, 0],
            "second_axis": [0, 0, 1],
            "note": "ADAMS HOOKE: first axis is x of the ground marker, second axis is y of the body's marker; "
            "both given in world axes at the initial pose",
        },
        "turn about -x from the horizontal",
    ),
    case(
        "prismatic_case01",
        "prismatic_joint/Prismatic",
        pendulum_body([2, 0, 0], IDENTITY, [0.04, 0.1, 0.1]),
        {"type": "prismatic", "point": [0, 0, 0], "axis": [0, 0, 1]},
        "free fall along the joint",
    ),
    case(
        "translational_spring_case01",
        "transpring_force/TranSpring",
        pendulum_body([0, 0, 0], IDENTITY, [0.04, 0.1, 0.1]),
        {"type": "free", "point": [0, 0, 0]},
        "vertical oscillator",
        spring={
            "ground_point": [0, 0, 1],
            "body_point": [0, 0, 0],
            "stiffness_n_m": 10.0,
            "damping_ns_m": 0.5,
            "free_length_m": 1.0,
            "note": "The .adm beside these results (k = 100 N/m, c = 1 Ns/m, body at y = 2 m) is not the model that "
            "produced them: the recorded body starts at the origin and the recorded force is 10 N/m times the "
            "fall plus 0.5 Ns/m times its rate, to the printed digits. The length of the spring cannot be seen "
            "in the results; 1 m is chosen, unstressed at the start. The reaction is the spring force on ground.",
        },
    ),
]


def load(folder, case):
    """All recorded quantities of a case at the recorded 501 times."""
    tables = {name: np.loadtxt(folder / f"{case['files']}_Case01_ADAMS_{suffix}.txt", skiprows=3) for name, suffix in QUANTITIES.items()}
    times = tables["position"][:, 0]
    assert all(np.array_equal(table[:, 0], times) for table in tables.values()) and len(times) == 501
    # Columns beyond the six printed digits of the largest value are numerical dust of ADAMS (1e-16): written as zero.
    return times, {name: np.where(np.abs(table[:, 1:]) < 1e-12, 0.0, table[:, 1:]) for name, table in tables.items()}


def integrate(times, rate):
    solution = solve_ivp(lambda _, y: [y[1], rate(y)], (0, times[-1]), [0, 0], "DOP853", times, rtol=1e-13, atol=1e-13)
    return solution.y[0], solution.y[1], np.array([rate(y) for y in solution.y.T])


def exact(case, times):
    """The same quantities from the equation of motion of the one coordinate that moves."""
    body, count = case["body"], len(times)
    start, turn0 = np.array(body["initial_position"], float), np.array(body["initial_rotation"], float)
    zero, up = np.zeros((count, 3)), np.array([0, 0, 1.0])
    if case["motion"].startswith("turn"):
        axis = np.array([0, 1.0, 0] if "+y" in case["motion"] else [-1.0, 0, 0])
        inertia = axis @ turn0 @ body["inertia"] @ turn0.T @ axis + 4.0
        angle, speed, rate = integrate(times, lambda y: GRAVITY * 2 * np.cos(y[0]) / inertia)
        turn = Rotation.from_rotvec(angle[:, None] * axis)
        position = turn.apply(start)
        spin, spin_rate = speed[:, None] * axis, rate[:, None] * axis
        velocity = np.cross(spin, position)
        acceleration = np.cross(spin_rate, position) + np.cross(spin, velocity)
    else:
        stiffness, damping = (10.0, 0.5) if "spring" in case else (0.0, 0.0)
        height, speed, rate = integrate(times, lambda y: -GRAVITY - stiffness * y[0] - damping * y[1])
        turn, spin, spin_rate = Rotation.from_rotvec(zero), zero, zero
        position = start + height[:, None] * up
        velocity, acceleration = speed[:, None] * up, rate[:, None] * up
    quaternion = (turn * Rotation.from_matrix(turn0)).as_quat(scalar_first=True)
    # The joint acts on ground with the opposite of what it does to the body; no torque in any of these cases.
    return {
        "position": position,
        "quaternion": quaternion,
        "velocity": velocity,
        "angular_velocity": spin,
        "acceleration": acceleration,
        "angular_acceleration": spin_rate,
        "reaction_force": -(acceleration + GRAVITY * up),
        "reaction_torque": zero,
    }


def deviation(name, found, truth):
    if name == "quaternion":  # q and -q are one orientation
        truth = truth * np.sign(np.sum(found * truth, axis=1))[:, None]
    return np.abs(found - truth).max()


def round_up(value):
    """One significant digit, upwards, with half as much again in hand."""
    value = max(1.5 * value, 1e-9)
    power = 10.0 ** np.floor(np.log10(value))
    return float(f"{np.ceil(value / power) * power:.0e}")


def transcribe(folder, case):
    times, recorded = load(folder, case)
    truth = exact(case, times)
    tolerance = {name: round_up(deviation(name, recorded[name], truth[name])) for name in QUANTITIES}
    print(case["name"], tolerance)
    assert tolerance["position"] < 5e-3 and tolerance["velocity"] < 5e-3, "transcription of the model is wrong"
    chosen = slice(0, None, SAMPLE_EVERY)
    return {
        "name": case["name"],
        "body": case["body"],
        "joint": case["joint"],
        **({"spring": case["spring"]} if "spring" in case else {}),
        "motion": case["motion"],
        "tolerance": tolerance,
        "time_s": times[chosen],
        "samples": {name: recorded[name][chosen] for name in QUANTITIES},
    }


def main():
    folder = Path(sys.argv[1])
    golden.write(
        "adams_joints.json",
        {
            "source": "MSC ADAMS results and models (.adm) among the joint test data of Project Chrono (BSD-3), sampled by "
            "make_adams_joints.py; conventions in README.md",
            "gravity": [0, 0, -GRAVITY],
            "cases": [transcribe(folder, case) for case in CASES],
        },
    )


if __name__ == "__main__":
    main()
