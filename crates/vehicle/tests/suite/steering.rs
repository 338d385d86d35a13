//! Steering against closed forms: virtual work, the integral of the ratio curve, derivatives that
//! are derivatives, the twist of the column.

use crate::support::files::text_of;
use crate::support::turned;
use vehicle::Coordinate;
use vehicle::files::Source;
use vehicle::steering::{self, Steered, Steering};

const STEP_S: f64 = 1e-3;

fn from_text(text: &str) -> Box<dyn Steering> {
    steering::read(&Source::new("steering.toml", text.as_bytes())).unwrap_or_else(|error| panic!("{error}"))
}

fn shipped(name: &str) -> Box<dyn Steering> {
    from_text(&text_of("steering", name))
}

const PLAIN: &str = "kind = \"rack-and-pinion\"\n[gear]\npinion_radius_m = 0.1\n";

const CURVE: &str =
    "kind = \"rack-and-pinion\"\n[gear]\nangle_rad = [0.0, 1.0, 3.0]\ntravel_per_rad = [0.006, 0.008, 0.010]\n";

/// Without assist the driver gets the rack's force times the pinion's radius, exactly: no work is
/// lost between the two ends.
#[test]
fn without_assist_the_torque_is_force_times_radius() {
    let mut steering = from_text(PLAIN);
    for force in [0.0, 1234.5, -8000.0] {
        assert_eq!(steering.step(&turned(0.3, 0.0, 0.0), force, 10.0, STEP_S).feedback_nm, force * 0.1);
    }
    // Behind the axle the rack moves the other way, and so does the torque.
    let mut reversed = from_text(&(PLAIN.to_owned() + "is_reversed = true\n"));
    let steered = reversed.step(&turned(0.3, 0.0, 0.0), 1000.0, 10.0, STEP_S);
    assert_eq!((steered.rack.value, steered.feedback_nm), (-0.03, -100.0));
}

/// Virtual work with a ratio curve and soft ends: T dq = F dx, with dx by central differences
/// (error of order 1e-12/1e-5).
#[test]
fn virtual_work_holds_along_the_curve_and_into_the_ends() {
    let ends = "[ends]\ntravel = 0.02\ngive = 0.002\n";
    let mut steering = from_text(&(CURVE.to_owned() + ends));
    for index in -40..=40 {
        let q = (f64::from(index) + 0.5) * 0.0871;
        let mut x = |q: f64| steering.step(&turned(q, 0.0, 0.0), 700.0, 0.0, STEP_S);
        let (before, here, after) = (x(q - 1e-5), x(q), x(q + 1e-5));
        let arm = (after.rack.value - before.rack.value) / 2e-5;
        assert!((here.feedback_nm - 700.0 * arm).abs() < 1e-6, "{q} {here:?} {arm}");
    }
}

/// The integral of the ratio curve by hand: 0.007 to 1 rad, then 0.009 × 2 to 3 rad, then 0.010 per
/// rad; odd to the right.
#[test]
fn the_rack_is_the_integral_of_the_ratio_curve() {
    let mut steering = from_text(CURVE);
    for (q, x) in [(0.0, 0.0), (1.0, 0.007), (3.0, 0.025), (5.0, 0.045)] {
        for side in [1.0, -1.0] {
            let rack = steering.step(&turned(side * q, 2.0, 0.0), 0.0, 0.0, STEP_S).rack;
            assert!((rack.value - side * x).abs() < 1e-15, "{q} {rack:?}");
        }
    }
    // Velocity and acceleration on the first piece: i = 0.006 + 0.002 q, x'' = i q'' + 0.002 q'².
    let rack = steering.step(&turned(0.5, 2.0, 3.0), 0.0, 0.0, STEP_S).rack;
    assert!((rack.rate - 0.007 * 2.0).abs() < 1e-15);
    assert!((rack.acceleration - (0.007 * 3.0 + 0.002 * 4.0)).abs() < 1e-15);
}

/// Full lock of the shipped files: 540° for the HMMWV, whose pinion then stands at 50° (Chrono),
/// 22.7° at the road wheels of the truck.
#[test]
fn full_lock_is_that_of_the_sources() {
    let mut hmmwv = shipped("hmmwv");
    assert!((hmmwv.lock_rad().to_degrees() - 540.0).abs() < 1e-6);
    let rack = hmmwv.step(&turned(hmmwv.lock_rad(), 0.0, 0.0), 0.0, 0.0, STEP_S).rack;
    assert!((rack.value + 0.1 * 50f64.to_radians()).abs() < 1e-12, "{rack:?}");
    let mut truck = shipped("tractor-semitrailer");
    let rack = truck.step(&turned(truck.lock_rad(), 0.0, 0.0), 0.0, 0.0, STEP_S).rack;
    assert!((rack.value.to_degrees() - 22.7).abs() < 1e-6, "{rack:?}");
    // By hand: 0.01185 m to 1.5 rad, 0.03765 m to 4.5 rad, then 0.0093 m/rad to 0.0812 m.
    let car = shipped("passenger-car").lock_rad();
    assert!((car - (4.5 + (0.0812 - 0.03765) / 0.0093)).abs() < 1e-9, "{car}");
    assert_eq!(from_text(PLAIN).lock_rad(), f64::INFINITY);
}

