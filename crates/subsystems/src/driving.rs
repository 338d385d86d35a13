//! The driver of a manoeuvre in a run that goes on when the manoeuvre is over.
//!
//! Offline a run ends with its manoeuvre. A live vehicle is still there: its driver then keeps the
//! steering wheel where it is, takes the foot off the throttle, brakes to a stop and stands.

use vehicle::assembly::{Setup, SetupError};
use vehicle::driver::Driver;
use vehicle::memory::{Loader, Memory, Saver};
use vehicle::{Input, Motion, Rack};

/// Brake pedal of who stops without hurry.
pub const STOPPING_BRAKE: f64 = 0.3;

/// A driver who stops when the manoeuvre is over.
pub struct LiveDriver {
    driver: Box<dyn Driver>,
    over: bool,
    last: Input,
}

impl LiveDriver {
    /// The driver at the beginning of the manoeuvre.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self { driver: setup.new_driver()?, over: false, last: Input::default() })
    }

    /// What the driver does during the step that begins with this motion. Real-time safe.
    #[inline]
    pub fn drive(&mut self, motion: &Motion, step_s: f64) -> Input {
        self.over |= self.driver.has_finished(motion);
        self.last = if self.over { stopping(&self.last) } else { self.driver.drive(motion, step_s) };
        self.last
    }

    /// Whether the manoeuvre is over. It never begins again.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }
}

/// Holds the steering where it is, releases the throttle, brakes gently.
#[must_use]
pub fn stopping(last: &Input) -> Input {
    Input {
        steering_rate_rad_s: 0.0,
        steering_acceleration_rad_s2: 0.0,
        rack: last.rack.map(|rack| Rack { displacement: rack.displacement, ..Rack::default() }),
        throttle: 0.0,
        brake: STOPPING_BRAKE,
        brake_pressure_bar: None,
        clutch: 0.0,
        ..*last
    }
}

impl Memory for LiveDriver {
    fn save(&self, saver: &mut Saver<'_>) {
        self.driver.save(saver);
        saver.put(f64::from(u8::from(self.over)));
        saver.put(self.last.steering_angle_rad);
        saver.put(f64::from(u8::from(self.last.rack.is_some())));
        saver.put(self.last.rack.unwrap_or_default().displacement);
    }

    fn load(&mut self, loader: &mut Loader<'_>) {
        self.driver.load(loader);
        self.over = loader.take() != 0.0;
        self.last.steering_angle_rad = loader.take();
        let (is_rack, displacement) = (loader.take() != 0.0, loader.take());
        self.last.rack = is_rack.then_some(Rack { displacement, ..Rack::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vehicle::assembly::Choice;

    fn driver() -> LiveDriver {
        let choice = Choice { manoeuvre: "iso-3888-1".to_owned(), ..Choice::default() };
        LiveDriver::new(&Setup::read(&choice, 1e-3).expect("a shipped manoeuvre")).expect("a driver")
    }

    fn at(time_s: f64, x_m: f64) -> Motion {
        Motion {
            time_s,
            position: vehicle::Vector3::new(x_m, 0.5, 0.0),
            velocity: vehicle::Vector3::new(22.0, 0.0, 0.0),
            ..Motion::default()
        }
    }

    #[test]
    fn when_the_manoeuvre_is_over_the_driver_brakes_and_never_begins_again() {
        let mut driver = driver();
        let first = driver.drive(&at(0.0, 0.0), 1e-3);
        assert!(!driver.is_over() && first.brake == 0.0);
        // The file ends the manoeuvre at x = 200 m.
        let last = driver.drive(&at(0.001, 199.0), 1e-3);
        let after = driver.drive(&at(0.002, 201.0), 1e-3);
        assert!(driver.is_over());
        assert_eq!((after.throttle, after.brake), (0.0, STOPPING_BRAKE));
        assert_eq!(after.steering_angle_rad, last.steering_angle_rad);
        assert_eq!(after.steering_rate_rad_s, 0.0);
        driver.drive(&at(0.003, 100.0), 1e-3);
        assert!(driver.is_over());
    }

    #[test]
    fn it_goes_on_from_its_memory() {
        let (mut one, mut other) = (driver(), driver());
        one.drive(&at(0.0, 0.0), 1e-3);
        one.drive(&at(0.001, 199.0), 1e-3);
        one.drive(&at(0.002, 201.0), 1e-3);
        let mut numbers = [0.0; 128];
        let mut saver = Saver::new(&mut numbers);
        one.save(&mut saver);
        let count = saver.count();
        other.load(&mut Loader::new(&numbers[..count]));
        assert!(other.is_over());
        assert_eq!(one.drive(&at(0.003, 202.0), 1e-3), other.drive(&at(0.003, 202.0), 1e-3));
    }
}
