//! Parked on 20 %: every tyre model, and every vehicle with the brakes of its file. Stopped from a
//! walking pace.

use crate::support::press;
use vehicle::assembly::{Choice, Setup};
use vehicle::library::{Kind, find};
use vehicle::simulation::Simulation;
use vehicle::subsystems::External;
use vehicle::{DriverInput, WHEELS_MAX, brake};

const STEP_S: f64 = 1e-3;
/// The springs settle; then it is looked at twice for as long.
const SETTLING_S: f64 = 20.0;
const WINDOW_S: f64 = 5.0;
/// Creep that is allowed (m/s): a millimetre in an hour.
const CREEP_M_S: f64 = 1e-3 / 3600.0;
/// Energy of motion (J) below which nothing moves: 2 t at a micrometre per second have 10⁻⁹ J.
const STILL_J: f64 = 1e-9;

/// Every model of `models/tyres` on the car, those of a fitting size on the HMMWV (on the car's it
/// would lie on its arms).
const CASES: [(&str, Option<&str>); 8] = [
    ("passenger-car", None), // MF 5.2
    ("passenger-car", Some("car-225-55R16-mf61")),
    ("passenger-car", Some("car-205-60R15-carpet")),
    ("passenger-car", Some("hmmwv-fiala")),
    ("passenger-car", Some("hmmwv-tmeasy")),
    ("hmmwv", None), // TMeasy
    ("hmmwv", Some("hmmwv-fiala")),
    ("tractor-semitrailer", None), // TMeasy; twelve wheels, of which four pull in the first gear
];

fn parked(vehicle: &str, tyre: Option<&str>, road: Option<&str>) -> Setup {
    let choice = Choice {
        manoeuvre: "park-on-slope".into(),
        vehicle: Some(vehicle.into()),
        tyre: tyre.map(str::to_owned),
        road: road.map(str::to_owned),
        ..Choice::default()
    };
    Setup::read(&choice, STEP_S).expect("a setup")
}

/// Energy of motion of mechanism and wheels (J).
fn kinetic_j(simulation: &Simulation) -> f64 {
    let mechanism = simulation.mechanism();
    let rotation = simulation.subsystems().rotation();
    let wheels = rotation.wheels().iter().enumerate();
    let spin: f64 = wheels.map(|(number, wheel)| 0.5 * rotation.inertia_kg_m2(number) * wheel.spin_rad_s.powi(2)).sum();
    mechanism.workspace().kinetic_energy(mechanism.model()) + spin
}

/// What a window of time shows: largest energy of motion (J) and way (m).
struct Watched {
    kinetic_j: f64,
    moved_m: f64,
}

fn watch(simulation: &mut Simulation, seconds: f64, step: &mut impl FnMut(&mut Simulation)) -> Watched {
    let (before, mut most) = (simulation.motion().position_m, 0.0_f64);
    for _ in 0..(seconds / STEP_S) as usize {
        step(simulation);
        most = most.max(kinetic_j(simulation));
    }
    Watched { kinetic_j: most, moved_m: (simulation.motion().position_m - before).norm() }
}

/// Whether a vehicle stays where it is, and why not.
fn stays(name: &str, setup: &Setup, mut step: impl FnMut(&mut Simulation)) -> Result<(), String> {
    let mut simulation = Simulation::new(setup).expect("a vehicle");
    let settling = watch(&mut simulation, SETTLING_S, &mut step);
    let first = watch(&mut simulation, WINDOW_S, &mut step);
    let second = watch(&mut simulation, WINDOW_S, &mut step);
    println!(
        "{name}: {:.2e} m while it settles, then {:.1e} and {:.1e} m, {:.1e} and {:.1e} J",
        settling.moved_m, first.moved_m, second.moved_m, first.kinetic_j, second.kinetic_j
    );
    if settling.moved_m > 0.3 {
        return Err(format!("{name} went {} m before it stood", settling.moved_m));
    }
    if second.moved_m > CREEP_M_S * WINDOW_S {
        return Err(format!("{name} creeps: {:e} m in {WINDOW_S} s", second.moved_m));
    }
    // A limit cycle keeps its energy; what dies out loses it.
    if second.kinetic_j > STILL_J.max(0.5 * first.kinetic_j) {
        return Err(format!("{name} does not come to rest: {:e} J", second.kinetic_j));
    }
    Ok(())
}

