//! Paths and their follower.

use crate::driver::bicycle::{self, Bicycle};
use crate::driver::manoeuvre;
use std::f64::consts::{PI, TAU};
use vehicle::driver::DriverSetup;
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
fn through_the_cones(vehicle: Bicycle, text: &str) -> (f64, f64) {
    let manoeuvre = manoeuvre(text);
    let (path, corridor) =
        (manoeuvre.path(&vehicle.setup).expect("a path"), manoeuvre.corridor(&vehicle.setup).expect("cones"));
    let mut driver = manoeuvre.driver(&vehicle.setup).expect("a driver");
    let mut vehicle = vehicle.beginning(&manoeuvre);
    let (mut error, mut room) = (0.0_f64, f64::INFINITY);
    let (half_width, a, b) = (0.5 * vehicle.setup.width_m, vehicle.axles_m[0], vehicle.axles_m[1]);
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
fn who_does_not_steer_hits_the_cones() {
    // Control: the test above can fail.
    let text = LANE_CHANGE.replace("steering = { kind = \"path\" }", "steering = { kind = \"hold\" }");
    let (error, room) = through_the_cones(bicycle::car(), &text);
    assert!(error > 3.0 && room < 0.0, "{error} {room}");
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
        for (name, vehicle) in [("car", bicycle::car()), ("hmmwv", bicycle::hmmwv()), ("truck", bicycle::truck())] {
            let manoeuvre = manoeuvre(&text.replace("SIDE", side));
            let path = manoeuvre.path(&vehicle.setup).expect("a path");
            let mut driver = manoeuvre.driver(&vehicle.setup).expect("a driver");
            let mut vehicle = vehicle.beginning(&manoeuvre);
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

#[test]
fn cones_stand_where_the_standard_puts_them() {
    // ISO 3888-1: lanes of 15, 25 and 30 m with 30 and 25 m between them, 1.1 b + 0.25, 1.2 b +
    // 0.25 and 1.3 b + 0.25 wide, 3.5 m between right edges.
    let width = 1.8;
    let change = LaneChange { vehicle_width_m: width, entry_m: 50.0, offset_m: 3.5, left: true, use_of_room: 0.5 };
    let corridor = change.corridor([0.0, 0.0], 0.0);
    let figures = [(0.0, 15.0, 2.23, 0.0), (45.0, 70.0, 2.41, 3.5), (95.0, 125.0, 2.59, 0.0)];
    let right = |section: &vehicle::driver::path::Section| section.middle_m - 0.5 * section.width_m;
    let base = right(&corridor.sections[0]);
    for (section, (start, end, wide, offset)) in corridor.sections.iter().zip(figures) {
        assert_eq!((section.start_m, section.end_m), (start, end));
        assert!((section.width_m - wide).abs() < 1e-12);
        assert!((right(section) - base - offset).abs() < 1e-12);
    }
    assert_eq!(corridor.sections[0].middle_m, 0.0);
    assert!((corridor.clearance_m([51.0, 0.0]).expect("between cones") - 1.115).abs() < 1e-12);
    assert!(corridor.clearance_m([51.0, 1.2]).expect("beside cones") < 0.0);
    assert_eq!(corridor.clearance_m([80.0, 0.0]), None);
    let mirrored = LaneChange { left: false, ..change }.corridor([0.0, 0.0], 0.0);
    for (left, right) in corridor.sections.iter().zip(&mirrored.sections) {
        assert_eq!(left.middle_m, -right.middle_m);
    }
}

#[test]
fn the_line_through_the_cones_keeps_the_body_between_them() {
    for width in [1.6, 1.8, 2.2, 2.55] {
        let setup = DriverSetup { width_m: width, ..DriverSetup::default() };
        let manoeuvre = manoeuvre(LANE_CHANGE);
        let (path, corridor) = (manoeuvre.path(&setup).expect("a path"), manoeuvre.corridor(&setup).expect("cones"));
        let (mut least, mut sharpest) = (f64::INFINITY, 0.0_f64);
        for index in 0..1750 {
            let pose = path.at(0.1 * f64::from(index));
            sharpest = sharpest.max(pose.curvature_1_m.abs());
            for side in [-0.5 * width, 0.5 * width] {
                let edge = [pose.point_m[0] - side * pose.tangent[1], pose.point_m[1] + side * pose.tangent[0]];
                least = corridor.clearance_m(edge).map_or(least, |clearance| least.min(clearance));
            }
        }
        // Half of the room in the first lane, (0.1 b + 0.25)/2, is left.
        assert!((least - 0.25 * (0.1 * width + 0.25)).abs() < 0.02, "{width}: {least}");
        // 0.7 g at 80 km/h.
        assert!(sharpest * (80.0_f64 / 3.6).powi(2) < 6.9, "{width}: {sharpest}");
    }
}

#[test]
fn a_spline_round_a_circle_is_a_circle() {
    // Cubic splines are of fourth order: with 24 points the radius is off by about (2π/24)⁴/384 of
    // itself, 1e-5.
    let points: Vec<[f64; 2]> = (0..24)
        .map(|index| {
            let (sine, cosine) = (TAU * f64::from(index) / 24.0).sin_cos();
            [50.0 * cosine, 50.0 * sine]
        })
        .collect();
    let path = sampled(&Spline::new(&points, true), true, [0.0, 0.0], 0.0);
    assert!((path.length_m() - TAU * 50.0).abs() < 1e-4 * 50.0, "{}", path.length_m());
    for index in 0..400 {
        let pose = path.at(f64::from(index));
        assert!((pose.point_m[0].hypot(pose.point_m[1]) - 50.0).abs() < 2e-3);
        assert!((pose.curvature_1_m * 50.0 - 1.0).abs() < 0.02, "{}", pose.curvature_1_m);
    }
    // Around and around: the place is the same after a lap.
    let (one, other) = (path.at(12.3), path.at(12.3 + path.length_m()));
    assert!((one.point_m[0] - other.point_m[0]).abs() < 1e-9 && (one.point_m[1] - other.point_m[1]).abs() < 1e-9);
}

#[test]
fn a_spline_through_points_of_a_line_is_that_line() {
    let path =
        sampled(&Spline::new(&[[0.0, 0.0], [3.0, 4.0], [30.0, 40.0], [36.0, 48.0]], false), false, [0.0, 0.0], 0.0);
    assert!((path.length_m() - 60.0).abs() < 1e-9);
    for along in [-5.0, 0.0, 17.3, 60.0, 80.0] {
        let pose = path.at(along);
        assert!(
            (pose.point_m[0] - 0.6 * along).abs() < 1e-9 && (pose.point_m[1] - 0.8 * along).abs() < 1e-9,
            "{along}: {pose:?}"
        );
    }
}

#[test]
fn a_circle_goes_on_for_ever_and_its_entry_is_a_clothoid() {
    let circle = Circle { radius_m: -30.0, entry_m: 12.0, transition_m: 20.0 };
    let path = circle.path([5.0, -3.0], PI / 2.0);
    // The transition turns by half its length over the radius.
    let end = path.at(32.0);
    let angle = end.tangent[1].atan2(end.tangent[0]) - PI / 2.0;
    assert!((angle + 10.0 / 30.0).abs() < 1e-9, "{angle}");
    // Position of the clothoid's end by its series: x = l (1 − φ²/10 + φ⁴/216), y = l (φ/3 −
    // φ³/42 + φ⁵/1320), φ = l/2R.
    let phi: f64 = 1.0 / 3.0;
    let (ahead, aside) = (
        20.0 * (1.0 - phi.powi(2) / 10.0 + phi.powi(4) / 216.0),
        20.0 * (phi / 3.0 - phi.powi(3) / 42.0 + phi.powi(5) / 1320.0),
    );
    assert!((end.point_m[1] - (-3.0 + 12.0 + ahead)).abs() < 1e-4, "{end:?}");
    assert!((end.point_m[0] - (5.0 + aside)).abs() < 1e-4, "{end:?}");
    // One turn later it is at the same place.
    let later = path.at(32.0 + TAU * 30.0);
    assert!((later.point_m[0] - end.point_m[0]).abs() < 1e-9 && (later.point_m[1] - end.point_m[1]).abs() < 1e-9);
}

#[test]
fn projection_finds_the_nearest_place() {
    let path = manoeuvre(LANE_CHANGE).path(&DriverSetup::default()).expect("a path");
    for (along, left) in [(-20.0, 1.0), (30.0, -2.0), (75.0, 1.5), (110.0, -1.0), (150.0, 0.5), (250.0, 3.0)] {
        let pose = path.at(along);
        let point = [pose.point_m[0] - left * pose.tangent[1], pose.point_m[1] + left * pose.tangent[0]];
        let found = path.project(point, along + 1.0);
        assert!((found - along).abs() < 1e-3, "{along}: {found}");
        assert!((path.at(found).offset_of(point)[1] - left).abs() < 1e-3);
        if (0.0..170.0).contains(&along) {
            assert!((path.find(point) - along).abs() < 1e-2);
        }
    }
    assert_eq!(Path::straight([0.0, 0.0], 0.0).find([7.0, 1.0]), 7.0);
}

#[test]
fn the_hands_obey_their_limit() {
    let text = LANE_CHANGE.replace("kind = \"path\"", "kind = \"path\", rate_limit_deg_s = 120.0");
    let mut vehicle = bicycle::car();
    let mut driver = manoeuvre(&text).driver(&vehicle.setup).expect("a driver");
    // Far off the line, so that the wish jumps.
    (vehicle.y, vehicle.forward) = (5.0, 20.0);
    let (mut fastest, mut last) = (0.0_f64, None);
    vehicle.run(driver.as_mut(), |_, input| {
        fastest = fastest.max(input.steering_rate_rad_s.abs());
        if let Some((angle, rate)) = last.replace((input.steering_angle_rad, input.steering_rate_rad_s)) {
            // Trapezoid over 2 ms of a filter of 5 Hz whose wish moves in steps.
            let gain = (input.steering_angle_rad - angle) / 0.002;
            assert!((gain - 0.5 * (rate + input.steering_rate_rad_s)).abs() < 1e-2);
        }
    });
    assert!(fastest <= 120.0_f64.to_radians() * (1.0 + 1e-9), "{fastest}");
    assert!(fastest > 100.0_f64.to_radians(), "{fastest}");
}
