//! The boards and sensors that a script samples: the car's encoders on the quadrature decoder, its
//! pressure sensor on the analog input.
//!
//! | pin | what is there (DAS 3.1.2, 3.1.3, 4.4) |
//! | --- | --- |
//! | B3 | quadrature decoder, control port: reading it latches four counters |
//! | B2 | quadrature decoder, data port: steering wheel, steered wheels, throttle pedal, nothing |
//! | S4 | brake pressure, 0–40 bar as 0–5 V on ±5 V with 16 bit |
//! | other S | nothing is connected: 0 V |

mod converter;
mod encoder;
mod quadrature;

pub use converter::{FULL_SCALE_V, counts_of_volts};
pub use encoder::{COUNT_DEG, Encoder};
pub use quadrature::{COUNTERS, QuadratureBoard};

use super::manoeuvre::Controls;
use super::random::Random;
use super::script::Pin;

/// The pin of the brake-pressure sensor.
pub const BRAKE_PIN: u8 = 4;
/// The sensor's range (bar): 0 V to 5 V.
pub const BRAKE_FULL_SCALE_BAR: f64 = 40.0;
/// The throttle pedal turns its encoder this far (deg): 420 counts of 0.18°.
pub const THROTTLE_FULL_DEG: f64 = 75.6;
/// Turns of the steering wheel for one of the second encoder at the steered wheels. The document
/// does not say: our choice.
const STEERING_RATIO: f64 = 16.0;

/// Positions of the encoders on the board, in the order of their plugs.
const STEERING: usize = 0;
const STEERED_WHEELS: usize = 1;
const THROTTLE: usize = 2;

/// How far the pressure sensor is from ideal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorError {
    /// What it shows at no pressure (counts of the converter).
    pub zero_counts: f64,
    /// Standard deviation of its noise (counts of the converter).
    pub noise_counts: f64,
}

/// All boards of the car, at one time.
#[derive(Clone, Debug)]
pub struct Hardware {
    encoders: [Encoder; COUNTERS],
    quadrature: QuadratureBoard,
    error: SensorError,
    random: Random,
}

impl Hardware {
    /// Boards that are switched on while the controls are like this. The steering counter may have
    /// counted before.
    pub fn new(controls: &Controls, steering_counter: u16, error: SensorError, random: Random) -> Self {
        let encoders = angles_deg(controls).map(Encoder::at);
        let phases = [0, 1, 2, 3].map(|index: usize| encoders[index].phase());
        let mut counters = [0; COUNTERS];
        counters[STEERING] = steering_counter;
        Self { encoders, quadrature: QuadratureBoard::new(counters, phases), error, random }
    }

    /// The controls have moved: every quarter of an encoder's cycle on the way is seen by the
    /// decoder.
    pub fn follow(&mut self, controls: &Controls) {
        for (index, angle_deg) in angles_deg(controls).into_iter().enumerate() {
            let quadrature = &mut self.quadrature;
            self.encoders[index].turn_to(angle_deg, |phase| quadrature.see(index, phase));
        }
    }

    /// Reads a pin as the board does.
    pub fn read(&mut self, pin: Pin, controls: &Controls) -> i16 {
        match pin {
            Pin::Latch => self.quadrature.read_control(),
            Pin::Counter => self.quadrature.read_data(),
            Pin::Analog(BRAKE_PIN) => self.read_brake(controls.brake_bar),
            Pin::Analog(_) => 0,
        }
    }

    fn read_brake(&mut self, brake_bar: f64) -> i16 {
        let error_counts = self.error.zero_counts + self.error.noise_counts * self.random.normal();
        let ideal_v = FULL_SCALE_V * (brake_bar / BRAKE_FULL_SCALE_BAR).clamp(0.0, 1.0);
        counts_of_volts(ideal_v + error_counts * FULL_SCALE_V / f64::from(i16::MAX))
    }
}

/// What the encoders see. Turning to the right counts up (DAS 4.5), and angles are positive to the
/// left.
fn angles_deg(controls: &Controls) -> [f64; COUNTERS] {
    let mut angles_deg = [0.0; COUNTERS];
    angles_deg[STEERING] = -controls.steering_deg;
    angles_deg[STEERED_WHEELS] = -controls.steering_deg / STEERING_RATIO;
    angles_deg[THROTTLE] = THROTTLE_FULL_DEG * controls.throttle_ratio;
    angles_deg
}
