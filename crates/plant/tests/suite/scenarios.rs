//! Scenario files: the shipped ones are complete, what is written is what is built, and every
//! mistake is an error that names file, line, column, field and what was expected.

use crate::shipped;
use plant::scenario::ControllerSettings;
use plant::{Scenario, ScenarioError, simulate};
use std::collections::BTreeSet;
use std::path::Path;

/// A small scenario, in which tests make mistakes.
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
    let scenario = shipped("tank-fig13");
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
        let scenario = shipped(name);
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
    let original = shipped("tank-fig15");
    let trace = simulate(&original, |_| {});
    let column = "demand_inlet_valve_ratio";
    let asked = trace.demand("inlet_valve_ratio").expect("a demand");
    let rows = trace.times_s().iter().zip(asked).map(|(time_s, value)| format!("{time_s:?},{value:?}\n"));
    let recording = format!("time_s,{column}\n") + &rows.collect::<String>();
    std::fs::write(folder.path().join("run.csv"), recording).expect("a recording");
    let text = Scenario::builtin_text("tank-fig15").expect("its text");
    let profile = "{ points = [[0.0, 0.457], [100.0, 0.6]] }";
    assert!(text.contains(profile));
    let replay = text.replace(profile, &format!("{{ file = \"run.csv\", column = \"{column}\" }}"));
    let path = folder.path().join("replay.toml");
    std::fs::write(&path, &replay).expect("a scenario");
    let replayed = simulate(&Scenario::from_file(&path).expect("a scenario with a recording"), |_| {});
    assert_eq!(replayed.output("level_cm"), trace.output("level_cm"));
    let wrong = replay.replace(column, "valve");
    let error = Scenario::from_text(&wrong, &path.display().to_string()).expect_err("no such column");
    assert!(error.to_string().contains("`valve` is no column; expected one of time_s"), "{error}");
}

/// Mistakes, one per line: what is replaced | with what | line:column: field | words of the
/// message.
const MISTAKES: &str = r#"
# syntax and shape
step_s = 0.1 | step_s = = 0.1 | 3:10: step_s | extra `=`
step_s = 0.1 | step_s = "fast" | 3:10: step_s | string; expected a number
substeps = 2 | substep = 2 | 6:1: substep | unknown field `substep`; substeps
substeps = 2 | substeps = -2 | 6:12: substeps | -2; a whole number
step_s = 0.1\n |  | 1:1: top level | missing field `step_s`
[plant]\nkind = "tank" | [plant] | 8:1: plant | missing field `kind`
kd = 0.001 | kd = 0.001\nkx = 1.0 | 22:1: controller.kx | unknown field `kx`; derivative_filter_s
name = "good" | name = "good"\nname = "again" | 2:1: name | duplicate key
# numbers that cannot be
name = "good" | name = "Good One" | 1:8: name | expected; lower-case
step_s = 0.1 | step_s = -0.1 | 3:10: step_s | -0.1; expected 0.000001..10 s
step_s = 0.1 | step_s = nan | 3:10: step_s | NaN; expected
duration_s = 10.0 | duration_s = 0.01 | 4:14: duration_s | 0.01; expected 0.1
duration_s = 10.0 | duration_s = 1e12 | 4:14: duration_s | ten million steps
substeps = 2 | substeps = 0 | 6:12: substeps | expected 1..100000
# names that do not exist
"euler" | "rk5" | 5:14: integrator | `rk5`; adams-bashforth-3
kind = "tank" | kind = "boat" | 9:8: plant.kind | `boat`; tank or car
tank_area_cm2 | tank_area_m2 | 11:1: plant.parameters.tank_area_m2 | not a parameter; tank_area_cm2
= 15.518 | = -1.0 | 11:17: plant.parameters.tank_area_cm2 | -1 cm²; expected 0.001
= 15.518 | = inf | 11:17: plant.parameters.tank_area_cm2 | inf; expected
level_cm = 1.0 | height_cm = 1.0 | 13:1: plant.initial.height_cm | not a state; level_cm
level_cm = 1.0 | level_cm = 31.0 | 13:12: plant.initial.level_cm | 31 cm; expected 0..30 cm
# the controller
kind = "pid" | kind = "fuzzy" | 16:8: controller.kind | `fuzzy`; direct or pid
kind = "pid" | kind = "direct" | 17:12: controller.measured | direct controller has no settings
measured = "level_cm" | measured = "speed_m_s" | 17:12: controller.measured | not an output; level_cm
"inlet_valve_ratio" | "valve" | 18:10: controller.driven | not an input; inlet_valve_ratio
ki = 0.2 | ki = nan | 20:6: controller.ki | NaN; expected a number
kp = 2.0\n |  | 16:8: controller.kind | needs `kp`
# the demands
outlet_valve_ratio = 1 | outlet_valve = 1 | 24:1: demands.outlet_valve | not a demand; outlet_valve_ratio
outlet_valve_ratio = 1 | outlet_valve_ratio = 1.5 | 24:22: demands.outlet_valve_ratio | 1.5; expected 0..1
outlet_valve_ratio = 1 | outlet_valve_ratio = true | 24:22: demands.outlet_valve_ratio | boolean; a number, or a table
[5.0, 20.0] | [0.0, 20.0] | 25:37: demands.level_cm.points[1] | expected times that rise
[5.0, 20.0] | [5.0, nan] | 25:37: demands.level_cm.points[1] | NaN; finite
[5.0, 20.0] | [5.0, 40.0] | 25:37: demands.level_cm.points[1] | 40 cm; expected 0..30 cm
[5.0, 20.0] | [5.0] | 25:37: demands.level_cm.points[1] | length 1; a pair of numbers
[[0.0, 15.0], [5.0, 20.0]] | [] | 25:23: demands.level_cm.points | no points
repeat_s = 8.0 | repeat_s = 4.0 | 25:88: demands.level_cm.repeat_s | 4; the last point, at 5 s
"linear" | "cubic" | 25:67: demands.level_cm.interpolation | `cubic`; one of hold, linear
points = [[0.0, 15.0], [5.0, 20.0]],  |  | 25:12: demands.level_cm | either `points` or `file`
points = [[0.0, 15.0], [5.0, 20.0]] | file = "none.csv" | 25:21: demands.level_cm.file | none.csv; cannot be read
points = [[0.0, 15.0], [5.0, 20.0]] | file = "/dev/zero" | 25:21: demands.level_cm.file | not a regular file
"#;

fn error_with(from: &str, to: &str) -> ScenarioError {
    assert!(GOOD.contains(from), "the good scenario has no `{from}`");
    Scenario::from_text(&GOOD.replacen(from, to, 1), "bad.toml").expect_err(&format!("`{to}` is a mistake"))
}

#[test]
fn every_mistake_is_named_with_its_place() {
    Scenario::from_text(GOOD, "good.toml").expect("the good scenario is good");
    let mistakes = MISTAKES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let wrong: Vec<String> = mistakes.filter_map(check_mistake).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Says how the error for a mistake differs from what is expected.
fn check_mistake(mistake: &str) -> Option<String> {
    let parts: Vec<String> = mistake.split('|').map(|part| part.trim().replace("\\n", "\n")).collect();
    let [from, to, place, words] = parts.as_slice() else { panic!("four parts in `{mistake}`") };
    let message = error_with(from, to).to_string();
    let good = message.starts_with(&format!("bad.toml:{place}: "))
        && words.split("; ").all(|word| message.contains(word))
        && !message.contains('\n');
    (!good).then(|| format!("{mistake}\n    gives {message}"))
}
