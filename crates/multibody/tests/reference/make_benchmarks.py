#!/usr/bin/env python3
"""Reference values of the IFToMM benchmark models -> benchmarks.json.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1
    venv/bin/python make_benchmarks.py

Each problem is solved in the coordinates that suit it best, not in those of the engine:
- Andrews' squeezer: the seven angles and six multipliers of the IVP test set, written out; compared with its published solution;
- simple pendulum: elliptic functions;
- N-four-bar: one angle, all cranks parallel;
- flyball governor: arm angle, sleeve height and the conserved angular momentum;
- Bricard: absolute coordinates with multipliers (dense_*.py), energy conserved.
The model files are tied to these formulas by accelerations in the second route at the initial state.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import golden
from dense_dynamics import Point, accelerations
from dense_forces import load_of
from dense_initial import closure, energy, initial_state, simulate
from dense_model import Model

MODELS = golden.HERE.parents[3] / "models"
G = 9.81


def initial_accelerations(name):
    model = Model(MODELS / name)
    state = initial_state(model)
    assert max(closure(model, state)) < 1e-12
    return model, state, accelerations(model, state, load_of(model, state))[0].reshape(-1, 6)


# ---- Andrews' squeezer ------------------------------------------------------------------------------------------------------

ANGLES = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"]
JOINTS = ["crank", "k1_k2", "k3", "k5_k4", "k5", "k7_k6", "k7"]
START = [-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550, -0.222668390165885885, 1.23054744454982119]
PUBLISHED = [15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304, 0.5347301163226948, 1.048080741042263]
D, DA, E, EA, RR, RA, SS, SA, SB, SC, SD = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874, 0.01043, 0.018, 0.02
ZT, TA, TB, U, UA, UB, ZF, FA = 0.04, 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.01421
MASS = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
INERTIA = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
XB, YB, XC, YC, STIFFNESS, FREE_LENGTH, TORQUE = -0.03635, 0.03273, 0.014, 0.072, 4530.0, 0.07785, 0.033


def squeezer(q, v):
    """Accelerations of the angles: mass matrix, forces and constraints as the test set states them."""
    b, t, c, p, d, o, e = q
    bp, tp, cp, pp, dp, op, ep = v
    m, i, arm4, arm6 = MASS, INERTIA, E - EA, ZF - FA
    mass = np.zeros((7, 7))
    mass[0, 0] = m[0] * RA**2 + m[1] * (RR**2 - 2 * DA * RR * np.cos(t) + DA**2) + i[0] + i[1]
    mass[0, 1] = mass[1, 0] = m[1] * (DA**2 - DA * RR * np.cos(t)) + i[1]
    mass[1, 1] = m[1] * DA**2 + i[1]
    mass[2, 2] = m[2] * (SA**2 + SB**2) + i[2]
    mass[3, 3] = m[3] * arm4**2 + i[3]
    mass[3, 4] = mass[4, 3] = m[3] * (arm4**2 + ZT * arm4 * np.sin(p)) + i[3]
    mass[4, 4] = m[3] * (ZT**2 + 2 * ZT * arm4 * np.sin(p) + arm4**2) + m[4] * (TA**2 + TB**2) + i[3] + i[4]
    mass[5, 5] = m[5] * arm6**2 + i[5]
    mass[5, 6] = mass[6, 5] = m[5] * (arm6**2 - U * arm6 * np.sin(o)) + i[5]
    mass[6, 6] = m[5] * (arm6**2 - 2 * U * arm6 * np.sin(o) + U**2) + m[6] * (UA**2 + UB**2) + i[5] + i[6]
    xd, yd = SD * np.cos(c) + SC * np.sin(c) + XB, SD * np.sin(c) - SC * np.cos(c) + YB
    length = np.hypot(xd - XC, yd - YC)
    pull = -STIFFNESS * (length - FREE_LENGTH) / length
    force = np.array(
        [
            TORQUE - m[1] * DA * RR * tp * (tp + 2 * bp) * np.sin(t),
            m[1] * DA * RR * bp**2 * np.sin(t),
            pull * (xd - XC) * (SC * np.cos(c) - SD * np.sin(c)) + pull * (yd - YC) * (SD * np.cos(c) + SC * np.sin(c)),
            m[3] * ZT * arm4 * dp**2 * np.cos(p),
            -m[3] * ZT * arm4 * pp * (pp + 2 * dp) * np.cos(p),
            -m[5] * U * arm6 * ep**2 * np.cos(o),
            m[5] * U * arm6 * op * (op + 2 * ep) * np.cos(o),
        ]
    )
    # Position of the common point by way of each chain is a sum of r (cos a, sin a); columns say how the angles add up to a.
    crank = [(RR, 0.0, [0]), (-D, 0.0, [0, 1])]
    chains = [[(SS, -np.pi / 2, [2])], [(ZT, 0.0, [4]), (E, -np.pi / 2, [3, 4])], [(U, -np.pi / 2, [6]), (ZF, 0.0, [5, 6])]]
    jacobian, gamma = np.zeros((6, 7)), np.zeros(6)
    for k, chain in enumerate(chains):
        for sign, terms in ((1.0, crank), (-1.0, chain)):
            for radius, offset, columns in terms:
                angle, rate = offset + sum(q[j] for j in columns), sum(v[j] for j in columns)
                for j in columns:
                    jacobian[2 * k, j] -= sign * radius * np.sin(angle)
                    jacobian[2 * k + 1, j] += sign * radius * np.cos(angle)
                gamma[2 * k] += sign * radius * np.cos(angle) * rate**2
                gamma[2 * k + 1] += sign * radius * np.sin(angle) * rate**2
    system = np.block([[mass, jacobian.T], [jacobian, np.zeros((6, 6))]])
    return np.linalg.solve(system, np.concatenate([force, gamma]))[:7]


def andrews():
    model, _, found = initial_accelerations("iftomm-andrews-squeezer")
    start = squeezer(np.array(START), np.zeros(7))
    number = model.number_of
    assert np.allclose([found[number["k1"]][5], found[number["k2"]][5] - found[number["k1"]][5]], start[:2], rtol=1e-9)
    times = np.linspace(0, 0.03, 7)
    motion = solve_ivp(
        lambda _, y: np.concatenate([y[7:], squeezer(y[:7], y[7:])]), (0, 0.03), START + [0.0] * 7, "DOP853", times, rtol=1e-12, atol=1e-13
    ).y
    error = np.abs(motion[:7, -1] - PUBLISHED).max()
    print(f"andrews: {error:.1e} rad from the published angles at 0.03 s")
    assert error < 1e-6
    return {
        "source": "Test Set for IVP Solvers, Andrews' squeezing mechanism: published angles at 0.03 s; samples integrated here",
        "model": "iftomm-andrews-squeezer",
        "angles": ANGLES,
        "joints": JOINTS,
        "published_at_0.03_s": PUBLISHED,
        "initial_acceleration_rad_s2": start,
        "time_s": times,
        "angle_rad": motion[:7].T,
        "rate_rad_s": motion[7:].T,
        "deviation_from_published": error,
    }


# ---- simple pendulum, N-four-bar -------------------------------------------------------------------------------------------------


def pendulum():
    times = np.linspace(0, 10, 21)
    modulus, natural = 0.5, np.sqrt(G)  # released from the horizontal: sin^2(45 deg)
    sn, cn, dn, _ = ellipj(ellipk(modulus) - natural * times, modulus)
    swing = 2 * np.arcsin(np.sqrt(modulus) * sn)  # from the vertical, positive towards -x
    speed = -2 * np.sqrt(modulus) * natural * cn
    check = solve_ivp(lambda _, y: [y[1], -G * np.sin(y[0])], (0, 10), [np.pi / 2, 0], "DOP853", times, rtol=1e-13, atol=1e-13).y
    assert np.abs(check - [swing, speed]).max() < 1e-9
    return {
        "source": "closed form with elliptic functions; problem: IFToMM benchmark A01",
        "model": "iftomm-simple-pendulum",
        "time_s": times,
        "position_m": np.stack([-np.sin(swing), -np.cos(swing)], 1),
        "pivot_angle_rad": np.pi / 2 - swing,
        "pivot_rate_rad_s": -speed,
        "energy_j": 0.0,
    }


def four_bars(windows, name):
    """Crank angle a from its upright start: (N+1)/3 + N parts of inertia, (N+1)/2 + N parts of weight."""
    inertia, weight = (windows + 1) / 3 + windows, (windows + 1) / 2 + windows
    times = np.linspace(0, 10, 21)
    rate = lambda angle: G * weight / inertia * np.sin(angle)
    motion = solve_ivp(lambda _, y: [y[1], rate(y[0])], (0, 10), [0, -1.0], "DOP853", times, rtol=1e-13, atol=1e-13).y
    if windows == 2:
        model, _, found = initial_accelerations(name)
        expected = np.array([0.0, -0.5])  # centre of an upright crank at 1 rad/s, no angular acceleration
        assert np.allclose(found[model.number_of["crank_0"]][:2], expected, atol=1e-9)
    return {
        "source": "reduced to one angle and integrated to 1e-13; problem: IFToMM benchmark A02",
        "model": name,
        "time_s": times,
        "crank_angle_rad": motion[0],
        "crank_rate_rad_s": motion[1],
        "energy_j": 0.5 * inertia + G * weight,
        "note": "energy with zero level at y = 0; the motion passes the flat (singular) positions with all cranks parallel",
    }


# ---- flyball governor, Bricard -----------------------------------------------------------------------------------------------------


def governor():
    arm_mass, arm_length, hinge, axial, sleeve_mass = 6.0, 11 / 12, 16 / 3, 0.001, 3.0
    stiffness, damping, link = 8e5, 4e4, 0.5
    turning = lambda a: 0.01 + 0.01 + 2 * (hinge * np.sin(a) ** 2 + axial * np.cos(a) ** 2)
    start = np.pi / 6
    momentum = 2 * np.pi * turning(start)

    def rates(_, y):
        _, a, s, a_rate, s_rate = y
        spin = momentum / turning(a)
        mid, mid_slope = np.array([0.5 * np.sin(a), 1 - 0.5 * np.cos(a)]), np.array([0.5 * np.cos(a), 0.5 * np.sin(a)])
        line = mid - [0, s]
        length = np.hypot(*line)
        by_a, by_s = line @ mid_slope / length, -line[1] / length
        tension = stiffness * (length - link) + damping * (by_a * a_rate + by_s * s_rate)
        centrifugal = spin**2 * (hinge - axial) * np.sin(a) * np.cos(a)
        a_gain = (centrifugal - arm_mass * G * arm_length * np.sin(a) - tension * by_a) / hinge
        return [spin, a_rate, s_rate, a_gain, -G - 2 * tension * by_s / sleeve_mass]

    first = np.array([0.0, start, 1 - np.cos(start), 0.0, 0.0])
    model, _, found = initial_accelerations("iftomm-flyball-governor")
    gains = rates(0, first)
    assert np.allclose([abs(found[model.number_of["arm_a"]][4]), found[model.number_of["sleeve"]][2]], [abs(gains[3]), gains[4]], rtol=1e-9)
    times = np.linspace(0, 10, 41)
    with np.errstate(over="ignore"):  # SciPy's difference step for the bearing angle, on which nothing depends, runs away harmlessly
        motion = solve_ivp(rates, (0, 10), first, "Radau", times, rtol=1e-10, atol=1e-12).y
        rougher = solve_ivp(rates, (0, 10), first, "BDF", times, rtol=1e-8, atol=1e-10).y
    print(f"governor: {np.abs(motion - rougher).max():.1e} between Radau at 1e-10 and BDF at 1e-8")
    assert np.abs(motion - rougher).max() < 1e-4
    return {
        "source": "reduced to arm angle, sleeve height and conserved angular momentum, integrated by Radau IIA to 1e-10; problem after IFToMM benchmark A05",
        "model": "iftomm-flyball-governor",
        "time_s": times,
        "bearing_angle_rad": motion[0],
        "bearing_rate_rad_s": np.array([momentum / turning(a) for a in motion[1]]),
        "arm_angle_rad": motion[1],
        "slide_m": motion[2],
        "angular_momentum_nms": momentum,
        "note": "hinge_a has +arm_angle, hinge_b -arm_angle; slide_m is the coordinate of joint slide",
    }


def bricard():
    model = Model(MODELS / "iftomm-bricard")
    times = np.linspace(0, 10, 41)
    states = simulate(model, initial_state(model), times, 1e-11)
    levels = np.array([energy(model, state) for state in states])
    rod = model.number_of["rod_3"]
    print(f"bricard: energy drift {np.ptp(levels):.1e} J of {levels[0]:.3f} J")
    assert np.ptp(levels) < 1e-6
    return {
        "source": "absolute coordinates with multipliers, Dormand-Prince 8(5,3) at 1e-11, projected every 0.25 s; problem after IFToMM benchmark A04",
        "model": "iftomm-bricard",
        "time_s": times,
        "hinge_4_position_m": np.array([Point(model, state, rod, [1, 1, 1]).x for state in states]),
        "energy_j": levels[0],
        "energy_drift_j": np.ptp(levels),
    }


def main():
    problems = {
        "andrews": andrews(),
        "simple_pendulum": pendulum(),
        "four_bar_2": four_bars(2, "iftomm-n-four-bar"),
        "four_bar_40": four_bars(40, "iftomm-n-four-bar-40"),
        "governor": governor(),
        "bricard": bricard(),
    }
    golden.write("benchmarks.json", {"source": "make_benchmarks.py; each problem names its own", **problems})


if __name__ == "__main__":
    main()
