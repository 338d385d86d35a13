"""Writes the mechanism of a model folder as the plain text that pinocchio_peer.cpp reads.

    pinocchio_model.py FOLDER STATE rods|open [JOINT]

`rods` has the tie rods as light bodies, because Pinocchio's constraints know no rods; `open` leaves them out. JOINT, the rack, is welded. Joints come
depth-first: in any other order Pinocchio's mass matrix, and with it constraintDynamics, is silently wrong.
"""

import sys

import numpy as np

import mechanism as files


def write(mechanism, state, checked):
    order = mechanism.depth_first()
    number = {"ground": 0} | {joint.child: place for place, joint in enumerate(order, start=1)}
    line("gravity", mechanism.gravity)
    for joint in order:
        body = mechanism.bodies[joint.child]
        position, velocity = files.coordinates(joint, state)
        print("joint", joint.name, joint.kind, number[joint.parent])
        line("frame", [*joint.point, *joint.axis])
        line("body", [body.mass, *body.centre, *body.inertia[np.triu_indices(3)]])
        line("position", position)
        line("velocity", velocity)
    for ball in mechanism.balls:
        print("loop", number[ball.parent], number[ball.child], *map(repr, map(float, ball.point)))
    print("bodies", *(number[name] for name in checked))


def line(word, values):
    print(word, len(values), *(repr(float(value)) for value in values))


if __name__ == "__main__":
    folder, state_path, variant = sys.argv[1:4]
    mechanism, state = files.read(folder), files.read_state(state_path)
    for rigid in sys.argv[4:]:
        files.welded(mechanism, rigid)
    checked = [name for name in state if name != "ground"]
    if variant == "rods":
        mechanism, state = files.rods_as_bodies(mechanism, state)
    write(mechanism, state, checked)
