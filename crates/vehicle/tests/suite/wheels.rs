//! Wheels on the road: parked, rolling, driven, braked. The vehicle is the HMMWV's mechanism, the
//! tyre has a closed form.

use crate::support::{Car, ClosedFormTyre, STEP_S};
use vehicle::mechanism::Start;
use vehicle::subsystems::External;
use vehicle::{Vector3, WHEELS_MAX};

fn held(torque_nm: f64) -> External {
    External { brake_nm: Some([torque_nm; WHEELS_MAX]), ..External::default() }
}

/// Parked on 20 %: 15 s for the springs to settle, then nothing moves for another 15 s. What creep
/// there is must be below a tenth of a millimetre in an hour, and no wheel turns. The real tyres
/// and brakes are in `parking.rs`.
#[test]
fn a_parked_car_stays_parked() {
    let mut car = Car::new("hmmwv", ClosedFormTyre::HMMWV, 0.2, &Start::default());
    let external = held(10_000.0);
    let mut run = |seconds: f64| {
        let mut fastest: f64 = 0.0;
        for _ in 0..(seconds / STEP_S) as usize {
            car.step(&external);
            fastest = fastest.max(car.velocity_m_s().norm());
        }
        (fastest, car.mechanism.motion().position_m)
    };
    let (_, before) = run(15.0);
    let (fastest, after) = run(15.0);
    let moved = (after - before).norm();
    assert!(moved < 1e-4 * 15.0 / 3600.0, "moved {moved:e} m in 15 s");
    assert!(fastest < 1e-6, "no limit cycle: {fastest:e} m/s");
    assert!(car.subsystems.rotation().wheels().iter().all(|wheel| wheel.spin_rad_s == 0.0));
}

/// Without brakes it rolls away: the wheels turn freely, so m a = m g sin θ with the wheels'
/// inertia added: a = g sin θ / (1 + Σ J/R²/m). The tolerance of 1 % is for the rolling radius and
/// the settling of the springs.
#[test]
fn a_free_car_rolls_down() {
    let tyre = ClosedFormTyre { slope: [12.0, 0.0], ..ClosedFormTyre::HMMWV };
    let mut car = Car::new("hmmwv", tyre, -0.05, &Start::default());
    let mut at_two = 0.0;
    for step in 0..5000 {
        car.step(&External::default());
        if step == 1999 {
            at_two = car.velocity_m_s().x;
        }
    }
    let acceleration = (car.velocity_m_s().x - at_two) / 3.0;
    let mass: f64 = car.mechanism.model().description().bodies.iter().map(|body| body.mass).sum();
    let radius = ClosedFormTyre::HMMWV.radius_m - 0.02 / 3.0;
    let turning = 4.0 * 7.38782 / (radius * radius);
    let expected = 9.81 * 0.05_f64.atan().sin() / (1.0 + turning / mass);
    assert!((acceleration / expected - 1.0).abs() < 0.01, "{acceleration} m/s², expected {expected}");
}

/// Full braking from 20 m/s with locked wheels: the deceleration is μ g (all tyres slide), and the
/// vehicle stops and stays.
#[test]
fn locked_wheels_stop_the_car_by_friction() {
    let start = Start { speed_m_s: 20.0, ..Start::default() };
    let mut car = Car::new("hmmwv", ClosedFormTyre::HMMWV, 0.0, &start);
    let external = held(50_000.0);
    let (mut early, mut late) = (0.0, 0.0);
    for step in 0..5000 {
        car.step(&external);
        match step {
            499 => early = car.velocity_m_s().x,
            1999 => late = car.velocity_m_s().x,
            _ => {}
        }
    }
    let deceleration = (early - late) / 1.5;
    // At κ' = −1 the closed form gives μ N / √(1 + (μ/c)²).
    let expected = 0.8 * 9.81 / (1.0 + (0.8_f64 / 12.0).powi(2)).sqrt();
    assert!((deceleration / expected - 1.0).abs() < 0.01, "{deceleration}, expected {expected}");
    assert!(car.velocity_m_s().norm() < 1e-3, "{:?}", car.velocity_m_s());
}

