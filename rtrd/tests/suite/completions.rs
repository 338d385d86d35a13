//! What a shell offers after the script of `rtrd completions`.

use std::path::Path;
use std::process::Command;

use shm_layout::{Region, RegionName};

use crate::support::{Folder, text};

/// What bash would offer for the last of these words.
fn offered(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let script = Folder::new().text("completions bash");
    let program = Path::new(env!("CARGO_BIN_EXE_rtrd")).parent().unwrap();
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let ask = format!(
        "{script}\nCOMP_WORDS=({}); COMP_CWORD={}; _clap_complete_rtrd rtrd '{}' ''\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len() - 1,
        words.last().unwrap()
    );
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash").args(["-c", &ask]).env("PATH", path).output().unwrap();
    text(&output).split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_name_can_be_completed() {
    let name = RegionName::new(&format!("test-completions-{}", std::process::id())).unwrap();
    let region = Region::create(&name, None).unwrap();
    for (words, expected) in [
        ("rtrd sc", "scenarios"),
        ("rtrd run --vehicle pass", "passenger-car"),
        ("rtrd run --scenario tank-l", "tank-level"),
        ("rtrd run --scenario iso-38", "iso-3888-1"),
        ("rtrd sim tractor", "tractor-semitrailer"),
        ("rtrd report brake-str", "brake-straight"),
        ("rtrd sim hmmwv --road circ", "circuit"),
        ("rtrd road info coun", "country-wet"),
        ("rtrd linearise four", "four-bar"),
        ("rtrd scenarios wash", "washboard"),
        ("rtrd signals driver.thr", "driver.throttle_ratio"),
        ("rtrd top --instance test-comp", name.instance()),
    ] {
        let found = offered(words);
        assert!(found.iter().any(|word| word == expected), "{words:?}: {found:?}");
    }
    region.close_and_remove().unwrap();
}
