//! The driver's seat: the run's own driver, or a person at the gateway who took it.
//!
//! A person's steering comes in steps, some dozens a second. The steering wheel follows them as a
//! critically damped system does, so that its angle, rate and acceleration belong together, and so
//! that taking the seat is no jump. With θ the wheel, θ* what the person asks for and ω the
//! bandwidth
//! ```text
//! θ̈ = ω² (θ* − θ) − 2 ω θ̇                                                                  (1)
//! ```
//! When the seat is handed back, the distance d between both drivers fades out within T:
//! ```text
//! θ = θ_run + w d      w = 1 − 3 s² + 2 s³      s = t / T                                  (2)
//! ```

use shm_layout::blocks::{self, DriverInput, Overrides, SEAT_LEFT, SEAT_OF_RUN, SEAT_TAKEN};
use shm_layout::{Reader, Region};
use vehicle::stateful;

use crate::driving::stopping;

/// ω (rad/s): a step of the hand is followed within a fifth of a second.
const BANDWIDTH_RAD_S: f64 = 25.0;
/// Largest acceleration of the steering wheel (rad/s²): as declared.
const ACCELERATION_MAX_RAD_S2: f64 = 1000.0;
/// Largest rate of the steering wheel (rad/s): as declared.
const RATE_MAX_RAD_S: f64 = 50.0;
/// T (s).
const HAND_BACK_S: f64 = 1.0;

/// Who drives, and how the steering goes over from one to the other.
pub struct Seat {
    overrides: Reader<Overrides>,
    /// Who drove in the last step: one of the constants of the block.
    holder: f64,
    /// θ and θ̇.
    angle_rad: f64,
    rate_rad_s: f64,
    /// d, and t; past T nothing is left of it.
    distance_rad: f64,
    handed_back_s: f64,
}

stateful!(Seat, |it| it.holder, it.angle_rad, it.rate_rad_s, it.distance_rad, it.handed_back_s);

impl Seat {
    /// The seat of a run in which the run's own driver drives.
    pub fn new(region: &Region) -> Self {
        Self {
            overrides: region.reader(blocks::OVERRIDES),
            holder: SEAT_OF_RUN as f64,
            angle_rad: 0.0,
            rate_rad_s: 0.0,
            distance_rad: 0.0,
            handed_back_s: HAND_BACK_S,
        }
    }

    /// What whoever has the seat does, and whether it is a safe stop. `of_run` is what the run's
    /// own driver does, `last` what was done in the last step. Real-time safe.
    #[inline]
    pub fn input(
        &mut self,
        of_run: (DriverInput, bool),
        last: &DriverInput,
        (now_ns, timeout_ns): (u64, u64),
        step_s: f64,
    ) -> (DriverInput, bool) {
        let overrides = self.overrides.latest().map(|snapshot| snapshot.value);
        let seat = overrides.map_or(SEAT_OF_RUN, |it| it.seat);
        if seat == SEAT_OF_RUN && self.holder == SEAT_OF_RUN as f64 && self.handed_back_s >= HAND_BACK_S {
            return of_run;
        }
        let before = std::mem::replace(&mut self.holder, seat as f64);
        match overrides {
            Some(overrides) if seat == SEAT_TAKEN && overrides.are_fresh(now_ns, timeout_ns) => {
                let asked = asked(overrides);
                if before != SEAT_TAKEN as f64 {
                    (self.angle_rad, self.rate_rad_s) = (last.steering_angle_rad, last.steering_rate_rad_s);
                }
                (self.follow(asked, step_s), false)
            }
            _ if seat == SEAT_TAKEN || seat == SEAT_LEFT => {
                // Whoever comes next begins where the steering wheel stands.
                (self.angle_rad, self.rate_rad_s) = (last.steering_angle_rad, 0.0);
                (stopping(last), true)
            }
            _ => {
                if before != SEAT_OF_RUN as f64 {
                    self.distance_rad = last.steering_angle_rad - of_run.0.steering_angle_rad;
                    self.handed_back_s = 0.0;
                }
                (self.handed_back(of_run.0, step_s), of_run.1)
            }
        }
    }

    /// Eq. (1).
    fn follow(&mut self, asked: DriverInput, step_s: f64) -> DriverInput {
        let distance = asked.steering_angle_rad - self.angle_rad;
        let wanted = BANDWIDTH_RAD_S * (BANDWIDTH_RAD_S * distance - 2.0 * self.rate_rad_s);
        let acceleration = wanted.clamp(-ACCELERATION_MAX_RAD_S2, ACCELERATION_MAX_RAD_S2);
        let rate = (self.rate_rad_s + acceleration * step_s).clamp(-RATE_MAX_RAD_S, RATE_MAX_RAD_S);
        self.angle_rad += rate * step_s;
        self.rate_rad_s = rate;
        DriverInput {
            steering_angle_rad: self.angle_rad,
            steering_rate_rad_s: rate,
            steering_acceleration_rad_s2: acceleration,
            ..asked
        }
    }

    /// Eq. (2).
    fn handed_back(&mut self, of_run: DriverInput, step_s: f64) -> DriverInput {
        self.handed_back_s += step_s;
        let s = (self.handed_back_s / HAND_BACK_S).min(1.0);
        let [w, w_rate] = [1.0 - s * s * (3.0 - 2.0 * s), -6.0 * s * (1.0 - s) / HAND_BACK_S];
        DriverInput {
            steering_angle_rad: of_run.steering_angle_rad + w * self.distance_rad,
            steering_rate_rad_s: of_run.steering_rate_rad_s + w_rate * self.distance_rad,
            ..of_run
        }
    }
}

