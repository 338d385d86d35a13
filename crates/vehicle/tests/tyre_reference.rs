//! Tyres against implementations that we did not write. How the numbers were made: `tests/reference/tyre/README.md`.

mod tyre_support;

use tyre_support::{reference, root, shipped, slip};
use vehicle::files::Source;
use vehicle::tyre::{self, Tyre};

/// Largest deviation allowed of F_x, F_y, M_x, M_y, M_z, σ_κ and σ_α, as parts of the largest value of each in the table.
type Tolerances = [f64; 7];

/// The numbers of the table have ten digits, and the guards against division by zero differ (10⁻⁶ here and there): 10⁻⁷ of the largest.
const SAME: f64 = 1.0e-7;

fn compare(tyre: &dyn Tyre, file: &str, tolerances: Tolerances) {
    let rows = reference(file);
    assert_eq!(rows.len(), 360, "{file}");
    let largest: Vec<f64> = (0..7)
        .map(|column| {
            rows.iter()
                .fold(1e-9_f64, |most, row| most.max(row[4 + column].abs()))
        })
        .collect();
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
    compare(
        &*shipped("car-205-60R15.tir"),
        "mfeval-car-205-60R15.csv",
        [SAME; 7],
    );
}

/// M_z: MFeval puts cos(tan α) where the book (4.E47) has cos α; at 12° that is 7·10⁻⁴ of the residual torque.
#[test]
fn mf61_agrees_with_mfeval() {
    let tolerances = [SAME, SAME, SAME, SAME, 2.0e-4, SAME, SAME];
    compare(
        &*shipped("car-225-55R16-mf61.tir"),
        "mfeval-car-225-55R16-mf61.csv",
        tolerances,
    );
}

/// The samples are not part of the repository: without `../shared` there is nothing to read, and the test says so.
#[test]
fn samples_of_chrono_agree_with_mfeval() {
    for name in ["mf_185_80R14", "pactest"] {
        let path = root()
            .join("../shared/data/chrono/tir")
            .join(format!("{name}.tir"));
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("skipped: {} is not there", path.display());
            continue;
        };
        let tyre = tyre::read(&Source::new(&path.to_string_lossy(), &bytes)).expect("a sample");
        compare(&*tyre, &format!("mfeval-{name}.csv"), [SAME; 7]);
    }
}
