//! The key figures of all three vehicles: the table of `docs/reports.md` beside new runs, and
//! beside what friction, power and resistances allow.

use crate::driven::hand::{Staircase, longest_with_motors_s};
use crate::driven::stop::distance_m;
use crate::driven::{Run, VEHICLES, run_variant};
use crate::tyre_support::slip;
use vehicle::evaluation::{Quantity, signal};
use vehicle::tyre::Slip;

const DOCUMENT: &str = include_str!("../../../../docs/reports.md");
const GRAVITY_M_S2: f64 = 9.81;

/// Numbers in a cell of the table, each with half a unit of its last digit.
fn numbers(cell: &str) -> Vec<(f64, f64)> {
    let pieces = cell.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let numbers = pieces.filter_map(|piece| {
        let piece = piece.trim_matches('.');
        let digits = piece.split('.').nth(1).map_or(0, str::len);
        Some((piece.parse().ok()?, 0.5 / 10_f64.powi(digits as i32)))
    });
    numbers.collect()
}

/// What the row that begins like this says of a vehicle.
fn stated(row: &str, vehicle: &str) -> Vec<(f64, f64)> {
    let line = DOCUMENT.lines().find(|line| line.starts_with(&format!("| {row}")));
    let line = line.unwrap_or_else(|| panic!("no row {row}"));
    let column = VEHICLES.iter().position(|(name, _)| *name == vehicle);
    let cell = line.split('|').nth(2 + column.expect("a vehicle of the table"));
    numbers(cell.expect("a cell"))
}

/// What the table says otherwise than the runs.
#[derive(Default)]
struct Table {
    faults: Vec<String>,
}

impl Table {
    /// The table is true: what a run gives is what it says, up to its last digit and 1 % more
    /// (other processors round otherwise, and a run that slides magnifies that).
    fn hold(&mut self, row: &str, vehicle: &str, found: &[f64]) {
        println!("{row}, {vehicle}: {found:?}");
        let stated = stated(row, vehicle);
        let agrees = |((stated, half_digit), found): (&(f64, f64), &f64)| {
            (found - stated).abs() <= half_digit + 0.01 * stated.abs()
        };
        if stated.len() != found.len() || !stated.iter().zip(found).all(agrees) {
            let stated: Vec<f64> = stated.iter().map(|(number, _)| *number).collect();
            self.faults.push(format!("{row}, {vehicle}: the table says {stated:?}, the run {found:?}"));
        }
    }

    fn assert_true(&self) {
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
    }
}

#[test]
fn a_cell_of_the_table_is_read_with_its_digits() {
    assert_eq!(numbers(" 0.32 s, 19 % "), [(0.32, 0.005), (19.0, 0.5)]);
    assert_eq!(numbers(" 44.5 m (no wheel locks) "), [(44.5, 0.05)]);
    assert_eq!(numbers(" 37.9 s, – "), [(37.9, 0.05)]);
}

#[test]
#[should_panic(expected = "the table says")]
fn another_figure_than_that_of_the_table_is_noticed() {
    let mut table = Table::default();
    table.hold("ISO 4138: understeer gradient", "hmmwv", &[3.7]);
    table.assert_true();
}

/// ISO 4138 and the step of ISO 7401.
#[test]
fn steering_is_as_the_table_says() {
    let mut table = Table::default();
    for (vehicle, _) in VEHICLES {
        let circle = run_variant("iso-4138-circle", vehicle, None);
        table.hold("ISO 4138: understeer gradient", vehicle, &[circle.figure("understeer gradient")]);
        table.hold("roll gradient", vehicle, &[circle.figure("roll angle gradient")]);
        let step = run_variant("iso-7401-step", vehicle, None);
        table.hold("ISO 7401, step", vehicle, &[step.figure("yaw-rate response time")]);
        let peak = [step.figure("yaw-rate peak response time"), step.figure("yaw-rate overshoot")];
        table.hold("peak response time", vehicle, &peak);
    }
    table.assert_true();
}

