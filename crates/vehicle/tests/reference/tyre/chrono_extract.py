"""Takes the formulas of Project Chrono's handling tyres out of its sources, so that they compile alone.

    python3 chrono_extract.py CHRONO/src/chrono_vehicle/wheeled_vehicle/tire OUTPUT_FOLDER

Writes tmeasy.inc, fiala.inc and pac02.inc: whole functions, unchanged. See README.md.
"""
import pathlib
import re
import sys


def function(text, name):
    """The definition whose head contains `name`, up to its closing brace in the first column."""
    start = re.search(r"^\w[\w:<>&\* ]*" + re.escape(name) + r"\(", text, re.M).start()
    return text[start : text.index("\n}\n", start) + 3]


def struct(text, name):
    start = text.index(f"struct {name} {{")
    return text[start : text.index("\n    };", start) + 7]


def main():
    source, output = map(pathlib.Path, sys.argv[1:3])
    read = lambda name: (source / name).read_text()
    tmeasy = read("ChTMeasyTire.cpp")
    names = ["tmxy_combined", "AlignmentTorque"]
    (output / "tmeasy.inc").write_text("\n".join(function(tmeasy, "ChTMeasyTire::" + name) for name in names))
    (output / "tmeasy_states.inc").write_text(struct(read("ChTMeasyTire.h"), "TireStates"))
    (output / "fiala.inc").write_text(function(read("ChFialaTire.cpp"), "ChFialaTire::FialaPatchForces"))
    (output / "pac02.inc").write_text(function(read("ChPac02Tire.cpp"), "ChPac02Tire::CalcFxyMz"))
    header = read("ChPac02Tire.h")
    (output / "pac02_structs.inc").write_text(struct(header, "MFCoeff") + "\n" + struct(header, "TireStates"))


main()
