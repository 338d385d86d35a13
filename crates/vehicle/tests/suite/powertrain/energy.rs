//! Power and energy: what the engine gives is found again.

use crate::powertrain::rig::{PLAIN, Rolling, SHIPPED, Wheels, drive, held, parse, shipped, text};
use vehicle::DriverInput;
use vehicle::powertrain::Powertrain;

/// Rigid and without losses: over each substep Σ T_i Ω_i equals engine power minus the change of
/// the engine's kinetic energy. Speeds are the means of the substep, so this holds for finite
/// substeps. Scale: 40 kW; 1e-9 of that.
#[test]
fn power_balance_without_losses() {
    let mut train = parse(PLAIN, 4);
    let mut wheels = Wheels::new(4, 1.5, 20.0);
    (wheels.road_nm[2], wheels.road_nm[3]) = (-700.0, -400.0);
    let engine_speed = |wheels: &Wheels| 6.0 * (wheels.spin_rad_s[2] + wheels.spin_rad_s[3]);
    for step in 0..500 {
        let before = wheels.spin_rad_s.clone();
        let engine_before = engine_speed(&wheels);
        let throttle = 0.5 + 0.5 * (0.05 * f64::from(step)).sin();
        wheels.step(&mut train, &drive(throttle), 1e-3, 1);
        let engine_after = engine_speed(&wheels);
        let at_wheels: f64 = (0..4).map(|k| wheels.torque_nm[k] * 0.5 * (before[k] + wheels.spin_rad_s[k])).sum();
        let engine_nm = -20.0 + throttle * 220.0;
        let engine_w = engine_nm * 0.5 * (engine_before + engine_after);
        let stored_w = 0.5 * 0.2 * (engine_after.powi(2) - engine_before.powi(2)) / 1e-3;
        assert!((at_wheels - (engine_w - stored_w)).abs() < 1e-9 * 4e4, "{at_wheels} {engine_w} {stored_w}");
    }
}

/// The same through the books of the powertrain: losses are zero, and the work on a rolling vehicle
/// is its kinetic energy. Must hold to 0.1 %; it holds to rounding.
#[test]
fn drive_energy_becomes_kinetic_energy() {
    let mut train = parse(PLAIN, 4);
    let mut car = Rolling::new(4, 1200.0, 0.31, 2.0);
    car.resistance_n = 1200.0 * 9.81 * 0.05;
    let mut height_j = 0.0;
    for _ in 0..5000 {
        let before = car.speed_m_s;
        car.step(&mut train, &drive(0.8), 1e-3, 1);
        height_j += car.resistance_n * 0.5 * (before + car.speed_m_s) * 1e-3;
    }
    let kinetic_j = 0.5 * 1200.0 * (car.speed_m_s.powi(2) - 4.0);
    let energy = train.energy();
    assert!((energy.wheels_j / (kinetic_j + height_j) - 1.0).abs() < 1e-9, "{energy:?}");
    assert!(energy.losses_j().abs() < 1e-9 * energy.engine_j, "{energy:?}");
    assert!((energy.engine_j / (energy.stored_j + kinetic_j + height_j) - 1.0).abs() < 1e-9);
}

/// Through shifts, slipping clutches, converters and limited-slip differentials the books close,
/// every loss is a loss, and the work on the wheels is what the wheels' own torques and speeds say.
#[test]
fn the_books_of_every_powertrain_close() {
    for (name, count) in SHIPPED {
        let mut train = shipped(name, count);
        let mut wheels = Wheels::new(count, 60.0, 0.0);
        let mut work_j = 0.0;
        for step in 0..12_000 {
            let t = 1e-3 * f64::from(step);
            for (k, road) in wheels.road_nm.iter_mut().enumerate() {
                *road = -40.0 * (1.0 + 0.3 * (k as f64 + 3.0 * t).sin());
            }
            let before = wheels.spin_rad_s.clone();
            wheels.step(&mut train, &drive(if t < 9.0 { 0.8 } else { 0.0 }), 1e-3, 1);
            work_j +=
                1e-3 * (0..count).map(|k| wheels.torque_nm[k] * 0.5 * (before[k] + wheels.spin_rad_s[k])).sum::<f64>();
        }
        let energy = train.energy();
        let balance = energy.engine_j - energy.stored_j - energy.losses_j() - energy.wheels_j;
        assert!(balance.abs() < 1e-9 * energy.engine_j, "{name}: {balance} of {energy:?}");
        // A lock of limited slip may carry 1e4 Nm at 1e-9 rad/s of rounding; 1e-9 of a megajoule.
        assert!((work_j - energy.wheels_j).abs() < 1e-8 * energy.engine_j, "{name}: {work_j} {energy:?}");
        for loss in [energy.launch_j, energy.gears_j, energy.friction_j, energy.differentials_j] {
            assert!(loss > -1e-6 * energy.engine_j, "{name}: {energy:?}");
        }
    }
}

/// With a converter the loss is its slip power. In the steady state at 60 % speed ratio that is T_p
/// ω_e (1 − ν R(ν)), with T_p = (ω_e/K)² by hand.
#[test]
fn converter_loss_is_slip_power() {
    let lossless = text("buggy").replace("output_inertia_kg_m2 = 0.02", "output_inertia_kg_m2 = 0.0");
    let mut train = parse(&lossless, 4);
    let input = DriverInput { gear: 2, ..drive(0.9) };
    let turbine = 150.0;
    let spin = [turbine / (1.475 * 3.673); 4];
    let mut before = train.energy();
    for step in 0..6000 {
        if step == 5000 {
            before = train.energy();
        }
        held(&mut train, &input, &spin);
    }
    let engine = train.instruments().engine_speed_rad_s;
    let nu = turbine / engine;
    assert!((0.5..0.75).contains(&nu), "between the second and third point of the table: {nu}");
    let capacity = 21.5 + (nu - 0.5) / 0.25 * 1.5;
    let ratio = 1.4 - (nu - 0.5) / 0.35 * 0.4;
    let impeller = (engine / capacity).powi(2);
    let slip_w = impeller * engine * (1.0 - nu * ratio);
    let lost_w = train.energy().launch_j - before.launch_j;
    assert!((lost_w - slip_w).abs() < 1e-9 * impeller * engine, "{lost_w} {slip_w}");
    let engine_w = train.energy().engine_j - before.engine_j;
    let wheels_w = train.energy().wheels_j - before.wheels_j;
    assert!((engine_w - slip_w - wheels_w).abs() < 1e-9 * engine_w);
}

/// Efficiency takes its part of the power, forwards and backwards.
#[test]
fn friction_is_the_efficiency() {
    let mut train = parse(&PLAIN.replace("forward = [3.0]", "forward = [3.0]\nefficiency = 0.9"), 4);
    let mut car = Rolling::new(4, 1e6, 0.3, 10.0);
    car.run(&mut train, &drive(1.0), 100, 1);
    let energy = train.energy();
    let through = energy.engine_j - energy.stored_j;
    assert!((energy.friction_j / through - 0.1).abs() < 1e-9, "{energy:?}");
}
