//! Recursive forward dynamics with closed loops.
//!
//! Spatial vectors have earth axes and one common pole, the reference point of the base, chosen
//! anew for each evaluation (a pole far away would cost digits: ten kilometres down the road an
//! inertia about the earth's origin carries m r²). Along a chain
//! ```text
//! V_k = V_p + Σ s_j ż_j,      V̇_k = A_k + β_k,      A_k = A_p + Σ s_j z̈_j                      (1)
//! β_k = β_p + Σ V_inboard(j) ×ₘ s_j ż_j,     β_ground = (0, −g)                               (2)
//! ```
//! A cluster with coordinates z and constraints Φ(z) = 0 is cut down to its independent coordinates
//! s:
//! ```text
//! ż = R ṡ + b,   z̈ = R s̈ + c,   R = [ −Φ_d⁻¹ Φ_i ; 1 ]                                        (3)
//! U_k = Σ s_j R_j  (unit motions of body k),      β_k ← β_k + Σ s_j c_j                          (4)
//! w_k = f_k − V_k ×ᶠ I_k V_k − I_k β_k                                                          (5)
//! m = Σ U_kᵀ I_k U_k,   L = Σ I_k U_k,   K = Σ I_k,   w = Σ w_k,   g = Rᵀ τ + Σ U_kᵀ w_k            (6)
//! m s̈ + Lᵀ A_p = g,      K A_p + L s̈ = w + (force from the parent)                             (7)
//! K̂ = K − L m⁻¹ Lᵀ,      ŵ = w − L m⁻¹ g                                                       (8)
//! ```
//! K̂ and ŵ are added to the inertia and force of the parent body: a cluster is an articulated
//! joint with as many freedoms as it has independent coordinates. The passes are
//! 1. **forward** ([`forward`]): positions, loop closure, velocities, biases, unit motions;
//! 2. **backward** ([`backward`]): eq. (5)–(8) from the tips;
//! 3. **outward** ([`outward`]): s̈ from eq. (7), z̈ from eq. (3).

mod articulated;
mod backward;
mod base;
mod factor;
mod forward;
mod frame;
pub(crate) mod lanes;
mod loops;
mod partition;
mod tasks;
mod workspace;

pub use backward::{backward, outward};
pub use forward::{Status, forward};
pub use loops::TOLERANCE;
pub use workspace::Workspace;

pub(crate) use factor::{lu, lu_solve};
pub(crate) use forward::quaternion;
pub(crate) use frame::Frame;
pub(crate) use loops::shift_tangent;

use crate::forces::{Contact, Tyre};
use crate::model::Model;
use crate::state::{Inputs, State};

/// Adds all forces: call after [`forward`].
pub fn apply_forces(model: &Model, state: &State, inputs: &Inputs, tyre: &mut impl Tyre, workspace: &mut Workspace) {
    model.forces.apply(state, inputs, workspace);
    Contact::apply_all(&model.forces.wheels, tyre, workspace);
}

/// Accelerations of all coordinates at a state, left in [`Workspace::acceleration`].
pub fn evaluate(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
) -> Status {
    let status = forward(model, state, inputs, workspace);
    accelerate(model, state, inputs, tyre, workspace);
    status
}

/// Forces and accelerations after a forward pass.
pub(crate) fn accelerate(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    tyre: &mut impl Tyre,
    workspace: &mut Workspace,
) {
    apply_forces(model, state, inputs, tyre, workspace);
    backward(model, state, workspace);
    outward(model, state, workspace);
}