/// Driven gently with every loss off, the work of the drive torques is what kinetic and potential
/// energy gain. Slip takes the share κ of the power: with 400 Nm on each wheel and a stiff tyre (c
/// = 400) κ = 400 Nm/0.46 m/(400 × 6.3 kN) is 0.035 %, so 0.1 % is what the bookkeeping may lose.
#[test]
fn drive_energy_becomes_kinetic_and_potential_energy() {
    let tyre = ClosedFormTyre {
        // Across it gives nothing: the wheels' toe would rub.
        slope: [400.0, 0.0],
        damping_ns_m: 0.0,
        ..ClosedFormTyre::HMMWV
    };
    let start = Start { speed_m_s: 5.0, ..Start::default() };
    let mut car = Car::new("hmmwv", tyre, 0.02, &start);
    let drive = External { drive_nm: Some([400.0; WHEELS_MAX]), ..External::default() };
    // The wheels' own energy of rotation is not part of the mechanism.
    let energy = |car: &Car| {
        let (mechanism, workspace) = (&car.mechanism, car.mechanism.workspace());
        let wheels = car.subsystems.rotation().wheels().iter();
        let spin: f64 = wheels.map(|wheel| 0.5 * 7.38782 * wheel.spin_rad_s * wheel.spin_rad_s).sum();
        workspace.kinetic_energy(mechanism.model())
            + workspace.potential_energy(mechanism.model(), mechanism.state())
            + spin
    };
    let turned = |car: &Car| car.subsystems.rotation().wheels().iter().map(|wheel| wheel.angle_rad).sum::<f64>();
    // Springs settle on the slope first.
    for _ in 0..3000 {
        car.step(&External::default());
    }
    let before = energy(&car);
    let angle = turned(&car);
    for _ in 0..10_000 {
        car.step(&drive);
    }
    let work = 400.0 * (turned(&car) - angle);
    let gained = energy(&car) - before;
    assert!((gained / work - 1.0).abs() < 1e-3, "work {work:.1} J, gained {gained:.1} J");
}

/// The same start a hundred kilometres away and turned by a right angle moves the same way.
#[test]
fn the_place_and_heading_do_not_matter() {
    let run = |start: Start| {
        let mut car = Car::new("hmmwv", ClosedFormTyre::HMMWV, 0.0, &start);
        for step in 0..1500 {
            let rack = 0.02 * (step as f64 * STEP_S * 3.0).sin();
            let external = External {
                steering: Some(vehicle::Coordinate {
                    value: rack,
                    rate: 0.06 * (step as f64 * STEP_S * 3.0).cos(),
                    acceleration: -9.0 * rack,
                }),
                ..External::default()
            };
            car.step(&external);
        }
        let motion = *car.mechanism.motion();
        (motion.velocity_m_s, motion.rate_rad_s)
    };
    let start = Start { speed_m_s: 15.0, ..Start::default() };
    let (velocity, rate) = run(start);
    let (far_velocity, far_rate) =
        run(Start { position_m: [1e5, -1e5], heading_rad: std::f64::consts::FRAC_PI_2, ..start });
    assert!((velocity - far_velocity).norm() < 1e-6, "{velocity:?} {far_velocity:?}");
    assert!((rate - far_rate).norm() < 1e-6, "{rate:?} {far_rate:?}");
    assert!(rate != Vector3::ZERO);
}

/// Wheels that carry about 6.3 kN each: a fit from 8 kN on or up to 5 kN does not cover any of the
/// four, one that reaches from 5 to 8 kN all. A vehicle that fell from 5 m has no load yet, and
/// nothing to report.
#[test]
fn loads_outside_the_fit_are_counted_on_both_sides() {
    let count = |range_n: (f64, f64), height_m: Option<f64>| {
        let tyre = ClosedFormTyre { range_n, ..ClosedFormTyre::HMMWV };
        let start = Start { height_m, ..Start::default() };
        let mut car = Car::new("hmmwv", tyre, 0.0, &start);
        for _ in 0..100 {
            car.step(&External::default());
        }
        car.subsystems.state().loads_outside
    };
    assert_eq!(count((5e3, 8e3), None), 0);
    assert_eq!(count((8e3, 20e3), None), 400);
    assert_eq!(count((0.0, 5e3), None), 400);
    assert_eq!(count((5e3, 8e3), Some(5.0)), 0);
}
