//! `rtrd topology`, `equilibrium` and `linearise` as a user calls them, from a folder without the
//! repository.

use crate::support::Folder;

#[test]
fn topology_prints_the_plan_and_draws_it() {
    let folder = Folder::new();
    let page = folder.text("topology hmmwv --plot plan.svg --out plan.dot");
    for part in [
        "base          chassis",
        "coordinates   31",
        "cut joints    8 with 16 constraint rows",
        "clusters (decoupled loops): 4, and 6 single bodies",
        "independent chains: 5",
        "junctions: chassis",
        "mass matrix: 441 of 961",
    ] {
        assert!(page.contains(part), "{part} is missing:\n{page}");
    }
    let svg = folder.read("plan.svg");
    assert!(svg.starts_with("<svg") && svg.matches("stroke-dasharray").count() == 8);
    let dot = folder.read("plan.dot");
    assert!(dot.starts_with("graph \"hmmwv\"") && dot.matches("style=dashed").count() == 8);
}

#[test]
fn without_a_model_the_shipped_ones_are_listed_and_an_unknown_one_lists_them_too() {
    let folder = Folder::new();
    let list = folder.text("topology");
    assert!(list.contains("tractor-semitrailer") && list.contains("iftomm-bricard"));
    let message = folder.error("topology humvee");
    assert!(message.contains("model `humvee`: no folder with topology.toml, and not shipped; expected"), "{message}");
}

/// The HMMWV's published static loads: 6532.156 N on a front wheel, 6107.656 N on a rear one.
#[test]
fn equilibrium_of_the_hmmwv() {
    let folder = Folder::new();
    let page = folder.text("equilibrium hmmwv");
    assert!(page.starts_with("hmmwv: at rest after"), "{page}");
    let found = folder.text("equilibrium hmmwv --json");
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    let load = |wheel: usize| found["wheels"][wheel]["load_n"].as_f64().unwrap();
    assert!((load(0) - 6532.156).abs() < 2e-3 && (load(3) - 6107.656).abs() < 2e-3);
    let height = found["poses"][0]["origin_m"][2].as_f64().unwrap();
    let pitch = found["poses"][0]["roll_pitch_yaw_rad"][1].as_f64().unwrap();
    assert!((height - 0.5521).abs() < 5e-5 && (pitch - 0.017555).abs() < 1e-6);
    assert_eq!(found["stable"], true);
    assert!(found["residual_acceleration"].as_f64().unwrap() < 1e-5);
}

/// A pendulum hangs; a bar that is held level by nothing but its hinge finds its way down; a body
/// on a vertical slide falls for ever.
#[test]
fn equilibrium_where_there_is_one_and_where_there_is_none() {
    let folder = Folder::new();
    let hanging = folder.text("equilibrium pendulum");
    assert!(hanging.contains("at rest") && !hanging.contains("UNSTABLE"), "{hanging}");
    folder.text("equilibrium adams-revolute");
    let message = folder.error("equilibrium adams-prismatic");
    assert!(message.contains("there is no equilibrium: joint `joint` accelerates with 9.807e0"), "{message}");
}

/// The bar of 1 m about its end: ω² = (3/2) g/l.
#[test]
fn linearise_finds_the_frequency_of_the_pendulum() {
    let folder = Folder::new();
    let page = folder.text("linearise pendulum --out p.json");
    folder.text("linearise pendulum --out p.csv");
    assert!(page.starts_with("pendulum: 2 states, 0 inputs, 3 outputs"), "{page}");
    for part in ["A: 2 × 2", "-14.71500            0", "B: 2 × 0", "C: 3 × 2", "D: 3 × 0", "pivot 100 %"] {
        assert!(page.contains(part), "{part} is missing:\n{page}");
    }
    let json = folder.read("p.json");
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    let frequency = found["modes"][0]["frequency_hz"].as_f64().unwrap();
    let expected = (1.5 * 9.81_f64).sqrt() / std::f64::consts::TAU;
    assert!((frequency - expected).abs() < 1e-4, "{frequency} {expected}");
    assert_eq!(found["states"], serde_json::json!(["pivot_rad", "pivot_rad_s"]));
    let csv = folder.read("p.csv");
    assert_eq!(csv.lines().count(), 1 + 4 + 6);
    let message = folder.error("linearise pendulum --output rod");
    assert!(message.contains("--output rod: no such body; expected one of bar"), "{message}");
}

/// A vehicle at rest can be anywhere, and its wheels can be turned: no row says that such a motion
/// is damped.
#[test]
fn rigid_motions_have_no_damping() {
    let folder = Folder::new();
    let page = folder.text("linearise hmmwv --out h.json");
    let rigid = page.lines().find(|line| line.contains("rigid motions")).unwrap_or_default();
    for part in ["chassis x", "chassis y", "hub fl"] {
        assert!(rigid.contains(part), "{part} is missing:\n{page}");
    }
    let json = folder.read("h.json");
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    let modes = found["modes"].as_array().unwrap();
    assert!(modes.iter().all(|mode| mode["damping_ratio"].is_null() == (mode["motion"] == "")), "{json}");
    assert!(page.contains("A: 28 × 28: `--out FILE.csv` writes it"), "{page}");
}
