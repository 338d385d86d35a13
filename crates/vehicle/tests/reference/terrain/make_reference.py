"""Makes the OpenCRG files of this folder and the numbers that tests/suite/terrain_crg.rs compares with.

Needs pyopencrg (PyPI, 0.2.2 was used), an implementation that is independent of ours. Run it in this folder:

    python make_reference.py [FOLDER_WITH_OTHER_CRG_FILES]

For each NAME.crg it writes NAME.csv: x, y, z and the normal at places on and beside the road. A file without modifiers is asked as it stands,
with its gaps filled (grid_nan_mode = 2); a file with modifiers is asked with these. For the files of the other folder only numbers are
written.
"""

import os
import sys
import warnings

import numpy as np
import pyopencrg as crg

warnings.simplefilter("ignore")
RANDOM = np.random.default_rng(20240501)
FORMATS = ("LRFI", "LDFI", "KRBI", "KDBI")


def rough(rows, columns, size=0.02):
    """A smooth random grid."""
    grid = RANDOM.normal(size=(rows, columns))
    for _ in range(2):
        grid = 0.5 * grid + 0.25 * (np.roll(grid, 1, 0) + np.roll(grid, -1, 0))
    return size * grid


def straight():
    return crg.CrgRoad(rough(61, 7), u_inc=0.5, v=3.0, heading=0.3, slope=0.02, banking=-0.03)


def bent(columns=9):
    rows = 81
    along = np.arange(rows - 1)
    v = np.array([-4.0, -2.5, -1.25, -0.5, 0.0, 0.5, 1.5, 2.5, 4.0])[:columns]
    heading = 0.4 + 0.9 * np.sin(along / 25.0)
    slope = 0.06 * np.cos(along / 12.0)
    banking = 0.08 * np.sin(np.arange(rows) / 15.0)
    return crg.CrgRoad(rough(rows, v.size), u_inc=0.5, v=v, heading=heading, slope=slope, banking=banking)


def holes():
    road = bent()
    z = road.z.copy()
    z[10:20, :2] = np.nan
    z[30:33, 6:] = np.nan
    z[50, 3:6] = np.nan
    z[60:64, 4] = np.nan
    z[70, 1:] = np.nan
    return road._derive(z=z)


def circuit():
    rows, radius = 120, 20.0
    increment = 2 * np.pi * radius / rows
    heading = 0.5 + 2 * np.pi * np.arange(rows) / rows
    road = crg.CrgRoad(rough(rows + 1, 5), u_inc=increment, v=2.0, heading=heading, banking=0.05)
    road.set_option("refline_continuation", 1)
    return road


def with_options(road, **options):
    for name, value in options.items():
        road.set_option(name, value)
    return road


def with_modifiers(road, **modifiers):
    road.mods = modifiers
    return road


def handmade():
    """Text as a person writes it: capitals, comments, sections in another order, numbered long sections, a D exponent, gaps."""
    lines = ["* a comment before everything", "$CT   ! comments", "By hand", "$", "$ROAD_CRG ! parameters",
             "REFERENCE_LINE_START_U = 1.0D1", "REFERENCE_LINE_START_PHI = -0.2   ! used by the whole line",
             "REFERENCE_LINE_INCREMENT = 2.0", "LONG_SECTION_V_RIGHT = -1.0", "LONG_SECTION_V_LEFT = 2.0",
             "Reference_Line_Start_Z = 3.5", "Reference_Line_Start_S = 0.05", "$ ! end",
             "$KD_Definition", "#:LRFI   ! text", "U:reference line u,m,0,1.0", "D:long section 2,m", "D:long section 1,m",
             "D:something else,kg", "D:long section 3,m", "D:long section 4,m", "$!****", "$" * 80]
    for i in range(12):
        values = [0.01 * i, -0.02 * i, 7.0, 0.03, 0.002 * i * i]
        text = "".join("%10.6f" % value for value in values)
        if i == 5:
            text = text[:30] + " *missing*" + text[40:]
        if i == 7:
            text = " " * 10 + text[10:]
        lines.append(text)
    return "\n".join(lines) + "\n"


