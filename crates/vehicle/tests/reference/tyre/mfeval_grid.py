"""Forces of MFeval.jl over a grid of load, slip angle, slip ratio and camber.

    python3 mfeval_grid.py MODULE TYRE.tir OUTPUT.csv

MODULE is a folder with `mfeval_py.py`: the scalar functions of MFeval.jl (src/solver: basic_vars, Fx0, Fy0, combined_slip, Mz, Mx, My, relaxation),
turned into Python line by line. See README.md.
"""
import collections
import itertools
import math
import re
import sys

sys.path.insert(0, sys.argv[1])
import mfeval_py as mf  # noqa: E402

LOADS = (900.0, 2500.0, 4000.0, 6500.0)
ANGLES_DEG = (-12.0, -3.0, -0.5, 0.0, 1.5, 8.0)
SLIPS = (-0.4, -0.05, 0.0, 0.02, 0.15)
CAMBERS_DEG = (-4.0, 0.0, 3.0)
SPEED = 20.0


class Parameters:
    """Every name of the file in lower case; scaling factors are 1 and the rest 0 when they are missing."""

    def __init__(self, path):
        self.values = {"pky4": 2.0, "qsy7": 1.0}
        for line in open(path, encoding="latin-1"):
            found = re.match(r"\s*([A-Z]\w*)\s*=\s*([-+.\deE]+)", line)
            if found:
                self.values[found[1].lower()] = float(found[2])
        fit = self.values.get("fittyp", 6.0)
        self.metadata = collections.namedtuple("M", "fittyp")(int(fit))
        if "PRESSURE = 'bar'" in open(path, encoding="latin-1").read():
            for name in ("inflpres", "nompres"):
                self.values[name] *= 1.0e5

    def __getattr__(self, name):
        return self.values.get(name, 1.0 if name.startswith("l") or name == "nompres" else 0.0)


Point = collections.namedtuple("Point", "Fz kappa alpha gamma p uFz ukappa uVcx omega phi Fz_lowLimit")
Modes = collections.namedtuple("Modes", "use_alpha_star use_turn_slip use_limits_check")
Internal = collections.namedtuple(
    "InternalParams",
    "epsilonx epsilonk epsilony epsilonr epsilonv epsilong "
    "reductionSmooth reductionSharp reductionLinear reductionLinear_alpha zeta2",
)
mf.InternalParams = Internal
INTERNAL = Internal(*([1e-6] * 5), 0.0, 1.0, 1.0, 1.0, 1.0, 1.0)


def forces(p, load, angle, slip, camber):
    is_52 = p.metadata.fittyp in (6, 21)
    modes = Modes(not is_52, False, False)
    pressure = p.nompres if is_52 else p.inflpres
    point = Point(load, slip, angle, camber, pressure, load, slip, SPEED, 0.0, 0.0, load)
    sv, pv, iv, _ = mf.calc_basic_vars(p, point, INTERNAL, modes)
    fx0, _, kxk = mf.calc_Fx0(p, point, INTERNAL, modes, sv, pv, iv)
    fy0, muy, between, internal = mf.calc_Fy0(p, point, INTERNAL, modes, sv, pv, iv)
    _, between_z = mf.calc_Mz0(p, point, internal, modes, sv, pv, iv, between)
    fx = mf.calc_Fx(p, point, modes, sv, iv, fx0)
    fy, _, svyk = mf.calc_Fy(p, point, internal, modes, sv, iv, fy0, muy)
    mz, _, _ = mf.calc_Mz(p, point, internal, modes, sv, pv, iv, between_z, kxk, fy, fx, svyk)
    _, _, sigma_x, sigma_y = mf.calc_relax(p, point, iv, kxk, between.Kya)
    return fx, fy, mf.calc_Mx(p, point, iv, fy), mf.calc_My(p, point, fx), mz, sigma_x, sigma_y


def main():
    p = Parameters(sys.argv[2])
    with open(sys.argv[3], "w", encoding="ascii") as out:
        print("load_n,slip_angle_deg,slip,camber_deg,fx_n,fy_n,mx_nm,my_nm,mz_nm,sigma_x_m,sigma_y_m", file=out)
        for load, angle, slip, camber in itertools.product(LOADS, ANGLES_DEG, SLIPS, CAMBERS_DEG):
            row = forces(p, load, math.radians(angle), slip, math.radians(camber))
            numbers = ",".join(f"{value:.10g}" for value in row)
            print(f"{load:g},{angle:g},{slip:g},{camber:g},{numbers}", file=out)


main()
