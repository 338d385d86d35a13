//! `rtrd check` as a script uses it.

use std::process::Output;

use crate::support::{command, said};

fn check(arguments: &[&str]) -> Output {
    command(&["check"]).args(arguments).output().unwrap()
}

#[test]
fn the_page_has_the_plan_the_findings_and_no_colours_without_a_terminal() {
    let output = check(&[]);
    let page = said(&output);
    assert!(page.starts_with("CPU plan of instance \"default\""), "{page}");
    for part in ["dynamics", "Kernel", "Processors", "Rights", "Memory", "checks:"] {
        assert!(page.contains(part), "{part} is missing:\n{page}");
    }
    assert!(!page.contains('\x1b'), "{page}");
}

#[test]
fn the_exit_code_says_whether_a_check_failed() {
    let output = check(&["--json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let failures = found["summary"]["failure"].as_u64().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(failures > 0)));
    assert_eq!(check(&[]).status.code(), output.status.code());
}

#[test]
fn the_json_holds_everything() {
    let found: serde_json::Value = serde_json::from_slice(&check(&["--json"]).stdout).unwrap();
    let findings = found["findings"].as_array().unwrap();
    let ids: Vec<&str> = findings.iter().filter_map(|finding| finding["id"].as_str()).collect();
    assert!(ids.contains(&"rt-throttling"), "{ids:?}");
    let counts = ["pass", "warning", "failure", "unknown"].map(|kind| found["summary"][kind].as_u64().unwrap());
    assert_eq!(counts.iter().sum::<u64>() as usize, findings.len());
    assert_eq!(found["instance"], "default");
    assert_eq!(found["plan"]["assignments"].as_array().map(Vec::len), Some(3));
    assert!(found["machine"]["processors"].is_object() && found["limits"].is_object());
}

#[test]
fn a_plan_that_cannot_be_made_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("car1.toml");
    std::fs::write(&path, "[instance]\nname = \"car1\"\n\n[dynamics]\ncpu = 4000\n").unwrap();
    let output = check(&["--json", "--config", path.to_str().unwrap()]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["instance"], "car1");
    assert!(found["plan"].is_null());
    let error = found["plan_error"].as_str().unwrap();
    assert!(error.contains("CPU 4000"), "{error}");
    assert!(said(&check(&["--config", path.to_str().unwrap()])).contains("CPU 4000"));
}

#[test]
fn a_broken_configuration_is_one_clear_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.toml");
    std::fs::write(&path, "[instance]\nnonsense = 1\n").unwrap();
    let output = check(&["--config", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("broken.toml:2:1") && message.contains("nonsense"), "{message}");
    assert!(output.stdout.is_empty());
}
