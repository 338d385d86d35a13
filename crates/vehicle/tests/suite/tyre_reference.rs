//! Tyres against implementations that we did not write. How the numbers were made:
//! `tests/reference/tyre/README.md`.

use crate::tyre_support::{reference, root, shipped, slip};
use vehicle::files::Source;
use vehicle::tyre::{self, Slip, Tyre};

/// Largest deviation allowed of F_x, F_y, M_x, M_y, M_z, σ_κ and σ_α, as parts of the largest value
/// of each in the table.
type Tolerances = [f64; 7];

/// The numbers of the table have ten digits, and the guards against division by zero differ (10⁻⁶
/// here and there): 10⁻⁷ of the largest.
const SAME: f64 = 1.0e-7;

fn compare(tyre: &dyn Tyre, file: &str, tolerances: Tolerances) {
    let rows = reference(file);
    assert_eq!(rows.len(), 360, "{file}");
    let largest: Vec<f64> =
        (0..7).map(|column| rows.iter().fold(1e-9_f64, |most, row| most.max(row[4 + column].abs()))).collect();
    for row in &rows {
        let at = slip(row[0], row[2], row[1], row[3]);
        let (forces, relaxation) = (tyre.forces(&at), tyre.relaxation(at.load_n, at.camber_rad));
        let ours = [
            forces.longitudinal_n,
            forces.lateral_n,
            forces.overturning_nm,
            forces.rolling_nm,
            forces.aligning_nm,
            relaxation.longitudinal_m,
            relaxation.lateral_m,
        ];
        for (column, ours) in ours.iter().enumerate() {
            let theirs = row[4 + column];
            let difference = (ours - theirs).abs() / largest[column];
            assert!(
                difference <= tolerances[column],
                "{file}: {at:?}, column {column}: {ours} instead of {theirs}, {difference:.1e} of the largest"
            );
        }
    }
}

#[test]
fn mf52_agrees_with_mfeval() {
    compare(&*shipped("car-205-60R15.tir"), "mfeval-car-205-60R15.csv", [SAME; 7]);
}

/// M_z: MFeval puts cos(tan α) where the book (4.E47) has cos α; at 12° that is 7·10⁻⁴ of the
/// residual torque.
#[test]
fn mf61_agrees_with_mfeval() {
    let tolerances = [SAME, SAME, SAME, SAME, 2.0e-4, SAME, SAME];
    compare(&*shipped("car-225-55R16-mf61.tir"), "mfeval-car-225-55R16-mf61.csv", tolerances);
}

/// The samples are not part of the repository: without `../shared` there is nothing to read, and
/// the test says so.
#[test]
fn samples_of_chrono_agree_with_mfeval() {
    for name in ["mf_185_80R14", "pactest"] {
        let path = root().join("../shared/data/chrono/tir").join(format!("{name}.tir"));
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("skipped: {} is not there", path.display());
            continue;
        };
        let tyre = tyre::read(&Source::new(&path.to_string_lossy(), &bytes)).expect("a sample");
        compare(&*tyre, &format!("mfeval-{name}.csv"), [SAME; 7]);
    }
}

/// A third hand for MF 6.1: F_x in combined slip and F_y in pure slip. The library puts the
/// machine's precision where we put 10⁻⁶ N, and takes the sign of E_y from α instead of α_y;
/// between the two lies only the horizontal shift, which the grid leaves out.
#[test]
fn mf61_agrees_with_the_magic_formula_tyre_library() {
    let tyre = shipped("car-225-55R16-mf61.tir");
    let rows = reference("teasit-car-225-55R16-mf61.csv");
    assert_eq!(rows.len(), 300);
    for row in rows {
        let combined = tyre.forces(&slip(row[0], row[2], row[1], row[3]));
        let pure = tyre.forces(&slip(row[0], 0.0, row[1], row[3]));
        assert!((combined.longitudinal_n - row[4]).abs() < 1e-7 * row[0], "{row:?}: {combined:?}");
        assert!((pure.lateral_n - row[5]).abs() < 1e-7 * row[0], "{row:?}: {pure:?}");
    }
}

/// A third hand for MF 5.2, upright and below the peak. Chrono adds 0.1 N to C D, which is 10⁻⁴ at
/// 900 N. Its camber terms, the arguments that it cuts off at π/2 and the sign of its α_t,eq differ
/// from the published equations; the grid leaves them out.
#[test]
fn mf52_agrees_with_chrono() {
    let tyre = shipped("car-205-60R15.tir");
    let rows = reference("chrono-car-205-60R15.csv");
    assert_eq!(rows.len(), 120);
    for row in rows {
        let load = row[0];
        let forces = tyre.forces(&slip(load, row[2], row[1], 0.0));
        assert!((forces.longitudinal_n - row[3]).abs() < 1e-4 * load, "{row:?}: {forces:?}");
        assert!((forces.lateral_n - row[4]).abs() < 1e-4 * load, "{row:?}: {forces:?}");
        if row[2] == 0.0 {
            // Without combined slip Chrono leaves out s F_x: SSZ1 = 0.02, SSZ2 = −0.005, R_0 =
            // 0.3135 m, F_z0 = 4 kN.
            let arm = 0.3135 * (0.02 - 0.005 * forces.lateral_n / 4000.0);
            let aligning = forces.aligning_nm - arm * forces.longitudinal_n;
            assert!((aligning - row[5]).abs() < 1e-4 * load * 0.3135, "{row:?}: {aligning}");
        }
    }
}