/// What a person asks for, within the declared ranges.
fn asked(overrides: &Overrides) -> DriverInput {
    let mut asked = DriverInput { stamp: overrides.stamp, ..DriverInput::RELEASED };
    overrides.apply(blocks::DRIVER, &mut asked);
    asked.or_released()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::{Payload, RegionName, Stamp, Writer};

    const STEP_S: f64 = 1e-3;
    const TIMEOUT_NS: u64 = 100;

    struct Rig {
        seat: Seat,
        writer: Writer<Overrides>,
        last: DriverInput,
        _folder: tempfile::TempDir,
        _region: Region,
    }

    impl Rig {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let name = RegionName::in_directory(folder.path(), "seat").expect("a name");
            let region = Region::create(&name, None).expect("a region");
            let writer = region.claim(blocks::OVERRIDES).expect("the block");
            Self { seat: Seat::new(&region), writer, last: DriverInput::RELEASED, _folder: folder, _region: region }
        }

        fn publish(&mut self, seat: u64, steering_angle_rad: f64) {
            let stamp = Stamp { publish_ns: 1_000, ..Stamp::default() };
            let mut overrides = Overrides { stamp, seat, ..Overrides::default() };
            let library = shm_layout::signals::Library::new();
            for (name, value) in [("driver.steering_angle_rad", steering_angle_rad), ("driver.throttle_ratio", 0.75)] {
                overrides.add(library.by_name(name).expect("declared").number, value);
            }
            self.writer.publish(&overrides);
        }

        /// One step in which the run's driver steers like this.
        fn step(&mut self, of_run: f64, now_ns: u64) -> (DriverInput, bool) {
            let of_run = DriverInput { steering_angle_rad: of_run, brake_ratio: 0.5, ..DriverInput::RELEASED };
            let (input, stops) = self.seat.input((of_run, false), &self.last, (now_ns, TIMEOUT_NS), STEP_S);
            self.last = input;
            (input, stops)
        }
    }

    #[test]
    fn without_anybody_in_the_seat_the_run_s_driver_passes_with_the_same_bits() {
        let mut rig = Rig::new();
        let of_run = DriverInput { steering_angle_rad: 0.1, ..DriverInput::default() };
        let (input, _) = rig.seat.input((of_run, true), &rig.last, (0, TIMEOUT_NS), STEP_S);
        assert_eq!(input.words(), of_run.words());
        rig.publish(SEAT_OF_RUN, 3.0);
        let (input, stops) = rig.seat.input((of_run, true), &rig.last, (5_000, TIMEOUT_NS), STEP_S);
        assert_eq!((input.words(), stops), (of_run.words(), true));
    }

    /// Eq. (1) from rest has the closed form θ = θ* (1 − (1 + ω t) exp(−ω t)); a step of 1 ms is
    /// off by ω h / 2 = 1.25 % of θ* at most.
    #[test]
    fn a_person_s_steering_is_followed_without_a_jump() {
        let mut rig = Rig::new();
        rig.step(0.0, 1_000);
        rig.publish(SEAT_TAKEN, 1.0);
        let mut before = rig.last;
        for number in 1..=400 {
            let (input, stops) = rig.step(0.0, 1_000);
            assert!(!stops && input.throttle_ratio == 0.75 && input.brake_ratio == 0.0);
            let turned = BANDWIDTH_RAD_S * f64::from(number) * STEP_S;
            let expected = 1.0 - (1.0 + turned) * (-turned).exp();
            assert!((input.steering_angle_rad - expected).abs() < 0.0125, "{number}: {input:?}");
            let moved = input.steering_angle_rad - before.steering_angle_rad;
            assert!((moved - input.steering_rate_rad_s * STEP_S).abs() < 1e-12);
            before = input;
        }
        assert!((before.steering_angle_rad - 1.0).abs() < 1e-3);
    }

    #[test]
    fn who_falls_silent_or_lets_go_is_stopped_for_and_the_run_takes_over_without_a_jump() {
        let mut rig = Rig::new();
        rig.publish(SEAT_TAKEN, 0.5);
        for _ in 0..500 {
            rig.step(0.0, 1_050);
        }
        let held = rig.last.steering_angle_rad;
        let (input, stops) = rig.step(0.0, 1_101);
        assert!(stops && input.throttle_ratio == 0.0 && input.brake_ratio > 0.0);
        assert_eq!(input.steering_angle_rad, held);
        rig.publish(SEAT_LEFT, 0.5);
        assert!(rig.step(0.0, 1_050).1, "a fresh block without anybody in the seat");
        rig.publish(SEAT_OF_RUN, 0.5);
        let mut before = rig.last.steering_angle_rad;
        for _ in 0..1_000 {
            let (input, stops) = rig.step(-0.2, 1_050);
            assert!(!stops && input.brake_ratio == 0.5);
            // The steepest of Eq. (2) is 1.5 d/T.
            assert!((input.steering_angle_rad - before).abs() <= 1.6 * 0.7 * STEP_S);
            before = input.steering_angle_rad;
        }
        assert_eq!(rig.step(-0.2, 1_050).0.steering_angle_rad, -0.2);
    }
}
