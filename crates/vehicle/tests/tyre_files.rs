//! The tyre files of the repository can be read, and faulty ones say where the fault is.

use std::path::PathBuf;
use vehicle::files::Source;
use vehicle::tyre;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/tyres")
}

#[test]
fn every_shipped_tyre_is_read() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).expect("models/tyres") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        let name = path.to_string_lossy();
        let tyre = tyre::read(&Source::new(&name, &bytes)).unwrap_or_else(|error| panic!("{error}"));
        assert!(tyre.radius_m() > 0.2 && tyre.radius_m() < 0.8, "{name}");
        let static_load = tyre.load_n(0.03, 0.0, 0.0);
        assert!(
            static_load > 1000.0 && static_load < 80_000.0,
            "{name}: {static_load} N at 30 mm"
        );
        count += 1;
    }
    assert!(count >= 4, "{count} tyres");
}
