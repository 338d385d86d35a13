//! Shipped manoeuvres on shipped vehicles, against what can be worked out by hand.

use vehicle::assembly::{Choice, Setup};
use vehicle::evaluation::{Context, Figure, Quantity, Recorder, Recording, Value, evaluate, signal};
use vehicle::library::Kind;
use vehicle::simulation::Simulation;

const STEP_S: f64 = 1e-3;

struct Run {
    setup: Setup,
    context: Context,
    recording: Recording,
    figures: Vec<Figure>,
}

fn run(manoeuvre: &str, vehicle: &str, change: impl FnOnce(&mut Choice)) -> Run {
    let mut choice = Choice {
        manoeuvre: manoeuvre.into(),
        vehicle: Some(vehicle.into()),
        ..Choice::default()
    };
    change(&mut choice);
    let setup = Setup::read(&choice, STEP_S).expect("a setup");
    let mut simulation = Simulation::new(&setup).expect("a vehicle");
    let mut recorder = Recorder::new(&setup, 5);
    let steps = (setup.manoeuvre.duration_s.unwrap_or(20.0) / STEP_S) as u64;
    while simulation.steps() < steps && !simulation.has_finished() {
        simulation.step();
        recorder.look(&simulation);
    }
    let recording = recorder.finish();
    let context = Context::new(&setup);
    let figures = evaluate(setup.manoeuvre.evaluation.as_ref(), &recording, &context);
    Run {
        setup,
        context,
        recording,
        figures,
    }
}

impl Run {
    fn figure(&self, name: &str) -> f64 {
        let figure = self.figures.iter().find(|figure| figure.name == name);
        figure
            .and_then(Figure::number)
            .unwrap_or_else(|| panic!("{} has no {name}", self.setup.vehicle.name))
    }
}

/// Every shipped manoeuvre begins on its vehicle, and stays finite and upright for three seconds.
#[test]
fn every_manoeuvre_begins_on_its_vehicle() {
    for name in Kind::Manoeuvre.shipped() {
        let choice = Choice {
            manoeuvre: name.into(),
            ..Choice::default()
        };
        let setup = Setup::read(&choice, STEP_S).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut simulation = Simulation::new(&setup).expect("a vehicle");
        while simulation.steps() < 3000 && !simulation.has_finished() {
            simulation.step();
        }
        let motion = simulation.motion();
        assert!(motion.position.is_finite(), "{name}");
        assert!(motion.roll_rad().abs() < 0.2, "{name}: {}", motion.roll_rad());
        assert!(motion.pitch_rad().abs() < 0.3, "{name}: {}", motion.pitch_rad());
    }
}

/// Straight ahead nothing pulls to a side: a vehicle whose left and right are mirrored keeps its heading. The car's chassis is 1 mm off the middle,
/// so a quarter of a degree in 14 s is allowed.
#[test]
fn straight_on_is_straight() {
    for vehicle in ["hmmwv", "passenger-car", "tractor-semitrailer"] {
        let run = run("coast-down", vehicle, |_| {});
        let time = run.recording.get(Quantity::Time);
        let heading = signal::value_at(time, run.recording.get(Quantity::Heading), 14.0);
        assert!(heading.abs() < 0.25, "{vehicle}: {heading}°");
    }
}

/// Full braking cannot beat friction: with μ the largest of the tyre's longitudinal coefficients, v²/(2 μ g) is the shortest distance. With ABS the car
/// comes within 35 % of it: the foot and the lines take 0.2 s (5 m of 46 m), and the anti-lock system searches around the best slip.
#[test]
fn stopping_distance_is_bounded_by_friction() {
    let with = run("brake-straight", "passenger-car", |choice| {
        choice.brake = Some("passenger-car-abs".into());
    });
    let without = run("brake-straight", "passenger-car", |_| {});
    let tyre = &with.setup.tyres[0];
    let grip = |slip: f64| {
        let load_n = 4000.0;
        let forces = tyre.forces(&vehicle::tyre::Slip {
            load_n,
            longitudinal: -slip,
            lateral: 0.0,
            camber_rad: 0.0,
            friction: 1.0,
            speed_m_s: 20.0,
        });
        -forces.longitudinal_n / load_n
    };
    let (most, sliding) = ((1..100).map(|k| grip(f64::from(k) * 0.01)).fold(0.0, f64::max), grip(1.0));
    let speed = with.figure("speed at the pedal") / 3.6;
    let shortest = speed * speed / (2.0 * most * 9.81);
    let (distance, locked) = (with.figure("stopping distance"), without.figure("stopping distance"));
    assert!(
        (shortest..1.35 * shortest).contains(&distance),
        "{distance} m, least {shortest} m"
    );
    assert!(with.figure("a wheel is locked") < 20.0);
    // Pedal to the floor without ABS: what locks slides; it cannot stop later than with all wheels locked, foot and line included (0.3 s).
    let longest = speed * speed / (2.0 * sliding * 9.81) + 0.3 * speed;
    assert!((shortest..longest).contains(&locked), "{locked} m, at most {longest} m");
    assert!(without.figure("a wheel is locked") > 20.0);
}

