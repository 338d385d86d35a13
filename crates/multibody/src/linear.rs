//! Linearisation about a state, for control engineers. Off the step path.
//!
//! ```text
//! ẋ = A x + B u,    y = C x + D u,     x = (small motion, its rate) of the independent coordinates
//! ```
//! Small motions are tangents at the state: a ball's are rotations about its own axes. Inputs are
//! the actuators, then for each driven coordinate its position, velocity and acceleration. All
//! matrices are central differences; loops are closed at every perturbed state, so that the
//! dependent coordinates are accounted for exactly.

use crate::dynamics::{Workspace, evaluate, quaternion, shift_tangent};
use crate::forces::Tyre;
use crate::math::{Vector3, rotation_rate};
use crate::model::{Model, PrimitiveKind};
use crate::state::{Inputs, State};
use nalgebra::{DMatrix, DVector};

/// The four matrices, and which velocity coordinates the state consists of.
#[derive(Clone, Debug)]
pub struct Linear {
    /// By state.
    pub a: DMatrix<f64>,
    /// By input.
    pub b: DMatrix<f64>,
    /// Outputs by state.
    pub c: DMatrix<f64>,
    /// Outputs by input.
    pub d: DMatrix<f64>,
    /// Velocity indices of the independent coordinates: x has their motions, then their rates.
    pub independent: Vec<usize>,
}

/// A natural motion: x ~ exp(λ t).
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// (1/s) Real part of λ: below zero the motion dies out.
    pub real: f64,
    /// (rad/s) Imaginary part of λ, not below zero: of a pair of conjugates one is kept.
    pub imaginary: f64,
    /// Share of each independent coordinate in the motion, whatever its unit (Pérez-Arriaga,
    /// Verghese and Schweppe 1982); they add up to one.
    pub participations: Vec<f64>,
}

/// (1/s) Below this size an eigenvalue is zero: differences leave some 1e-5 of one.
const RIGID: f64 = 1e-3;

impl Mode {
    /// `Hz` |λ| / 2π: the frequency without damping.
    pub fn natural_frequency_hz(&self) -> f64 {
        self.real.hypot(self.imaginary) / std::f64::consts::TAU
    }

    /// Whether nothing holds and nothing slows the motion: it has neither frequency nor damping.
    pub fn is_rigid(&self) -> bool {
        self.real.hypot(self.imaginary) < RIGID
    }

    /// −Re λ / |λ|: one and above do not oscillate; below zero the motion grows.
    pub fn damping_ratio(&self) -> Option<f64> {
        (!self.is_rigid()).then(|| -self.real / self.real.hypot(self.imaginary))
    }
}

impl Linear {
    /// Eigenvalues of A by rising frequency; none when they cannot be found.
    pub fn modes(&self) -> Option<Vec<Mode>> {
        let all = crate::assembly::eigenvalues(self.a.clone())?;
        let upper = all.iter().filter(|it| it.im >= 0.0);
        let mode = |it: &Number| Mode { real: it.re, imaginary: it.im, participations: self.participations(*it) };
        let mut modes: Vec<Mode> = upper.map(mode).collect();
        modes.sort_by(|one, other| {
            let key = |it: &Mode| it.natural_frequency_hz();
            key(one).total_cmp(&key(other)).then(one.real.total_cmp(&other.real))
        });
        Some(modes)
    }

    /// Places in [`Linear::independent`] of the coordinates on which nothing depends.
    pub fn ignorable(&self) -> Vec<usize> {
        let count = self.independent.len();
        (0..count).filter(|column| self.a.column(*column).amax() < RIGID).collect()
    }

    /// |wₖ vₖ| with the right and left eigenvectors v and w, of motion and rate together.
    fn participations(&self, eigenvalue: Number) -> Vec<f64> {
        let count = self.independent.len();
        let (right, left) = (eigenvector(&self.a, eigenvalue), eigenvector(&self.a.transpose(), eigenvalue));
        let share = |index: usize| right[index].norm() * left[index].norm();
        let shares: Vec<f64> = (0..count).map(|index| share(index) + share(index + count)).collect();
        let sum: f64 = shares.iter().sum();
        shares.iter().map(|share| share / sum).collect()
    }
}

