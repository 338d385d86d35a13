#!/usr/bin/env python3
"""Motion of example mechanisms by the second route -> trajectories.json.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1
    venv/bin/python make_trajectories.py

Absolute coordinates with multipliers, Dormand-Prince 8(5,3); energy is checked where nothing dissipates. The HMMWV starts in its design
position (all joint coordinates zero) with its reference point 0.5 m above the ground, at rest, rack held, wheels without slip forces, and settles.
"""

import numpy as np

import golden
from dense_dynamics import State
from dense_initial import closure, energy, initial_state, simulate
from dense_model import Model
from make_equilibria import driven_rows

MODELS = golden.HERE.parents[3] / "models"
CASES = [  # name, duration, samples, tolerance
    ("double-pendulum", 1.0, 11, 1e-11),
    ("four-bar", 1.0, 11, 1e-11),
    ("slider-crank", 1.0, 11, 1e-11),
    ("rscr", 1.0, 11, 1e-11),
    ("gyroscope", 0.2, 5, 1e-11),
    ("hmmwv", 0.5, 11, 1e-9),
]


def trajectory(name, duration, samples, tolerance):
    model = Model(MODELS / name)
    if name == "hmmwv":
        state = State.design(model)
        state.position[:, 2] += 0.5
    else:
        state = initial_state(model)
    assert max(closure(model, state)) < 1e-12, name
    times = np.linspace(0, duration, samples)
    states = simulate(model, state, times, tolerance, driven_rows(model))
    levels = np.array([energy(model, now) for now in states])
    print(f"{name}: energy changes by {np.ptp(levels):.1e} J of {np.abs(levels).max():.3g} J")
    assert name == "hmmwv" or np.ptp(levels) < 1e-7 * (1 + np.abs(levels).max())
    return {
        "model": name,
        "bodies": [body.name for body in model.bodies],
        "time_s": times,
        "position": [now.position for now in states],
        "rotation": [now.rotation.reshape(-1, 9) for now in states],
        "velocity": [now.velocity for now in states],
        "angular_velocity": [now.spin for now in states],
        **({} if name == "hmmwv" else {"energy_j": levels[0]}),
    }


def main():
    source = "Absolute coordinates with multipliers of models/NAME by make_trajectories.py; conventions in README.md"
    golden.write("trajectories.json", {"source": source, "cases": [trajectory(*case) for case in CASES]})


if __name__ == "__main__":
    main()
