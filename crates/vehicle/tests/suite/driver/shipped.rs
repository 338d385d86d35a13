//! The manoeuvres that ship: they can be read, they do what their sources say, and the
//! documentation has them all.

use crate::driver::bicycle::{self, Bicycle};
use crate::driver::{imposed, manoeuvre, setup_for, shipped_files, straight_ahead};
use std::f64::consts::TAU;
use vehicle::driver::{Channel, EVALUATIONS, Manoeuvre, WheelSpin};

fn shipped(name: &str) -> Manoeuvre {
    let text = shipped_files().into_iter().find(|file| file.0 == name).expect("it ships").1;
    manoeuvre(&text)
}

fn vehicle_for(manoeuvre: &Manoeuvre) -> Bicycle {
    let vehicle = match manoeuvre.vehicle.as_deref() {
        Some("hmmwv") => bicycle::hmmwv(),
        Some("tractor-semitrailer") => bicycle::truck(),
        _ => bicycle::car(),
    };
    vehicle.beginning(manoeuvre)
}

#[test]
fn every_file_is_named_as_it_names_itself_and_is_documented() {
    let documentation = include_str!("../../../../../docs/manoeuvres.md");
    for (name, text) in shipped_files() {
        let manoeuvre = manoeuvre(&text);
        assert_eq!(manoeuvre.name, name);
        assert!(!manoeuvre.description.is_empty() && manoeuvre.vehicle.is_some() && manoeuvre.road.is_some(), "{name}");
        assert!(documentation.contains(&format!("`{name}`")), "docs/manoeuvres.md lacks {name}");
        if let Some(evaluation) = &manoeuvre.evaluation {
            assert!(EVALUATIONS.contains(&evaluation.kind.as_str()), "{name}");
        }
    }
    for kind in EVALUATIONS {
        assert!(documentation.contains(&format!("`{kind}`")), "docs/manoeuvres.md lacks {kind}");
    }
}

#[test]
fn the_examples_of_the_documentation_can_be_read() {
    let documentation = include_str!("../../../../../docs/manoeuvres.md");
    let examples: Vec<&str> =
        documentation.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 10, "{} examples", examples.len());
    for example in examples {
        manoeuvre(&completed(example));
    }
}

/// A whole file, or one table of it: then the rest is filled in.
fn completed(example: &str) -> String {
    if example.starts_with("name =") {
        return example.to_owned();
    }
    let tables = [("[initial]", "speed_km_h = 50.0"), ("[path]", "kind = \"straight\"")];
    let missing = tables.iter().filter(|(name, _)| !example.contains(name));
    let missing: String = missing.map(|(name, field)| format!("{name}\n{field}\n")).collect();
    format!("name = \"x\"\n{missing}{example}")
}

#[test]
fn every_manoeuvre_with_an_end_comes_to_it() {
    for (name, text) in shipped_files() {
        let manoeuvre = manoeuvre(&text);
        if manoeuvre.duration_s.is_none() || manoeuvre.channel() != Channel::SteeringWheel {
            continue;
        }
        let mut vehicle = vehicle_for(&manoeuvre);
        let mut driver = manoeuvre.driver(&vehicle.setup).expect("a driver");
        vehicle.run(driver.as_mut(), |_, _| {});
        assert!(vehicle.time_s <= manoeuvre.duration_s.expect("it ends") + 0.01, "{name}: {} s", vehicle.time_s);
        assert!(vehicle.x.is_finite() && vehicle.time_s > 1.0, "{name}");
    }
}

