//! Initial assembly and static equilibrium.
//!
//! Assembly is the loop closure of the step from rough coordinates, repeated until all rows hold, those that do not decide included.
//! Equilibrium is a state at rest without acceleration: Newton's method on the independent coordinates with a numerical
//! Jacobian, where directions that change nothing (position on the plane, heading, spin) stay as they are.

use crate::dynamics::{Workspace, evaluate, forward, shift_tangent};
use crate::forces::Tyre;
use crate::model::Model;
use crate::state::{Inputs, State};
use nalgebra::{DMatrix, DVector};

/// `m` A loop that is open by more than this after assembly cannot be closed.
const OPEN: f64 = 1e-8;
/// [m/s²], [rad/s²] Rest: what loops that are closed to 1e-10 m leave in the stiffest tyres and springs.
const REST: f64 = 5e-6;

/// A loop that cannot be assembled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the loop at joint `{joint}` cannot be assembled: it stays open by {violation:.3e} (m or rad); give better initial coordinates or correct the geometry"
)]
pub struct AssemblyError {
    /// The cut joint.
    pub joint: String,
    /// Largest violation.
    pub violation: f64,
}

/// Why there is no equilibrium.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EquilibriumError {
    /// A loop.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// No rest found.
    #[error(
        "no equilibrium found: an acceleration of {acceleration:.3e} is left after {iterations} iterations; start nearer to it"
    )]
    NotFound {
        /// Largest acceleration, m/s² or rad/s².
        acceleration: f64,
        /// How often it was tried.
        iterations: u32,
    },
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
        state
            .partitions
            .iter_mut()
            .for_each(|partition| partition.rank = 0);
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
            Err(AssemblyError {
                joint: model.description.joints[model.row_joint[row]].name.clone(),
                violation: workspace.violation[row].abs(),
            })
        }
        _ => Ok(iterations),
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
    let independent: Vec<usize> = state.independent(model).collect();
    let mut largest = f64::INFINITY;
    for iteration in 0..ITERATIONS {
        let rest = accelerations(model, state, inputs, tyre, workspace, &independent);
        largest = rest.amax();
        if largest < REST {
            return Ok(iteration);
        }
        let jacobian = stiffness(model, state, inputs, tyre, workspace, &independent);
        let decomposed = jacobian.svd(true, true);
        let tolerance = 1e-9 * decomposed.singular_values.max();
        let Ok(mut change) = decomposed.solve(&-rest, tolerance) else {
            break;
        };
        // Never more than a tenth of a metre or radian at once: springs and stops are not linear.
        let size = change.amax();
        if size > 0.1 {
            change *= 0.1 / size;
        }
        move_independent(model, state, &independent, &change);
        state.velocity.fill(0.0);
    }
    Err(EquilibriumError::NotFound {
        acceleration: largest,
        iterations: ITERATIONS,
    })
}

fn accelerations(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
    independent: &[usize],
) -> DVector<f64> {
    evaluate(model, state, inputs, tyre, workspace);
    DVector::from_iterator(
        independent.len(),
        independent.iter().map(|index| workspace.acceleration[*index]),
    )
}

fn move_independent(model: &Model, state: &mut State, independent: &[usize], change: &DVector<f64>) {
    let mut tangent = vec![0.0; model.velocity_count()];
    for (index, value) in independent.iter().zip(change.iter()) {
        tangent[*index] = *value;
    }
    shift_tangent(model, &tangent, &mut state.position);
}

/// Derivative of the accelerations by the independent coordinates, central differences.
fn stiffness(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
    independent: &[usize],
) -> DMatrix<f64> {
    const SMALL: f64 = 1e-6;
    let count = independent.len();
    let mut jacobian = DMatrix::zeros(count, count);
    for column in 0..count {
        let mut side = |sign: f64| {
            let mut moved = state.clone();
            let mut change = DVector::zeros(count);
            change[column] = sign * SMALL;
            move_independent(model, &mut moved, independent, &change);
            accelerations(model, &mut moved, inputs, tyre, workspace, independent)
        };
        let difference = (side(1.0) - side(-1.0)) * (0.5 / SMALL);
        jacobian.set_column(column, &difference);
    }
    jacobian
}