/// The yaw rate follows a slow sine. A vehicle whose yaw rate rises to 90 % of a step in T₉₀ lags a
/// sine by about T₉₀/2.3 (first order) and, with overshoot, by less than T₉₀; it never leads while
/// it understeers. Its first peak is that of steady cornering at the same amplitude within 30 %:
/// one period is neither quasi-static nor above the yaw natural frequency of 0.8 Hz and more.
#[test]
fn a_sine_is_followed_with_a_small_lag() {
    let mut table = Table::default();
    for (vehicle, _) in VEHICLES {
        let sine = run_variant("iso-7401-sine", vehicle, None);
        let step = run_variant("iso-7401-step", vehicle, None);
        let lag_ms = sine.figure("yaw-rate lag, first peak");
        table.hold("ISO 7401, sine", vehicle, &[lag_ms]);
        let rise_ms = 1e3 * step.figure("yaw-rate response time");
        assert!((0.0..rise_ms).contains(&lag_ms), "{vehicle}: {lag_ms} ms, rise {rise_ms} ms");
        let ratio = sine.figure("yaw-rate gain, first peak") / step.figure("yaw-rate gain");
        assert!((0.7..1.3).contains(&ratio), "{vehicle}: {ratio}");
    }
    table.assert_true();
}

#[test]
fn the_lane_change_is_as_the_table_says() {
    let mut table = Table::default();
    for (vehicle, _) in VEHICLES {
        let change = run_variant("iso-3888-1", vehicle, None);
        table.hold("ISO 3888-1", vehicle, &[change.figure("least clearance")]);
        assert!(change.figure("least clearance") > 0.0, "{vehicle} hits a cone");
    }
    table.assert_true();
}

/// v²/(2 (a + D/m)) with the drag D of the air at the first speed, and for a the greatest friction
/// of the tyres times a share of it, or what the brakes can hold together, ΣT/(R m), if that is
/// less: nothing stops earlier. R is that of a wheel with twice its mean load, where it is smaller
/// than on any that brakes.
fn shortest_m(run: &Run, share: f64, brakes_nm: f64) -> f64 {
    let speed = run.figure("speed at the pedal") / 3.6;
    let drag = signal::most(run.recording.get(Quantity::AirResistance)) / run.context.mass_kg;
    let load_n = 2.0 * run.context.mass_kg * GRAVITY_M_S2 / run.setup.tyres.len() as f64;
    let radius = run.setup.tyres[0].rolling_radius_m(load_n, 0.0);
    let held = brakes_nm / (radius * run.context.mass_kg);
    let friction = run.greatest_friction() * share * GRAVITY_M_S2;
    speed * speed / (2.0 * (friction.min(held) + drag))
}

/// How long the pedal takes to the floor in `brake-straight` (s).
const FOOT_S: f64 = 0.1;

struct Antilock {
    vehicle: &'static str,
    brake: &'static str,
    /// Foot, and lag of the slowest line by `models/brakes` (s).
    delay_s: f64,
    /// All brakes together at full pedal (Nm), by `models/brakes`.
    brakes_nm: f64,
}

const ANTILOCK: [Antilock; 3] = [
    Antilock {
        vehicle: "passenger-car",
        brake: "passenger-car-abs",
        delay_s: FOOT_S + 0.06,
        brakes_nm: 2.0 * (2000.0 + 763.0),
    },
    Antilock { vehicle: "hmmwv", brake: "hmmwv-abs", delay_s: FOOT_S + 0.08, brakes_nm: 2.0 * (4000.0 + 1600.0) },
    Antilock {
        vehicle: "tractor-semitrailer",
        brake: "tractor-semitrailer-abs",
        delay_s: FOOT_S + 0.4,
        brakes_nm: 12.0 * 10_000.0,
    },
];

