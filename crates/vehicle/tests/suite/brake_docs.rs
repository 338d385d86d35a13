//! The files shown in `docs/chassis-subsystems.md` are files: each block says what it is in its
//! first line and is read as that.

use std::path::Path;
use vehicle::aerodynamics::{self, Wind};
use vehicle::files::{FileError, Source};
use vehicle::{brake, steering};

fn read(kind: &str, source: &Source<'_>) -> Result<(), FileError> {
    match kind {
        "brake" => brake::read(source, 4).map(drop),
        "steering" => steering::read(source).map(drop),
        "air" => aerodynamics::read(source).map(drop),
        "wind" => Wind::read(source).map(drop),
        other => panic!("what is a {other}?"),
    }
}

#[test]
fn every_file_in_the_documentation_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/chassis-subsystems.md");
    let text = std::fs::read_to_string(path).expect("is there");
    let blocks: Vec<&str> =
        text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    for block in &blocks {
        let kind = block.lines().next().unwrap_or_default().trim_start_matches("# ");
        read(kind, &Source::new("documentation", block.as_bytes())).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(blocks.len(), 7);
}
