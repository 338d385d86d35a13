//! `rtrd road`: the shipped roads are those that their comments say, and faults are told.

use std::path::{Path, PathBuf};

use vehicle::files::Source;
use vehicle::library::Kind;
use vehicle::terrain::crg;

use crate::support::{Folder, said};

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/roads").join(name)
}

fn decode(path: &Path) -> crg::Content {
    let bytes = std::fs::read(path).expect("a readable file");
    let name = path.display().to_string();
    crg::decode(&Source::new(&name, &bytes)).unwrap_or_else(|error| panic!("{error}"))
}

/// Heights may differ by the rounding of another machine's sines, and by that of single precision.
#[test]
fn shipped_roads_can_be_made_again() {
    let folder = Folder::new();
    for name in ["country.crg", "circuit.crg", "rough-straight.crg"] {
        let road = decode(&shipped(name));
        assert_eq!(road.comments[0], "Made by: rtrd road make");
        let words = road.comments[1..].join(" ");
        folder.text(&format!("road make {name} {words}"));
        let again = decode(&folder.path().join(name));
        assert_eq!((again.records(), &again.v_m), (road.records(), &road.v_m), "{name}");
        let pairs = again.heights_m.iter().zip(&road.heights_m);
        let largest = pairs.map(|(again, road)| (again - road).abs()).fold(0.0, f64::max);
        assert!(largest < 1e-6, "{name}: {largest}");
    }
}

#[test]
fn info_describes_and_draws() {
    let folder = Folder::new();
    for (name, words) in [
        ("country.crg", ["KRBI", "2001 records × 17 long sections"]),
        ("mu-split.toml", ["friction patches 1", "0.1 to 1"]),
    ] {
        let text = folder.text(&format!("road info {} --plot road.svg", shipped(name).display()));
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        let svg = folder.read("road.svg");
        assert!(svg.starts_with("<svg") && svg.matches("<path").count() > 2, "{name}");
    }
}

/// Shipped roads by name, each with what it is; a name that is not quite right is answered with the
/// right one.
#[test]
fn shipped_roads_are_described_by_name() {
    let folder = Folder::new();
    let text = |line: &str| said(&folder.run(line));
    let info = text("road info circuit");
    assert!(info.starts_with("models/roads/circuit.crg\n  OpenCRG, bent, closed: 500 m long"), "{info}");
    let [listed, all] = [text("road info"), text("scenarios")];
    for name in Kind::Road.shipped() {
        for list in [&listed, &all] {
            let line = list.lines().find(|line| line.split_whitespace().next() == Some(name));
            let words = line.map_or(0, |line| line.split_whitespace().count());
            assert!(words > 5, "{name}: {line:?}");
        }
    }
    let unknown = text("road info circiut");
    assert!(unknown.contains("did you mean `circuit`?"), "{unknown}");
}

#[test]
fn faults_are_told() {
    let folder = Folder::new();
    let whole = std::fs::read(shipped("country.crg")).expect("readable");
    folder.write("cut.crg", &whole[..100_000]);
    let text = folder.error("road info cut.crg");
    assert!(text.contains("cut.crg:") && text.contains("cut off"), "{text}");
    let text = folder.error("road make never.crg --layout circuit --length 50");
    assert!(text.contains("needs at least"), "{text}");
}
