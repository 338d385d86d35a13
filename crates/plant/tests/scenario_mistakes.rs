//! Every mistake in a scenario file is an error that names file, line, column, field and what was
//! expected.

use plant::{Scenario, ScenarioError};

/// A small scenario in which each test makes one mistake.
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
