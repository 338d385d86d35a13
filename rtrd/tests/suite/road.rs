//! `rtrd road`: the shipped roads are those that their comments say, and faults are told.

use std::path::{Path, PathBuf};
use std::process::Output;

use vehicle::files::Source;
use vehicle::terrain::crg;

use crate::support::command;

fn rtrd(arguments: &[&str]) -> Output {
    command(arguments).output().expect("rtrd runs")
}

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
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["country.crg", "circuit.crg", "rough-straight.crg"] {
        let road = decode(&shipped(name));
        assert_eq!(road.comments[0], "Made by: rtrd road make");
        let words = road.comments[1..].join(" ");
        let again = folder.path().join(name);
        let path = again.display().to_string();
        let mut arguments = vec!["road", "make", path.as_str()];
        arguments.extend(words.split_whitespace());
        let output = rtrd(&arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let again = decode(&again);
        assert_eq!((again.records(), &again.v_m), (road.records(), &road.v_m), "{name}");
        let pairs = again.heights_m.iter().zip(&road.heights_m);
        let largest = pairs.map(|(again, road)| (again - road).abs()).fold(0.0, f64::max);
        assert!(largest < 1e-6, "{name}: {largest}");
    }
}

#[test]
fn info_describes_and_draws() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("road.svg").display().to_string();
    for (name, words) in [
        ("country.crg", ["KRBI", "2001 records × 17 long sections"]),
        ("mu-split.toml", ["friction patches 1", "0.1 to 1"]),
    ] {
        let road = shipped(name).display().to_string();
        let output = rtrd(&["road", "info", &road, "--plot", &picture]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && words.iter().all(|word| text.contains(word)), "{text}");
        let svg = std::fs::read_to_string(&picture).expect("a picture");
        assert!(svg.starts_with("<svg") && svg.matches("<path").count() > 2, "{name}");
    }
}

#[test]
fn faults_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cut.crg");
    let whole = std::fs::read(shipped("country.crg")).expect("readable");
    std::fs::write(&path, &whole[..100_000]).expect("written");
    let output = rtrd(&["road", "info", &path.display().to_string()]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("cut.crg:") && text.contains("cut off"), "{text}");
    let output = rtrd(&["road", "make", "never.crg", "--layout", "circuit", "--length", "50"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("needs at least"), "{text}");
}
