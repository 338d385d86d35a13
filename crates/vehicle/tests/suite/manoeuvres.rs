//! Shipped manoeuvres on shipped vehicles, against what can be worked out by hand.

use crate::driven::{STEP_S, braking, run, run_for};
use vehicle::assembly::{Choice, Setup};
use vehicle::evaluation::{Quantity, Value, signal};
use vehicle::library::Kind;
use vehicle::simulation::Simulation;

/// Every shipped manoeuvre begins on its vehicle, and stays finite and upright for three seconds.
#[test]
fn every_manoeuvre_begins_on_its_vehicle() {
    for name in Kind::Manoeuvre.shipped() {
        let choice = Choice { manoeuvre: name.into(), ..Choice::default() };
        let setup = Setup::read(&choice, STEP_S).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut simulation = Simulation::new(&setup).expect("a vehicle");
        while simulation.steps() < 3000 && !simulation.has_finished() {
            simulation.step();
        }
        let motion = simulation.motion();
        assert!(motion.position_m.is_finite(), "{name}");
        assert!(motion.roll_rad().abs() < 0.2, "{name}: {}", motion.roll_rad());
        assert!(motion.pitch_rad().abs() < 0.3, "{name}: {}", motion.pitch_rad());
    }
}

/// Nothing holds the heading of a vehicle at rest on a plane; it appears with the one that the
/// manoeuvre gives it, on any tyres.
#[test]
fn a_vehicle_appears_with_its_heading() {
    for tyre in ["car-205-60R15", "car-225-55R16-mf61", "hmmwv-tmeasy"] {
        let choice = Choice { manoeuvre: "iso-3888-1".into(), tyre: Some(tyre.into()), ..Choice::default() };
        let setup = Setup::read(&choice, STEP_S).expect("a setup");
        let motion = *Simulation::new(&setup).expect("a vehicle").motion();
        assert!(motion.yaw_rad().abs() < 1e-9, "{tyre}: {}", motion.yaw_rad());
        assert!(motion.velocity_m_s.y.abs() < 0.05, "{tyre}: {:?}", motion.velocity_m_s);
    }
}

/// Straight ahead nothing pulls to a side: a vehicle whose left and right are mirrored keeps its
/// heading. The car's chassis is 1 mm off the middle, so a seventh of a degree in 8 s is allowed.
#[test]
fn straight_on_is_straight() {
    for vehicle in ["hmmwv", "passenger-car", "tractor-semitrailer"] {
        let run = run_for(8.0, "coast-down", vehicle, |_| {});
        let heading = signal::peak(run.recording.get(Quantity::Heading));
        assert!(heading.abs() < 0.15, "{vehicle}: {heading}°");
    }
}

/// Full braking cannot beat friction: with μ the largest of the tyre's longitudinal coefficients,
/// v²/(2 μ g) is the shortest distance. With ABS the car comes within 35 % of it: the foot and the
/// lines take 0.2 s (5 m of 46 m), and the anti-lock system searches around the best slip.
#[test]
fn stopping_distance_is_bounded_by_friction() {
    let with = run("brake-straight", "passenger-car", |choice| {
        choice.brake = Some("passenger-car-abs".into());
    });
    let without = run("brake-straight", "passenger-car", |_| {});
    let tyre = &with.setup.tyres[0];
    let grip = |slip: f64| braking(&**tyre, 4000.0, slip);
    let (most, sliding) = ((1..100).map(|k| grip(f64::from(k) * 0.01)).fold(0.0, f64::max), grip(1.0));
    let speed = with.figure("speed at the pedal") / 3.6;
    let shortest = speed * speed / (2.0 * most * 9.81);
    let (distance, locked) = (with.figure("stopping distance"), without.figure("stopping distance"));
    assert!((shortest..1.35 * shortest).contains(&distance), "{distance} m, least {shortest} m");
    assert!(with.figure("a wheel is locked") < 20.0);
    // Pedal to the floor without ABS: what locks slides; it cannot stop later than with all wheels
    // locked, foot and line included (0.3 s).
    let longest = speed * speed / (2.0 * sliding * 9.81) + 0.3 * speed;
    assert!((shortest..longest).contains(&locked), "{locked} m, at most {longest} m");
    assert!(without.figure("a wheel is locked") > 20.0);
}

/// Rolling out: the closed form with the resistances that the run itself shows, and f₂ beside the
/// drag of the air. 3 % is for the rolling resistance, which is not quite constant, a tenth for
/// what it adds to f₂.
#[test]
fn rolling_out_follows_drag_and_rolling_resistance() {
    let run = run("coast-down", "hmmwv", |_| {});
    for interval in ["90–70 km/h", "60–40 km/h"] {
        let measured = run.figure(interval);
        let closed = run.figure(&format!("{interval}, closed form"));
        assert!((measured / closed - 1.0).abs() < 0.03, "{interval}: {measured} s, closed form {closed} s");
    }
    let ratio = run.figure("quadratic resistance f₂") / run.figure("drag of the air over speed squared");
    assert!((0.9..1.1).contains(&ratio), "{ratio}");
}