def places(road, count=160):
    """On the road, beside it, beyond its ends, and where its heights are largest."""
    u0, u1, v0, v1 = road.u_start, road.u_end, road.v_min, road.v_max
    part = count // 4
    high = np.argsort(-np.nanmax(np.abs(road.z), axis=1), kind="stable")[:part]
    near = road.u[high] + RANDOM.uniform(-0.5, 0.5, high.size) * road.u_inc
    u = (RANDOM.uniform(u0, u1, 2 * part), RANDOM.uniform(u0 - 5, u1 + 5, part), near)
    v = (RANDOM.uniform(v0, v1, 2 * part), RANDOM.uniform(1.6 * v0, 1.6 * v1, part), RANDOM.uniform(v0, v1, high.size))
    return road.uv_to_xy(np.concatenate(u), np.concatenate(v))


def is_gradient(road, x, y, slope_x, slope_y, step=1e-6):
    """Where the normal is that of the height's differences: not on kinks, and not at the joint of a closed road."""
    east = (road.xy_to_z(x + step, y) - road.xy_to_z(x - step, y)) / (2 * step)
    north = (road.xy_to_z(x, y + step) - road.xy_to_z(x, y - step)) / (2 * step)
    return np.hypot(east + slope_x, north + slope_y) < 1e-5


def numbers(path, into):
    road = crg.read(path, check=False)
    if road.mods is None:
        road.mods = {"grid_nan_mode": 2}
    road = road.apply_mods()
    x, y = places(road)
    z, nx, ny, nz = road.xy_to_z(x, y, with_normal=True)
    assert np.all(np.isfinite(z)), path
    keep = is_gradient(road, x, y, nx / nz, ny / nz)
    assert keep.sum() > 0.9 * keep.size, path
    with open(into, "w") as file:
        file.write("# x_m,y_m,z_m,normal_x,normal_y,normal_z by pyopencrg %s\n" % crg.__version__)
        for row in zip(*(values[keep] for values in (x, y, z, nx, ny, nz))):
            file.write(",".join("%.15g" % value for value in row[:3]) + "," + ",".join("%.9f" % value for value in row[3:]) + "\n")


def main():
    made = {"straight-" + fmt.lower(): (straight(), fmt) for fmt in ("LRFI", "KRBI")}
    made |= {"bent-" + fmt.lower(): (bent(), fmt) for fmt in FORMATS}
    made["holes"] = (holes(), "KRBI")
    made["holes-text"] = (holes(), "LDFI")
    made["circuit"] = (circuit(), "KDBI")
    made["border-zero"] = (with_options(bent(), border_mode_u=1, border_offset_u=0.3, border_mode_v=1, border_offset_v=-0.2), "KRBI")
    made["border-keep"] = (with_options(bent(), border_offset_u=0.3, border_offset_v=-0.2), "KRBI")
    made["border-repeat"] = (with_options(straight(), border_mode_u=3, border_mode_v=3), "KRBI")
    made["border-reflect"] = (with_options(bent(), border_mode_u=4, border_mode_v=4), "KRBI")
    made["border-smooth"] = (with_options(bent(), border_smooth_ubeg=6.0, border_smooth_uend=9.0), "KRBI")
    made["modified-point"] = (with_modifiers(
        holes(), scale_z_grid=1.5, scale_slope=0.5, scale_banking=2.0, scale_length=1.1, scale_width=0.9, scale_curvature=0.7,
        grid_nan_mode=2, grid_nan_offset=-0.01, refpoint_u_fraction=0.3, refpoint_v=1.0, refpoint_x=10.0, refpoint_y=-5.0,
        refpoint_z=2.0, refpoint_phi=1.2), "KDBI")
    made["modified-offset"] = (with_modifiers(
        holes(), grid_nan_mode=1, grid_nan_offset=0.01, refline_rotcenter_x=3.0, refline_rotcenter_y=4.0, refline_offset_phi=-0.5,
        refline_offset_x=7.0, refline_offset_y=8.0, refline_offset_z=9.0), "KDBI")
    for name, (road, fmt) in made.items():
        road.comments = ["A road of the test suite"]
        road.save(name + ".crg", fmt=fmt)
    with open("handmade.crg", "w") as file:
        file.write(handmade())
    for name in [*made, "handmade"]:
        numbers(name + ".crg", name + ".csv")
    if len(sys.argv) > 1:
        for name in sorted(os.listdir(sys.argv[1])):
            if name.endswith(".crg"):
                numbers(os.path.join(sys.argv[1], name), "shared-" + name[:-4] + ".csv")


if __name__ == "__main__":
    main()