/// Largest error of velocity and acceleration against differences of displacement and velocity,
/// over a sine into both ends.
fn derivative_errors(steering: &mut dyn Steering, amplitude: f64, force: impl Fn(&Coordinate) -> f64) -> (f64, f64) {
    let frequency = 2.0 * std::f64::consts::PI * 0.2;
    let (mut last, mut velocity_error, mut acceleration_error) = (Coordinate::default(), 0.0f64, 0.0f64);
    for index in 1..5000 {
        let t = f64::from(index) * STEP_S;
        let (sine, cosine) = (frequency * t).sin_cos();
        let q = turned(amplitude * sine, amplitude * frequency * cosine, -amplitude * frequency * frequency * sine);
        let rack = steering.step(&q, force(&last), 20.0, STEP_S).rack;
        if index > 1 {
            let velocity = (rack.value - last.value) / STEP_S;
            let acceleration = (rack.rate - last.rate) / STEP_S;
            velocity_error = velocity_error.max((velocity - 0.5 * (rack.rate + last.rate)).abs());
            acceleration_error =
                acceleration_error.max((acceleration - 0.5 * (rack.acceleration + last.acceleration)).abs());
        }
        last = rack;
    }
    (velocity_error, acceleration_error)
}

/// Displacement, velocity and acceleration are derivatives of each other, also through knots of the
/// curve, soft ends and limits. The trapezoidal rule leaves h²/12 of the third derivative; where
/// the acceleration jumps (a knot, an end) h/2 or so of the jump is left in the velocity.
#[test]
fn velocity_and_acceleration_are_derivatives() {
    let none = |_: &Coordinate| 0.0;
    let (velocity, acceleration) = derivative_errors(from_text(PLAIN).as_mut(), 1.0, none);
    assert!(velocity < 2e-6 && acceleration < 2e-5, "plain: {velocity} {acceleration}");
    let load = |rack: &Coordinate| -20_000.0 * rack.value - 57.7 * rack.acceleration;
    for name in ["hmmwv", "passenger-car", "tractor-semitrailer", "buggy"] {
        let mut steering = shipped(name);
        let amplitude = 1.1 * steering.lock_rad();
        let (velocity, _) = derivative_errors(steering.as_mut(), amplitude, load);
        // Largest velocities are 0.1 to 1.5 (m/s, rad/s): less than a thousandth of that.
        println!("{name}: velocity error {velocity:.1e}");
        assert!(velocity < 3e-4, "{name}: {velocity}");
        let mut steering = shipped(name);
        let (velocity, acceleration) = derivative_errors(steering.as_mut(), 0.1, load);
        println!("{name}, small: velocity error {velocity:.1e}, acceleration error {acceleration:.1e}");
        assert!(velocity < 1e-8 && acceleration < 0.01, "{name}: {velocity} {acceleration}");
    }
}

/// Beyond the ends the rack rests, and the driver turns against rubber: 1e6 N/m on what is turned
/// too far, by hand.
#[test]
fn the_ends_stop_the_rack_and_push_back() {
    let text = PLAIN.to_owned() + "[ends]\ntravel = 0.05\ngive = 0.001\nstiffness = 1e6\n";
    let mut steering = from_text(&text);
    let Steered { rack, feedback_nm } = steering.step(&turned(0.6, 3.0, 50.0), 500.0, 0.0, STEP_S);
    assert!((rack.value - 0.051).abs() < 1e-15, "{rack:?}");
    assert_eq!((rack.rate, rack.acceleration), (0.0, 0.0));
    // u = 0.06 m: 9 mm too far, 9,000 N at 0.1 m.
    assert!((feedback_nm + 900.0).abs() < 1e-9, "{feedback_nm}");
}