/// Rolling out: the closed form with the drag of the air and the rolling resistance that the run itself shows. 3 % is for the rolling resistance, which is not quite constant.
#[test]
fn rolling_out_follows_drag_and_rolling_resistance() {
    for vehicle in ["hmmwv", "passenger-car"] {
        let run = run("coast-down", vehicle, |_| {});
        for interval in ["90–70 km/h", "60–40 km/h"] {
            let measured = run.figure(interval);
            let closed = run.figure(&format!("{interval}, closed form"));
            assert!(
                (measured / closed - 1.0).abs() < 0.03,
                "{vehicle} {interval}: {measured} s, closed form {closed} s"
            );
        }
        let ratio = run.figure("quadratic resistance f₂") / run.figure("drag of the air over speed squared");
        assert!((0.8..1.25).contains(&ratio), "{vehicle}: {ratio}");
    }
}

/// Every vehicle understeers, and leans out of the curve. The sizes are those of such vehicles: 0.1 to 8° per g of understeer, 0.3 to 15° per g of roll (the loaded trailer is high).
#[test]
fn vehicles_understeer_and_lean_outwards() {
    for (manoeuvre, vehicle) in [
        ("iso-4138-circle", "passenger-car"),
        ("iso-4138-circle-hmmwv", "hmmwv"),
        ("iso-4138-circle-truck", "tractor-semitrailer"),
    ] {
        let run = run(manoeuvre, vehicle, |_| {});
        let understeer = run.figure("understeer gradient");
        assert!((0.1..8.0).contains(&understeer), "{vehicle}: {understeer} °/g");
        let roll = run.figure("roll angle gradient");
        assert!((0.3..15.0).contains(&roll), "{vehicle}: {roll} °/g");
    }
}

/// The yaw-rate gain of the step input is v/(L + K v²)/i, with K of the steady-state circle and i the steering ratio: two manoeuvres that know nothing of each other.
/// 12 % is for what is not linear at 4 m/s².
#[test]
fn yaw_rate_gain_follows_from_the_understeer_gradient() {
    for (suffix, vehicle) in [("", "passenger-car"), ("-hmmwv", "hmmwv")] {
        let circle = run(&format!("iso-4138-circle{suffix}"), vehicle, |_| {});
        let step = run(&format!("iso-7401-step{suffix}"), vehicle, |_| {});
        let understeer = (circle.figure("understeer gradient") / 9.80665).to_radians();
        let speed = step.figure("speed") / 3.6;
        let context = &step.context;
        let expected = speed / (context.wheelbase_m + understeer * speed * speed) / context.steering_ratio;
        let found = step.figure("yaw-rate gain");
        assert!(
            (found / expected - 1.0).abs() < 0.12,
            "{vehicle}: {found} 1/s, expected {expected} 1/s"
        );
    }
}

/// The double lane change is passed by every vehicle at its speed.
#[test]
fn lane_changes_are_passed() {
    for (manoeuvre, vehicle) in [
        ("iso-3888-1", "passenger-car"),
        ("iso-3888-1-hmmwv", "hmmwv"),
        ("iso-3888-1-truck", "tractor-semitrailer"),
    ] {
        let run = run(manoeuvre, vehicle, |_| {});
        let clearance = run.figure("least clearance");
        assert_eq!(run.figures[0].value, Value::Verdict(true), "{vehicle}: {clearance} m");
    }
}

/// No gearbox turns the wheels faster than its engine allows: the speed in each gear is that of the engine over the ratios, within the slip of converter and tyres.
#[test]
fn the_engine_speed_belongs_to_the_speed() {
    let run = run("acceleration-0-100", "passenger-car", |_| {});
    let seconds = run.figure("0–100 km/h");
    assert!((5.0..20.0).contains(&seconds), "{seconds} s");
    // No faster than friction allows: front-wheel drive, at most μ times half the weight.
    let fastest = 100.0 / 3.6 / (1.1 * 0.55 * 9.81);
    assert!(seconds > fastest);
    let gears = run.recording.get(Quantity::Gear);
    assert!(signal::most(gears) >= 2.0, "it shifts");
}

/// On half ice the car keeps its lane with ABS and a driver.
#[test]
fn braking_on_split_friction_keeps_the_lane() {
    let run = run("brake-mu-split", "passenger-car", |choice| {
        choice.brake = Some("passenger-car-abs".into());
    });
    assert!(run.figure("largest lateral deviation") < 1.0);
    assert!(run.figure("largest change of heading") < 15.0);
    // Left wheels have a tenth of the friction: at most (1 + 0.1)/2 of the deceleration of a dry road.
    assert!(run.figure("mean fully developed deceleration") < 0.55 * 1.2 * 9.81);
}

/// A tyre that slid to a stop is bent by no more than its largest force bends it. So a stopped car swings back by the bend of tyres and suspension, some centimetres,
/// and then it stands.
#[test]
fn a_stopped_car_stands() {
    for (vehicle, brake) in [("passenger-car", "passenger-car"), ("passenger-car", "passenger-car-abs"), ("hmmwv", "hmmwv")] {
        let run = run("brake-straight", vehicle, |choice| choice.brake = Some(brake.into()));
        let x = run.recording.get(Quantity::X);
        let back = signal::most(x) - x[x.len() - 1];
        assert!(back < 0.1, "{brake}: {back} m back");
        let speed = run.recording.get(Quantity::Speed);
        let rebound = signal::least(speed) / 3.6;
        assert!(rebound > -0.6, "{brake}: {rebound} m/s");
    }
}