/// The same TMeasy parameters: Chrono's formulas above 3 m/s. The file rounds forces to 10⁻⁴ N, so
/// that 10⁻⁶ of the load is the same.
#[test]
fn tmeasy_agrees_with_chrono() {
    let tyre = shipped("hmmwv-tmeasy.toml");
    let rows = reference("chrono-hmmwv-tmeasy.csv");
    assert_eq!(rows.len(), 240);
    for row in rows {
        let at = Slip { friction: row[3], ..slip(row[0], row[2], row[1], 0.0) };
        let forces = tyre.forces(&at);
        assert!((forces.longitudinal_n - row[4]).abs() < 1e-6 * row[0], "{row:?}: {forces:?}");
        assert!((forces.lateral_n - row[5]).abs() < 1e-6 * row[0], "{row:?}: {forces:?}");
        assert!((forces.aligning_nm - row[6]).abs() < 1e-6 * row[0], "{row:?}: {forces:?}");
    }
}

/// The same Fiala parameters. Chrono, as Adams, lets the resultant grow to √2 U F_z; ours has the
/// same direction and ends at U F_z.
#[test]
fn fiala_agrees_with_chrono_up_to_the_friction_circle() {
    let tyre = shipped("hmmwv-fiala.toml");
    let rows = reference("chrono-hmmwv-fiala.csv");
    assert_eq!(rows.len(), 120);
    let mut inside = 0;
    for row in rows {
        let forces = tyre.forces(&slip(row[0], row[2], row[1], 0.0));
        let comprehensive = row[2].hypot(row[1].to_radians().tan()).min(1.0);
        let limit = (0.9835 - (0.9835 - 0.5568) * comprehensive) * row[0];
        let theirs = row[3].hypot(row[4]);
        let shrink = if theirs > limit { limit / theirs } else { 1.0 };
        inside += usize::from(shrink == 1.0);
        assert!((forces.longitudinal_n - shrink * row[3]).abs() < 1e-6 * row[0], "{row:?}: {forces:?}");
        assert!((forces.lateral_n - shrink * row[4]).abs() < 1e-6 * row[0], "{row:?}: {forces:?}");
        assert!((forces.aligning_nm - row[5]).abs() < 1e-6 * row[0], "{row:?}: {forces:?}");
    }
    assert!(inside > 40, "{inside} of 120 rows inside of the circle");
}

/// Rolling radius, load and spin of MF 6.1 against the closed forms of Besselink, Schmeitz, Pacejka
/// (2010), eq. (1), (4), (7), by hand for our file: F_z0 = 4 kN, c_z0 = 220 kN/m, R_0 = 0.3266 m,
/// p/p_0 − 1 = 1/11, p_Fz1 = 0.7, Ω = 60 rad/s.
#[test]
fn the_vertical_side_of_mf61_follows_its_closed_forms() {
    let tyre = shipped("car-225-55R16-mf61.tir");
    let (radius, nominal, stiffness, pressure) = (0.3266_f64, 4000.0, 220_000.0, 1.0 + 0.7 / 11.0);
    let q_fz1 = ((stiffness * radius / nominal).powi(2) - 4.0 * 15.0_f64).sqrt();
    let part = 0.02 / radius;
    let load = (q_fz1 * part + 15.0 * part * part) * nominal * pressure;
    assert!((tyre.load_n(0.02, 0.0, 0.0) - load).abs() < 1e-6);
    let grown = radius * (1.0 + 0.0005 * (60.0 * radius / 16.7_f64).powi(2));
    let sink = 0.25 * (8.0 * 4500.0 / nominal).atan() + 0.03 * 4500.0 / nominal;
    let rolling = grown - nominal / (stiffness * pressure) * sink;
    assert!((tyre.rolling_radius_m(4500.0, 60.0) - rolling).abs() < 1e-12);
    let part = (0.02 + grown - radius) / radius;
    let spinning = (1.0 + 0.02 * 60.0 * radius / 16.7) * (q_fz1 * part + 15.0 * part * part) * nominal * pressure;
    assert!((tyre.load_n(0.02, 0.0, 60.0) - spinning).abs() < 1e-6);
}
