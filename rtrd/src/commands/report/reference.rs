//! Recorded data that a run is compared with.
//!
//! A CSV file: the first row has the names of the columns, the first column is `time_s`. Names are
//! those that `rtrd sim` writes and of the recording of a report; an angle may also end in `_rad`
//! or `_rad_s`, and a speed in `_m_s`.

use std::path::Path;

use anyhow::{Context, bail};
use vehicle::evaluation::Quantity;

/// A table of reference data.
pub struct Reference {
    /// Where it is from.
    pub file: String,
    pub time_s: Vec<f64>,
    /// Columns that are known.
    pub columns: Vec<(Quantity, Vec<f64>)>,
    /// Columns that are not.
    pub unknown: Vec<String>,
    /// Half width of the band, as a share of the peak.
    pub tolerance: f64,
}

impl Reference {
    pub fn read(path: &Path, tolerance: f64) -> anyhow::Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&path.display().to_string(), &text, tolerance)
    }

    fn parse(file: &str, text: &str, tolerance: f64) -> anyhow::Result<Self> {
        let mut lines =
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let Some((_, head)) = lines.next() else {
            bail!("{file}: expected a row with the names of the columns, found nothing");
        };
        let names: Vec<&str> = head.split(',').map(str::trim).collect();
        if names[0] != "time_s" {
            bail!("{file}: line 1: the first column is `{}`; expected `time_s`", names[0]);
        }
        let mut table: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
        for (number, line) in lines {
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            if cells.len() != names.len() {
                bail!(
                    "{file}: line {}: {} cells; expected {}, one for each name in the first row",
                    number + 1,
                    cells.len(),
                    names.len()
                );
            }
            for ((column, cell), name) in table.iter_mut().zip(cells).zip(&names) {
                let value: f64 = cell.parse().ok().with_context(|| {
                    format!("{file}: line {}: {name}: expected a number, found `{cell}`", number + 1)
                })?;
                column.push(value);
            }
        }
        let time_s = table.remove(0);
        if time_s.len() < 2 || time_s.windows(2).any(|pair| pair[1] <= pair[0]) {
            bail!("{file}: time_s: expected at least two rows with rising times");
        }
        let (mut columns, mut unknown) = (Vec::new(), Vec::new());
        for (name, values) in names[1..].iter().zip(table) {
            match known(name) {
                Some((quantity, factor)) => {
                    columns.push((quantity, values.iter().map(|value| value * factor).collect()));
                }
                None => unknown.push((*name).to_owned()),
            }
        }
        if columns.is_empty() {
            let names: Vec<&str> = Quantity::ALL.iter().map(|quantity| quantity.name()).collect();
            bail!("{file}: no column is known; expected some of {}", names.join(", "));
        }
        Ok(Self { file: file.to_owned(), time_s, columns, unknown, tolerance })
    }

    /// Points of a quantity, and the half width of its band.
    pub fn points(&self, quantity: Quantity) -> Option<(Vec<(f64, f64)>, f64)> {
        let (_, values) = self.columns.iter().find(|(known, _)| *known == quantity)?;
        let points = self.time_s.iter().copied().zip(values.iter().copied());
        Some((points.collect(), self.half_width(values)))
    }

    /// Half width of the band of a column.
    pub fn half_width(&self, values: &[f64]) -> f64 {
        self.tolerance * values.iter().fold(0.0_f64, |most, value| most.max(value.abs()))
    }
}

/// The quantity of a column, and the factor to its unit.
fn known(name: &str) -> Option<(Quantity, f64)> {
    let find = |name: &str| Quantity::ALL.into_iter().find(|quantity| quantity.name() == name);
    if let Some(quantity) = find(name) {
        return Some((quantity, 1.0));
    }
    let degrees = 1_f64.to_degrees();
    let units = [("_rad_s", "_deg_s", degrees), ("_rad", "_deg", degrees), ("_m_s", "_km_h", 3.6)];
    units.iter().find_map(|(found, ours, factor)| {
        let stem = name.strip_suffix(found)?;
        Some((find(&format!("{stem}{ours}"))?, *factor))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_converted() {
        let text = "time_s,speed_m_s,yaw_rate_rad_s,wind\n0,10,0.1,1\n1,20,-0.2,2\n";
        let reference = Reference::parse("data.csv", text, 0.1).expect("a table");
        let (points, half) = reference.points(Quantity::Speed).expect("a column");
        assert_eq!(points, [(0.0, 36.0), (1.0, 72.0)]);
        assert!((half - 7.2).abs() < 1e-12);
        let (points, _) = reference.points(Quantity::YawRate).expect("a column");
        assert!((points[1].1 + 11.459).abs() < 1e-3);
        assert_eq!(reference.unknown, ["wind"]);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let fails = |text: &str| {
            let error = Reference::parse("data.csv", text, 0.1).err().expect("an error");
            error.to_string()
        };
        assert!(fails("").contains("names of the columns"));
        assert!(fails("t,x_m\n0,1\n").contains("expected `time_s`"));
        assert!(fails("time_s,x_m\n0,1\n1\n").contains("line 3: 1 cells; expected 2"));
        assert!(fails("time_s,x_m\n0,1\n1,one\n").contains("line 3: x_m: expected a number, found `one`"));
        assert!(fails("time_s,x_m\n0,1\n0,2\n").contains("rising times"));
        assert!(fails("time_s,wind\n0,1\n1,2\n").contains("no column is known"));
    }
}
