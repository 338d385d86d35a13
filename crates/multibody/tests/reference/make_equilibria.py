#!/usr/bin/env python3
"""Vehicles at rest on their wheels, by the second route -> vehicle_equilibria.json.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1
    venv/bin/python make_equilibria.py
"""

import numpy as np

import dense_equilibrium
import golden
from dense_dynamics import Point, State
from dense_forces import load_of, wheel_load
from dense_model import Model, normals

MODELS = golden.HERE.parents[3] / "models"
START_HEIGHT_M = {"hmmwv": 0.476, "passenger-car": 0.31, "tractor-semitrailer": 0.52}  # all tyres pressed


def driven_rows(model):
    """Driven joints held in the design position."""
    rows = []
    for joint in (joint for joint in model.joints.values() if joint.driven):
        if joint.kind == "translational":
            rows.append(("along", joint.first, (joint.axis, joint.point), joint.second, joint.point, 0.0))
        else:
            first, second = normals(joint.axis)
            rows.append(("dot", joint.first, first, joint.second, second, 0.0))
    return rows


def at_rest(name):
    model = Model(MODELS / name)
    start = State.design(model)
    start.position[:, 2] += START_HEIGHT_M[name]
    state = dense_equilibrium.solve(model, start, driven_rows(model))
    joint = model.joints["chassis"]
    turn = state.rotation[joint.second]
    loads = {wheel: wheel_load(model, state, fields)[1] for wheel, fields in model.elements("wheels").items()}
    weight = -model.gravity[2] * sum(body.mass for body in model.bodies)
    assert abs(sum(loads.values()) - weight) < 1e-9 * weight and np.isfinite(load_of(model, state)).all()
    print(name, {wheel: round(float(load), 1) for wheel, load in loads.items()})
    return {
        "reference_height_m": Point(model, state, joint.second, joint.point).x[2],
        "roll_rad": np.arctan2(turn[2, 1], turn[2, 2]),
        "pitch_rad": np.arcsin(-turn[2, 0]),
        "weight_n": weight,
        "wheel_loads_n": loads,
    }


def main():
    source = "Dense equilibrium in absolute coordinates of models/NAME by make_equilibria.py; conventions in README.md"
    golden.write("vehicle_equilibria.json", {"source": source, **{name: at_rest(name) for name in START_HEIGHT_M}})


if __name__ == "__main__":
    main()
