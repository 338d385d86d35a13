//! Properties of random mechanisms, open and closed: two routes to the accelerations agree, what
//! physics conserves is conserved, and nothing depends on the base body or on where the pole is.

use crate::support::mechanism::Dice;
use multibody::assembly::assemble;
use multibody::dynamics::evaluate;
use multibody::forces::NoTyres;
use multibody::math::Vector3;
use multibody::rebase::rebased;
use multibody::{BodyId, Description, Inputs, Integrator, Method, Model, State, Workspace, dense};
use proptest::prelude::*;

struct Bench {
    model: Model,
    state: State,
    inputs: Inputs,
    workspace: Workspace,
}

impl Bench {
    fn new(d: &Description) -> Self {
        let model = Model::new(d).unwrap_or_else(|error| panic!("{error}: {d:?}"));
        let (mut state, mut workspace, inputs) =
            (State::new(&model), Workspace::new(&model), Inputs::new(&model));
        assemble(&model, &mut state, &inputs, &mut workspace).expect("the design position is closed");
        Self { model, state, inputs, workspace }
    }

    /// Random velocities of the independent coordinates.
    fn push(&mut self, dice: &mut Dice) {
        let free: Vec<usize> = self.state.independent(&self.model).collect();
        free.iter().for_each(|index| self.state.velocity[*index] = 0.5 * dice.0.next());
        self.evaluate();
    }

    fn evaluate(&mut self) {
        evaluate(&self.model, &mut self.state, &self.inputs, &mut NoTyres, &mut self.workspace);
    }

    fn energy(&self) -> f64 {
        self.workspace.kinetic_energy(&self.model) + self.workspace.potential_energy(&self.model, &self.state)
    }

    /// Linear and angular momentum about the origin of the earth.
    fn momentum(&self) -> [Vector3; 2] {
        let found = self.workspace.momentum(&self.model);
        [found.force, found.moment + self.workspace.pole().cross(found.force)]
    }

    /// A twentieth of a second; whether it was tame all the way.
    fn run(&mut self) -> bool {
        let mut integrator = Integrator::new(&self.model, Method::RungeKutta4, 2e-4);
        integrator.start(&self.model, &mut self.state, &self.inputs, &mut self.workspace);
        (0..250).all(|_| {
            integrator.step(&self.model, &mut self.state, &self.inputs, &mut NoTyres, &mut self.workspace);
            self.is_tame()
        })
    }

    /// Accelerations of all bodies that the description names.
    fn body_accelerations(&mut self, names: &[String]) -> Vec<Vector3> {
        self.evaluate();
        let of = |name: &String| {
            let id = self.model.description().body(name).expect("the same bodies");
            let centre = self.model.description().bodies[id.0].centre;
            [
                self.workspace.point_acceleration(&self.model, id, centre),
                self.workspace.body_acceleration(&self.model, self.model.slot(id)).angular,
            ]
        };
        names.iter().flat_map(of).collect()
    }

    /// Away from dead points: there the loops turn small motions into large ones, within less than
    /// a step.
    fn is_tame(&self) -> bool {
        let largest = |list: &[f64]| list.iter().fold(0.0_f64, |max, it| it.abs().max(max));
        largest(&self.state.velocity) < 10.0 && largest(self.workspace.acceleration()) < 150.0
    }
}

fn names(d: &Description) -> Vec<String> {
    d.bodies[1..].iter().map(|it| it.name.clone()).collect()
}

fn assert_same(ours: &[Vector3], theirs: &[Vector3], tolerance: f64) -> Result<(), TestCaseError> {
    let scale = ours.iter().fold(1.0_f64, |max, it| it.norm().max(max));
    for (ours, theirs) in ours.iter().zip(theirs) {
        prop_assert!((*ours - *theirs).norm() < tolerance * scale, "{:?} {:?}", ours, theirs);
    }
    Ok(())
}

