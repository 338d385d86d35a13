//! Faults in road files: each names the file, the line and the field. And the files beside a road.

use vehicle::files::{FileError, Source};
use vehicle::terrain::{self, Hint, Terrain};

fn fault(text: &str) -> FileError {
    match terrain::read(&Source::new("road.toml", text.as_bytes())) {
        Ok(_) => panic!("expected a fault in:\n{text}"),
        Err(error) => error,
    }
}

#[test]
fn faults_name_line_and_field() {
    for (text, line, field, word) in [
        ("kind = \"moon\"\n", 1, "kind", "expected one of"),
        ("friction = 1.0\n", 1, "kind", "expected `kind`"),
        ("kind = \"flat\"\nfriction = -0.1\n", 2, "friction", "0 or more"),
        ("kind = \"flat\"\ngrade = 3\n", 2, "grade", "unknown field"),
        (
            "kind = \"slope\"\ngrade_percent = \"steep\"\n",
            2,
            "grade_percent",
            "number",
        ),
        (
            "kind = \"slope\"\ngrade_percent = inf\n",
            2,
            "grade_percent",
            "finite",
        ),
        (
            "kind = \"flat\"\n[[features]]\nshape = \"dune\"\n",
            3,
            "features[0].shape",
            "half-round",
        ),
        (
            "kind = \"flat\"\n[[features]]\nshape = \"cosine\"\nheight_m = 1\n",
            2,
            "length_m",
            "found none",
        ),
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
        (
            "kind = \"height-map\"\nheights_m = [[1, 2], [3]]\n",
            2,
            "heights_m",
            "row 2",
        ),
        (
            "kind = \"height-map\"\nfile = \"nowhere.csv\"\n",
            2,
            "file",
            "cannot read",
        ),
        ("kind = flat\n", 1, "kind", ""),
    ] {
        let error = fault(text);
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
    // The lower left cell (value 0) has its middle at (11, 21); the row above it (3) stands first in the file.
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