/// No vehicle stops earlier than friction and brakes allow. Anti-lock systems use at least 75 % of
/// the friction (UN R13-H, annex 6, asks for that) once foot and lines have done their part; a
/// vehicle whose wheels would lock stops earlier with it than without.
#[test]
fn stopping_is_bounded_by_friction() {
    let mut table = Table::default();
    for antilock in &ANTILOCK {
        let (vehicle, brakes_nm) = (antilock.vehicle, antilock.brakes_nm);
        let (with, without) = (
            run_variant("brake-straight", vehicle, Some(antilock.brake)),
            run_variant("brake-straight", vehicle, None),
        );
        let (distance_m, plain_m) = (with.figure("stopping distance"), without.figure("stopping distance"));
        table.hold("braking from 100", vehicle, &[plain_m]);
        table.hold("with ABS", vehicle, &[distance_m]);
        let delay_m = antilock.delay_s * with.figure("speed at the pedal") / 3.6;
        let least = shortest_m(&with, 1.0, brakes_nm);
        let most = shortest_m(&with, 0.75, brakes_nm) + delay_m;
        println!("{vehicle}: {least:.1} m to {most:.1} m");
        assert!((least..most).contains(&distance_m), "{vehicle}: {distance_m} m, {least} to {most} m");
        assert!(plain_m > least, "{vehicle}: {plain_m} m, least {least} m");
        // By their files the systems work above 1.5 (truck 2) m/s; what is counted ends at 2 m/s.
        assert_eq!(with.figure("a wheel is locked"), 0.0, "{vehicle}");
        // Without it the wheels of car and HMMWV lock and slide on less than 75 % of the friction;
        // the truck's brakes are too weak for that.
        if vehicle == "tractor-semitrailer" {
            assert_eq!(without.figure("a wheel is locked"), 0.0);
            assert!((distance_m / plain_m - 1.0).abs() < 1e-3, "{distance_m}, {plain_m} m");
        } else {
            assert!(without.figure("a wheel is locked") > 50.0, "{vehicle}");
            assert!(distance_m < plain_m, "{vehicle}: {distance_m} m, without {plain_m} m");
        }
    }
    table.assert_true();
}

/// No wheel of the truck locks, so its brakes alone decide: the distance is that of the brakes'
/// file (`driven/stop.rs`). 3 % is for the slip of the tyres, about F/C = 3 % of the wheels' speed,
/// and for the drag of the engine.
#[test]
fn the_truck_stops_as_its_brakes_say() {
    let (vehicle, quadratic, _) = RESISTANCES[2];
    let run = run_variant("brake-straight", vehicle, None);
    let by_hand_m = distance_m(&run, vehicle, FOOT_S, rolling_n(&run), quadratic);
    let found_m = run.figure("stopping distance");
    println!("{vehicle}: {found_m:.1} m, by hand {by_hand_m:.1} m");
    assert!((found_m / by_hand_m - 1.0).abs() < 0.03, "{found_m} m, by hand {by_hand_m} m");
}

/// Left wheels have a tenth of the friction: at most (1 + 0.1)/2 of a dry road's. The driver keeps
/// the lane of 3.5 m: no side leaves it.
#[test]
fn half_ice_is_stopped_on_in_the_lane() {
    let mut table = Table::default();
    for Antilock { vehicle, brake, .. } in ANTILOCK {
        let run = run_variant("brake-mu-split", vehicle, Some(brake));
        let (distance_m, heading) = (run.figure("stopping distance"), run.figure("largest change of heading"));
        table.hold("on split friction", vehicle, &[distance_m, heading]);
        let least = shortest_m(&run, 0.55, f64::INFINITY);
        assert!(distance_m > least, "{vehicle}: {distance_m} m, least {least} m");
        let width_m = run.setup.driver.width_m;
        let aside = run.figure("largest lateral deviation") + 0.5 * width_m;
        println!("{vehicle}: {distance_m:.1} m, least {least:.1} m, aside {aside:.2} m");
        assert!(aside < 1.75, "{vehicle}: {aside} m from the middle");
    }
    table.assert_true();
}

/// Greatest power of the engines by their tables (W): 309.9 Nm at 5,700 rpm, 697 Nm at 2,100 rpm,
/// 1,966 Nm at 1,700 rpm; between two points of a table it is less than 1 % more.
const POWER_W: [(&str, f64); 3] = [("passenger-car", 185.0e3), ("hmmwv", 153.3e3), ("tractor-semitrailer", 350.0e3)];

