//! Faults in road files: each names the file, the line and the field. And the files beside a road.

use crate::support::files::fault;
use proptest::prelude::*;
use vehicle::files::{FileError, Source};
use vehicle::terrain::{self, Hint, Terrain};

#[test]
fn faults_name_line_and_field() {
    for (text, line, field, word) in [
        ("kind = \"moon\"\n", 1, "kind", "expected one of"),
        ("friction = 1.0\n", 1, "kind", "expected `kind`"),
        ("kind = \"flat\"\nfriction = -0.1\n", 2, "friction", "0 or more"),
        ("kind = \"flat\"\ngrade = 3\n", 2, "grade", "unknown field"),
        ("kind = \"slope\"\ngrade_percent = \"steep\"\n", 2, "grade_percent", "number"),
        ("kind = \"slope\"\ngrade_percent = inf\n", 2, "grade_percent", "finite"),
        ("kind = \"flat\"\n[[features]]\nshape = \"dune\"\n", 3, "features[0].shape", "half-round"),
        ("kind = \"flat\"\n[[features]]\nshape = \"cosine\"\nheight_m = 1\n", 2, "length_m", "found none"),
        (
            "kind = \"flat\"\n[[features]]\nshape = \"half-round\"\nradius_m = 0.1\nheight_m = 0.2\n",
            5,
            "features[0].height_m",
            "at most",
        ),
        (
            "kind = \"flat\"\n[[friction_patches]]\npattern = \"plain\"\nfactor = 0.5\nx_m = [3, 1]\n",
            5,
            "friction_patches[0].x_m",
            "[from, to]",
        ),
        ("kind = \"height-map\"\nheights_m = [[1, 2], [3]]\n", 2, "heights_m", "row 2"),
        ("kind = \"height-map\"\nfile = \"nowhere.csv\"\n", 2, "file", "cannot read"),
        (
            "kind = \"flat\"\n[[features]]\nshape = \"sine\"\namplitude_m = 1e300\nwavelength_m = 1\n",
            4,
            "features[0].amplitude_m",
            "within ±1e9",
        ),
        (
            "kind = \"flat\"\n[[features]]\nshape = \"sine\"\namplitude_m = 1\nwavelength_m = 1e-300\n",
            5,
            "features[0].wavelength_m",
            "1e-6",
        ),
        ("kind = flat\n", 1, "kind", ""),
    ] {
        let error = fault("road.toml", text.as_bytes(), terrain::read);
        assert_eq!((error.line, error.field.as_str()), (line, field), "{error}");
        assert!(error.problem.contains(word), "{error}");
    }
}

/// A folder with a road that refers to a grid.
struct Folder(tempfile::TempDir);

impl Folder {
    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).expect("written");
    }

    fn read(&self, text: &str) -> Result<Box<dyn Terrain>, FileError> {
        let name = self.0.path().join("road.toml").display().to_string();
        terrain::read(&Source::new(&name, text.as_bytes()))
    }
}

const CSV_ROAD: &str = "kind = \"height-map\"\nfile = \"heights.csv\"\ndx_m = 1.0\ndy_m = 1.0\n";
const GRID_ROAD: &str = "kind = \"height-map\"\nfile = \"heights.asc\"\n";

#[test]
fn grids_are_read_from_files_beside_the_road() {
    let folder = Folder(tempfile::tempdir().expect("a folder"));
    let height = |road: &dyn Terrain, x: f64, y: f64| road.at(x, y, &mut Hint::default()).height_m;
    folder.write("heights.csv", "# two rows\n0, 1, 2\n3, 4, 5\n");
    let csv = folder.read(CSV_ROAD).expect("sound");
    assert_eq!(height(csv.as_ref(), 1.5, 0.5), 3.0);
    // The lower left cell (value 0) has its middle at (11, 21); the row above it (3) stands first
    // in the file.
    let heading = "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n";
    folder.write("heights.asc", &format!("{heading}3 4 5\n0 1 2\n"));
    let grid = folder.read(GRID_ROAD).expect("sound");
    assert_eq!(height(grid.as_ref(), 11.0, 21.0), 0.0);
    assert_eq!(height(grid.as_ref(), 11.0, 23.0), 3.0);
}

#[test]
fn faults_of_grids_name_the_grid() {
    let folder = Folder(tempfile::tempdir().expect("a folder"));
    folder.write("heights.csv", "0, 1, 2\n3, x, 5\n");
    let error = folder.read(CSV_ROAD).err().expect("a fault");
    assert!(error.file.ends_with("heights.csv") && error.line == 2, "{error}");
    let heading = "xllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n";
    for (rest, line, field) in [
        ("ncols 99999999\nnrows 99999999\n1 2\n3 4\n", 1, "ncols"),
        ("ncols 2\nnrows 3\n1 2\n3 4\n", 7, "heights"),
        ("ncols 2\nnrows 2\n1 2\n-9999 4\n", 8, "heights"),
        ("ncols 2\n1 2\n3 4\n", 1, "nrows"),
    ] {
        folder.write("heights.asc", &format!("{heading}{rest}"));
        let error = folder.read(GRID_ROAD).err().expect("a fault");
        assert_eq!((error.line, error.field.as_str()), (line, field), "{error}");
    }
}

const BUSY_ROAD: &str = "kind = \"height-map\"\nfriction = 0.9\ninterpolation = \"bicubic\"\ndx_m = 1.5\ndy_m = 2.5\n\
    heights_m = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]\n[[features]]\nshape = \"half-round\"\nradius_m = 0.25\nheight_m = 0.1\n\
    [[features]]\nshape = \"washboard\"\nheight_m = 0.02\nwavelength_m = 0.5\nwaves = 40\n\
    [[friction_patches]]\npattern = \"checkerboard\"\ntile_m = 2.0\nfirst = 1.0\nsecond = 0.4\nx_m = [20.0, 60.0]\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Changed letters and digits give a fault or a road that is finite everywhere.
    #[test]
    fn mutated_roads_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&b"0123456789.e-=[]\"\n"[..])), 1..6),
    ) {
        let mut text = BUSY_ROAD.as_bytes().to_vec();
        for (place, byte) in &changes {
            let place = place.index(text.len());
            text[place] = *byte;
        }
        if let Ok(road) = terrain::read(&Source::new("mutated.toml", &text)) {
            for (x, y) in [(0.0, 0.0), (0.1, 0.2), (1.7, 2.2), (25.0, -3.0), (1e300, -1e300), (-7.0, 1e8)] {
                let ground = road.at(x, y, &mut Hint::default());
                prop_assert!(ground.height_m.is_finite() && ground.friction >= 0.0, "{ground:?}\n{}", String::from_utf8_lossy(&text));
                prop_assert!((ground.normal.norm() - 1.0).abs() < 1e-9, "{ground:?}\n{}", String::from_utf8_lossy(&text));
                prop_assert!(ground.normal.z > 0.0, "{ground:?}\n{}", String::from_utf8_lossy(&text));
            }
        }
    }
}
