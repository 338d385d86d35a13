//! A run that has diverged is told from one of the vehicle.

use crate::driven::STEP_S;
use vehicle::assembly::{Choice, Setup};
use vehicle::simulation::Simulation;

fn run(vehicle: &str, manoeuvre: &str, step_s: f64, longest_s: f64) -> Simulation {
    let choice = Choice { manoeuvre: manoeuvre.into(), vehicle: Some(vehicle.into()), ..Choice::default() };
    let setup = Setup::read(&choice, step_s).expect("a setup");
    let mut simulation = Simulation::new(&setup).expect("a vehicle");
    let steps = (longest_s / step_s) as u64;
    while simulation.steps() < steps && !simulation.has_finished() {
        simulation.step();
    }
    simulation
}

/// Steps with which these vehicles end at some hundreds of km/h backwards, or as NaN. With the
/// default step they do not: 64 km/h is the speed of the manoeuvre.
#[test]
fn a_step_that_is_too_long_is_said() {
    for (vehicle, manoeuvre, step_s) in [
        ("tractor-semitrailer", "rtrd-truck-steer-step", 1.5e-3),
        ("tractor-semitrailer", "rtrd-truck-steer-step", 2e-3),
        ("tractor-semitrailer", "iso-3888-1-truck", 2e-3),
        ("tractor-semitrailer", "iso-3888-1-truck", 4e-3),
        ("tractor-semitrailer", "iso-3888-1-truck", 5e-3),
        ("hmmwv", "iso-3888-1-hmmwv", 1e-2),
        ("passenger-car", "iso-3888-1", 1e-2),
    ] {
        let simulation = run(vehicle, manoeuvre, step_s, 50.0);
        let found = simulation.divergence().unwrap_or_else(|| panic!("{vehicle} {manoeuvre} with {step_s} s"));
        assert_eq!(found.step, simulation.steps(), "the run ends there");
        // NaN is found, too.
        assert!(!matches!(found.found.partial_cmp(&found.allowed), Some(std::cmp::Ordering::Less)), "{found:?}");
        let message = simulation.divergence_message().expect("a message");
        for part in ["diverged in step", "first at", "use a smaller step"] {
            assert!(message.contains(part), "{message}");
        }
    }
}

/// What ordinary runs come near to, with half as much again to spare: a bump, locked wheels, full
/// throttle.
#[test]
fn ordinary_runs_do_not_come_near() {
    for (vehicle, manoeuvre) in [
        ("passenger-car", "half-round-bump"),
        ("electric-car", "half-round-bump"),
        ("passenger-car", "brake-straight"),
        ("passenger-car", "acceleration-0-100"),
        ("tractor-semitrailer", "iso-3888-1-truck"),
        ("hmmwv", "chrono-sine-steer"),
    ] {
        let simulation = run(vehicle, manoeuvre, STEP_S, 20.0);
        assert_eq!(simulation.divergence(), None, "{vehicle} {manoeuvre}");
        let ratios = simulation.surplus_ratios();
        assert!(ratios.iter().all(|ratio| *ratio < 0.67), "{vehicle} {manoeuvre}: {ratios:?}");
    }
}