/// No vehicle is faster than its power and the friction of its wheels: t ≥ m v²/(2 P) and t ≥ v/(μ
/// g). None is slower than a staircase of gears worked out by hand (`driven/hand.rs`).
#[test]
fn acceleration_is_bounded_by_power_and_friction() {
    let mut table = Table::default();
    for ((vehicle, power_w), (_, quadratic, _)) in POWER_W.into_iter().zip(RESISTANCES) {
        let run = run_variant("acceleration-0-100", vehicle, None);
        let mut found = vec![run.figure("0–80 km/h")];
        if vehicle != "tractor-semitrailer" {
            found.push(run.figure("0–100 km/h"));
        }
        table.hold("0–80 km/h", vehicle, &found);
        let staircase = Staircase::read(run.setup.vehicle.powertrain.as_deref().expect("an engine"));
        for (seconds, speed) in found.iter().zip([80.0 / 3.6, 100.0 / 3.6]) {
            let least = 0.5 * run.context.mass_kg * speed * speed / (1.01 * power_w);
            let least = least.max(speed / (run.greatest_friction() * GRAVITY_M_S2));
            let most = staircase.longest_s(&run, speed, rolling_n(&run), quadratic);
            println!("{vehicle} to {speed:.1} m/s: {seconds:.1} s, {least:.1} s to {most:.1} s");
            assert!((least..most).contains(seconds), "{vehicle}: {seconds} s, {least} s to {most} s");
        }
    }
    table.assert_true();
}

/// c A ρ/2 of the air (N s²/m²) and what turns with the wheels in neutral (kg m²: output shaft
/// times ratio squared, half-shafts), by `models/aerodynamics` and `models/powertrains`.
const RESISTANCES: [(&str, f64, f64); 3] = [
    ("passenger-car", 0.5 * 1.225 * 0.3 * 2.1, 0.55 * 25.0 + 2.0 * 0.3),
    ("hmmwv", 0.5 * 1.225 * 0.7 * 3.2, 1.5 * 16.0 + 4.0 * 0.3),
    ("tractor-semitrailer", 0.5 * 1.225 * 0.65 * 10.0, 6.154 * 6.154 + 4.0),
];

/// Rolling out: m* dv/dt = −(f₀ + f₂ v²) with f₂ of the air's file, f₀ of the tyres and m* with all
/// that turns, from files and not from the run: t = m*/√(f₀ f₂) (atan(v₁ √(f₂/f₀)) − atan(v₂
/// √(f₂/f₀))). 3 % is for the lift of the air and for rolling resistance that is not quite
/// constant.
#[test]
fn rolling_out_is_that_of_the_files() {
    let mut table = Table::default();
    for (vehicle, quadratic, turning_kg_m2) in RESISTANCES {
        let run = run_variant("coast-down", vehicle, None);
        let (measured, fitted) = (run.figure("60–40 km/h"), run.figure("60–40 km/h, closed form"));
        table.hold("coast-down 60–40", vehicle, &[measured, fitted]);
        let driveline_kg = turning_kg_m2 / run.setup.tyres[2].radius_m().powi(2);
        let mass = run.context.mass_kg + run.context.turning_mass_kg + driveline_kg;
        let constant = rolling_n(&run);
        let root = (quadratic / constant).sqrt();
        let angle = |km_h: f64| (km_h / 3.6 * root).atan();
        let expected = mass / (constant * quadratic).sqrt() * (angle(60.0) - angle(40.0));
        println!("{vehicle}: {measured:.2} s, by the files {expected:.2} s, f₀ {constant:.1} N");
        assert!((measured / expected - 1.0).abs() < 0.03, "{vehicle}: {measured} s, by the files {expected} s");
    }
    table.assert_true();
}

/// Rolling resistance of all tyres at 50 km/h (N), each with its mean load.
fn rolling_n(run: &Run) -> f64 {
    let load_n = run.context.mass_kg * GRAVITY_M_S2 / run.setup.tyres.len() as f64;
    let of_tyres = run.setup.tyres.iter().map(|tyre| {
        let forces = tyre.forces(&Slip { speed_m_s: 50.0 / 3.6, ..slip(load_n, 0.0, 0.0, 0.0) });
        -forces.rolling_nm / tyre.rolling_radius_m(load_n, 30.0)
    });
    of_tyres.sum()
}