fn settings() -> ProptestConfig {
    ProptestConfig {
        cases: 60,
        failure_persistence: None,
        // The same mechanisms on every run: a random one that comes near a dead point would fail
        // for no fault of the engine.
        rng_seed: proptest::test_runner::RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn recursion_agrees_with_the_dense_system(seed in any::<u64>(), floats in any::<bool>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let count = 2 + dice.below(12);
        let mut d = if closed { dice.closed(floats) } else { dice.tree(count, floats) };
        if !closed {
            dice.set_in_motion(&mut d);
        }
        let ends = [BodyId::GROUND, BodyId(d.bodies.len() - 1)];
        dice.spring(&mut d, ends);
        let mut bench = Bench::new(&d);
        if closed {
            bench.push(&mut dice);
        }
        bench.evaluate();
        prop_assume!(bench.is_tame());
        let ours = bench.workspace.acceleration().to_vec();
        let Bench { model, state, inputs, workspace } = &mut bench;
        let twin = dense::accelerations(model, state, inputs, &mut NoTyres, workspace);
        let scale = twin.iter().fold(1.0_f64, |max, it| it.abs().max(max));
        for (ours, theirs) in ours.iter().zip(&twin) {
            prop_assert!((ours - theirs).abs() < 1e-7 * scale, "{} {}", ours, theirs);
        }
    }

    #[test]
    fn energy_is_conserved(seed in any::<u64>(), floats in any::<bool>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let count = 2 + dice.below(6);
        let mut d = if closed { dice.closed(floats) } else { dice.tree(count, floats) };
        if !closed {
            dice.set_in_motion(&mut d);
        }
        let ends = [BodyId::GROUND, BodyId(d.bodies.len() - 1)];
        dice.spring(&mut d, ends);
        let mut bench = Bench::new(&d);
        if closed {
            bench.push(&mut dice);
        }
        bench.evaluate();
        prop_assume!(bench.is_tame());
        let before = bench.energy();
        prop_assume!(bench.run());
        let size = bench.workspace.kinetic_energy(&bench.model);
        let after = bench.energy();
        prop_assert!((after - before).abs() < 1e-7 * (1.0 + size), "{} {}", before, after);
    }

    #[test]
    fn momentum_is_conserved_when_nothing_acts_from_outside(seed in any::<u64>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let count = 2 + dice.below(6);
        let mut d = if closed { dice.closed(true) } else { dice.tree(count, true) };
        d.gravity = Vector3::ZERO;
        if !closed {
            dice.set_in_motion(&mut d);
        }
        let ends = [BodyId(1), BodyId(d.bodies.len() - 1)];
        dice.spring(&mut d, ends);
        let mut bench = Bench::new(&d);
        if closed {
            bench.push(&mut dice);
        }
        bench.evaluate();
        prop_assume!(bench.is_tame());
        let before = bench.momentum();
        prop_assume!(bench.run());
        for (now, then) in bench.momentum().iter().zip(before) {
            prop_assert!((*now - then).norm() < 1e-7 * (1.0 + then.norm()), "{:?} {:?}", now, then);
        }
    }

    #[test]
    fn the_base_body_changes_nothing(seed in any::<u64>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let count = 2 + dice.below(8);
        let mut d = if closed { dice.closed(true) } else { dice.tree(count, true) };
        if closed {
            // The loops are closed where all coordinates are zero; the whole may stand anywhere and
            // move.
            d.joints[0].coordinates.iter_mut().for_each(|it| *it = dice.0.next());
            d.joints[0].velocities.iter_mut().for_each(|it| *it = dice.0.next());
        } else {
            dice.set_in_motion(&mut d);
        }
        let base = BodyId(1 + dice.below(d.bodies.len() - 1));
        let moved = rebased(&d, base).expect("floats");
        prop_assert_eq!(moved.joints[0].bodies[1], base);
        let ours = Bench::new(&d).body_accelerations(&names(&d));
        let theirs = Bench::new(&moved).body_accelerations(&names(&d));
        assert_same(&ours, &theirs, 1e-7)?;
    }

    #[test]
    fn the_place_on_earth_changes_nothing(seed in any::<u64>(), floats in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let mut d = dice.closed(floats);
        let mut far = d.clone();
        let offset = dice.0.vector() * 1e4;
        if floats {
            d.joints[0].velocities.iter_mut().for_each(|it| *it = dice.0.next());
            far.joints[0].velocities = d.joints[0].velocities.clone();
            (0..3).for_each(|k| far.joints[0].coordinates[k] += offset.to_array()[k]);
        } else {
            far.bodies[1..].iter_mut().for_each(|it| it.centre += offset);
            far.joints.iter_mut().for_each(|it| {
                it.point += offset;
                it.second_point += offset;
            });
        }
        let ours = Bench::new(&d).body_accelerations(&names(&d));
        let theirs = Bench::new(&far).body_accelerations(&names(&far));
        // What hangs on the ground has its pole at the origin: 10 km away an inertia carries 1e8 kg
        // m², which costs eight digits.
        assert_same(&ours, &theirs, if floats { 1e-8 } else { 1e-3 })?;
    }
}
