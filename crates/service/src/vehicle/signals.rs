//! The few signals by which people watch a vehicle: in a live run, in recordings and in plots.
//!
//! They are shown as the demands, inputs and outputs of any plant are, so that a program that
//! watches plants can watch vehicles.

use plant::{Description, Port, Range};
use vehicle::{DriverInput, Forces, Kinematics, VehicleState};

/// One signal: name, unit, meaning, and how it is taken.
struct Signal<T: ?Sized> {
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    value: fn(&T) -> f64,
}

const DEMANDS: [Signal<DriverInput>; 3] = [
    Signal {
        name: "steering_wheel_deg",
        unit: "°",
        meaning: "steering-wheel angle, positive to the left",
        value: |input| input.steering_angle_rad.to_degrees(),
    },
    Signal {
        name: "throttle_ratio",
        unit: "1",
        meaning: "throttle pedal",
        value: |input| input.throttle_ratio,
    },
    Signal { name: "brake_ratio", unit: "1", meaning: "brake pedal", value: |input| input.brake_ratio },
];

const INPUTS: [Signal<VehicleState>; 5] = [
    Signal {
        name: "rack_mm",
        unit: "mm",
        meaning: "displacement of the rack, positive to the left",
        value: |_| f64::NAN,
    },
    Signal {
        name: "engine_speed_rpm",
        unit: "rpm",
        meaning: "speed of the engine",
        value: |state| state.engine_speed_rad_s * 60.0 / std::f64::consts::TAU,
    },
    Signal {
        name: "engine_torque_nm",
        unit: "Nm",
        meaning: "torque of the engine",
        value: |state| state.engine_torque_nm,
    },
    Signal {
        name: "gear",
        unit: "",
        meaning: "gear, -1 reverse, 0 neutral",
        value: |state| state.gear as f64,
    },
    Signal {
        name: "antilock_ratio",
        unit: "1",
        meaning: "how far the anti-lock system takes pressure away",
        value: |state| state.antilock_ratio,
    },
];

const OUTPUTS: [Signal<Kinematics>; 9] = [
    Signal {
        name: "speed_km_h",
        unit: "km/h",
        meaning: "forward speed",
        value: |motion| motion.velocity_m_s.x * 3.6,
    },
    Signal { name: "x_m", unit: "m", meaning: "position, x", value: |motion| motion.position_m.x },
    Signal { name: "y_m", unit: "m", meaning: "position, y", value: |motion| motion.position_m.y },
    Signal {
        name: "heading_deg",
        unit: "°",
        meaning: "heading, positive to the left",
        value: |motion| motion.yaw_rad().to_degrees(),
    },
    Signal {
        name: "roll_deg",
        unit: "°",
        meaning: "roll, positive when leaning to the right",
        value: |motion| motion.roll_rad().to_degrees(),
    },
    Signal {
        name: "pitch_deg",
        unit: "°",
        meaning: "pitch, positive nose down",
        value: |motion| motion.pitch_rad().to_degrees(),
    },
    Signal {
        name: "yaw_rate_deg_s",
        unit: "°/s",
        meaning: "yaw rate, positive to the left",
        value: |motion| motion.rate_rad_s.z.to_degrees(),
    },
    Signal {
        name: "forward_acceleration_m_s2",
        unit: "m/s²",
        meaning: "acceleration forward",
        value: |motion| motion.acceleration_m_s2.x,
    },
    Signal {
        name: "lateral_acceleration_m_s2",
        unit: "m/s²",
        meaning: "acceleration to the left",
        value: |motion| motion.acceleration_m_s2.y,
    },
];

/// How many demands are shown.
pub const DEMAND_COUNT: usize = DEMANDS.len();
/// How many inputs are shown.
pub const INPUT_COUNT: usize = INPUTS.len();
/// How many outputs are shown.
pub const OUTPUT_COUNT: usize = OUTPUTS.len();

/// What the driver does.
#[must_use]
pub fn demands(input: &DriverInput) -> [f64; DEMAND_COUNT] {
    std::array::from_fn(|index| (DEMANDS[index].value)(input))
}

/// What the subsystems answered.
#[must_use]
pub fn inputs(state: &VehicleState, forces: &Forces) -> [f64; INPUT_COUNT] {
    let mut values = std::array::from_fn(|index| (INPUTS[index].value)(state));
    values[0] = forces.steering.rack_displacement_m * 1e3;
    values
}

/// How the vehicle moves.
#[must_use]
pub fn outputs(motion: &Kinematics) -> [f64; OUTPUT_COUNT] {
    std::array::from_fn(|index| (OUTPUTS[index].value)(motion))
}

/// The names of the demands.
#[must_use]
pub fn demand_ports() -> Vec<Port> {
    DEMANDS.iter().map(port).collect()
}

/// The names of inputs and outputs.
#[must_use]
pub fn description(name: &str, summary: &str) -> Description {
    Description {
        name: name.to_owned(),
        summary: summary.to_owned(),
        inputs: INPUTS.iter().map(port).collect(),
        outputs: OUTPUTS.iter().map(port).collect(),
        states: Vec::new(),
        parameters: Vec::new(),
    }
}

fn port<T>(signal: &Signal<T>) -> Port {
    Port::new(signal.name, signal.unit, Range::new(-1e9, 1e9), 0.0, signal.meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plant::description::unit_suffix;

    #[test]
    fn names_end_in_their_units() {
        let description = description("car", "a car");
        for port in demand_ports().iter().chain(&description.inputs).chain(&description.outputs) {
            assert!(port.name.ends_with(&unit_suffix(&port.unit)), "{}", port.name);
        }
    }
}