/// Assist by hand: T + s A(T) = L. With A through (2, 6) and (4, 30): at L = 20, s = 0.5: T + 0.5
/// (6 + 12 (T − 2)) = 20 gives T = 29/7. That is beyond 4 Nm, where A stays at 30: T = 20 − 15 = 5.
/// At L = 14: 7 T − 9 = 14, T = 23/7.
#[test]
fn assist_by_hand() {
    let assist = "[assist]\ntorque_nm = [0.0, 2.0, 4.0]\nboost_nm = [0.0, 6.0, 30.0]\nspeed_m_s = [0.0, 20.0]\nfactor = [1.0, 0.0]\n";
    let mut steering = from_text(&(PLAIN.to_owned() + assist));
    let mut torque =
        |load: f64, speed: f64| steering.step(&turned(0.1, 0.0, 0.0), load / 0.1, speed, STEP_S).feedback_nm;
    for side in [1.0, -1.0] {
        for (load, speed, expected) in
            [(20.0, 10.0, 5.0), (14.0, 10.0, 23.0 / 7.0), (4.0, 0.0, 1.0), (14.0, 50.0, 14.0), (14.0, -50.0, 14.0)]
        {
            let found = torque(side * load, speed);
            assert!((found - side * expected).abs() < 1e-12, "{load} {speed}: {found} {expected}");
        }
    }
}

/// Friction at the rack: the driver gets it against the motion, F_c tanh(v/v₀) times the arm.
#[test]
fn friction_works_against_the_motion() {
    let mut steering = from_text(&(PLAIN.to_owned() + "[friction]\nforce = 100.0\nspeed = 0.01\n"));
    let mut torque = |rate: f64| steering.step(&turned(0.0, rate, 0.0), 0.0, 0.0, STEP_S).feedback_nm;
    assert_eq!(torque(0.0), 0.0);
    assert!((torque(0.1) + 10.0 * 1f64.tanh()).abs() < 1e-12);
    assert!((torque(-1.0) - 10.0).abs() < 1e-6);
}

const COLUMN: &str = "[column]\nstiffness_nm_rad = 100.0\ndamping_nms_rad = 1.0\ninertia_kg_m2 = 0.04\n";

/// At rest the torsion bar carries the load: φ = F r/k, and the driver gets F r.
#[test]
fn at_rest_the_bar_twists_by_torque_over_stiffness() {
    let mut steering = from_text(&(PLAIN.to_owned() + COLUMN));
    let mut steered = Steered::default();
    for _ in 0..5000 {
        steered = steering.step(&turned(0.2, 0.0, 0.0), 300.0, 0.0, STEP_S);
    }
    assert!((steered.feedback_nm - 30.0).abs() < 1e-9, "{steered:?}");
    assert!((steered.rack.value - 0.1 * (0.2 + 0.3)).abs() < 1e-12, "{steered:?}");
    assert!(steered.rack.rate.abs() < 1e-12);
}

/// A step of force: the damped oscillator, φ = φ₀ (1 − e^(−ζωt)(cos ω_d t + ζω/ω_d sin ω_d t)), ω =
/// 50 rad/s, ζ = 0.25. Newmark's period error is (ωh)²/12 = 2e-4 per radian.
#[test]
fn the_column_swings_like_a_damped_oscillator() {
    let mut steering = from_text(&(PLAIN.to_owned() + COLUMN));
    let (natural, ratio, rest): (f64, f64, f64) = (50.0, 0.25, 0.3);
    let damped = natural * (1.0 - ratio * ratio).sqrt();
    let mut worst = 0.0f64;
    for index in 1..=200 {
        let t = f64::from(index) * STEP_S;
        let rack = steering.step(&turned(0.0, 0.0, 0.0), 300.0, 0.0, STEP_S).rack;
        // The force acts from the first step on, its acceleration begins half a step late.
        let t = t - 0.5 * STEP_S;
        let (sine, cosine) = (damped * t).sin_cos();
        let exact = rest * (1.0 - (-ratio * natural * t).exp() * (cosine + ratio * natural / damped * sine));
        worst = worst.max((rack.value / 0.1 - exact).abs());
    }
    println!("largest error {worst:.1e} of 0.3 rad");
    assert!(worst < 2e-3, "{worst}");
}

