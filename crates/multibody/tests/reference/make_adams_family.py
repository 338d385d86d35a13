#!/usr/bin/env python3
"""Single bodies on the joints of ADAMS's family that the recorded cases leave out -> adams_family.json.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1
    venv/bin/python make_adams_family.py

Motion by the second route (absolute coordinates with multipliers, Dormand-Prince 8(5,3)); what the joint does to the body by Newton and
Euler: m (a - g), and the moment about the centre of gravity, I alpha + omega x I omega. Springs on joints act along with the joint: the moment
has both.
"""

import numpy as np

import golden
from dense_dynamics import accelerations
from dense_forces import load_of
from dense_initial import closure, energy, initial_state, simulate
from dense_model import Model

MODELS = golden.HERE.parents[3] / "models"
NAMES = [
    "adams-cylindrical",
    "adams-distance",
    "adams-revolute-spherical",
    "adams-revolute-tilted",
    "adams-rotational-spring",
]


def case(name):
    model = Model(MODELS / name)
    state = initial_state(model)
    assert max(closure(model, state)) < 1e-12, name
    times = np.linspace(0, 5, 21)
    states = simulate(model, state, times, 1e-11)
    levels = np.array([energy(model, now) for now in states])
    print(f"{name}: energy changes by {np.ptp(levels):.1e} J of {np.abs(levels).max():.3g} J")
    assert name == "adams-rotational-spring" or np.ptp(levels) < 1e-7 * (1 + np.abs(levels).max())
    body, gravity = model.bodies[0], np.array([0, 0, -9.80665])
    fields = {key: [] for key in ("acceleration", "angular_acceleration", "force", "moment")}
    for now in states:
        linear, angular = accelerations(model, now, load_of(model, now))[0].reshape(2, 3)
        inertia = now.rotation[0] @ body.inertia @ now.rotation[0].T
        spin = now.spin[0]
        fields["acceleration"].append(linear)
        fields["angular_acceleration"].append(angular)
        fields["force"].append(body.mass * (linear - gravity))
        fields["moment"].append(inertia @ angular + np.cross(spin, inertia @ spin))
    return {
        "model": name,
        "time_s": times,
        "position": [now.position[0] for now in states],
        "velocity": [now.velocity[0] for now in states],
        "angular_velocity": [now.spin[0] for now in states],
        **fields,
    }


def main():
    source = "Absolute coordinates with multipliers of models/NAME by make_adams_family.py; conventions in README.md"
    golden.write("adams_family.json", {"source": source, "cases": [case(name) for name in NAMES]})


if __name__ == "__main__":
    main()
