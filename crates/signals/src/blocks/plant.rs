//! `/plant_inputs/`, `/plant_outputs/` and the two state blocks: the lock-step exchange of any
//! dynamic system.
//!
//! At step `k` the dynamics publish the outputs of step `k`; the subsystems answer with inputs that
//! carry the same step number; the plant then steps from `k` to `k + 1`.

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Most inputs of a plant.
pub const PLANT_INPUTS_MAX: usize = 64;
/// Most outputs of a plant.
pub const PLANT_OUTPUTS_MAX: usize = 256;
/// Most numbers that a process keeps for its own restart.
pub const STATES_MAX: usize = 256;

/// The inputs of the plant for one step.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "input_count", tail = "inputs")]
#[repr(C)]
pub struct PlantInputs {
    /// When and for which step; the step is that of the outputs which are answered.
    pub stamp: Stamp,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Age of the driver's data when the inputs
    /// were computed.
    pub driver_age_ns: u64,
    /// [-] [@range 0..64] [@invalid 0] How many inputs are in use.
    pub input_count: u64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] The inputs, in the units and the order of the
    /// plant's description.
    pub inputs: [f64; PLANT_INPUTS_MAX],
}

/// The outputs of the plant at the beginning of one step.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "output_count", tail = "outputs")]
#[repr(C)]
pub struct PlantOutputs {
    /// When and for which step.
    pub stamp: Stamp,
    /// [s] [@range 0..1e12] [@invalid NaN] Simulated time.
    pub time_s: f64,
    /// [-] [@range 0..18446744073709551615] [@invalid 18446744073709551615] What the last step
    /// reported; 0 = all is well.
    pub status: u64,
    /// [-] [@range 0..256] [@invalid 0] How many outputs are in use.
    pub output_count: u64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] The outputs, in the units and the order of the
    /// plant's description.
    pub outputs: [f64; PLANT_OUTPUTS_MAX],
}

/// What a process needs to go on after a restart.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "state_count", tail = "states")]
#[repr(C)]
pub struct StateVector {
    /// When and for which step.
    pub stamp: Stamp,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Fingerprint of the model that the numbers
    /// belong to.
    pub model_hash: u64,
    /// [s] [@range 0..1e12] [@invalid NaN] Simulated time.
    pub time_s: f64,
    /// [-] [@range 0..256] [@invalid 0] How many numbers are in use.
    pub state_count: u64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] The numbers, in the order of the model.
    pub states: [f64; STATES_MAX],
}