type Number = nalgebra::Complex<f64>;

/// Inverse iteration from a vector that has a part in every direction, beside the eigenvalue so
/// that the matrix can be inverted.
fn eigenvector(matrix: &DMatrix<f64>, eigenvalue: Number) -> DVector<Number> {
    let beside = eigenvalue + Number::from(1e-7 * (1.0 + eigenvalue.norm()));
    let shifted = matrix.map(Number::from) - DMatrix::from_diagonal_element(matrix.nrows(), matrix.nrows(), beside);
    let factors = shifted.lu();
    let mut vector = DVector::from_fn(matrix.nrows(), |row, _| Number::from(1.0 + (row as f64).sin()));
    for _ in 0..3 {
        if let Some(next) = factors.solve(&vector) {
            vector = next.unscale(next.norm());
        }
    }
    vector
}

/// Perturbation of a coordinate, rate or input.
const SMALL: f64 = 1e-6;

/// What is perturbed.
#[derive(Clone, Copy)]
enum Place {
    Motion(usize),
    Rate(usize),
    Actuator(usize),
    Driven(usize, usize),
}

/// Linearises about an assembled state. `output` reads the outputs after an evaluation.
pub fn linearise(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    mut output: impl FnMut(&Workspace, &State) -> Vec<f64>,
    workspace: &mut Workspace,
) -> Linear {
    let independent: Vec<usize> = state.independent(model).collect();
    let motions = independent.iter().map(|index| Place::Motion(*index));
    let states: Vec<Place> = motions.chain(independent.iter().map(|index| Place::Rate(*index))).collect();
    let driven = (0..inputs.driven.len()).flat_map(|which| (0..3).map(move |part| Place::Driven(which, part)));
    let channels: Vec<Place> = (0..inputs.actuators.len()).map(Place::Actuator).chain(driven).collect();
    workspace.hold_partition = true;
    let mut side = |place: Place, sign: f64| {
        let (mut moved, mut given) = (state.clone(), inputs.clone());
        perturb(model, place, sign * SMALL, &mut moved, &mut given);
        evaluate(model, &mut moved, &given, tyre, workspace);
        let rates = rates(model, state, &moved);
        let picked = independent.iter().map(|index| rates[*index]);
        let slopes = picked.chain(independent.iter().map(|index| workspace.acceleration[*index])).collect::<Vec<_>>();
        (slopes, output(workspace, &moved))
    };
    let mut columns = |places: &[Place]| {
        let (mut slopes, mut outputs) = (Vec::new(), Vec::new());
        for place in places {
            let (plus, minus) = (side(*place, 1.0), side(*place, -1.0));
            slopes.push(difference(&plus.0, &minus.0));
            outputs.push(difference(&plus.1, &minus.1));
        }
        (matrix(&slopes), matrix(&outputs))
    };
    let ((a, c), (b, d)) = (columns(&states), columns(&channels));
    workspace.hold_partition = false;
    let (b, d) = (b.resize_vertically(a.nrows(), 0.0), d.resize_vertically(c.nrows(), 0.0));
    Linear { a, b, c, d, independent }
}

fn perturb(model: &Model, place: Place, by: f64, state: &mut State, inputs: &mut Inputs) {
    match place {
        Place::Motion(index) => {
            let mut tangent = vec![0.0; model.velocity_count()];
            tangent[index] = by;
            shift_tangent(model, &tangent, &mut state.position);
        }
        Place::Rate(index) => state.velocity[index] += by,
        Place::Actuator(index) => inputs.actuators[index] += by,
        Place::Driven(which, part) => inputs.driven[which][part] += by,
    }
}

/// Rates of the tangents at the reference state.
fn rates(model: &Model, reference: &State, moved: &State) -> Vec<f64> {
    let mut rates = moved.velocity.clone();
    for primitive in model.primitives.iter().filter(|it| it.kind == PrimitiveKind::Ball) {
        let (place, column) = (primitive.position, primitive.velocity);
        let back = quaternion(&reference.position, place).conjugate();
        let u = (back * quaternion(&moved.position, place)).log();
        let angular = Vector3::new(rates[column], rates[column + 1], rates[column + 2]);
        rates[column..column + 3].copy_from_slice(&rotation_rate(u, angular).to_array());
    }
    rates
}

