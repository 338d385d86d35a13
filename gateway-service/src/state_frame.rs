//! The binary message with the newest poses and gauges.

use shm_layout::blocks::{Kinematics, VehicleState, WheelKinematics, WheelState};
use shm_layout::signals::Vector3;
use vehicle::terrain::{Hint, Terrain};

use crate::pose::Pose;

/// Kind of the message.
const KIND: u32 = 1;
/// Where the count stands that each client has of its own.
pub const COUNT_AT: usize = 4;

/// Builds a message in its own memory.
#[derive(Debug, Default)]
pub struct StateFrame {
    bytes: Vec<u8>,
}

impl StateFrame {
    /// Begins a message.
    pub fn new(step: f64, time_s: f64) -> Self {
        let mut frame = Self { bytes: Vec::with_capacity(1024) };
        frame.bytes.extend(KIND.to_le_bytes());
        frame.bytes.extend(0_u32.to_le_bytes());
        frame.bytes.extend(step.to_le_bytes());
        frame.bytes.extend(time_s.to_le_bytes());
        frame
    }

    /// A body.
    pub fn body(&mut self, pose: &Pose) {
        self.numbers(&pose.position_m.to_array());
        self.numbers(&pose.orientation.to_wxyz());
    }

    /// A wheel: its spin, where it touches the road, what the road does to it.
    pub fn wheel(&mut self, motion: &WheelKinematics, state: &WheelState, terrain: &dyn Terrain, hint: &mut Hint) {
        let [x, y, _] = motion.position_m.to_array();
        let ground = terrain.at(x, y, hint);
        let ahead = motion.axle.cross(ground.normal).normalised().unwrap_or(Vector3::AXES[0]);
        let left = ground.normal.cross(ahead);
        let force = ahead * state.longitudinal_force_n + left * state.lateral_force_n + ground.normal * state.load_n;
        self.numbers(&[state.spin_angle_rad, x, y, ground.height_m]);
        self.numbers(&force.to_array());
        self.numbers(&[state.slip_ratio]);
    }

    /// All wheels of a vehicle.
    pub fn wheels(&mut self, motion: &Kinematics, state: &VehicleState, terrain: &dyn Terrain, hints: &mut [Hint]) {
        for ((motion, state), hint) in motion.wheels().iter().zip(&state.wheels).zip(hints) {
            self.wheel(motion, state, terrain, hint);
        }
    }

    /// Any numbers.
    pub fn numbers(&mut self, values: &[f64]) {
        values.iter().for_each(|value| self.bytes.extend((*value as f32).to_le_bytes()));
    }

    /// The message.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::signals::Quaternion;
    use vehicle::terrain::Road;

    /// Byte for byte as docs/gateway.md has it. A wheel whose axle points left rolls forward: the
    /// force along it is along x, that across it along y, the load along z.
    #[test]
    fn a_message_is_laid_out_as_documented() {
        let mut frame = StateFrame::new(7.0, 0.25);
        frame.body(&Pose {
            position_m: Vector3::new(1.0, 2.0, 3.0),
            orientation: Quaternion::from_wxyz([1.0, 0.0, 0.0, 0.0]),
        });
        let motion = WheelKinematics {
            position_m: Vector3::new(4.0, 5.0, 0.5),
            axle: Vector3::AXES[1],
            ..WheelKinematics::default()
        };
        let state = WheelState {
            spin_angle_rad: 0.5,
            longitudinal_force_n: 10.0,
            lateral_force_n: 20.0,
            load_n: 30.0,
            slip_ratio: 0.125,
            ..WheelState::default()
        };
        frame.wheel(&motion, &state, &Road::flat(1.0), &mut Hint::default());
        frame.numbers(&[36.0]);
        let bytes = frame.finish();
        assert_eq!(bytes[..8], [1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!((&bytes[8..16], &bytes[16..24]), (&7.0_f64.to_le_bytes()[..], &0.25_f64.to_le_bytes()[..]));
        let numbers: Vec<f32> =
            bytes[24..].chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
        let expected = [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0.5, 4.0, 5.0, 0.0, 10.0, 20.0, 30.0, 0.125, 36.0];
        assert_eq!(numbers, expected);
    }
}
