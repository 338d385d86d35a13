"""Launch of a vehicle with torque converter through its gear shifts, solved independently.

Writes launch.json: speed, engine speed and gear over time, for the shipped buggy.toml.

The same equations of motion as in docs/powertrain.md, but nothing of the same method: no elimination, no linearised substep, no locked gears.
Vehicle, engine and gearbox input are three states of a stiff solver (Radau, relative tolerance 1e-8); a gear that is in is a friction clutch of
full capacity which slips by less than 0.02 rad/s. Shifts begin at events that the solver finds.

Run in this folder: python3 launch.py   (Python 3.11 or later, numpy, scipy)
"""

import json
import math
import pathlib
import tomllib

import numpy as np
from scipy.integrate import solve_ivp

RPM = math.pi / 30
SLIP = 0.02
COAST = 0.02
MODELS = pathlib.Path(__file__).parents[5] / "models" / "powertrains"


class Launch:
    def __init__(self, name, mass_kg, radius_m, resistance_n, throttle):
        self.file = tomllib.loads((MODELS / f"{name}.toml").read_text())
        self.name, self.mass, self.radius, self.resistance, self.throttle = name, mass_kg, radius_m, resistance_n, throttle
        self.gears = self.file["gearbox"]["forward"]
        self.final = self.file["axles"][0]["ratio"]
        axles = self.file["axles"]
        shafts = sum(2 * axle.get("half_shaft_inertia_kg_m2", 0.0) for axle in axles)
        box = self.file["gearbox"]
        # wheel-side inertia, per wheel speed
        self.inertia = mass_kg * radius_m**2 + shafts + box.get("output_inertia_kg_m2", 0.0) * self.final**2
        self.efficiency = box.get("efficiency", 1.0)
        self.shift_torque, self.shift_time = box["shift_torque_nm"], box["shift_time_s"]

    def engine(self, speed):
        engine = self.file["engine"]
        n = speed / RPM
        if engine["kind"] == "polynomial":
            full = sum(c * n**k for k, c in enumerate(engine["full_nm"]))
            closed = sum(c * n**k for k, c in enumerate(engine["closed_nm"]))
        else:
            full = np.interp(n, *zip(*engine["full"]))
            closed = np.interp(n, *zip(*engine["closed"]))
        torque = self.throttle * full + (1 - self.throttle) * closed
        left = min(1.0, max(0.0, 1 - (n - engine["limit_rpm"]) / (0.02 * engine["limit_rpm"])))
        torque = closed + left * (torque - closed)
        idle = engine["idle_rpm"]
        governed = min(engine["idle_torque_nm"], engine["idle_torque_nm"] / (0.1 * idle) * (idle - n))
        return max(torque, governed)

    def converter(self, engine, turbine):
        launch = self.file["launch"]
        slow, fast = sorted((engine, max(turbine, 0.0)))
        ratio = slow / fast
        k = np.interp(ratio, *zip(*launch["capacity"]))
        torque = (fast / k) ** 2 * min(1.0, (1 - ratio) / COAST)
        if engine >= turbine:
            return torque, torque * np.interp(ratio, *zip(*launch["ratio"]))
        return -torque, -torque

    def derivative(self, t, y, clutches):
        wheel, engine, turbine = y
        impeller, out = self.converter(engine, turbine)
        taken = given = 0.0
        for gear, capacity in clutches(t):
            slip = turbine - self.gears[gear - 1] * self.final * wheel
            if gear < self.gear:  # the clutch that opens for a higher gear does not push
                slip = max(slip, 0.0)
            if self.shifting and gear == self.gear:  # the clutch that closes is gentle
                capacity = min(capacity, 1.2 * abs(out) + 0.05 * self.shift_torque)
            torque = capacity * slip / max(abs(slip), SLIP)
            taken += torque
            given += torque * self.gears[gear - 1]
        output = self.final * wheel
        x = max(-1.0, min(1.0, output * math.copysign(1.0, given)))
        given *= (1 - (1 - self.efficiency) * x) * self.final
        return [
            (given - self.resistance * self.radius) / self.inertia,
            (self.engine(engine) - impeller) / self.file["engine"]["inertia_kg_m2"],
            (out - taken) / self.file["gearbox"]["input_inertia_kg_m2"],
        ]

    def up(self, gear):
        released, pressed = self.file["gearbox"]["up_rpm"][gear - 1]
        return (released + self.throttle * (pressed - released)) * RPM

    def integrate(self, t, y, end, clutches, event=None, step=0.05):
        times = self.times[(self.times >= t) & (self.times < end)]
        solution = solve_ivp(self.derivative, (t, end), y, "Radau", args=(clutches,), rtol=1e-8, atol=1e-8, max_step=step,
                             dense_output=True, events=event)
        reached = solution.t[-1]
        for time in times:
            if time < reached:
                self.rows.append([float(time), *map(float, solution.sol(time)), self.gear])
        return reached, solution.y[:, -1], solution.status == 1

    def run(self, end):
        self.times, self.rows, self.gear, self.shifting = np.arange(0.5, end + 0.1, 0.5), [], 1, False
        t, y = 0.0, [0.0, self.file["engine"]["idle_rpm"] * RPM, 0.0]
        end = self.times[-1] + 1e-3
        while t < end - 1e-9:
            in_gear = lambda _, gear=self.gear: [(gear, self.shift_torque)]
            if self.gear == len(self.gears):
                t, y, _ = self.integrate(t, y, end, in_gear)
                continue
            event = lambda _, y, __, gear=self.gear: self.gears[gear - 1] * self.final * y[0] - self.up(gear)
            event.terminal, event.direction = True, 1
            if event(t, y, None) < 0:
                t, y, _ = self.integrate(t, y, end, in_gear, event)
                if t >= end - 1e-9:
                    break
            start, old = t, self.gear
            self.gear += 1

            def handing(time, start=start, old=old):
                x = (time - start) / self.shift_time
                return [(old, self.shift_torque * max(0.0, 1 - 2 * x)), (old + 1, self.shift_torque * max(0.0, (x - 0.25) / 0.75))]

            self.shifting = True
            for part in (0.25, 0.5, 1.0):
                t, y, _ = self.integrate(t, y, min(end, start + part * self.shift_time), handing, step=0.005)
            self.shifting = False
        return {
            "file": self.name, "mass_kg": self.mass, "radius_m": self.radius, "resistance_n": self.resistance, "throttle": self.throttle,
            "rows": [[t, wheel * self.radius, engine, gear] for t, wheel, engine, _, gear in self.rows],
        }


if __name__ == "__main__":
    runs = [
        Launch("buggy", 650.0, 0.2865, 250.0, 1.0).run(12.0),
        Launch("buggy", 650.0, 0.2865, 250.0, 0.4).run(12.0),
    ]
    text = json.dumps({"columns": ["time_s", "speed_m_s", "engine_rad_s", "gear"], "runs": runs}, indent=1)
    pathlib.Path(__file__).with_name("launch.json").write_text(text + "\n")
    for run in runs:
        print(run["file"], run["throttle"], [[round(value, 2) for value in row] for row in run["rows"]])
