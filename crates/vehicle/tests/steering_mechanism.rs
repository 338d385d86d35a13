//! The shipped steering files on the shipped mechanisms: a turn of the steering wheel to the left turns the wheels to the left, full lock closes,
//! and the elastic column is heavier than what hangs on it (see the module `column` for why it must be).

use multibody::assembly::assemble;
use multibody::forces::NoTyres;
use multibody::reaction::reactions;
use multibody::{Inputs, Model, State, Workspace};
use std::path::{Path, PathBuf};
use vehicle::Input;
use vehicle::files::Source;
use vehicle::steering::{self, Steering};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

fn mechanism(name: &str) -> Model {
    let description = multibody::files::read_folder(&models().join(name)).expect("reads");
    Model::new(&description).expect("a model")
}

fn steering(name: &str) -> Box<dyn Steering> {
    let path = models().join(format!("steering/{name}.toml"));
    let bytes = std::fs::read(&path).expect("is there");
    steering::read(&Source::new(&path.to_string_lossy(), &bytes)).expect("reads")
}

/// The rack after the steering wheel has been held at an angle for a second.
fn rack_at(steering: &mut dyn Steering, angle_rad: f64) -> f64 {
    let input = Input {
        steering_angle_rad: angle_rad,
        ..Input::default()
    };
    let mut rack = 0.0;
    for _ in 0..1000 {
        rack = steering.step(&input, 0.0, 0.0, 1e-3).rack.displacement;
    }
    rack
}

/// Angles of the front wheels (rad, positive to the left) with all driven coordinates at a displacement.
fn front_wheels(model: &Model, displacement: f64) -> Vec<f64> {
    let (mut state, mut workspace, mut inputs) =
        (State::new(model), Workspace::new(model), Inputs::new(model));
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

/// Apparent mass of the linkage at the rack: the change of the driving force with the rack's acceleration, everything else alike.
fn apparent_mass(model: &Model) -> f64 {
    let force = |acceleration: f64| {
        let (mut state, mut workspace, mut inputs) =
            (State::new(model), Workspace::new(model), Inputs::new(model));
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
