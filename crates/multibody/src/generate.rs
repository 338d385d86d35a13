//! Mechanisms of any size, for benchmarks and tests: a chassis on as many double-wishbone corners
//! as one likes.
//!
//! A corner is the front suspension of the HMMWV (numbers of Project Chrono, see `models/hmmwv`):
//! lower and upper arm, upright, spinning wheel, a ball joint that closes the wishbones, a tie rod
//! to the chassis, spring, damper and tyre. Corners stand in pairs, left and right, one pair behind
//! the other. The chassis grows with them, so that each corner carries the same load.

use crate::description::{BodyId, Description, Joint, JointKind};
use crate::forces::{Law, SimpleTyre, Tsda, Wheel};
use crate::math::{Symmetric3, Vector3};

/// `m` From one pair of corners to the next.
const PITCH: f64 = 1.2;
/// `kg` Chassis mass that one corner carries.
const SHARE: f64 = 520.0;

/// A free chassis with `count` double-wishbone corners of four bodies each, near rest on its
/// wheels.
///
/// ```
/// let model = multibody::Model::new(&multibody::generate::corners(6)).expect("a model");
/// assert_eq!(model.description().bodies.len(), 2 + 6 * 4);
/// ```
pub fn corners(count: usize) -> Description {
    let mut whole = Description::empty(&format!("corners-{count}"));
    whole.summary = format!("A chassis on {count} double-wishbone corners");
    let (mass, length) = (SHARE * count as f64, PITCH * count.div_ceil(2) as f64);
    let moment = |a: f64, b: f64| mass * (a * a + b * b) / 12.0;
    let tensor = Symmetric3::new([moment(1.6, 0.8), moment(length, 0.8), moment(length, 1.6)], [0.0; 3]);
    let chassis = whole.add_body("chassis", mass, Vector3::new(0.0, 0.0, 0.213), tensor);
    let mut free = joint("chassis", JointKind::Free, [BodyId::GROUND, chassis], Vector3::ZERO);
    free.coordinates[2] = 0.48;
    whole.joints.push(free);
    whole.base = Some(chassis);
    for number in 0..count {
        let behind = PITCH * (number / 2) as f64;
        let side = if number % 2 == 0 { 1.0 } else { -1.0 };
        let corner = Corner { name: number.to_string(), chassis, along: 0.5 * (length - PITCH) - behind, side };
        corner.add(&mut whole);
    }
    whole
}

fn joint(name: &str, kind: JointKind, bodies: [BodyId; 2], point: Vector3) -> Joint {
    Joint::new(name, kind, bodies, point, Vector3::AXES[2])
}

/// Where a corner stands.
struct Corner {
    name: String,
    chassis: BodyId,
    along: f64,
    side: f64,
}

impl Corner {
    /// A point given for the left side, from the middle between the wheels.
    fn at(&self, x: f64, y: f64, z: f64) -> Vector3 {
        Vector3::new(self.along + x, self.side * y, z)
    }

    fn named(&self, part: &str) -> String {
        format!("{part}_{}", self.name)
    }

    fn add(&self, whole: &mut Description) {
        let body = |whole: &mut Description, part: &str, mass: f64, centre: Vector3, moments: [f64; 3]| {
            whole.add_body(&self.named(part), mass, centre, Symmetric3::new(moments, [0.0; 3]))
        };
        let hub = self.at(-0.04, 0.91, -0.026);
        let lower_centre = self.at(0.0, 0.547, -0.059);
        let lower = body(whole, "lower_arm", 23.965, lower_centre, [0.452, 0.452, 0.894]);
        let upright_centre = self.at(-0.04, 0.751, -0.026);
        let upright = body(whole, "upright", 19.45, upright_centre, [0.1656, 0.1934, 0.04367]);
        let wheel = body(whole, "wheel", 71.105, hub, [4.34457, 7.38782, 4.34457]);
        let upper_centre = self.at(-0.106, 0.589, 0.218);
        let upper = body(whole, "upper_arm", 5.813, upper_centre, [0.032, 0.032, 0.0628]);
        self.add_joints(whole, [lower, upright, wheel, upper], hub);
        self.add_forces(whole, lower, wheel, hub);
    }

    fn add_joints(&self, whole: &mut Description, [lower, upright, wheel, upper]: [BodyId; 4], hub: Vector3) {
        let mut add = |part: &str, kind, bodies, point, axis: Vector3| {
            let mut it = joint(&self.named(part), kind, bodies, point);
            it.axis = axis.normalised().unwrap_or(Vector3::AXES[2]);
            it.second_axis = it.axis.perpendiculars().0;
            whole.joints.push(it);
        };
        let up = Vector3::AXES[2];
        let lower_hinge = self.at(0.223, 0.307, 0.0);
        add("lower_arm", JointKind::Revolute, [self.chassis, lower], lower_hinge, Vector3::AXES[0]);
        let lower_ball = self.at(-0.036, 0.787, -0.118);
        add("lower_ball", JointKind::Spherical, [lower, upright], lower_ball, up);
        add("hub", JointKind::Revolute, [upright, wheel], hub, Vector3::AXES[1]);
        let upper_axis = Vector3::new(0.22, -0.032 * self.side, 0.049);
        let upper_hinge = self.at(-0.048, 0.446, 0.245);
        add("upper_arm", JointKind::Revolute, [self.chassis, upper], upper_hinge, upper_axis);
        let upper_ball = self.at(-0.053, 0.716, 0.215);
        add("upper_ball", JointKind::Spherical, [upper, upright], upper_ball, up);
        let mut rod = joint(
            &self.named("tie_rod"),
            JointKind::SphericalSpherical,
            [self.chassis, upright],
            self.at(-0.25, 0.448, 0.054),
        );
        rod.second_point = self.at(-0.176, 0.821, -0.016);
        rod.length = (rod.second_point - rod.point).norm();
        whole.joints.push(rod);
    }

    fn add_forces(&self, whole: &mut Description, lower: BodyId, wheel: BodyId, hub: Vector3) {
        let mut line = |part: &str, top: Vector3, law: Law| {
            let points = [top, self.at(0.097, 0.543, -0.047)];
            whole.tsda.push(Tsda::new(self.named(part), [self.chassis, lower], points, law));
        };
        let spring = Law { free: 0.339, stiffness: 167_062.0, ..Law::default() };
        line("spring", self.at(0.104, 0.51, 0.197), spring);
        line("damper", self.at(0.104, 0.498, 0.323), Law { damping: 19_015.569_2, ..Law::default() });
        whole.wheels.push(Wheel {
            name: self.named("tyre"),
            body: wheel,
            centre: hub,
            axis: Vector3::AXES[1],
            spin_inertia: None,
            spin: 0.0,
            tyre: SimpleTyre {
                radius: 0.4699,
                stiffness: 326_332.0,
                damping: 3483.9,
                friction: 0.8,
                cornering: 65_000.0,
                slip_stiffness: 65_000.0,
            },
            compliance: [0.0; 4],
        });
    }
}
