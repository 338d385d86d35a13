//! A tyre that carries a load for which its file was not fitted shows live: in what the answer
//! lacked, and in the warnings.

use std::path::Path;

use lockstep::missing;
use service::config::DriverSource;
use simulator::VehicleSystem;
use simulator::linked::Linked;

/// The car's own files in a folder, with another range of loads in the tyre's.
fn car_with_range(folder: &Path, range: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let read = |path: &str| std::fs::read_to_string(models.join(path)).expect(path);
    let tyre = read("tyres/car-205-60R15.tir")
        .replace("FZMIN = 200", &format!("FZMIN = {range}"))
        .replace("FZMAX = 10000", "FZMAX = 20000");
    assert!(tyre.contains(&format!("FZMIN = {range}")));
    std::fs::write(folder.join("narrow.tir"), tyre).expect("written");
    let vehicle = read("vehicles/passenger-car.toml").replace("tyres = \"car-205-60R15\"", "tyres = \"narrow.tir\"");
    assert!(vehicle.contains("narrow.tir"));
    let path = folder.join("car.toml");
    std::fs::write(&path, vehicle).expect("written");
    path.display().to_string()
}

/// Warnings after a number of steps with such a tyre, and what the last answer lacked.
fn warnings(range: &str, steps: usize) -> (u64, u64) {
    let folder = tempfile::tempdir_in("/dev/shm").expect("shared memory");
    let car = car_with_range(folder.path(), range);
    let mut linked = Linked::new(VehicleSystem::new("iso-7401-step", Some(&car), DriverSource::Manoeuvre));
    (0..steps).for_each(|_| linked.exchange());
    let reply = linked.answerer().reply();
    (reply.warnings, reply.missing)
}

/// A wheel of the car carries some 3 to 5 kN: more than 200 N, less than 12 kN.
#[test]
fn a_load_outside_the_fit_is_a_warning() {
    assert_eq!(warnings("200", 50), (0, 0));
    assert_eq!(warnings("12000", 50), (50, missing::TYRE_FIT));
}