/// Mass of the body that carries the vehicle's origin (kg).
fn body_kg(run: &Run) -> f64 {
    let description = &run.setup.description;
    let free = description.joints.iter().find(|joint| joint.kind == multibody::JointKind::Free);
    let bodies = free.expect("a vehicle is free").bodies;
    bodies.iter().map(|body| description.bodies[body.0].mass).fold(0.0, f64::max)
}

/// A half cylinder of height h. With a rigid suspension the two tyres of an axle, of stiffness k,
/// would be pressed by h: the body of mass m would be pushed by 2 k h/m. A suspension passes on
/// less. No tyre pulls on the road.
#[test]
fn the_bump_is_softened_by_the_suspension() {
    let mut table = Table::default();
    for (vehicle, _) in VEHICLES {
        let run = run_variant("half-round-bump", vehicle, None);
        let upwards = run.figure("largest acceleration upwards");
        table.hold("half-round bump", vehicle, &[upwards]);
        let tyre = &run.setup.tyres[0];
        let height_m = 0.1016;
        let load_n = |deflection_m: f64| tyre.load_n(deflection_m, 0.0, 0.0);
        // Pressed by the bump beyond the 20 mm of standing.
        let push_n = load_n(0.02 + height_m) - load_n(0.02);
        let most = 2.0 * push_n / body_kg(&run);
        let settling = run.figure("settling time");
        println!("{vehicle}: {upwards:.1} m/s², at most {most:.1} m/s², calm after {settling:.2} s");
        assert!((1.0..most).contains(&upwards), "{vehicle}: {upwards} m/s², at most {most} m/s²");
        assert!(run.figure("least wheel load") >= 0.0, "{vehicle}");
    }
    table.assert_true();
}

/// Other subsystems behind the same traits, by the vehicle's file. Two motors with a force F = 2 ×
/// 150 Nm × 9/R and a power P = 150 kW together: first m v_c/F up to v_c = P/F, then at constant
/// power, t ≥ m (v² + v_c²)/(2 P). It is not slower than the same with turning masses, air, rolling
/// resistance and rear wheels that spin (`driven/hand.rs`). Brakes by wire stop it between what
/// friction allows and what the car's hydraulic anti-lock system must reach; no wheel locks.
#[test]
fn the_electric_car_accelerates_and_stops() {
    let run = run_variant("acceleration-0-100", "electric-car", None);
    let (seconds, speed, power_w) = (run.figure("0–100 km/h"), 100.0 / 3.6, 150e3);
    let (torque_nm, inertia_kg_m2) = (2.0 * 150.0 * 9.0, 2.0 * 0.02 * 9.0 * 9.0);
    let corner = power_w / (torque_nm / run.setup.tyres[2].rolling_radius_m(4000.0, 50.0));
    let least = run.context.mass_kg * (speed * speed + corner * corner) / (2.0 * power_w);
    let resistances = [rolling_n(&run), RESISTANCES[0].1];
    let most = longest_with_motors_s(&run, speed, [torque_nm, power_w, inertia_kg_m2], resistances);
    println!("electric car: {seconds:.1} s, {least:.1} s to {most:.1} s");
    assert!((least..most).contains(&seconds), "{seconds} s, {least} s to {most} s");
    let stop = run_variant("brake-straight", "electric-car", None);
    let Antilock { delay_s, brakes_nm, .. } = ANTILOCK[0];
    let speed = stop.figure("speed at the pedal") / 3.6;
    let (distance_m, shortest) = (stop.figure("stopping distance"), shortest_m(&stop, 1.0, brakes_nm));
    let longest = shortest_m(&stop, 0.75, brakes_nm) + delay_s * speed;
    println!("electric car: {distance_m:.1} m, {shortest:.1} m to {longest:.1} m");
    assert!((shortest..longest).contains(&distance_m), "{distance_m} m, {shortest} to {longest} m");
    assert_eq!(stop.figure("a wheel is locked"), 0.0);
}
