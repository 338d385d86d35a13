//! Gear changes: when, how often, and across a restart.

use crate::powertrain::rig::{RPM, Rolling, SHIPPED, drive, shipped};
use crate::support::saved;
use vehicle::DriverInput;
use vehicle::powertrain::{Drive, Powertrain, Train};
use vehicle::state::Stateful;

/// Lets the wheels come from one speed to another in a step of 5 ms.
fn turn(train: &mut Train, from: f64, to: f64, input: &DriverInput, torques: &mut Drive) {
    let wheels = torques.damping.len().isqrt();
    let spin = |share: f64| vec![from + share * (to - from); wheels];
    train.begin_step(input, &spin(0.0), 5e-3);
    for k in 0..2 {
        train.torques(&spin(0.5 * f64::from(k)), 2.5e-3, torques);
        train.advance(&spin(0.5 * f64::from(k + 1)), 2.5e-3);
    }
}

/// Lets the wheels turn at a given speed for a step of 5 ms.
fn hold(train: &mut Train, speed: f64, input: &DriverInput, torques: &mut Drive) {
    turn(train, speed, speed, input, torques);
}

/// Gears that a train goes through while the wheels follow a course of speeds.
fn gears(name: &str, wheels: usize, throttle: f64, course: impl Iterator<Item = f64>) -> Vec<i32> {
    let (mut train, mut torques) = (shipped(name, wheels), Drive::new(wheels));
    let (mut gears, mut before) = (Vec::new(), 0.0);
    for speed in course {
        turn(&mut train, before, speed, &drive(throttle), &mut torques);
        before = speed;
        let gear = train.instruments().gear;
        if gears.last() != Some(&gear) {
            gears.push(gear);
        }
    }
    gears
}

/// Slowly up and down again: each change once up and once down, in order.
#[test]
fn a_slow_sweep_changes_once_up_and_once_down() {
    for (name, wheels, last) in
        [("hmmwv", 4, 6), ("hmmwv-quasi-static", 4, 6), ("passenger-car", 4, 6), ("buggy", 4, 3), ("tractor", 10, 6)]
    {
        for throttle in [0.0, 0.4, 1.0] {
            let up = (0..16_000).map(|k| 150.0 * f64::from(k) / 16_000.0);
            let down = (0..16_000).rev().map(|k| 150.0 * f64::from(k) / 16_000.0);
            let found = gears(name, wheels, throttle, up.chain(down));
            let expected: Vec<i32> = (1..=last).chain((1..last).rev()).collect();
            assert_eq!(found, expected, "{name} at throttle {throttle}");
        }
    }
}

/// At any constant speed and throttle the gear settles: after coming from below and from above, no
/// change in the last 1.5 of 5.5 s.
#[test]
fn no_hunting_at_constant_speed() {
    for (name, wheels) in SHIPPED {
        for throttle in [0.0, 0.3, 0.7, 1.0] {
            for speed in (0..12).map(|k| 10.0 * f64::from(k)) {
                for from in [0.0, 120.0] {
                    let (mut train, mut torques) = (shipped(name, wheels), Drive::new(wheels));
                    for _ in 0..20 {
                        hold(&mut train, from, &drive(throttle), &mut torques);
                    }
                    let mut changes = 0;
                    for step in 0..1100 {
                        let before = train.instruments().gear;
                        hold(&mut train, speed, &drive(throttle), &mut torques);
                        changes += usize::from(step > 800 && train.instruments().gear != before);
                    }
                    assert_eq!(changes, 0, "{name} at {speed} rad/s, throttle {throttle}, from {from}");
                }
            }
        }
    }
}

/// The change speeds of the HMMWV's file, with the pedal pressed: from first at 2226 rpm of the
/// input.
#[test]
fn changes_come_at_the_speeds_of_the_file() {
    let (mut train, mut torques) = (shipped("hmmwv-quasi-static", 4), Drive::new(4));
    let wheel = |rpm: f64| rpm * RPM * 0.1708 * 0.25;
    hold(&mut train, wheel(2225.9), &drive(1.0), &mut torques);
    assert_eq!(train.instruments().gear, 1);
    hold(&mut train, wheel(2226.1), &drive(1.0), &mut torques);
    assert_eq!(train.instruments().gear, 2);
}

/// During a shift under power the wheels keep being driven (overlap) or are let go (interrupt).
#[test]
fn a_shift_hands_over_or_interrupts() {
    for (name, mass_kg, radius_m, keeps) in
        [("hmmwv", 2577.0, 0.463, true), ("buggy", 650.0, 0.2865, true), ("passenger-car", 1700.0, 0.3266, false)]
    {
        let mut train = shipped(name, 4);
        let mut car = Rolling::new(4, mass_kg, radius_m, 3.0);
        let (mut least, mut most, mut in_shift) = (f64::INFINITY, 0.0_f64, 0);
        for _ in 0..6000 {
            car.step(&mut train, &drive(0.6), 1e-3, 1);
            most = most.max(car.torque_nm);
            if train.is_shifting() {
                least = least.min(car.torque_nm);
                in_shift += 1;
            }
        }
        assert!(in_shift > 300, "{name} shifted for {in_shift} ms");
        assert_eq!(least > 0.05 * most, keeps, "{name}: {least} to {most}");
    }
}

/// Saved in the middle of a shift and taken back by a fresh powertrain: the same bits afterwards.
#[test]
fn a_restart_in_mid_shift_goes_on_with_the_same_bits() {
    for name in ["hmmwv", "passenger-car", "buggy"] {
        let mut train = shipped(name, 4);
        let mut car = Rolling::new(4, 1500.0, 0.3, 3.0);
        let mut steps = 0;
        while !train.is_shifting() || steps % 7 != 3 {
            car.step(&mut train, &drive(0.6), 1e-3, 4);
            steps += 1;
            assert!(steps < 20_000, "{name} never shifts");
        }
        let values = saved(&train);
        assert!(values.len() < 64 && values.iter().all(|it| it.is_finite()));
        let mut other = shipped(name, 4);
        assert_eq!(other.load(&values), values.len());
        assert_eq!(other.instruments(), train.instruments(), "{name}");
        let mut twin = Rolling::new(4, 1500.0, 0.3, car.speed_m_s);
        for _ in 0..2000 {
            car.step(&mut train, &drive(0.6), 1e-3, 4);
            twin.step(&mut other, &drive(0.6), 1e-3, 4);
            assert_eq!(car.speed_m_s.to_bits(), twin.speed_m_s.to_bits(), "{name}");
            assert_eq!(train.instruments(), other.instruments());
        }
    }
}

/// Reverse at speed, or a gear that would burst the engine, is not put in.
#[test]
fn gears_that_would_do_harm_are_refused() {
    let ask = |gear: i32| DriverInput { gear: i64::from(gear), ..drive(0.3) };
    let mut train = shipped("passenger-car", 4);
    let mut torques = Drive::new(4);
    let spin = 60.0;
    for _ in 0..200 {
        hold(&mut train, spin, &ask(5), &mut torques);
    }
    for refused in [-1, 1] {
        for _ in 0..200 {
            hold(&mut train, spin, &ask(refused), &mut torques);
        }
        assert_eq!(train.instruments().gear, 5, "asked for {refused}");
    }
    for _ in 0..200 {
        hold(&mut train, spin, &ask(3), &mut torques);
    }
    assert_eq!(train.instruments().gear, 3);
}
