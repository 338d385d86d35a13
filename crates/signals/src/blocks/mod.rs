//! Our blocks: one file per payload, and the table that gives each a name, a number and a writer.
//!
//! Every payload begins with a [`Stamp`](crate::Stamp). Axes are those of ISO 8855: x forward, y
//! left, z up; frames are E (earth), V (vehicle), W (wheel) and T (tyre contact). Units are SI
//! unless the name of the field says otherwise.
#![allow(rustdoc::broken_intra_doc_links, reason = "the brackets of the fields hold units and ranges, not links")]

mod acquisition;
mod control;
mod demands;
mod driver;
mod external;
mod forces;
mod health;
mod kinematics;
mod names;
mod overrides;
mod plant;
mod sensors;
mod steering;
mod vehicle;

pub use acquisition::{ACQUISITION_CHANNELS_MAX, Acquisition, ChannelStatus, SOURCES_MAX, SourceStatus};
pub use control::{Control, MODE_RUN, MODE_STOP, PROCESSES_MAX};
pub use demands::{DEMANDS_MAX, Demands};
pub use driver::DriverInput;
pub use external::{External, ExternalWheel};
pub use forces::{Forces, WheelForces};
pub use health::{
    Distribution, HISTOGRAM_BUCKETS_MAX, Health, STATE_FAULT, STATE_RUNNING, STATE_STARTING, STATE_STOPPED,
};
pub use kinematics::{Kinematics, WHEELS_MAX, WheelKinematics};
pub use names::{NAMES_WORDS_MAX, Names};
pub use overrides::{OVERRIDES_MAX, Override, Overrides, PACE_HELD, PACE_OF_RUN, SEAT_LEFT, SEAT_OF_RUN, SEAT_TAKEN};
pub use plant::{PLANT_INPUTS_MAX, PLANT_OUTPUTS_MAX, PlantInputs, PlantOutputs, STATES_MAX, StateVector};
pub use sensors::{ACCELEROMETERS, CHANNELS_MAX, Sensors};
pub use steering::{Coordinate, SteeredBy, SteeringMotion};
pub use vehicle::{VehicleState, WheelState};

use crate::Quaternion;
use crate::block::{Block, BlockEntry, Role};
use crate::payload::{Layout, Shape, invalid};
use bytemuck::Zeroable;

macro_rules! beginnings {
    ($($(#[$documentation:meta])* $payload:ident = $value:expr;)*) => {
        $($(#[$documentation])* impl Default for $payload {
            fn default() -> Self {
                $value
            }
        })*
    };
}

beginnings! {
    /// Nothing is known; a writer that says no age measures when it publishes.
    DriverInput = Self { age_ns: 0, ..invalid() };
    Sensors = invalid();
    Acquisition = invalid();
    External = invalid();
    /// At rest at the origin, without wheels.
    Kinematics =
        Self { orientation: Quaternion::IDENTITY, rack_force_n: f64::NAN, steer_torque_nm: f64::NAN, ..Self::zeroed() };
    /// Nothing acts.
    Forces = Self { steering: SteeringMotion::UNKNOWN, ..Self::zeroed() };
    /// Before the first step: a released driver, and nothing acts.
    VehicleState = Self { input: DriverInput::RELEASED, ..Self::zeroed() };
    Health = Self { cpu: -1, ..Self::zeroed() };
    Control = Self::zeroed();
    Demands = Self::zeroed();
    Names = Self::zeroed();
    PlantInputs = Self::zeroed();
    PlantOutputs = Self::zeroed();
    StateVector = Self::zeroed();
}

macro_rules! catalogue {
    ($($(#[$documentation:meta])* $constant:ident: $payload:ident = $number:literal $name:literal by $writer:ident;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "only their order is used")]
        enum Position { $($constant),* }
        $($(#[$documentation])* pub const $constant: Block<$payload> = Block::at(Position::$constant as usize);)*
        /// Every block, in the order in which they lie in the region.
        pub const CATALOGUE: &[BlockEntry] = &[$(BlockEntry {
            name: $name,
            number: $number,
            writer: Role::$writer,
            payload_words: <$payload as Shape>::WORDS,
            fields: <$payload as Layout>::FIELDS,
        }),*];
    };
}

catalogue! {
    /// What the driver of a vehicle does.
    DRIVER: DriverInput = 1 "driver" by Daq;
    /// What the sensors measure.
    SENSORS: Sensors = 2 "sensors" by Daq;
    /// The inputs of the plant, answered for each step.
    PLANT_INPUTS: PlantInputs = 3 "plant_inputs" by Subsystem;
    /// The outputs of the plant at the beginning of each step.
    PLANT_OUTPUTS: PlantOutputs = 4 "plant_outputs" by Dynamics;
    /// The state of the plant, from which a restarted process goes on.
    PLANT_STATE: StateVector = 5 "plant_state" by Dynamics;
    /// The state of the subsystem models, from which a restarted process goes on.
    SUBSYSTEM_STATE: StateVector = 6 "subsystem_state" by Subsystem;
    /// Motion of the chassis and the wheels.
    KINEMATICS: Kinematics = 7 "kinematics" by Dynamics;
    /// Forces and torques on the chassis and the wheels.
    FORCES: Forces = 8 "forces" by Subsystem;
    /// The vehicle's subsystems as a driver or a display sees them.
    VEHICLE: VehicleState = 9 "vehicle" by Subsystem;
    /// What a person at the gateway puts in the place of a driver's or operator's signals.
    OVERRIDES: Overrides = 10 "overrides" by Gateway;
    /// What the supervisor asks of all processes.
    CONTROL: Control = 11 "control" by Supervisor;
    /// Health of `daq-service`.
    DAQ_HEALTH: Health = 12 "daq_health" by Daq;
    /// Health of `dynamics-service`.
    DYNAMICS_HEALTH: Health = 13 "dynamics_health" by Dynamics;
    /// Health of `subsystem-service`.
    SUBSYSTEM_HEALTH: Health = 14 "subsystem_health" by Subsystem;
    /// Health of `gateway-service`.
    GATEWAY_HEALTH: Health = 15 "gateway_health" by Gateway;
    /// Drive torques of a powertrain of the user's.
    EXTERNAL_POWERTRAIN: External = 16 "external_powertrain" by External;
    /// Brake torques of a brake system of the user's.
    EXTERNAL_BRAKE: External = 17 "external_brake" by External;
    /// The rack of a steering system of the user's.
    EXTERNAL_STEERING: External = 18 "external_steering" by External;
    /// Forces on the body of an aerodynamic model of the user's.
    EXTERNAL_AERODYNAMICS: External = 19 "external_aerodynamics" by External;
    /// The state of the acquisition, from which a restarted process goes on.
    DAQ_STATE: StateVector = 20 "daq_state" by Daq;
    /// What the sources deliver and how far it can be believed.
    ACQUISITION: Acquisition = 21 "acquisition" by Daq;
    /// What the operator of a plant asks for.
    DEMANDS: Demands = 22 "demands" by Daq;
    /// What the numbers of a plant or a mechanism are called, written once before the first step.
    NAMES: Names = 23 "names" by Dynamics;
    /// What sources and channels of the acquisition are called, written once.
    DAQ_NAMES: Names = 24 "daq_names" by Daq;
}