#[test]
fn rtrd_moves_the_rack_by_5_mm_and_the_wheels_by_2_degrees() {
    for (name, speed_mph, amplitude, duration_s) in
        [("rtrd-car-rack-step", 60.0, -0.005, 40.0), ("rtrd-truck-steer-step", 40.0, 2.0_f64.to_radians(), 50.0)]
    {
        let manoeuvre = shipped(name);
        // 1 mph is 0.44704 m/s exactly.
        assert!((manoeuvre.initial.speed_m_s - 0.44704 * speed_mph).abs() < 1e-12);
        assert_eq!(manoeuvre.duration_s, Some(duration_s));
        let mut driver = manoeuvre.driver(&setup_for(&manoeuvre)).expect("a driver");
        let mut rack_at =
            |time_s: f64| imposed(&driver.drive(&straight_ahead(time_s, 20.0), 1e-3)).expect("it is moved").value;
        assert_eq!(rack_at(0.0), 0.0);
        assert_eq!(rack_at(0.999), 0.0);
        assert!((rack_at(1.099) - 0.5 * amplitude).abs() < 1e-12);
        assert!((rack_at(1.2) - amplitude).abs() < 1e-15 && (rack_at(30.0) - amplitude).abs() < 1e-15);
    }
}

#[test]
fn chrono_s_run_is_reproduced() {
    let manoeuvre = shipped("chrono-sine-steer");
    assert_eq!((manoeuvre.initial.speed_m_s, manoeuvre.initial.height_m), (8.056, Some(0.6)));
    assert_eq!((manoeuvre.initial.wheel_spin, manoeuvre.duration_s), (WheelSpin::Zero, Some(6.0)));
    let mut driver = manoeuvre.driver(&bicycle::hmmwv().setup).expect("a driver");
    for index in 0..6000 {
        let input = driver.drive(&straight_ahead(1e-3 * f64::from(index), 10.0), 1e-3);
        let end = 1e-3 * f64::from(index) + 1e-3;
        // The run's Pitman arm of 0.129 m turns by 0.2 of 30°: the link moves by 0.129 m sin 6°, in
        // the file with six digits; it lies behind the axle.
        let amplitude = 0.129 * 6.0_f64.to_radians().sin();
        let expected = if end > 2.0 { -amplitude * (TAU * 0.5 * (end - 2.0)).sin() } else { 0.0 };
        let found = imposed(&input).expect("the rack is moved").value;
        assert!((found - expected).abs() < 1e-7, "{end}: {found} {expected}");
        assert_eq!((input.throttle_ratio, input.brake_ratio), (0.3, 0.0));
    }
}

#[test]
fn the_default_drive_is_pleasant_and_comes_round_again() {
    let manoeuvre = shipped("drive-default");
    assert_eq!(manoeuvre.duration_s, None);
    let mut vehicle = vehicle_for(&manoeuvre);
    let path = manoeuvre.path(&vehicle.setup).expect("a circuit");
    assert!(path.is_closed());
    let start = path.at(path.find(vehicle.middle()));
    assert!(
        start.offset_of(vehicle.middle())[1].abs() < 0.3 && start.tangent[0] > 0.999,
        "starts on the line: {start:?}"
    );
    let speed = manoeuvre.initial.speed_m_s;
    let sharpest =
        (0..path.length_m() as usize).map(|along| path.at(along as f64).curvature_1_m.abs()).fold(0.0, f64::max);
    println!("{:.0} m round, radius down to {:.0} m", path.length_m(), 1.0 / sharpest);
    assert!(speed * speed * sharpest < 3.5, "{} m/s²", speed * speed * sharpest);
    let mut driver = manoeuvre.driver(&vehicle.setup).expect("a driver");
    let (mut along, mut error, mut pull) = (0.0, 0.0_f64, 0.0_f64);
    // Two laps and a bit.
    let steps = (2.2 * path.length_m() / speed / 0.002) as usize;
    for _ in 0..steps {
        let motion = vehicle.motion();
        assert!(!driver.has_finished(&motion));
        let input = driver.drive(&motion, 0.002);
        vehicle.step(&input, 0.002);
        along = path.project(vehicle.middle(), along);
        error = error.max(path.at(along).offset_of(vehicle.middle())[1].abs());
        pull = pull.max(vehicle.lateral_acceleration.abs());
    }
    println!("{error:.3} m off the line, {pull:.2} m/s²");
    assert!(along > 2.0 * path.length_m() && error < 0.3 && pull < 4.0, "{along} {error} {pull}");
}
