//! The kernels compiled twice: for every x86-64 machine, and with the three-operand instructions of AVX.
//!
//! Which one runs is asked once a call (one load and a branch). The bits are the same: AVX alone has no fused multiplication, and
//! the order of operations is that of the source.
// A function that is compiled for AVX is unsafe to call where the processor might lack it.
#![allow(unsafe_code)]

use super::{Memory, RotorMemory, backward as inward, forward as onward, rotor};
use crate::dynamics::{Status, Workspace};
use crate::math::Number;
use crate::model::{Bundle, Rotor};
use crate::state::State;

macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident, $avx:ident, $kernel:path, ($($argument:ident: $type:ty),*) -> $result:ty) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name<T: Number>($($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx") {
                // SAFETY: the processor has AVX.
                return unsafe { $avx($($argument),*) };
            }
            $kernel($($argument),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx")]
        fn $avx<T: Number>($($argument: $type),*) -> $result {
            $kernel($($argument),*)
        }
    };
}

dispatched!(
    /// Forward pass of a bundle; none if its clusters need the general way.
    forward, forward_avx, onward::forward,
    (bundle: &Bundle<T>, memory: &mut Memory<T>, state: &mut State, workspace: &mut Workspace) -> Option<Status>
);
dispatched!(
    /// Backward pass of a bundle.
    backward, backward_avx, inward::backward,
    (bundle: &Bundle<T>, memory: &mut Memory<T>, workspace: &mut Workspace) -> ()
);
dispatched!(
    /// Outward pass of a bundle.
    outward, outward_avx, inward::outward,
    (bundle: &Bundle<T>, memory: &Memory<T>, workspace: &mut Workspace) -> ()
);
dispatched!(
    /// Forward pass of rotors.
    rotor_forward, rotor_forward_avx, rotor::RotorMemory::forward,
    (memory: &mut RotorMemory<T>, rotor: &Rotor<T>, state: &State, workspace: &mut Workspace) -> ()
);
dispatched!(
    /// Backward pass of rotors.
    rotor_backward, rotor_backward_avx, rotor::RotorMemory::backward,
    (memory: &mut RotorMemory<T>, rotor: &Rotor<T>, workspace: &mut Workspace) -> ()
);
dispatched!(
    /// Outward pass of rotors.
    rotor_outward, rotor_outward_avx, rotor::RotorMemory::outward,
    (memory: &RotorMemory<T>, rotor: &Rotor<T>, workspace: &mut Workspace) -> ()
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::assemble;
    use crate::{Inputs, Model};

    /// Where there is AVX this compares the two; elsewhere they are one and the same.
    #[test]
    fn both_compilations_have_the_same_bits() {
        let model = Model::new(&crate::generate::corners(2)).expect("a model");
        let (mut state, inputs, mut workspace) =
            (State::new(&model), Inputs::new(&model), Workspace::new(&model));
        assemble(&model, &mut state, &inputs, &mut workspace).expect("closes");
        for (k, velocity) in state.velocity.iter_mut().enumerate() {
            *velocity += 0.1 * (k as f64).sin();
        }
        state.position[7] += 1e-3;
        // Once to prepare the kernels, once through them.
        crate::dynamics::forward(&model, &mut state, &inputs, &mut workspace);
        let bundle = &model.schedule.twos[0];
        let run = |plain: bool| {
            let (mut state, mut workspace) = (state.clone(), workspace.clone());
            let mut memory = workspace.lanes.twos[0].clone();
            let status = if plain {
                onward::forward(bundle, &mut memory, &mut state, &mut workspace)
            } else {
                forward(bundle, &mut memory, &mut state, &mut workspace)
            };
            assert!(status.is_some());
            if plain {
                inward::backward(bundle, &mut memory, &mut workspace);
                inward::outward(bundle, &memory, &mut workspace);
            } else {
                backward(bundle, &mut memory, &mut workspace);
                outward(bundle, &memory, &mut workspace);
            }
            (state, workspace.acceleration, workspace.inertia, workspace.velocity)
        };
        assert_eq!(run(true), run(false));
    }
}
