//! Initial assembly and static equilibrium.
//!
//! Assembly is the loop closure of the step from rough coordinates, repeated until all rows hold,
//! those that do not decide included. Equilibrium is a state at rest without acceleration: Newton's
//! method on the independent coordinates with a numerical Jacobian, damped so that directions that
//! change nothing (position on the plane, heading, spin) stay as they are.

use crate::dynamics::{Workspace, evaluate, forward, shift_tangent};
use crate::forces::Tyre;
use crate::model::Model;
use crate::state::{Inputs, State};
use nalgebra::{DMatrix, DVector};

/// `m` A loop that is open by more than this after assembly cannot be closed.
const OPEN: f64 = 1e-8;
/// [m/s²], [rad/s²] Rest: what loops that are closed to 1e-10 m leave in the stiffest tyres and
/// springs.
const REST: f64 = 5e-6;

/// A step that leaves this share of the accelerations: nothing answers to a displacement.
const UNHELD: f64 = 0.999;
/// How often a search is helped over a place where nothing answers.
const NUDGES_MAX: u32 = 3;
/// (1/s²) Stiffness per mass below which a direction counts as neutral (position on the plane,
/// heading, spin); below 0.05 Hz.
const NEUTRAL: f64 = 0.1;

/// A loop that cannot be assembled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "{}the loop at joint `{joint}` cannot be assembled: it stays open by {violation:.3e} (m or rad); give better initial coordinates or correct the geometry",
    place.as_ref().map_or(String::new(), |place| format!("{place}: joints.{joint}: "))
)]
pub struct AssemblyError {
    /// Where a file describes the joint: `file:line:column`.
    pub place: Option<String>,
    /// The cut joint.
    pub joint: String,
    /// Largest violation.
    pub violation: f64,
}

/// Why there is no equilibrium.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum EquilibriumError {
    /// A loop.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// No rest found.
    #[error(
        "no equilibrium found: at joint `{joint}` an acceleration of {acceleration:.3e} (m/s² or rad/s²) is left after {iterations} iterations; start nearer to it"
    )]
    NotFound { joint: String, acceleration: f64, iterations: u32 },
    /// An acceleration that no displacement changes.
    #[error(
        "there is no equilibrium: joint `{joint}` accelerates with {acceleration:.3e} (m/s² or rad/s²) wherever it is; add a spring, a wheel or a joint that holds it"
    )]
    Unheld { joint: String, acceleration: f64 },
}

