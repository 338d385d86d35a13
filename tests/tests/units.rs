//! The units are what systemd expects. `systemd-analyze verify` exits with 0 even for keys that it does not know, so any
//! word from it is a failure.

use std::process::Command;

use system_tests::programs::{folder, root};
use system_tests::skip;

/// Verifies the units after a change of their text; what systemd says.
fn verify(change: impl Fn(String) -> String) -> Option<String> {
    let place = tempfile::tempdir().expect("a folder");
    let programs = folder().display().to_string();
    let mut units = Vec::new();
    for entry in std::fs::read_dir(root().join("systemd"))
        .expect("the units")
        .flatten()
    {
        let name = entry.file_name().into_string().expect("a name");
        if !name.contains('@') {
            continue;
        }
        let text = std::fs::read_to_string(entry.path())
            .expect("a unit")
            .replace("/usr/bin", &programs);
        // The user need not exist on the machine that verifies.
        let text = text
            .replace("User=rtrd", "User=root")
            .replace("Group=rtrd", "Group=root");
        let path = place.path().join(&name);
        std::fs::write(&path, change(text)).expect("a copy");
        units.push(place.path().join(name.replace('@', "@car1")));
    }
    assert_eq!(units.len(), 4);
    let output = Command::new("systemd-analyze")
        .arg("verify")
        .args(&units)
        .output()
        .ok()?;
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let ours = said.lines().filter(|line| line.contains("rtrd"));
    Some(ours.collect::<Vec<_>>().join("\n"))
}

#[test]
fn systemd_finds_nothing_to_complain_of() {
    let Some(said) = verify(|text| text) else {
        return skip("systemd-analyze is not installed");
    };
    assert_eq!(said, "");
}

#[test]
fn a_broken_unit_is_noticed() {
    let broken = |text: String| text.replace("WatchdogSec=", "WatchdogSeconds=");
    let Some(said) = verify(broken) else {
        return skip("systemd-analyze is not installed");
    };
    assert!(said.contains("WatchdogSeconds"), "{said}");
}