fn difference(plus: &[f64], minus: &[f64]) -> Vec<f64> {
    plus.iter().zip(minus).map(|(plus, minus)| (plus - minus) / (2.0 * SMALL)).collect()
}

fn matrix(columns: &[Vec<f64>]) -> DMatrix<f64> {
    let rows = columns.first().map_or(0, Vec::len);
    DMatrix::from_iterator(rows, columns.len(), columns.iter().flatten().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::NoTyres;
    use crate::math::Symmetric3;
    use crate::{BodyId, Description, Joint, JointKind};

    /// A hanging pendulum of 2 kg at 0.5 m with 0.1 kg m²: θ̈ = −m g l / (I + m l²) θ.
    #[test]
    fn pendulum_has_its_natural_frequency() {
        let mut description = Description::empty("pendulum");
        let tensor = Symmetric3::new([0.1; 3], [0.0; 3]);
        let body = description.add_body("body", 2.0, Vector3::new(0.0, 0.0, -0.5), tensor);
        let hinge = Joint::new("hinge", JointKind::Revolute, [BodyId::GROUND, body], Vector3::ZERO, Vector3::AXES[1]);
        description.joints.push(hinge);
        let model = Model::new(&description).expect("a model");
        let (state, mut workspace, inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
        let output = |_: &Workspace, state: &State| vec![3.0 * state.position[0]];
        let linear = linearise(&model, &state, &inputs, &mut NoTyres, output, &mut workspace);
        let expected = -2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25);
        assert!((linear.a[(1, 0)] - expected).abs() < 1e-6 && (linear.a[(0, 1)] - 1.0).abs() < 1e-9);
        assert!(linear.a[(0, 0)].abs() < 1e-9 && linear.a[(1, 1)].abs() < 1e-6);
        assert!((linear.c[(0, 0)] - 3.0).abs() < 1e-9);
        assert_eq!(linear.b.ncols(), 0);
        let modes = linear.modes().expect("eigenvalues");
        assert_eq!(modes.len(), 1);
        let natural = (-expected).sqrt() / std::f64::consts::TAU;
        assert!(
            (modes[0].natural_frequency_hz() - natural).abs() < 1e-6
                && modes[0].damping_ratio().is_some_and(|it| it.abs() < 1e-6)
        );
    }

    /// Two carts on a line, 2 kg and 1 kg, with a spring of 600 N/m between them: one rigid motion,
    /// and ω² = k (1/m₁ + 1/m₂), in which each takes part with its share of the energy, m₂ to m₁.
    #[test]
    fn a_rigid_motion_has_no_damping_and_modes_have_their_coordinates() {
        let a = DMatrix::from_row_slice(
            4,
            4,
            &[
                0.0, 0.0, 1.0, 0.0, //
                0.0, 0.0, 0.0, 1.0, //
                -300.0, 300.0, 0.0, 0.0, //
                600.0, -600.0, 0.0, 0.0,
            ],
        );
        let none = DMatrix::zeros(0, 0);
        let linear = Linear { a, b: none.clone(), c: none.clone(), d: none, independent: vec![0, 1] };
        let modes = linear.modes().expect("eigenvalues");
        let [rigid @ .., swing] = modes.as_slice() else { panic!("{modes:?}") };
        assert!(rigid.iter().all(|it| it.is_rigid() && it.damping_ratio().is_none()), "{modes:?}");
        assert!((swing.imaginary - 30.0).abs() < 1e-6 && swing.damping_ratio().is_some());
        let shares = &swing.participations;
        assert!((shares[0] - 1.0 / 3.0).abs() < 1e-6 && (shares[1] - 2.0 / 3.0).abs() < 1e-6, "{shares:?}");
        assert!(linear.ignorable().is_empty());
    }
}