/// With the pedal pressed, on every tyre.
#[test]
fn every_tyre_holds_every_vehicle_on_a_slope() {
    for (vehicle, tyre) in CASES {
        let name = format!("{vehicle} on {}", tyre.unwrap_or("its tyres"));
        let setup = parked(vehicle, tyre, None);
        let stays = stays(&name, &setup, |simulation| {
            simulation.step();
        });
        assert_eq!(stays, Ok(()));
    }
}

/// What the parking brake of a vehicle's file holds at each wheel (Nm).
fn parking_nm(setup: &Setup) -> [f64; WHEELS_MAX] {
    let name = setup.vehicle.brake.as_deref().expect("brakes");
    let found = find(Kind::Brake, name, None).expect("a shipped file");
    let wheels = setup.tyres.len();
    let mut system = brake::read(&found.source(), wheels).expect("a good file");
    system.set_parking(1.0);
    let still = vec![0.0; wheels];
    press(system.as_mut(), &DriverInput::RELEASED, &still, &still, STEP_S)
}

/// With the pedal released: the parking brake alone, which acts on one axle or two, with the
/// gearbox in neutral. Car and HMMWV on 20 %. The truck's brake acts on its tractor, 4 × 9,000 Nm,
/// and must hold the combination on 12 % (UN R13, annex 4, 2.3.2); on 20 % its 74 kN downhill are
/// more than 36,000 Nm/0.52 m = 69 kN.
#[test]
fn the_parking_brake_holds_every_vehicle_on_a_slope() {
    let folder = tempfile::tempdir().expect("a folder");
    let gentle = folder.path().join("slope-12.toml");
    std::fs::write(&gentle, "kind = \"slope\"\ngrade_percent = 12.0\n").expect("written");
    let gentle = gentle.to_str().expect("a path");
    for (vehicle, road) in [("passenger-car", None), ("hmmwv", None), ("tractor-semitrailer", Some(gentle))] {
        let setup = parked(vehicle, None, road);
        let external = External { brake_nm: Some(parking_nm(&setup)), ..External::default() };
        let neutral = DriverInput { gear: 0, ..DriverInput::RELEASED };
        let stays = stays(&format!("{vehicle}, parking brake"), &setup, |simulation| {
            simulation.step_with(&neutral, &external);
        });
        assert_eq!(stays, Ok(()));
    }
}

/// From a walking pace: pulls away gently, is braked gently to a stop and then stands as if it had
/// been parked there.
#[test]
fn every_vehicle_stops_from_a_walking_pace_and_stands() {
    for vehicle in ["passenger-car", "electric-car", "hmmwv", "tractor-semitrailer"] {
        let mut simulation = Simulation::new(&parked(vehicle, None, Some("flat"))).expect("a vehicle");
        let mut drive = |seconds: f64, throttle: f64, brake: f64| {
            let input = DriverInput { throttle_ratio: throttle, brake_ratio: brake, ..DriverInput::RELEASED };
            watch(&mut simulation, seconds, &mut |simulation| {
                simulation.step_with(&input, &External::default());
            })
        };
        let rolled = drive(4.0, 0.15, 0.0);
        drive(SETTLING_S, 0.0, 0.6);
        let stands = drive(WINDOW_S, 0.0, 0.6);
        println!(
            "{vehicle}: after {:.2} m it stands, {:.1e} m, {:.1e} J",
            rolled.moved_m, stands.moved_m, stands.kinetic_j
        );
        assert!(rolled.moved_m > 0.5, "{vehicle} did not pull away");
        assert!(stands.moved_m < CREEP_M_S * WINDOW_S, "{vehicle} creeps");
        assert!(stands.kinetic_j < STILL_J, "{vehicle} does not come to rest");
    }
}

/// A control: a tenth of the parking brake does not hold it, and the test notices.
#[test]
fn a_weak_brake_is_noticed() {
    let setup = parked("hmmwv", None, None);
    let weak = parking_nm(&setup).map(|torque_nm| 0.1 * torque_nm);
    let external = External { brake_nm: Some(weak), ..External::default() };
    let neutral = DriverInput { gear: 0, ..DriverInput::RELEASED };
    let stays = stays("hmmwv, weak brake", &setup, |simulation| {
        simulation.step_with(&neutral, &external);
    });
    assert!(stays.is_err());
}
