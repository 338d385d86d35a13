//! Height maps from files: heights in the TOML file itself, in a CSV file or in an ASCII grid
//! beside it.
//!
//! - TOML (`heights_m = [[…], […]]`) and CSV: one row per line, x rising along it, the first row at
//!   `y0_m`, the next ones above it.
//! - ASCII grid (`.asc`, as geographic information systems write it): `ncols`, `nrows`, `xllcorner`
//!   or `xllcenter`, `yllcorner` or `yllcenter`, `cellsize`, maybe `NODATA_value`; then rows from
//!   the **north** down. A cell's value stands at its middle.

use super::{Grid, HeightMap, Interpolation, Outside};
use crate::fields::{Fields, LARGEST, SMALLEST};
use crate::files::{FileError, Source};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::DeValue;

/// Most heights of a map: 64 million (half a gigabyte).
const HEIGHTS_MAX: usize = 64 << 20;

/// Reads the fields of `kind = "height-map"`.
pub fn read(fields: &Fields<'_>) -> Result<HeightMap, FileError> {
    let interpolations = [("bilinear", Interpolation::Bilinear), ("bicubic", Interpolation::Bicubic)];
    let interpolation = fields.choice("interpolation", &interpolations)?.unwrap_or(Interpolation::Bilinear);
    let outside = match fields.choice("outside", &[("edge", false), ("level", true)])? {
        Some(true) => Outside::Level(fields.needed_number("outside_height_m")?),
        _ => Outside::Edge,
    };
    Ok(HeightMap { grid: grid(fields)?, interpolation, outside })
}

fn grid(fields: &Fields<'_>) -> Result<Grid, FileError> {
    if let Some(value) = fields.raw("heights_m") {
        let fault = |problem: &str| fields.fault_at(&value.span(), problem);
        let expected = || fault("expected rows of heights: [[…], […]]");
        let array = value.get_ref().as_array().ok_or_else(expected)?;
        let row = |row: &Spanned<DeValue<'_>>| {
            let numbers = row.get_ref().as_array().ok_or_else(expected)?;
            numbers.iter().map(|number| fields.number_of(number)).collect()
        };
        let rows: Vec<Vec<f64>> = array.iter().map(row).collect::<Result<_, _>>()?;
        let (columns, heights_m) = joined(&rows).map_err(|problem| fields.fault_at(&value.span(), problem))?;
        return placed(fields, columns, heights_m);
    }
    let (path, bytes) = fields.file("file")?;
    let file = Source::new(&path, &bytes);
    if path.to_lowercase().ends_with(".asc") {
        return ascii_grid(&file);
    }
    let rows = numbers(&file, 0)?;
    let (columns, heights_m) = joined(&rows).map_err(|problem| file.fault(1, "rows", problem))?;
    placed(fields, columns, heights_m)
}

fn placed(fields: &Fields<'_>, columns: usize, heights_m: Vec<f64>) -> Result<Grid, FileError> {
    Ok(Grid {
        x0_m: fields.number_or("x0_m", 0.0)?,
        y0_m: fields.number_or("y0_m", 0.0)?,
        dx_m: fields.positive("dx_m")?,
        dy_m: fields.positive("dy_m")?,
        columns,
        heights_m,
    })
}

/// Rows of equal length, at least 2 × 2, one behind the other.
fn joined(rows: &[Vec<f64>]) -> Result<(usize, Vec<f64>), String> {
    let columns = rows.first().map_or(0, Vec::len);
    if rows.len() < 2 || columns < 2 {
        return Err(format!("expected at least 2 rows of 2 heights, found {} rows of {columns}", rows.len()));
    }
    if let Some(row) = rows.iter().position(|row| row.len() != columns) {
        let found = rows[row].len();
        return Err(format!("expected {columns} heights in every row, found {found} in row {}", row + 1));
    }
    Ok((columns, rows.concat()))
}

/// The numbers of a text, line by line from a line on (counted from 0); empty lines and lines with
/// `#` are skipped.
fn numbers(file: &Source<'_>, from_line: usize) -> Result<Vec<Vec<f64>>, FileError> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (index, line) in file.text()?.lines().enumerate().skip(from_line) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let words = line.split([',', ';', ' ', '\t']).filter(|word| !word.is_empty());
        let row = words.map(|word| number(file, index, word)).collect::<Result<Vec<_>, _>>()?;
        if let Some(first) = rows.first()
            && first.len() != row.len()
        {
            let problem = format!("expected {} heights as in the first row, found {}", first.len(), row.len());
            return Err(file.fault(index + 1, format!("row {}", rows.len() + 1), problem));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn number(file: &Source<'_>, line: usize, word: &str) -> Result<f64, FileError> {
    match word.trim().parse::<f64>() {
        Ok(value) if value.abs() <= LARGEST => Ok(value),
        _ => Err(file.fault(line + 1, "height", format!("expected a number within ±1e9, found `{word}`"))),
    }
}

/// Names in the heading of an ASCII grid, each with a number in its line.
const NAMES: [&str; 8] =
    ["ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value"];

fn ascii_grid(file: &Source<'_>) -> Result<Grid, FileError> {
    let (heading, lines) = heading(file)?;
    let asked = |name: &str| {
        let found = heading.get(name).copied();
        found.ok_or_else(|| file.fault(1, name, format!("expected `{name}` in the heading, found none")))
    };
    let (columns, rows, size) = (asked("ncols")?, asked("nrows")?, asked("cellsize")?);
    // The middle of the first cell is given, or its corner.
    let middle = |centre: &str, corner: &str| match heading.get(centre) {
        Some(middle) => Ok(*middle),
        None => asked(corner).map(|corner| corner + 0.5 * size),
    };
    let (x0_m, y0_m) = (middle("xllcenter", "xllcorner")?, middle("yllcenter", "yllcorner")?);
    if size < SMALLEST || columns < 2.0 || rows < 2.0 || columns * rows > HEIGHTS_MAX as f64 {
        let problem = "expected a cellsize above 0 and at least 2 × 2, at most 64 million heights";
        return Err(file.fault(1, "ncols", problem));
    }
    let mut found = numbers(file, lines)?;
    if found.len() != rows as usize || found.iter().any(|row| row.len() != columns as usize) {
        let (found_rows, found_columns) = (found.len(), found.first().map_or(0, Vec::len));
        let problem = format!("expected {rows} rows of {columns}, found {found_rows} of {found_columns}");
        return Err(file.fault(lines + 1, "heights", problem));
    }
    if let Some(hole) = found.iter().position(|row| row.iter().any(|z| Some(z) == heading.get("nodata_value"))) {
        let problem = "a height is NODATA; fill the holes of the grid first";
        return Err(file.fault(lines + hole + 1, "heights", problem));
    }
    found.reverse();
    Ok(Grid { x0_m, y0_m, dx_m: size, dy_m: size, columns: columns as usize, heights_m: found.concat() })
}

/// The numbers of the heading by name, and how many lines it has.
fn heading(file: &Source<'_>) -> Result<(BTreeMap<&'static str, f64>, usize), FileError> {
    let mut heading = BTreeMap::new();
    let mut lines = 0;
    for (index, line) in file.text()?.lines().enumerate() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(word)) = (words.next(), words.next()) else {
            break;
        };
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            break;
        }
        let value = number(file, index, word)?;
        let Some(known) = NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name)) else {
            return Err(file.fault(index + 1, name, "unknown name in the heading of an ASCII grid"));
        };
        heading.insert(known, value);
        lines = index + 1;
    }
    Ok((heading, lines))
}
