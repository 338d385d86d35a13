//! The driver of a manoeuvre in a run that goes on when the manoeuvre is over.
//!
//! Offline a run ends with its manoeuvre. A live vehicle is still there: its driver then keeps the
//! steering wheel where it is, takes the foot off the throttle, brakes to a stop and stands.

use vehicle::assembly::{Setup, SetupError};
use vehicle::driver::Driver;
use vehicle::{Coordinate, DriverInput, Kinematics, SteeredBy, SteeringMotion};

/// Brake pedal of who stops without hurry.
pub const STOPPING_BRAKE: f64 = 0.3;

/// A driver who stops when the manoeuvre is over.
pub struct LiveDriver {
    driver: Box<dyn Driver>,
    /// What the manoeuvre moves past the steering system.
    imposes: Option<SteeredBy>,
    over: bool,
    last: DriverInput,
    /// Where it was put last.
    imposed: Option<Coordinate>,
}

impl LiveDriver {
    /// The driver at the beginning of the manoeuvre.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        let imposes = setup.manoeuvre.channel().imposes();
        Ok(Self { driver: setup.new_driver()?, imposes, over: false, last: DriverInput::RELEASED, imposed: None })
    }

    /// What the driver does during the step that begins with this motion. Real-time safe.
    #[inline]
    pub fn drive(&mut self, motion: &Kinematics, step_s: f64) -> DriverInput {
        self.over |= self.driver.has_finished(motion);
        self.last = if self.over { stopping(&self.last) } else { self.driver.drive(motion, step_s) };
        self.imposed = self.imposes.and_then(|by| self.last.imposed.known(by));
        self.last
    }

    /// After loading: what was imposed stays where it was.
    fn impose(&mut self) {
        let imposed = self.imposes.zip(self.imposed);
        let at_rest = |(by, it): (_, Coordinate)| SteeringMotion::of(by, Coordinate::at_rest(it.value));
        self.last.imposed = imposed.map_or(SteeringMotion::UNKNOWN, at_rest);
    }

    /// Whether the manoeuvre is over. It never begins again.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }
}

/// Holds the steering where it is, releases the throttle, brakes gently.
#[must_use]
pub fn stopping(last: &DriverInput) -> DriverInput {
    DriverInput {
        steering_rate_rad_s: 0.0,
        steering_acceleration_rad_s2: 0.0,
        imposed: at_rest(&last.imposed),
        throttle_ratio: 0.0,
        brake_ratio: STOPPING_BRAKE,
        brake_pressure_bar: f64::NAN,
        clutch_ratio: 0.0,
        ..*last
    }
}

/// What is imposed stays where it is.
fn at_rest(imposed: &SteeringMotion) -> SteeringMotion {
    let held = |by| Some(SteeringMotion::of(by, Coordinate::at_rest(imposed.known(by)?.value)));
    held(SteeredBy::Rack).or_else(|| held(SteeredBy::Angle)).unwrap_or(SteeringMotion::UNKNOWN)
}

vehicle::stateful!(
    LiveDriver,
    |it| it.driver,
    it.over,
    it.last.steering_angle_rad,
    it.imposed;
    it.impose()
);

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::Payload;
    use vehicle::assembly::Choice;
    use vehicle::state::Stateful;

    fn driver() -> LiveDriver {
        let choice = Choice { manoeuvre: "iso-3888-1".to_owned(), ..Choice::default() };
        LiveDriver::new(&Setup::read(&choice, 1e-3).expect("a shipped manoeuvre")).expect("a driver")
    }

    fn at(time_s: f64, x_m: f64) -> Kinematics {
        Kinematics {
            time_s,
            position_m: vehicle::Vector3::new(x_m, 0.5, 0.0),
            velocity_m_s: vehicle::Vector3::new(22.0, 0.0, 0.0),
            ..Kinematics::default()
        }
    }

    #[test]
    fn when_the_manoeuvre_is_over_the_driver_brakes_and_never_begins_again() {
        let mut driver = driver();
        let first = driver.drive(&at(0.0, 0.0), 1e-3);
        assert!(!driver.is_over() && first.brake_ratio == 0.0);
        // The file ends the manoeuvre at x = 200 m.
        let last = driver.drive(&at(0.001, 199.0), 1e-3);
        let after = driver.drive(&at(0.002, 201.0), 1e-3);
        assert!(driver.is_over());
        assert_eq!((after.throttle_ratio, after.brake_ratio), (0.0, STOPPING_BRAKE));
        assert_eq!(after.steering_angle_rad, last.steering_angle_rad);
        assert_eq!(after.steering_rate_rad_s, 0.0);
        driver.drive(&at(0.003, 100.0), 1e-3);
        assert!(driver.is_over());
    }

    #[test]
    fn it_goes_on_from_its_state() {
        let (mut one, mut other) = (driver(), driver());
        one.drive(&at(0.0, 0.0), 1e-3);
        one.drive(&at(0.001, 199.0), 1e-3);
        one.drive(&at(0.002, 201.0), 1e-3);
        let mut numbers = [0.0; 128];
        let count = one.save(&mut numbers);
        other.load(&numbers[..count]);
        assert!(other.is_over());
        let bits = |driver: &mut LiveDriver| driver.drive(&at(0.003, 202.0), 1e-3).words().to_vec();
        assert_eq!(bits(&mut one), bits(&mut other));
    }
}
