//! Paths and their follower.

use crate::bicycle::{self, Bicycle};
use crate::manoeuvre;
use vehicle::driver::path::{Circle, LaneChange, Path, Spline, sampled};

const LANE_CHANGE: &str = r#"
name = "lane-change"
duration_s = 12.0
initial = { speed_km_h = 80.0 }
path = { kind = "iso-3888-1", entry_m = 50.0 }
steering = { kind = "path" }
speed = { kind = "hold", drag_1_m = 0.0004, rolling_m_s2 = 0.12 }
stop = { x_above_m = 180.0 }
"#;

/// Largest distance from the path, and least room between the body's corners and the cones.
fn through_the_cones(mut vehicle: Bicycle, text: &str) -> (f64, f64) {
    let manoeuvre = manoeuvre(text);
    let (path, corridor) = (
        manoeuvre.path(&vehicle.setup).expect("a path"),
        manoeuvre.corridor(&vehicle.setup).expect("cones"),
    );
    let mut driver = manoeuvre.driver(&vehicle.setup).expect("a driver");
    vehicle.forward = manoeuvre.initial.speed_m_s;
    vehicle.x = vehicle.setup.front_axle_m - vehicle.axles_m[0];
    let (mut error, mut room) = (0.0_f64, f64::INFINITY);
    let (half_width, a, b) = (
        0.5 * vehicle.setup.width_m,
        vehicle.axles_m[0],
        vehicle.axles_m[1],
    );
    let mut along = 0.0;
    vehicle.run(driver.as_mut(), |vehicle, _| {
        along = path.project(vehicle.middle(), along);
        error = error.max(path.at(along).offset_of(vehicle.middle())[1].abs());
        // Axles and a bumper 0.8 m beyond each.
        for ahead in [a + 0.8, a, 0.0, -b, -b - 0.8] {
            for left in [-half_width, half_width] {
                if let Some(clearance) = corridor.clearance_m(vehicle.point(ahead, left)) {
                    room = room.min(clearance);
                }
            }
        }
    });
    (error, room)
}

#[test]
fn car_and_hmmwv_pass_the_double_lane_change_at_80_km_h() {
    for (name, vehicle) in [("car", bicycle::car()), ("hmmwv", bicycle::hmmwv())] {
        let (error, room) = through_the_cones(vehicle, LANE_CHANGE);
        println!("{name}: {error:.3} m off the path, {room:.3} m from the cones");
        assert!(error < 0.3 && room > 0.0, "{name}: {error} {room}");
    }
}

#[test]
fn the_truck_passes_it_at_50_km_h() {
    let text = LANE_CHANGE.replace("80.0", "50.0").replace("12.0", "20.0");
    let (error, room) = through_the_cones(bicycle::truck(), &text);
    println!("truck: {error:.3} m off the path, {room:.3} m from the cones");
    assert!(error < 0.3 && room > 0.0, "{error} {room}");
}

#[test]
fn every_vehicle_keeps_to_the_circle_while_the_speed_rises() {
    let text = r#"
name = "circle"
duration_s = 60.0
initial = { speed_km_h = 20.0 }
path = { kind = "circle", radius_m = 40.0, entry_m = 10.0, transition_m = 20.0, side = "SIDE" }
steering = { kind = "path" }
speed = { kind = "table", speed_km_h = [[0.0, 20.0], [10.0, 20.0], [60.0, 55.0]] }
"#;
    for side in ["left", "right"] {
        for (name, mut vehicle) in [
            ("car", bicycle::car()),
            ("hmmwv", bicycle::hmmwv()),
            ("truck", bicycle::truck()),
        ] {
            let manoeuvre = manoeuvre(&text.replace("SIDE", side));
            let path = manoeuvre.path(&vehicle.setup).expect("a path");
            let mut driver = manoeuvre.driver(&vehicle.setup).expect("a driver");
            vehicle.forward = manoeuvre.initial.speed_m_s;
            vehicle.x = vehicle.setup.front_axle_m - vehicle.axles_m[0];
            let (mut error, mut along, mut pull) = (0.0_f64, 0.0, 0.0_f64);
            vehicle.run(driver.as_mut(), |vehicle, _| {
                along = path.project(vehicle.middle(), along);
                error = error.max(path.at(along).offset_of(vehicle.middle())[1].abs());
                pull = pull.max(vehicle.lateral_acceleration.abs());
            });
            println!("{name} {side}: {error:.3} m at up to {pull:.2} m/s²");
            assert!(error < 0.3, "{name} {side}: {error}");
            // 55 km/h on 40 m is 5.8 m/s².
            assert!(pull > 5.0, "{name}: {pull}");
        }
    }
}
