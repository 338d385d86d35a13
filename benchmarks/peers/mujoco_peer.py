"""MuJoCo with the mechanism of a model folder: answers lines of orders with lines of numbers.

    mujoco_peer.py FOLDER STATE [JOINT]     takes orders from standard input; JOINT, the rack, is welded
    mujoco_peer.py FOLDER                   prints the MJCF

Loops are `connect` equalities (3 rows each), tie rods are tendons of constant length (1 row each), springs and dampers are
tendons, wheels are spheres on a plane (one contact each), the rack is held by a position actuator unless it is welded.

Orders:
    accelerations         for each body of STATE, six numbers: angular acceleration, acceleration of the centre of gravity (earth axes)
    time CASE STEPS       nanoseconds per step; CASE is `falling` or `standing`
"""

import sys
import time
import xml.etree.ElementTree as xml

import mujoco
import numpy as np

import mechanism as files

STEP_S = 1e-3
SETTLING_STEPS = 3000
UNSPRUNG_KG = 100.0
# How stiff loops are: 0.9999 of the way towards a rigid constraint; a step of 1 ms allows a time constant of 2 ms.
LOOPS = {"solref": "0.002 1", "solimp": "0.9999 0.9999 0.001 0.5 2"}


def numbers(values):
    return " ".join(repr(float(value)) for value in np.ravel(values))


def mjcf(mechanism):
    root = xml.Element("mujoco")
    xml.SubElement(root, "option", timestep=str(STEP_S), gravity=numbers(mechanism.gravity), integrator="Euler")
    world = xml.SubElement(root, "worldbody")
    xml.SubElement(world, "geom", name="road", type="plane", size="0 0 1", contype="1", conaffinity="1")
    elements = {"ground": world}
    for joint in mechanism.tree:
        elements[joint.child] = add_body(elements[joint.parent], joint, mechanism.bodies[joint.child])
    for wheel in mechanism.wheels:
        xml.SubElement(
            elements[wheel["body"]], "geom", type="sphere", size=str(wheel["radius_m"]), pos=numbers(wheel["centre_m"]),
            mass="0", contype="1", conaffinity="0", friction=f"{wheel['friction_ratio']} 0.005 0.0001", **tyre(wheel),
        )
    equality, tendons = xml.SubElement(root, "equality"), xml.SubElement(root, "tendon")
    for ball in mechanism.balls:
        xml.SubElement(equality, "connect", body1=ball.parent, body2=ball.child, anchor=numbers(ball.point), **LOOPS)
    for rod in mechanism.rods:
        add_tendon(elements, tendons, rod.name, (rod.parent, rod.child), (rod.point, rod.second_point))
        xml.SubElement(equality, "tendon", tendon1=rod.name, **LOOPS)
    for name, spring in mechanism.springs:
        add_tendon(
            elements, tendons, name, spring["bodies"], spring["points_m"],
            stiffness=str(spring.get("stiffness_n_m", 0.0)), springlength=str(spring.get("free_length_m", 0.0)),
            damping=str(spring.get("damping_ns_m", 0.0)),
        )
    if any(joint.name == "rack" for joint in mechanism.tree):
        actuators = xml.SubElement(root, "actuator")
        xml.SubElement(actuators, "position", name="rack", joint="rack", kp="1e6", kv="3000")
    xml.indent(root)
    return xml.tostring(root, encoding="unicode")


def tyre(wheel):
    """Stiffness and damping over the mass that a tyre moves first: the wheel and what swings with it."""
    return {"solref": f"{-wheel['stiffness_n_m'] / UNSPRUNG_KG} {-wheel['damping_ns_m'] / UNSPRUNG_KG}"}


def add_body(parent, joint, body):
    element = xml.SubElement(parent, "body", name=body.name)
    i = body.inertia
    full = [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]
    xml.SubElement(element, "inertial", mass=str(body.mass), pos=numbers(body.centre), fullinertia=numbers(full))
    place = {"pos": numbers(joint.point)}
    if joint.kind == "free":
        xml.SubElement(element, "freejoint", name=joint.name)
    elif joint.kind == "spherical":
        xml.SubElement(element, "joint", name=joint.name, type="ball", **place)
    else:
        kind = {"revolute": "hinge", "translational": "slide"}[joint.kind]
        xml.SubElement(element, "joint", name=joint.name, type=kind, axis=numbers(joint.axis), **place)
    return element


def add_tendon(elements, tendons, name, bodies, points, **settings):
    tendon = xml.SubElement(tendons, "spatial", name=name, **settings)
    for end, (body, point) in enumerate(zip(bodies, points)):
        site = f"{name}_{end}"
        xml.SubElement(elements[body], "site", name=site, pos=numbers(point), size="0.01")
        xml.SubElement(tendon, "site", site=site)


class Peer:
    def __init__(self, folder, state_path, rigid=None):
        self.mechanism = files.read(folder)
        if rigid:
            files.welded(self.mechanism, rigid)
        state = files.read_state(state_path)
        self.bodies = [name for name in state if name != "ground"]
        self.model = mujoco.MjModel.from_xml_string(mjcf(self.mechanism))
        self.data = mujoco.MjData(self.model)
        for joint in self.mechanism.tree:
            position, velocity = files.coordinates(joint, state)
            handle = self.data.joint(joint.name)
            handle.qpos[:], handle.qvel[:] = position, velocity
        self.given = self.data.qpos.copy(), self.data.qvel.copy()
        self.starts = {"falling": self.lifted(), "standing": self.settled()}

    def put(self, start):
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = start

    def lifted(self):
        """High enough for the road to be out of reach of a batch of steps."""
        position, velocity = self.given[0].copy(), self.given[1]
        position[2] += 1e4
        return position, velocity

    def settled(self):
        self.put(self.given)
        mujoco.mj_step(self.model, self.data, SETTLING_STEPS)
        return self.data.qpos.copy(), self.data.qvel.copy()

    def accelerations(self):
        self.put(self.starts["falling"])
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_rnePostConstraint(self.model, self.data)
        answer, six = [], np.zeros(6)
        for name in self.bodies:
            body = self.model.body(name).id
            mujoco.mj_objectAcceleration(self.model, self.data, mujoco.mjtObj.mjOBJ_BODY, body, six, 0)
            # What MuJoCo returns is what an accelerometer feels: gravity is not in it.
            answer.extend([*six[:3], *(six[3:] + self.mechanism.gravity)])
        return " ".join(repr(float(value)) for value in answer)

    def time(self, case, steps):
        self.put(self.starts[case])
        # Its solver begins each step with the solution of the one before: a few steps until that is there.
        mujoco.mj_step(self.model, self.data, max(10, steps // 10))
        start = time.perf_counter_ns()
        mujoco.mj_step(self.model, self.data, steps)
        spent = time.perf_counter_ns() - start
        if case == "standing" and self.data.ncon != len(self.mechanism.wheels):
            raise SystemExit(f"{self.data.ncon} contacts; expected one for each wheel")
        return repr(spent / steps)


def serve(peer):
    facts = f"{peer.model.nv} freedoms, {peer.data.ne} equality rows"
    print(f"ready MuJoCo {mujoco.__version__}, {facts}", flush=True)
    for line in sys.stdin:
        order, *rest = line.split()
        if order == "accelerations":
            answer = peer.accelerations()
        elif order == "time":
            answer = peer.time(rest[0], int(rest[1]))
        else:
            raise SystemExit(f"not an order: {line}")
        print(answer, flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(mjcf(files.read(sys.argv[1])))
    else:
        serve(Peer(*sys.argv[1:4]))