/// Closes all loops; returns the Newton iterations.
pub fn assemble(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Result<u32, AssemblyError> {
    let mut iterations = 0;
    for _ in 0..20 {
        // Each round chooses its partition where the last one ended.
        state.partitions.iter_mut().for_each(|partition| partition.rank = 0);
        let status = forward(model, state, inputs, workspace);
        iterations += status.iterations;
        if status.violation < OPEN && status.iterations <= 1 {
            return Ok(iterations);
        }
    }
    let worst = (0..model.rows.len()).max_by(|a, b| {
        let size = |row: &usize| workspace.violation[*row].abs();
        size(a).total_cmp(&size(b))
    });
    match worst {
        Some(row) if workspace.violation[row].abs() >= OPEN || workspace.violation[row].is_nan() => {
            Err(open_loop(model, row, workspace.violation[row].abs()))
        }
        _ => Ok(iterations),
    }
}

fn open_loop(model: &Model, row: usize, violation: f64) -> AssemblyError {
    let joint = &model.description.joints[model.row_joint[row]].name;
    // What the preprocessor made of a joint is named after it, with a full stop between.
    let written = joint.split('.').next().unwrap_or(joint);
    let described = model.description.joint(written);
    AssemblyError {
        place: described.and_then(|it| model.description.joints[it].place.clone()),
        joint: joint.clone(),
        violation,
    }
}

/// Moves the state to rest; returns the Newton iterations.
pub fn equilibrium(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
) -> Result<u32, EquilibriumError> {
    const ITERATIONS: u32 = 100;
    state.velocity.fill(0.0);
    assemble(model, state, inputs, workspace)?;
    let mut search = Search::new(model, state, inputs, tyre, workspace);
    let mut largest = f64::INFINITY;
    let (mut worst, mut nudges) = (0, 0);
    for iteration in 0..ITERATIONS {
        let rest = search.accelerations(state);
        largest = rest.amax();
        if largest < REST {
            return Ok(iteration);
        }
        worst = search.independent[rest.iamax()];
        let jacobian = search.stiffness(state);
        if !largest.is_finite() || jacobian.iter().any(|it| !it.is_finite()) {
            break;
        }
        let mut change = damped_step(&jacobian, &rest);
        // Never more than a tenth of a metre or radian at once: springs and stops are not linear.
        let size = change.amax();
        if (&rest + &jacobian * &change).norm() > UNHELD * rest.norm() {
            // Where a force is stationary (a bar held level) its derivative is zero; a little
            // further it is not.
            nudges += 1;
            if nudges > NUDGES_MAX {
                return Err(EquilibriumError::Unheld { joint: joint_of(model, worst), acceleration: largest });
            }
            change = rest * (0.05 / largest);
        }
        if size > 0.1 {
            change *= 0.1 / size;
        }
        search.shift(state, &change);
        state.velocity.fill(0.0);
    }
    Err(EquilibriumError::NotFound { joint: joint_of(model, worst), acceleration: largest, iterations: ITERATIONS })
}

/// Newton's step, damped in directions that hardly answer: with J = U Σ Vᵀ, −V Σ (Σ² + μ²)⁻¹ Uᵀ a.
/// Differences of loops that are closed to 1e-10 m leave some stiffness in directions that have
/// none; without damping a vehicle at rest would be turned about.
fn damped_step(jacobian: &DMatrix<f64>, rest: &DVector<f64>) -> DVector<f64> {
    let decomposed = jacobian.clone().svd(true, true);
    let (Some(u), Some(v)) = (&decomposed.u, &decomposed.v_t) else {
        return DVector::zeros(rest.len());
    };
    let mut parts = u.tr_mul(rest);
    for (part, stiffness) in parts.iter_mut().zip(decomposed.singular_values.iter()) {
        *part *= -stiffness / (stiffness * stiffness + NEUTRAL * NEUTRAL);
    }
    v.tr_mul(&parts)
}

/// How unstable a state at rest is: the largest real part among the eigenvalues of the
/// accelerations by displacement, 1/s². Above zero a small displacement grows, as that of a
/// pendulum on its head; none when the eigenvalues cannot be found.
pub fn instability(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
) -> Option<f64> {
    let jacobian = Search::new(model, state, inputs, tyre, workspace).stiffness(state);
    eigenvalues(jacobian).map(|all| all.iter().map(|it| it.re).fold(f64::NEG_INFINITY, f64::max))
}

/// Eigenvalues of a matrix of any size, if they are finite and can be found.
pub(crate) fn eigenvalues(matrix: DMatrix<f64>) -> Option<Vec<nalgebra::Complex<f64>>> {
    if matrix.is_empty() || matrix.iter().any(|it| !it.is_finite()) {
        return matrix.is_empty().then(Vec::new);
    }
    let rounds = 1000 * matrix.nrows();
    let schur = nalgebra::Schur::try_new(matrix, f64::EPSILON, rounds)?;
    Some(schur.complex_eigenvalues().iter().copied().collect())
}

/// The joint of a velocity coordinate.
fn joint_of(model: &Model, velocity: usize) -> String {
    let carries = |slot: &usize| {
        let primitives = &model.primitives[model.bodies[*slot].primitives.clone()];
        primitives.iter().any(|it| it.velocities().contains(&velocity))
    };
    let slot = (1..model.bodies.len()).find(carries).unwrap_or(0);
    model.joint_name(model.bodies[slot].id.0).to_owned()
}

/// What a search for equilibrium moves and looks at.
struct Search<'a, T> {
    model: &'a Model,
    inputs: &'a Inputs,
    tyre: &'a mut T,
    workspace: &'a mut Workspace,
    independent: Vec<usize>,
}

impl<'a, T: Tyre> Search<'a, T> {
    fn new(model: &'a Model, state: &State, inputs: &'a Inputs, tyre: &'a mut T, workspace: &'a mut Workspace) -> Self {
        Self { model, inputs, tyre, workspace, independent: state.independent(model).collect() }
    }

    fn accelerations(&mut self, state: &mut State) -> DVector<f64> {
        evaluate(self.model, state, self.inputs, self.tyre, self.workspace);
        let found = self.independent.iter().map(|index| self.workspace.acceleration[*index]);
        DVector::from_iterator(self.independent.len(), found)
    }

    /// Moves the independent coordinates.
    fn shift(&self, state: &mut State, change: &DVector<f64>) {
        let mut tangent = vec![0.0; self.model.velocity_count()];
        for (index, value) in self.independent.iter().zip(change.iter()) {
            tangent[*index] = *value;
        }
        shift_tangent(self.model, &tangent, &mut state.position);
    }

    /// Derivative of the accelerations by the independent coordinates, central differences.
    fn stiffness(&mut self, state: &State) -> DMatrix<f64> {
        const SMALL: f64 = 1e-4;
        let count = self.independent.len();
        let mut jacobian = DMatrix::zeros(count, count);
        for column in 0..count {
            let mut side = |sign: f64| {
                let (mut moved, mut change) = (state.clone(), DVector::zeros(count));
                change[column] = sign * SMALL;
                self.shift(&mut moved, &change);
                self.accelerations(&mut moved)
            };
            let difference = (side(1.0) - side(-1.0)) * (0.5 / SMALL);
            jacobian.set_column(column, &difference);
        }
        jacobian
    }
}
