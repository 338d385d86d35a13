//! The path driver on vehicles that are not what it was told, at all speeds.

use crate::driver::bicycle::{self, Bicycle};
use crate::driver::manoeuvre;
use vehicle::driver::Driver;

/// A plant that differs from what the driver was told of it.
struct Unlike {
    vehicle: Bicycle,
    /// What the steering wheel does at the road wheels, against what the driver believes.
    ratio: f64,
    /// Lag of the steering system (s).
    lag_s: f64,
    steered: f64,
}

impl Unlike {
    fn step(&mut self, driver: &mut dyn Driver, step_s: f64) {
        let mut input = driver.drive(&self.vehicle.motion(), step_s);
        self.steered += (input.steering_angle_rad * self.ratio - self.steered) * (step_s / self.lag_s).min(1.0);
        input.steering_angle_rad = self.steered;
        self.vehicle.step(&input, step_s);
    }
}

fn all() -> Vec<Unlike> {
    let mut vehicles = Vec::new();
    for make in [bicycle::car, bicycle::hmmwv, bicycle::truck] {
        // Soft front tyres understeer more, soft rear ones less than believed.
        for (front, rear, ratio) in
            [(1.0, 1.0, 1.0), (0.6, 1.0, 1.0), (1.0, 0.85, 1.0), (1.0, 1.0, 0.8), (1.0, 1.0, 1.2)]
        {
            let mut vehicle = make();
            vehicle.stiffness_n_rad[0] *= front;
            vehicle.stiffness_n_rad[1] *= rear;
            vehicles.push(Unlike { vehicle, ratio, lag_s: 0.04, steered: 0.0 });
        }
    }
    vehicles
}

#[test]
fn an_offset_dies_away_at_every_speed() {
    let mut worst = 0.0_f64;
    for speed_km_h in [5.0, 20.0, 50.0, 80.0, 110.0] {
        for mut unlike in all() {
            let text = format!(
                "name = \"x\"\ninitial = {{ speed_km_h = {speed_km_h:?} }}\npath = {{ kind = \"straight\" }}\nsteering = {{ kind = \"path\" }}\nspeed = {{ kind = \"hold\" }}\n"
            );
            let mut driver = manoeuvre(&text).driver(&unlike.vehicle.setup).expect("a driver");
            unlike.vehicle.forward = speed_km_h / 3.6;
            unlike.vehicle.y = 0.5;
            let length_s = 20.0_f64.max(170.0 / unlike.vehicle.forward);
            let (mut after, steps) = (0.0_f64, (length_s / 0.004) as usize);
            for index in 0..steps {
                unlike.step(driver.as_mut(), 0.004);
                if index > steps * 2 / 3 {
                    after = after.max(unlike.vehicle.middle()[1].abs());
                }
            }
            worst = worst.max(after);
            let Bicycle { setup, stiffness_n_rad, .. } = &unlike.vehicle;
            assert!(
                after < 0.1,
                "{speed_km_h} km/h, mass {}, {stiffness_n_rad:?}, ratio {}: {after}",
                setup.mass_kg,
                unlike.ratio
            );
        }
    }
    println!("at most {worst:.4} m are left of 0.5 m");
}

#[test]
fn a_winding_road_is_followed_by_vehicles_that_are_not_as_believed() {
    // Bends of 60 m to both sides at 45 km/h: 2.6 m/s².
    let text = r#"
name = "x"
initial = { speed_km_h = 45.0 }
path = { kind = "points", points_m = [[-60, 0], [-30, 0], [0, 0], [40, 0], [80, 15], [115, 45], [155, 60], [200, 45], [235, 15], [280, 0], [330, 0]] }
steering = { kind = "path" }
speed = { kind = "hold", full_throttle_m_s2 = 3.0, rolling_m_s2 = 0.12, drag_1_m = 0.0004 }
"#;
    let mut worst = 0.0_f64;
    for mut unlike in all() {
        let manoeuvre = manoeuvre(text);
        let path = manoeuvre.path(&unlike.vehicle.setup).expect("a path");
        let mut driver = manoeuvre.driver(&unlike.vehicle.setup).expect("a driver");
        unlike.vehicle.forward = manoeuvre.initial.speed_m_s;
        let (mut along, mut error) = (0.0, 0.0_f64);
        along += path.find(unlike.vehicle.middle());
        while along < path.length_m() - 10.0 {
            unlike.step(driver.as_mut(), 0.002);
            along = path.project(unlike.vehicle.middle(), along);
            error = error.max(path.at(along).offset_of(unlike.vehicle.middle())[1].abs());
        }
        println!(
            "mass {:.0} ratio {} stiffness {:?}: {error:.3} m",
            unlike.vehicle.setup.mass_kg, unlike.ratio, unlike.vehicle.stiffness_n_rad
        );
        worst = worst.max(error);
    }
    assert!(worst < 0.6, "{worst}");
}
