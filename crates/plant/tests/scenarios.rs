//! Scenario files: the shipped ones are complete, and what is written is what is built.

use plant::scenario::ControllerSettings;
use plant::{Scenario, ScenarioError, simulate};
use std::collections::BTreeSet;
use std::path::Path;

/// A small scenario.
const GOOD: &str = r#"name = "good"
description = "a tank"
step_s = 0.1
duration_s = 10.0
integrator = "euler"
substeps = 2

[plant]
kind = "tank"
[plant.parameters]
tank_area_cm2 = 15.518
[plant.initial]
level_cm = 1.0

[controller]
kind = "pid"
measured = "level_cm"
driven = "inlet_valve_ratio"
kp = 2.0
ki = 0.2
kd = 0.001

[demands]
outlet_valve_ratio = 1
level_cm = { points = [[0.0, 15.0], [5.0, 20.0]], interpolation = "linear", repeat_s = 8.0 }
"#;

#[test]
fn a_pid_needs_something_to_follow() {
    let demand = GOOD.find("level_cm = { points").expect("the demand");
    let error = Scenario::from_text(&GOOD[..demand], "bad.toml").expect_err("no demand to follow");
    assert!(error.to_string().contains("no demand `level_cm` to follow"), "{error}");
}

#[test]
fn what_is_written_is_what_is_built() {
    let scenario = Scenario::from_text(GOOD, "good.toml").expect("a good scenario");
    assert_eq!((scenario.name(), scenario.description(), scenario.figure()), ("good", "a tank", None));
    assert_eq!((scenario.step_s(), scenario.duration_s(), scenario.step_count()), (0.1, 10.0, 100));
    assert_eq!((scenario.method().name(), scenario.substeps()), ("euler", 2));
    assert!(matches!(scenario.controller(), ControllerSettings::Pid(settings) if settings.kp == 2.0));
    let plant = scenario.build_plant();
    assert_eq!(plant.state(), [1.0, 0.0, 1.0], "level, then the default valves");
    let mut demands = [0.0; 2];
    scenario.demands().values(2.5, &mut demands);
    assert_eq!(demands, [17.5, 1.0]);
    scenario.demands().values(8.0 + 2.5, &mut demands);
    assert_eq!(demands, [17.5, 1.0], "it repeats");
}

#[test]
fn step_and_duration_can_be_changed_within_reason() {
    let scenario = Scenario::builtin("tank-fig13").expect("a shipped scenario");
    let shorter = scenario.clone().with_duration_s(2.0).expect("two seconds");
    assert_eq!(simulate(&shorter, |_| {}).times_s().len(), 21);
    let finer = shorter.with_step_s(0.01).expect("10 ms");
    assert_eq!(simulate(&finer, |_| {}).times_s().len(), 201);
    for bad in
        [scenario.clone().with_step_s(-1.0), scenario.clone().with_step_s(f64::NAN), scenario.with_duration_s(0.0)]
    {
        assert!(matches!(bad, Err(ScenarioError::Impossible { .. })));
    }
}

#[test]
fn every_shipped_file_is_built_in_and_named_like_its_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/scenarios");
    let files: BTreeSet<String> = std::fs::read_dir(&folder)
        .expect("the folder of scenarios")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let names = Scenario::builtin_names();
    assert_eq!(files, names.iter().map(|name| name.to_string()).collect());
    for name in names {
        let scenario = Scenario::builtin(name).expect("a shipped scenario");
        assert_eq!(scenario.name(), name);
        let from_file = Scenario::from_file(&folder.join(format!("{name}.toml"))).expect("the same file");
        assert_eq!(scenario, from_file);
        assert_eq!(name.contains("-fig"), scenario.figure().is_some());
    }
}

#[test]
fn unknown_names_and_files_say_what_exists() {
    let message = Scenario::builtin("tank").expect_err("no such scenario").to_string();
    assert!(message.contains("`tank`") && message.contains("tank-level"), "{message}");
    let message = Scenario::from_file(Path::new("missing.toml")).expect_err("no such file").to_string();
    assert!(message.contains("missing.toml") && message.contains("expected"), "{message}");
}

/// A trace of one run is the demand of another: the recording gives the same bits as the profile
/// did.
#[test]
fn a_recorded_run_can_be_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let original = Scenario::builtin("tank-fig15").expect("a shipped scenario");
    let trace = simulate(&original, |_| {});
    let file = std::fs::File::create(folder.path().join("run.csv")).expect("a file");
    plant::simulation::write_csv(&trace, std::io::BufWriter::new(file)).expect("a recording");
    let text = Scenario::builtin_text("tank-fig15").expect("its text");
    let profile = "{ points = [[0.0, 0.457], [100.0, 0.6]] }";
    assert!(text.contains(profile));
    let replay = text.replace(profile, "{ file = \"run.csv\", column = \"demand_inlet_valve_ratio\" }");
    let path = folder.path().join("replay.toml");
    std::fs::write(&path, &replay).expect("a scenario");
    let replayed = simulate(&Scenario::from_file(&path).expect("a scenario with a recording"), |_| {});
    assert_eq!(replayed.output("level_cm"), trace.output("level_cm"));
    let wrong = replay.replace("demand_inlet_valve_ratio", "valve");
    let error = Scenario::from_text(&wrong, &path.display().to_string()).expect_err("no such column");
    assert!(error.to_string().contains("`valve` is no column; expected one of time_s"), "{error}");
}
