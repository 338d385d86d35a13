#!/usr/bin/env python3
"""Closed-loop accelerations of the HMMWV at random admissible states, and its static equilibrium -> hmmwv_states.json.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1
    venv/bin/python make_hmmwv_reference.py

Second route: models/hmmwv in absolute coordinates with dense Lagrange multipliers (dense_*.py). Each state is checked by
central differences of velocities along the motion (the constraint derivatives) and by the balance of power.
"""

import numpy as np
from scipy.spatial.transform import Rotation

import dense_equilibrium
import golden
from dense_dynamics import (
    Point,
    State,
    accelerations,
    add,
    add_point,
    constraints,
    project_position,
    project_velocity,
    relative_angle,
)
from dense_forces import kinetic_energy, load_of, wheel_load
from dense_model import Model

FOLDER = golden.HERE.parents[3] / "models" / "hmmwv"
SEED, STATES = 31415, 10
CORNERS = ["fl", "fr", "rl", "rr"]
PUBLISHED = {"chassis_height_m": 0.5521, "pitch_rad": 0.017555, "front_load_n": 6532.156, "rear_load_n": 6107.656}


def rack_row(model, displacement):
    """The rack held at a displacement along its axis."""
    rack = model.joints["rack"]
    return ("along", rack.first, (rack.axis, rack.point), rack.second, rack.point, displacement)


def random_state(model, rng):
    """A car anywhere, suspension off design, rack off centre, everything moving, all constraints met."""
    state = State.design(model)
    change = rng.uniform(-0.02, 0.02, 6 * len(model.bodies))
    change[:6] = 0.0
    rack = rng.uniform(-0.05, 0.05)
    extra = [rack_row(model, rack)]
    for name in CORNERS:
        # The lower arm turned about its hinge leads; the rest of the corner follows.
        hinge = model.joints[f"lower_arm_{name}"]
        angle = rng.uniform(-0.2, 0.2)
        turn = Rotation.from_rotvec(angle * hinge.axis).as_matrix()
        for part in ("lower_arm", "upright", "wheel"):
            k = model.number_of[f"{part}_{name}"]
            moved = hinge.point + turn @ (state.position[k] - hinge.point)
            change[6 * k : 6 * k + 3] = moved - state.position[k]
        hub = model.joints[f"hub_{name}"]
        change[6 * model.number_of[f"wheel_{name}"] + 3 :][:3] = rng.uniform(-1, 1) * hub.axis
    state = project_position(model, state.moved(change), extra)
    place, heading = rng.uniform(-5, 5, 3), Rotation.random(rng=rng).as_matrix()
    state = State(place + state.position @ heading.T, heading @ state.rotation)
    speed, spin = rng.uniform(-8, 8, 3), rng.uniform(-1, 1, 3)
    velocity = speed + np.cross(spin, state.position - place)
    spins = np.tile(spin, (len(model.bodies), 1)) + rng.uniform(-1, 1, state.position.shape)
    for name in CORNERS:
        k = model.number_of[f"wheel_{name}"]
        spins[k] += rng.uniform(-30, 30) * state.rotation[k] @ np.array([0, 1, 0])
    state = State(state.position, state.rotation, velocity + rng.uniform(-0.3, 0.3, velocity.shape), spins)
    rate, rate_of_rate = rng.uniform(-0.2, 0.2), rng.uniform(-2, 2)
    return project_velocity(model, state, extra, [rate]), rack, rate, rate_of_rate


def external(model, state, forces):
    """Forces on the wheel centres and torques on the wheels, world axes."""
    load = np.zeros(6 * len(model.bodies))
    for name, entry in forces.items():
        k = model.number_of[f"wheel_{name}"]
        add_point(load, Point(model, state, k, model.bodies[k].centre), np.array(entry["force_n"]))
        add(load, k, np.zeros(3), np.array(entry["torque_nm"]))
    return load


def check(model, state, rates_of_rates, load, extra, wanted):
    """Constraint accelerations by differences; power of all forces equals the rate of kinetic energy when the rack is free."""
    step = 1e-5

    def drift(time):
        rates = state.rates() + time * rates_of_rates
        moved = state.moved(time * (state.rates() + 0.5 * time * rates_of_rates)).with_rates(rates)
        return constraints(model, moved, extra)[1] @ rates, kinetic_energy(model, moved)

    (ahead, energy_ahead), (behind, energy_behind) = drift(step), drift(-step)
    found = (ahead - behind) / (2 * step)
    found[len(found) - len(wanted) :] -= wanted
    assert np.abs(found).max() < 1e-4, np.abs(found).max()
    if not extra:
        power, change = load @ state.rates(), (energy_ahead - energy_behind) / (2 * step)
        assert abs(power - change) < 1e-5 * (1 + abs(power)), (power, change)