/// With assist the elastic column comes to rest where the stiff one is: T + s A(T) = L.
#[test]
fn the_elastic_column_rests_where_the_stiff_one_is() {
    let assist = "[assist]\ntorque_nm = [0.0, 2.0, 4.0]\nboost_nm = [0.0, 6.0, 90.0]\n";
    let (mut stiff, mut elastic) =
        (from_text(&(PLAIN.to_owned() + assist)), from_text(&(PLAIN.to_owned() + assist + COLUMN)));
    let input = turned(0.0, 0.0, 0.0);
    let expected = stiff.step(&input, 600.0, 0.0, STEP_S).feedback_nm;
    let mut found = 0.0;
    for _ in 0..4000 {
        found = elastic.step(&input, 600.0, 0.0, STEP_S).feedback_nm;
    }
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

/// The car's column against its linkage: 57.7 kg apparent mass at the rack (see
/// `steering_mechanism`), a stiff tyre, the force one step late. Nothing grows.
#[test]
fn the_cars_column_is_stable_against_its_linkage_one_step_late() {
    for (mass, stiffness) in [(57.7, 0.0), (57.7, 400_000.0), (200.0, 400_000.0)] {
        let mut steering = shipped("passenger-car");
        let (mut rack, mut late) = (Coordinate::default(), 0.0f64);
        for index in 0..4000 {
            let force = -mass * rack.acceleration - stiffness * rack.value + 500.0;
            rack = steering.step(&turned(0.0, 0.0, 0.0), force, 0.0, STEP_S).rack;
            if index > 3000 {
                late = late.max(rack.rate.abs());
            }
        }
        assert!(late < 1e-6, "{mass} kg: still {late} m/s after 3 s");
    }
}

/// By wire: a constant rate is followed without error, a jump is limited in rate and does not
/// overshoot.
#[test]
fn the_motor_by_wire_follows_and_does_not_overshoot() {
    let mut steering = shipped("buggy");
    let mut error = 0.0;
    for index in 1..=1000 {
        let t = f64::from(index) * STEP_S;
        let rack = steering.step(&turned(2.0 * t, 2.0, 0.0), 0.0, 0.0, STEP_S).rack;
        error = rack.value + 0.009 * 2.0 * t;
    }
    // The first steps from rest leave an error that dies with e^(−60 t).
    assert!(error.abs() < 1e-9, "{error}");
    let (mut fastest, mut farthest) = (0.0f64, 0.0f64);
    let mut steering = shipped("buggy");
    for _ in 0..2000 {
        let rack = steering.step(&turned(-5.0, 0.0, 0.0), 0.0, 0.0, STEP_S).rack;
        fastest = fastest.max(rack.rate.abs());
        farthest = farthest.max(rack.value);
    }
    assert!((fastest - 0.15).abs() < 1e-12, "{fastest}");
    assert!((farthest - 0.045).abs() < 1e-9, "{farthest}");
}

/// Artificial feedback by hand: −1.2 θ − 0.25 θ̇ − 0.2 tanh(θ̇/0.1) + 0.3 F dx/dθ, at most 12 Nm.
#[test]
fn the_feedback_by_wire_is_its_formula() {
    let mut steering = shipped("buggy");
    let mut torque =
        |q: f64, rate: f64, force: f64| steering.step(&turned(q, rate, 0.0), force, 0.0, STEP_S).feedback_nm;
    let expected = -1.2 * 2.0 - 0.25 * 1.0 - 0.2 * 10f64.tanh() + 0.3 * 1000.0 * -0.009;
    assert!((torque(2.0, 1.0, 1000.0) - expected).abs() < 1e-12);
    assert_eq!(torque(0.0, 0.0, -1e6), 12.0);
}

/// Samples of an encoder of 0.18° (DAS section 4.2.2) every 5 ms, without rates: behind the
/// smoothing the rack's numbers are derivatives of each other, and the angle is 2/ω late.
#[test]
fn samples_of_an_encoder_become_smooth() {
    let mut steering = from_text(&(PLAIN.to_owned() + "[smoothing]\nbandwidth_rad_s = 100.0\n"));
    let (mut last, mut worst) = (Coordinate::default(), 0.0f64);
    let count = 0.18f64.to_radians();
    for index in 1..=2000 {
        let sampled = f64::from(index - index % 5) * STEP_S;
        let q = (0.5 * sampled / count).round() * count;
        let rack = steering.step(&turned(q, 0.0, 0.0), 0.0, 0.0, STEP_S).rack;
        let velocity = (rack.value - last.value) / STEP_S;
        worst = worst.max((velocity - 0.5 * (rack.rate + last.rate)).abs());
        last = rack;
    }
    // 0.5 rad/s: after 2 s at 1 rad, 20 ms late, within a count and a sample.
    assert!(worst < 1e-12, "{worst}");
    assert!((last.value / 0.1 - 0.5 * (2.0 - 0.02)).abs() < count + 0.5 * 0.005, "{last:?}");
    // With the rate given nothing is late.
    let mut steering = from_text(&(PLAIN.to_owned() + "[smoothing]\nbandwidth_rad_s = 100.0\n"));
    for index in 1..=2000 {
        last = steering.step(&turned(0.5 * f64::from(index) * STEP_S, 0.5, 0.0), 0.0, 0.0, STEP_S).rack;
    }
    assert!((last.value - 0.1).abs() < 1e-9, "{last:?}");
}
