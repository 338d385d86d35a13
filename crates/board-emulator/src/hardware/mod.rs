//! The boards and sensors that a script samples: the car's encoders on the quadrature decoder, its
//! pressure sensor on the analog input.
//!
//! | pin | what is there (DAS 3.1.2, 3.1.3, 4.4) |
//! | --- | --- |
//! | B3 | quadrature decoder, control port: reading it latches four counters |
//! | B2 | quadrature decoder, data port: steering wheel, steered wheels, throttle pedal, nothing |
//! | S4 | brake pressure, 0–40 bar as 0–5 V on ±5 V with 16 bit |
//! | other S | nothing is connected: 0 V |

mod quadrature;

use quadrature::{COUNTERS, Encoder, QuadratureBoard};

use super::manoeuvre::Controls;
use super::script::Pin;
use super::{Random, Settings};

/// The angle of one phase of an encoder (deg).
pub(crate) const COUNT_DEG: f64 = 0.18;
/// The end of the analog input's range (V).
const FULL_SCALE_V: f64 = 5.0;
const BRAKE_PIN: u8 = 4;
/// The sensor's range (bar): 0 V to 5 V.
const BRAKE_FULL_SCALE_BAR: f64 = 40.0;
/// The throttle pedal turns its encoder this far (deg): 420 counts of 0.18°.
const THROTTLE_FULL_DEG: f64 = 75.6;
/// Turns of the steering wheel for one of the second encoder at the steered wheels. The document
/// does not say: our choice.
const STEERING_RATIO: f64 = 16.0;

/// Positions of the encoders on the board, in the order of their plugs.
const STEERING: usize = 0;
const STEERED_WHEELS: usize = 1;
const THROTTLE: usize = 2;

/// All boards of the car, at one time.
#[derive(Clone, Debug)]
pub(crate) struct Hardware {
    encoders: [Encoder; COUNTERS],
    quadrature: QuadratureBoard,
    /// The pressure sensor at no pressure, and the deviation of its noise (converter's counts).
    brake_zero_counts: f64,
    brake_noise_counts: f64,
    random: Random,
}

impl Hardware {
    /// Boards that are switched on with the controls like this. The steering may have counted.
    pub fn new(controls: &Controls, settings: &Settings) -> Self {
        let encoders = angles_deg(controls).map(Encoder::at);
        let phases = [0, 1, 2, 3].map(|index: usize| encoders[index].phase());
        let mut counters = [0; COUNTERS];
        counters[STEERING] = settings.steering_counter;
        Self {
            encoders,
            quadrature: QuadratureBoard::new(counters, phases),
            brake_zero_counts: settings.brake_zero_counts,
            brake_noise_counts: settings.brake_noise_counts,
            random: Random::new(settings.seed),
        }
    }

    /// The controls have moved: the decoder sees every quarter of an encoder's cycle on the way.
    pub fn follow(&mut self, controls: &Controls) {
        for (index, angle_deg) in angles_deg(controls).into_iter().enumerate() {
            let quadrature = &mut self.quadrature;
            self.encoders[index].turn_to(angle_deg, |phase| quadrature.see(index, phase));
        }
    }

    pub fn read(&mut self, pin: Pin, controls: &Controls) -> i16 {
        match pin {
            Pin::Latch => self.quadrature.read_control(),
            Pin::Counter => self.quadrature.read_data(),
            Pin::Analog(BRAKE_PIN) => self.read_brake(controls.brake_bar),
            Pin::Analog(_) => 0,
        }
    }

    fn read_brake(&mut self, brake_bar: f64) -> i16 {
        let error_counts = self.brake_zero_counts + self.brake_noise_counts * self.random.normal();
        let ideal_v = FULL_SCALE_V * (brake_bar / BRAKE_FULL_SCALE_BAR).clamp(0.0, 1.0);
        counts_of_volts(ideal_v + error_counts * FULL_SCALE_V / f64::from(i16::MAX))
    }
}

/// Turning to the right counts up (DAS 4.5), and angles are positive to the left.
fn angles_deg(controls: &Controls) -> [f64; COUNTERS] {
    let mut angles_deg = [0.0; COUNTERS];
    angles_deg[STEERING] = -controls.steering_deg;
    angles_deg[STEERED_WHEELS] = -controls.steering_deg / STEERING_RATIO;
    angles_deg[THROTTLE] = THROTTLE_FULL_DEG * controls.throttle_ratio;
    angles_deg
}

/// The number for a voltage: ±5 V become 16 bit (DAS 4.2.3: ±32767 for ±5 V); beyond its range the
/// converter stays at its end.
fn counts_of_volts(input_v: f64) -> i16 {
    // `as` saturates.
    (input_v / FULL_SCALE_V * f64::from(i16::MAX)).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DAS Table 4.4, and what lies beyond.
    #[test]
    fn the_range_of_the_table() {
        let volts = [0.0, 5.0, -5.0, 7.0, -7.0, f64::NAN];
        assert_eq!(volts.map(counts_of_volts), [0, 32767, -32767, 32767, -32768, 0]);
    }
}
