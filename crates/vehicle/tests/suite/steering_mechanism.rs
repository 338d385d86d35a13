//! The shipped steering files on the shipped mechanisms: a turn of the steering wheel to the left
//! turns the wheels to the left, full lock closes, and the elastic column is heavier than the
//! linkage that it moves (see the module `column` for why it must be).

use crate::support::turned;
use multibody::assembly::assemble;
use multibody::forces::NoTyres;
use multibody::reaction::reactions;
use multibody::{Inputs, Integrator, Method, Model, State, Workspace};
use vehicle::library::{Kind, find};
use vehicle::steering::{self, Steering};
use vehicle::{Coordinate, DriverInput};

fn mechanism(name: &str) -> Model {
    Model::new(&multibody::shipped::description(name).expect("reads")).expect("a model")
}

fn steering(name: &str) -> Box<dyn Steering> {
    steering::read(&find(Kind::Steering, name, None).expect("is there").source()).expect("reads")
}

/// The rack after the steering wheel has been held at an angle for a second.
fn rack_at(steering: &mut dyn Steering, angle_rad: f64) -> f64 {
    let input = turned(angle_rad, 0.0, 0.0);
    let mut rack = 0.0;
    for _ in 0..1000 {
        rack = steering.step(&input, 0.0, 0.0, 1e-3).rack.value;
    }
    rack
}

/// Angles of the front wheels (rad, positive to the left) with all driven coordinates at a
/// displacement.
fn front_wheels(model: &Model, displacement: f64) -> Vec<f64> {
    let (mut state, mut workspace, mut inputs) = (State::new(model), Workspace::new(model), Inputs::new(model));
    for drive in &mut inputs.driven {
        drive[0] = displacement;
    }
    assemble(model, &mut state, &inputs, &mut workspace).expect("closes");
    let wheels = model.description().wheels.iter().take(2);
    wheels
        .map(|wheel| {
            let axle = workspace.orientation(model, wheel.body) * wheel.axis;
            // A wheel that points forward has its axle along y.
            (-axle.x).atan2(axle.y)
        })
        .collect()
}

#[test]
fn left_on_the_steering_wheel_is_left_on_the_road() {
    for name in ["hmmwv", "passenger-car", "tractor-semitrailer"] {
        let (model, mut steering) = (mechanism(name), steering(name));
        let lock = steering.lock_rad();
        let straight = front_wheels(&model, 0.0);
        let left = front_wheels(&model, rack_at(steering.as_mut(), lock));
        let right = front_wheels(&model, rack_at(steering.as_mut(), -lock));
        for wheel in 0..2 {
            let (to_left, to_right) = (left[wheel] - straight[wheel], right[wheel] - straight[wheel]);
            println!("{name}: wheel {wheel} turns {to_left:.3} and {to_right:.3} rad at full lock");
            // Usual locks: 22.7° for the truck (its source), 25° to 50° for cars.
            assert!((0.35..0.9).contains(&to_left), "{name} {to_left}");
            assert!((-0.9..-0.35).contains(&to_right), "{name} {to_right}");
        }
    }
}

/// Apparent mass of the linkage at the rack: the change of the driving force with the rack's
/// acceleration, everything else alike.
fn apparent_mass(model: &Model) -> f64 {
    let force = |acceleration: f64| {
        let (mut state, mut workspace, mut inputs) = (State::new(model), Workspace::new(model), Inputs::new(model));
        assemble(model, &mut state, &inputs, &mut workspace).expect("closes");
        inputs.driven[0][2] = acceleration;
        reactions(model, &mut state, &inputs, &mut NoTyres, &mut workspace).driven[0]
    };
    force(1.0) - force(0.0)
}

#[test]
fn the_elastic_column_is_heavier_than_the_linkage() {
    let (model, mut steering) = (mechanism("passenger-car"), steering("passenger-car"));
    let mass = apparent_mass(&model);
    // Inertia behind the bar, from the file, over the square of the travel per angle.
    let per_rad = rack_at(steering.as_mut(), 0.1) / 0.1;
    let column = 0.035 / (per_rad * per_rad);
    println!("linkage {mass:.1} kg, column {column:.1} kg at the rack");
    assert!(mass > 10.0 && column > 2.0 * mass, "{mass} {column}");
}

/// The car stands on its simple tyres, the driver turns to 2 rad within a second and holds; the
/// linkage's force comes from the mechanism's own reactions, one step late. The rack comes to rest
/// where the bar's twist explains it: x = X(θ + φ), T = k φ. (Runge-Kutta, because the simple tyre
/// at standstill is too stiff for semi-implicit Euler at 1 ms: its forces then alternate also with
/// a rack that is held.)
#[test]
fn the_elastic_column_and_the_mechanism_come_to_rest_together() {
    let (model, mut steering) = (mechanism("passenger-car"), steering("passenger-car"));
    let wheels = model.description().wheels.clone();
    let (mut state, mut workspace, mut inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
    assemble(&model, &mut state, &inputs, &mut workspace).expect("closes");
    let mut integrator = Integrator::new(&model, Method::RungeKutta4, 1e-3);
    integrator.start(&model, &mut state, &inputs, &mut workspace);
    let (mut rack, mut force, mut feedback, mut largest) = (Coordinate::default(), 0.0, 0.0, 0.0f64);
    for index in 1..=3000 {
        let steered = steering.step(&ramp(f64::from(index) * 1e-3), force, 0.0, 1e-3);
        (rack, feedback) = (steered.rack, steered.feedback_nm);
        inputs.driven[0] = [rack.value, rack.rate, rack.acceleration];
        integrator.step(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace);
        force = -reactions(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace).driven[0];
        largest = largest.max(rack.acceleration.abs());
    }
    println!("at rest {rack:?}, force {force:.1} N, feedback {feedback:.3} Nm, largest acceleration {largest:.2} m/s2");
    assert!(rack.rate.abs() < 1e-7 && rack.acceleration.abs() < 1e-6 && largest < 1.0, "{rack:?} {largest}");
    // X(2) by hand: 0.01185 + 0.5 (0.0079 + 0.0079 + 0.5 0.0014/3)/2 m; a twist of T/k moves it by
    // 8 mm/rad.
    let expected = 0.01185 + 0.5 * (0.0079 + 0.5 * 0.0014 / 6.0);
    assert!((rack.value + expected + 0.0081 * feedback / 115.0).abs() < 1e-6, "{rack:?} {expected}");
}

/// Angle of a smooth turn to 2 rad within a second: θ = 2 (t − sin(2πt)/2π).
fn ramp(time: f64) -> DriverInput {
    let turn = 2.0 * std::f64::consts::PI;
    if time >= 1.0 {
        return turned(2.0, 0.0, 0.0);
    }
    let (sine, cosine) = (turn * time).sin_cos();
    turned(2.0 * (time - sine / turn), 2.0 * (1.0 - cosine), 2.0 * turn * sine)
}
