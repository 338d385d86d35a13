#!/usr/bin/env python3
"""Writes the reference solutions that the Rust tests compare with (one CSV file per scenario).

Run it by hand when a scenario changes:  python3 make_reference.py   (needs numpy and scipy)

It shares nothing with the Rust code but the scenario files: the equations of RTSDS, the limits and the PID
controller are written here again, and the differential equations are solved by scipy's DOP853 with a
relative tolerance of 1e-12. Inputs are held during each sample of `step_s`, as the controller holds them, so
each sample is solved by itself. Limits are events: the solver stops at them exactly.
"""

import csv
import math
import pathlib
import tomllib

from scipy.integrate import solve_ivp

HERE = pathlib.Path(__file__).parent
SHIPPED = HERE.parents[3] / "models" / "scenarios"
SCENARIOS = sorted(SHIPPED.glob("*-fig*.toml")) + sorted(HERE.glob("*.toml"))
ROW_EVERY_S = 1.0

TANK = {
    "pump_flow_cm3_s": 69.0, "tank_area_cm2": 15.518, "outlet_area_cm2": 0.1781,
    "gravity_cm_s2": 980.0, "level_max_cm": 30.0,
}
CAR = {
    "mass_kg": 450.0, "torque_max_nm": 2000.0, "wheel_radius_m": 0.26, "gravity_m_s2": 9.8,
    "air_density_kg_m3": 1.18, "drag_coefficient_ratio": 0.51, "frontal_area_m2": 2.4,
    "rolling_constant_ratio": 0.015, "rolling_quadratic_s2_m2": 0.0, "inclination_max_deg": 60.0,
    "speed_max_m_s": 200.0,
}


class Tank:
    """RTSDS Eq. 5: one state, the level."""

    inputs = {"inlet_valve_ratio": 0.0, "outlet_valve_ratio": 1.0}
    states = ["level_cm"]

    def __init__(self, parameters):
        self.p = {**TANK, **parameters}
        self.low, self.high = 0.0, self.p["level_max_cm"]

    def slope(self, x, u):
        p = self.p
        inflow = p["pump_flow_cm3_s"] * u[0]
        outflow = u[1] * p["outlet_area_cm2"] * math.sqrt(2.0 * p["gravity_cm_s2"] * max(x[0], 0.0))
        return [(inflow - outflow) / p["tank_area_cm2"]]


class Car:
    """RTSDS Eq. 12 and 22: speed, and the distance beside it."""

    inputs = {"motor_torque_ratio": 0.0, "inclination_ratio": 0.0}
    states = ["speed_m_s", "position_m"]

    def __init__(self, parameters):
        self.p = {**CAR, **parameters}
        self.low, self.high = 0.0, self.p["speed_max_m_s"]

    def slope(self, x, u):
        p = self.p
        v = x[0]
        drag = 0.5 * p["air_density_kg_m3"] * p["drag_coefficient_ratio"] * p["frontal_area_m2"] * v * v
        weight = p["mass_kg"] * p["gravity_m_s2"]
        rolling = weight * (p["rolling_constant_ratio"] + p["rolling_quadratic_s2_m2"] * v * v)
        climbing = weight * math.sin(u[1] * math.radians(p["inclination_max_deg"]))
        pulling = u[0] * p["torque_max_nm"] / p["wheel_radius_m"]
        return [(pulling - drag - rolling - climbing) / p["mass_kg"], v]


def advance(system, x, u, duration):
    """Solves over one sample; the first state stays inside its limits."""
    left = duration
    while left > 0.0:
        rate = system.slope(x, u)[0]
        if (x[0] >= system.high and rate >= 0.0) or (x[0] <= system.low and rate <= 0.0):
            # held at the limit for the rest of the sample: the inputs do not change within it
            return [x[0]] + [value + x[0] * left for value in x[1:]]
        hit_high = lambda _t, y: y[0] - system.high
        hit_low = lambda _t, y: y[0] - system.low
        hit_high.terminal, hit_high.direction = True, 1
        hit_low.terminal, hit_low.direction = True, -1
        solution = solve_ivp(
            lambda _t, y: system.slope(y, u), (0.0, left), x, method="DOP853",
            rtol=1e-12, atol=1e-13, events=[hit_high, hit_low],
        )
        assert solution.success, solution.message
        x = [float(row[-1]) for row in solution.y]
        left -= float(solution.t[-1])
        if solution.status == 1:
            x[0] = system.high if len(solution.t_events[0]) else system.low
    return x


class Pid:
    """Parallel form; error over full scale; filtered derivative of the measurement; conditional integration."""

    def __init__(self, settings, full_scale):
        self.kp, self.ki, self.kd = settings["kp"], settings["ki"], settings["kd"]
        self.scale = settings.get("error_full_scale", full_scale)
        usual = abs(self.kd / self.kp) / 10.0 if self.kp else 0.0
        self.filter = settings.get("derivative_filter_s", usual)
        self.sum = 0.0
        self.rate = 0.0
        self.before = None

    def __call__(self, wanted, measured, h):
        error = (wanted - measured) / self.scale
        if self.before is not None:
            fall = (self.before - measured) / self.scale
            self.rate = (self.filter * self.rate + self.kd * fall) / (self.filter + h)
        self.before = measured
        raw = self.kp * error + self.sum + self.rate
        answer = 0.0 if raw < 0.0 else 1.0 if raw > 1.0 else raw
        more = self.ki * error * h
        if not ((raw > 1.0 and more > 0.0) or (raw < 0.0 and more < 0.0)):
            self.sum = min(max(self.sum + more, 0.0), 1.0)
        return answer


def demand_at(profile, t):
    """The held value of a constant or of points."""
    if isinstance(profile, (int, float)):
        return float(profile)
    assert profile.get("interpolation", "hold") == "hold" and "repeat_s" not in profile
    value = profile["points"][0][1]
    for time, later in profile["points"]:
        if time <= t:
            value = later
    return float(value)


def solve(path):
    scenario = tomllib.loads(path.read_text(encoding="utf-8"))
    plant = scenario["plant"]
    system = {"tank": Tank, "car": Car}[plant["kind"]](plant.get("parameters", {}))
    x = [float(plant.get("initial", {}).get(name, 0.0)) for name in system.states]
    control, demands, h = scenario["controller"], scenario["demands"], scenario["step_s"]
    pid = Pid(control, system.high - system.low) if control["kind"] == "pid" else None
    every = round(ROW_EVERY_S / h)
    for k in range(round(scenario["duration_s"] / h) + 1):
        t = k * h
        u = {name: demand_at(demands.get(name, default), t) for name, default in system.inputs.items()}
        if pid:
            measured = x[system.states.index(control["measured"])]
            u[control["driven"]] = pid(demand_at(demands[control["measured"]], t), measured, h)
        if k % every == 0:
            yield [t, *x, *u.values()]
        x = advance(system, x, list(u.values()), h)


def main():
    for path in SCENARIOS:
        kind = Tank if path.stem.startswith("tank") else Car
        with open(HERE / f"{path.stem}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["time_s", *(f"output_{n}" for n in kind.states), *(f"input_{n}" for n in kind.inputs)])
            for row in solve(path):
                writer.writerow([repr(value) for value in row])
        print(path.stem)


if __name__ == "__main__":
    main()