/// Every vehicle understeers and leans out of the curve. The sizes are those of such vehicles: 0.1
/// to 8° per g of understeer, 0.3 to 15° per g of roll (the loaded trailer is high).
///
/// The yaw-rate gain of the step input is v/(L + K v²)/i, with K of the steady-state circle and i
/// the steering ratio: two manoeuvres that know nothing of each other. 12 % is for what is not
/// linear at 4 m/s², and for the truck's trailer, which the formula does not know.
#[test]
fn circle_and_step_tell_the_same() {
    for (suffix, vehicle) in [("", "passenger-car"), ("-hmmwv", "hmmwv"), ("-truck", "tractor-semitrailer")] {
        let circle = run(&format!("iso-4138-circle{suffix}"), vehicle, |_| {});
        let (understeer, roll) = (circle.figure("understeer gradient"), circle.figure("roll angle gradient"));
        assert!((0.1..8.0).contains(&understeer), "{vehicle}: {understeer} °/g");
        assert!((0.3..15.0).contains(&roll), "{vehicle}: {roll} °/g");
        let step = run(&format!("iso-7401-step{suffix}"), vehicle, |_| {});
        let understeer = (understeer / 9.80665).to_radians();
        let (speed, context) = (step.figure("speed") / 3.6, &step.context);
        let expected = speed / (context.wheelbase_m + understeer * speed * speed) / context.steering_ratio;
        let found = step.figure("yaw-rate gain");
        assert!((found / expected - 1.0).abs() < 0.12, "{vehicle}: {found} 1/s, expected {expected} 1/s");
    }
}

/// The double lane change is passed by every vehicle at its speed.
#[test]
fn lane_changes_are_passed() {
    for (manoeuvre, vehicle) in
        [("iso-3888-1", "passenger-car"), ("iso-3888-1-hmmwv", "hmmwv"), ("iso-3888-1-truck", "tractor-semitrailer")]
    {
        let run = run(manoeuvre, vehicle, |_| {});
        let clearance = run.figure("least clearance");
        assert_eq!(run.figures[0].value, Value::Verdict(true), "{vehicle}: {clearance} m");
    }
}

/// Full throttle: no faster than friction lets the rear wheels push, no slower than such cars are;
/// and in every gear the engine turns as fast as the wheels over the ratios demand. 9 % is for the
/// slip of the tyres under full throttle, which is taken up to 8 %.
#[test]
fn acceleration_is_that_of_a_car() {
    let run = run("acceleration-0-100", "passenger-car", |_| {});
    let seconds = run.figure("0–100 km/h");
    assert!((5.0..20.0).contains(&seconds), "{seconds} s");
    // No faster than friction allows: the rear wheels push with at most μ times their load, which
    // is 0.55 of the weight with the shift to the rear.
    let fastest = 100.0 / 3.6 / (1.1 * 0.55 * 9.81);
    assert!(seconds > fastest);
    let gears = run.recording.get(Quantity::Gear);
    assert!(signal::most(gears) >= 2.0, "it shifts");
    // models/powertrains/passenger-car.toml: gears and final drive.
    let ratios = [3.773_584_906, 2.044_989_775, 1.275_510_204, 0.940_733_772].map(|ratio| 5.0 * ratio);
    let radius_m = run.setup.tyres[0].rolling_radius_m(4000.0, 0.0);
    let (engine, speed) = (run.recording.get(Quantity::EngineSpeed), run.recording.get(Quantity::Speed));
    let slip = run.recording.get(Quantity::LargestSlip);
    let mut compared = 0;
    for place in (200..gears.len()).step_by(20) {
        let (gear, steady) = (gears[place], &gears[place - 160..=place]);
        // A shift ends within 0.8 s; the wheels spin when it sets off.
        if slip[place].abs() > 0.08 || gear < 2.0 || steady.iter().any(|before| *before != gear) {
            continue;
        }
        let expected = speed[place] / 3.6 / radius_m * ratios[gear as usize - 1] * 60.0 / std::f64::consts::TAU;
        assert!(
            (engine[place] / expected - 1.0).abs() < 0.09,
            "gear {gear}: {} rpm, expected {expected}",
            engine[place]
        );
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

/// On half ice the car keeps its lane with ABS and a driver.
#[test]
fn braking_on_split_friction_keeps_the_lane() {
    let run = run("brake-mu-split", "passenger-car", |choice| {
        choice.brake = Some("passenger-car-abs".into());
    });
    assert!(run.figure("largest lateral deviation") < 1.0);
    assert!(run.figure("largest change of heading") < 15.0);
    // Left wheels have a tenth of the friction: at most (1 + 0.1)/2 of the deceleration of a dry
    // road.
    assert!(run.figure("mean fully developed deceleration") < 0.55 * 1.2 * 9.81);
}

/// A tyre that slid to a stop is bent by no more than its largest force bends it. So a stopped car
/// swings back by the bend of tyres and suspension, some centimetres, and then it stands.
#[test]
fn a_stopped_car_stands() {
    for (vehicle, brake) in
        [("passenger-car", "passenger-car"), ("passenger-car", "passenger-car-abs"), ("hmmwv", "hmmwv")]
    {
        let run = run("brake-straight", vehicle, |choice| choice.brake = Some(brake.into()));
        let x = run.recording.get(Quantity::X);
        let back = signal::most(x) - x[x.len() - 1];
        assert!(back < 0.1, "{brake}: {back} m back");
        let speed = run.recording.get(Quantity::Speed);
        let rebound = signal::least(speed) / 3.6;
        assert!(rebound > -0.6, "{brake}: {rebound} m/s");
    }
}
