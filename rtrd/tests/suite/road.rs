//! `rtrd road`: the shipped roads are those that their comments say, and faults are told.

use std::path::{Path, PathBuf};
use std::process::Output;

use vehicle::files::Source;
use vehicle::library::Kind;
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

/// Shipped roads by name, each with what it is; a name that is not quite right is answered with the right one.
#[test]
fn shipped_roads_are_described_by_name() {
    let text = |arguments: &[&str]| {
        let output = rtrd(arguments);
        (String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr)).into_owned()
    };
    let info = text(&["road", "info", "circuit"]);
    assert!(info.starts_with("models/roads/circuit.crg\n  OpenCRG, bent, closed: 500 m long"), "{info}");
    let [listed, all] = [text(&["road", "info"]), text(&["scenarios"])];
    for name in Kind::Road.shipped() {
        for list in [&listed, &all] {
            let line = list.lines().find(|line| line.split_whitespace().next() == Some(name));
            let words = line.map_or(0, |line| line.split_whitespace().count());
            assert!(words > 5, "{name}: {line:?}");
        }
    }
    let unknown = text(&["road", "info", "circiut"]);
    assert!(unknown.contains("did you mean `circuit`?"), "{unknown}");
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
