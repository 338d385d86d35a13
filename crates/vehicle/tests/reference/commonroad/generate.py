"""Steady-state yaw-rate gain of CommonRoad's vehicle models over speed.

Source of the models: commonroad-vehicle-models (PyPI), BSD-3. Two of them are asked:
- the single-track model (ST) with mass, axle distances and tyre of our passenger car. Its cornering stiffness is proportional to the load and the
  same at both axles, so that it steers neutrally: r/delta = v/L;
- the multi-body model (MB, 29 states) with the parameters of its vehicle 2 (BMW 320i), which has suspensions, roll and Magic-Formula tyres.

Run: python generate.py > gains.json      (needs commonroad-vehicle-models and scipy)
"""
import json
import math

from scipy.integrate import solve_ivp
from vehiclemodels.init_mb import init_mb
from vehiclemodels.parameters_vehicle2 import parameters_vehicle2
from vehiclemodels.vehicle_dynamics_mb import vehicle_dynamics_mb
from vehiclemodels.vehicle_dynamics_st import vehicle_dynamics_st

STEER_RAD = math.radians(0.5)
SPEEDS_M_S = [8.0, 12.0, 16.0, 20.0, 25.0, 30.0]
# Our passenger car: mass (kg), centre of gravity behind the front axle and before the rear axle (m).
CAR = {"mass_kg": 1686.0, "front_m": 1.40, "rear_m": 1.357}


def single_track(speed):
    p = parameters_vehicle2()
    p.m, p.a, p.b = CAR["mass_kg"], CAR["front_m"], CAR["rear_m"]
    x = [0.0, 0.0, STEER_RAD, speed, 0.0, 0.0, 0.0]
    run = solve_ivp(lambda t, x: vehicle_dynamics_st(list(x), [0.0, 0.0], p), (0.0, 6.0), x, rtol=1e-8, atol=1e-10)
    return run.y[5, -1] / STEER_RAD


def multi_body(speed):
    p = parameters_vehicle2()
    x = init_mb([0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0], p)
    # Turned in within a second; the speed is held by a proportional drive.
    def rate(t, x):
        drive = 2.0 * (speed - x[3])
        return vehicle_dynamics_mb(list(x), [STEER_RAD if t < 1.0 else 0.0, drive], p)
    run = solve_ivp(rate, (0.0, 8.0), x, method="LSODA", rtol=1e-6, atol=1e-8, max_step=0.01)
    return run.y[5, -1] / run.y[2, -1], run.y[3, -1]


p = parameters_vehicle2()
rows = []
for speed in SPEEDS_M_S:
    gain, held = multi_body(speed)
    rows.append({
        "speed_m_s": speed,
        "single_track_1_s": round(single_track(speed), 5),
        "multi_body_1_s": round(gain, 5),
        "multi_body_speed_m_s": round(held, 4),
    })
print(json.dumps({"car": CAR, "multi_body_wheelbase_m": round(p.a + p.b, 4), "gains": rows}, indent=1))
