//! Random mechanisms: trees with every kind of joint, and loops that close in the design position.

use super::Random;
use multibody::forces::{Law, Tsda};
use multibody::math::{Symmetric3, Vector3};
use multibody::{BodyId, Description, Joint, JointKind};
use proptest::prelude::ProptestConfig;

const TREE_KINDS: [JointKind; 8] = [
    JointKind::Revolute,
    JointKind::Translational,
    JointKind::Cylindrical,
    JointKind::Screw,
    JointKind::Universal,
    JointKind::Spherical,
    JointKind::Planar,
    JointKind::RevoluteRevolute,
];
const LOOP_KINDS: [JointKind; 6] = [
    JointKind::SphericalSpherical,
    JointKind::SphericalRevolute,
    JointKind::SphericalTranslational,
    JointKind::Spherical,
    JointKind::Universal,
    JointKind::Revolute,
];

/// Random choices on top of the numbers.
pub struct Dice(pub Random);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(Random::seeded(seed))
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }

    /// A body of a few scattered points, so that its tensor is one of matter.
    fn body(&mut self, d: &mut Description) -> BodyId {
        let tensor = (0..4).fold(Symmetric3::new([0.02; 3], [0.0; 3]), |sum, _| {
            sum + Symmetric3::point_mass(0.3, self.0.vector() * 0.5)
        });
        let name = format!("b{}", d.bodies.len());
        let (mass, centre) = (1.5 + self.0.next(), self.0.vector());
        d.add_body(&name, mass, centre, tensor)
    }

    fn joint(&mut self, d: &mut Description, kind: JointKind, bodies: [BodyId; 2]) -> usize {
        let name = format!("j{}", d.joints.len());
        let mut joint = Joint::new(&name, kind, bodies, self.0.vector(), self.0.unit());
        if kind != JointKind::Planar {
            joint.second_axis = self.0.unit();
        }
        if matches!(kind, JointKind::SphericalSpherical | JointKind::SphericalRevolute | JointKind::RevoluteRevolute) {
            joint.second_point = joint.point + self.0.unit() * 0.7;
            joint.length = 0.7;
        }
        joint.lead = 0.3;
        d.joints.push(joint);
        d.joints.len() - 1
    }

    /// A tree of `count` bodies, on the ground or floating.
    pub fn tree(&mut self, count: usize, floats: bool) -> Description {
        let mut d = Description::empty("random");
        d.gravity = self.0.vector() * 9.81;
        for index in 0..count {
            let body = self.body(&mut d);
            if index == 0 && floats {
                self.joint(&mut d, JointKind::Free, [BodyId::GROUND, body]);
                continue;
            }
            let parent = if floats { 1 + self.below(index) } else { self.below(index + 1) };
            let kind = TREE_KINDS[self.below(TREE_KINDS.len())];
            let bodies = if self.0.next() < 0.0 { [BodyId(parent), body] } else { [body, BodyId(parent)] };
            self.joint(&mut d, kind, bodies);
        }
        d
    }

    pub fn spring(&mut self, d: &mut Description, bodies: [BodyId; 2]) {
        let points = [self.0.vector(), self.0.vector()];
        let law = Law { free: 1.0, stiffness: 20.0, preload: 1.0, ..Law::default() };
        d.tsda.push(Tsda::new(format!("s{}", d.tsda.len()), bodies, points, law));
    }

    /// A tree in motion of up to `most` bodies, or a mechanism with loops; either is held by a
    /// spring from the ground, or from its first body where nothing acts from outside.
    pub fn any(&mut self, most: usize, floats: bool, closed: bool, is_alone: bool) -> Description {
        let count = 2 + self.below(most - 1);
        let mut d = if closed { self.closed(floats) } else { self.tree(count, floats) };
        if is_alone {
            d.gravity = Vector3::ZERO;
        }
        if !closed {
            self.set_in_motion(&mut d);
        }
        let first = if is_alone { BodyId(1) } else { BodyId::GROUND };
        let last = BodyId(d.bodies.len() - 1);
        self.spring(&mut d, [first, last]);
        d
    }

    /// Gives every joint of an open tree a place and a velocity.
    pub fn set_in_motion(&mut self, d: &mut Description) {
        for joint in &mut d.joints {
            joint.coordinates.iter_mut().for_each(|it| *it = 0.7 * self.0.next());
            joint.velocities.iter_mut().for_each(|it| *it = self.0.next());
        }
    }

    /// A tree with loops that close in the design position, and at least one freedom left.
    pub fn closed(&mut self, floats: bool) -> Description {
        let count = 3 + self.below(4);
        let mut d = self.tree(count, floats);
        let mut freedoms: usize = d.joints.iter().map(|it| it.kind.freedoms()).sum();
        for _ in 0..2 {
            let kind = LOOP_KINDS[self.below(LOOP_KINDS.len())];
            let rows = 6 - kind.freedoms();
            let first = usize::from(floats) + self.below(count - 1);
            let second = first + 1 + self.below(count - first);
            if freedoms > rows + 6 * usize::from(floats) && second <= count {
                freedoms -= rows;
                let joint = self.joint(&mut d, kind, [BodyId(first), BodyId(second)]);
                d.joints[joint].cut = Some(true);
            }
        }
        d
    }
}

/// The same mechanisms on every run: a random one that comes near a dead point would fail for no
/// fault of the engine.
pub fn settings(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(2026);
    ProptestConfig { cases, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}
