//! The driver against closed forms, a bicycle model of our textbooks, and the figures of the
//! standards.

mod bicycle;
mod files;
mod paths;
mod phases;
mod robustness;
mod shipped;
mod signals;
mod speeds;
mod state;

use vehicle::driver::{self, Driver, DriverSetup, Manoeuvre};
use vehicle::files::Source;
use vehicle::{Coordinate, DriverInput, Kinematics, Quaternion, SteeredBy, Vector3};

/// A manoeuvre from its text.
fn manoeuvre(text: &str) -> Manoeuvre {
    driver::read(&Source::new("test.toml", text.as_bytes())).unwrap_or_else(|error| panic!("{error}"))
}

/// A passenger car, steered by what the manoeuvre moves.
fn setup_for(manoeuvre: &Manoeuvre) -> DriverSetup {
    let steered_by = manoeuvre.channel().imposes().unwrap_or_default();
    DriverSetup { steered_by, ..DriverSetup::default() }
}

/// What the manoeuvre imposes on rack or road wheels.
fn imposed(input: &DriverInput) -> Option<Coordinate> {
    [SteeredBy::Rack, SteeredBy::Angle].into_iter().find_map(|by| input.imposed.known(by))
}

/// A driver of a passenger car from the text of a manoeuvre.
fn driver_of(text: &str) -> Box<dyn Driver> {
    let manoeuvre = manoeuvre(text);
    manoeuvre.driver(&setup_for(&manoeuvre)).expect("a car")
}

/// The fault of a text that should have one.
fn fault(text: &str) -> String {
    driver::read(&Source::new("test.toml", text.as_bytes())).expect_err("a fault").to_string()
}

/// Names and texts of the manoeuvres that ship, in the order of their names.
fn shipped_files() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/manoeuvres");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder of manoeuvres")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    files.sort();
    files
}

/// Straight ahead at a time and a speed.
fn straight_ahead(time_s: f64, speed_m_s: f64) -> Kinematics {
    Kinematics {
        time_s,
        position_m: Vector3::new(speed_m_s * time_s, 0.0, 0.5),
        orientation: Quaternion::IDENTITY,
        velocity_m_s: Vector3::new(speed_m_s, 0.0, 0.0),
        ..Kinematics::default()
    }
}