def joint_coordinates(model, state, rates_of_rates):
    """Angles, rates and accelerations of the hinges and the rack, as docs/model-files.md counts them."""
    answer = {}
    for name, joint in model.joints.items():
        a, b = joint.first, joint.second
        if joint.kind == "revolute":
            axis = state.rotation[a] @ joint.axis
            rate = axis @ (state.spin[b] - state.spin[a])
            gain = axis @ (rates_of_rates[6 * b + 3 : 6 * b + 6] - rates_of_rates[6 * a + 3 : 6 * a + 6])
            gain += np.cross(state.spin[a], axis) @ (state.spin[b] - state.spin[a])
            answer[name] = [relative_angle(state, joint), rate, gain]
    return answer


def body_rows(model, state, rates_of_rates):
    rows = []
    for k, body in enumerate(model.bodies):
        rows.append(
            {
                "name": body.name,
                "rotation": state.rotation[k],
                "position": state.position[k],
                "velocity": state.velocity[k],
                "angular_velocity": state.spin[k],
                "acceleration": rates_of_rates[6 * k : 6 * k + 3],
                "angular_acceleration": rates_of_rates[6 * k + 3 : 6 * k + 6],
            }
        )
    return rows


def make_state(model, rng, number):
    state, rack, rack_rate, rack_gain = random_state(model, rng)
    phi, jacobian, _ = constraints(model, state, [rack_row(model, rack)])
    assert np.abs(phi).max() < 1e-13 and np.abs((jacobian @ state.rates())[:-1]).max() < 1e-12
    assert np.linalg.matrix_rank(jacobian) == len(jacobian) == 6 * len(model.bodies) - 14
    forces = {
        name: {"force_n": np.round(rng.uniform([-2e3, -2e3, 0], [2e3, 2e3, 1e4]), 1), "torque_nm": np.round(rng.uniform(-300, 300, 3), 1)}
        for name in CORNERS
    }
    springs = load_of(model, state, tyres=False)
    loaded = springs + external(model, state, forces)
    cases = {}
    for name, load, extra, wanted in [
        ("driven", springs, [rack_row(model, rack)], np.array([rack_gain])),
        ("driven_loaded", loaded, [rack_row(model, rack)], np.array([rack_gain])),
        ("free", loaded, [], np.zeros(0)),
    ]:
        found, multiplier = accelerations(model, state, load, extra, wanted)
        check(model, state, found, load, extra, wanted)
        cases[name] = {
            "bodies": [{key: row[key] for key in ("name", "acceleration", "angular_acceleration")} for row in body_rows(model, state, found)],
            "hinge_acceleration_rad_s2": {joint: values[2] for joint, values in joint_coordinates(model, state, found).items()},
        }
        if extra:
            # M a + G^T lambda = Q: what holds the rack pushes it with -lambda along its axis.
            cases[name]["rack_force_n"] = -multiplier[-1]
    still = body_rows(model, state, np.zeros(6 * len(model.bodies)))
    hinges = joint_coordinates(model, state, np.zeros(6 * len(model.bodies)))
    return {
        "name": f"state{number}",
        "rack": {"displacement_m": rack, "velocity_m_s": rack_rate, "acceleration_m_s2": rack_gain},
        "hinges": {joint: values[:2] for joint, values in hinges.items()},
        "wheel_forces": forces,
        "poses": [{key: row[key] for key in ("name", "rotation", "position", "velocity", "angular_velocity")} for row in still],
        **cases,
    }


def equilibrium(model):
    start = State.design(model)
    start.position[:, 2] += 0.476  # tyres pressed by 2 cm
    state = dense_equilibrium.solve(model, start, [rack_row(model, 0.0)])
    chassis = model.number_of["chassis"]
    loads = {name: wheel_load(model, state, fields)[1] for name, fields in model.elements("wheels").items()}
    found = {
        "chassis_height_m": Point(model, state, chassis, [0, 0, 0]).x[2],
        "pitch_rad": float(np.arcsin(-state.rotation[chassis][2, 0])),
        "wheel_loads_n": loads,
        "hinge_angle_rad": {joint: values[0] for joint, values in joint_coordinates(model, state, np.zeros(6 * len(model.bodies))).items()},
        "published": PUBLISHED,
    }
    print(found["chassis_height_m"], found["pitch_rad"], loads)
    assert abs(found["chassis_height_m"] - PUBLISHED["chassis_height_m"]) < 5e-5
    assert abs(found["pitch_rad"] - PUBLISHED["pitch_rad"]) < 1e-6
    for name, load in loads.items():
        # The published front load ends in 6 where the exact one is 6.65 thousandths: one unit of the last digit.
        assert abs(load - PUBLISHED["front_load_n" if "front" in name else "rear_load_n"]) < 1e-3
    return found


def main():
    model, rng = Model(FOLDER), np.random.default_rng(SEED)
    golden.write(
        "hmmwv_states.json",
        {
            "source": "Dense Lagrange-multiplier system in absolute coordinates of models/hmmwv by make_hmmwv_reference.py "
            f"(seed {SEED}); published: static check by two independent codes on the same mechanism; conventions in README.md",
            "gravity": model.gravity,
            "equilibrium": equilibrium(model),
            "states": [make_state(model, rng, number) for number in range(STATES)],
        },
        flat_keys=("poses", "bodies"),
    )


if __name__ == "__main__":
    main()
