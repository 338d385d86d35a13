//! One vehicle in one manoeuvre, recorded and evaluated, and recorded data to compare it with.

use std::path::Path;

use anyhow::{Context as _, bail};
use vehicle::assembly::{Choice, Setup};
use vehicle::evaluation::{Context, Figure, Quantity, Recorder, Recording, evaluate};
use vehicle::files::{self, Gaps, Source, Table};
use vehicle::simulation::Simulation;

use crate::output::Progress;

/// Time between two samples of the recording (s).
const SPACING_S: f64 = 0.005;
/// A manoeuvre without an end is left after so long (s).
const ENDLESS_S: f64 = 60.0;

pub struct Run {
    /// What it is called beside others.
    pub title: String,
    pub setup: Setup,
    pub context: Context,
    pub recording: Recording,
    pub figures: Vec<Figure>,
    /// How often a tyre carried a load for which its file was not fitted.
    pub loads_outside: u64,
}

impl Run {
    pub fn new(choice: &Choice, step_s: f64) -> anyhow::Result<Self> {
        let setup = Setup::read(choice, step_s)?;
        crate::output::say_notes(&setup);
        let title = match &choice.brake {
            Some(brake) => format!("{}, {brake}", setup.vehicle.name),
            None => setup.vehicle.name.clone(),
        };
        let (recording, loads_outside) = simulate(&setup).with_context(|| title.clone())?;
        let context = Context::new(&setup);
        let figures = evaluate(setup.manoeuvre.evaluation.as_ref(), &recording, &context);
        Ok(Self { title, context, recording, figures, loads_outside, setup })
    }

    /// What the manoeuvre is evaluated for.
    pub fn kind(&self) -> &str {
        let evaluation = self.setup.manoeuvre.evaluation.as_ref();
        evaluation.map_or("trajectory", |given| given.kind.as_str())
    }
}

fn simulate(setup: &Setup) -> anyhow::Result<(Recording, u64)> {
    let mut simulation = Simulation::new(setup)?;
    let longest_s = setup.manoeuvre.duration_s.unwrap_or(ENDLESS_S);
    let steps = (longest_s / setup.step_s).ceil() as u64;
    let every = (SPACING_S / setup.step_s).round().max(1.0) as u64;
    let mut recorder = Recorder::new(setup, every);
    let mut progress = Progress::of_steps(steps);
    while simulation.steps() < steps && !simulation.has_finished() {
        simulation.step();
        recorder.look(&simulation);
        progress.at(simulation.steps());
    }
    drop(progress);
    if let Some(message) = simulation.divergence_message() {
        bail!("{message} (--step)");
    }
    let recording = recorder.finish();
    if recording.len() < 2 {
        bail!("the manoeuvre was over before anything was recorded");
    }
    Ok((recording, simulation.subsystems().state().loads_outside))
}

/// Recorded data that a run is compared with. A CSV file: the first row has the names of the
/// columns, the first column is `time_s`. Names are those that `rtrd sim` writes and of the
/// recording of a report; an angle may also end in `_rad` or `_rad_s`, and a speed in `_m_s`.
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
        Self::parse(&files::read(path)?.source(), tolerance)
    }

    fn parse(source: &Source<'_>, tolerance: f64) -> anyhow::Result<Self> {
        let table = Table::over_time(source, Gaps::Nan)?;
        if table.row_count() < 2 {
            bail!("{}: time_s: expected at least two rows", source.name);
        }
        let (mut columns, mut unknown) = (Vec::new(), Vec::new());
        for (name, values) in table.names().zip(table.columns()).skip(1) {
            match known(name) {
                Some((quantity, factor)) => {
                    let values = values.iter().map(|value| value * factor).collect();
                    let is_heading = quantity == Quantity::Heading;
                    columns.push((quantity, if is_heading { without_jumps(values) } else { values }));
                }
                None => unknown.push(name.to_owned()),
            }
        }
        if columns.is_empty() {
            let names: Vec<&str> = Quantity::ALL.iter().map(|quantity| quantity.name()).collect();
            bail!("{}: no column is known; expected some of {}", source.name, names.join(", "));
        }
        Ok(Self { file: source.name.to_owned(), time_s: table.time_s().to_vec(), columns, unknown, tolerance })
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

/// A heading (°) that goes on beyond half a turn, as that of a run does.
fn without_jumps(mut values: Vec<f64>) -> Vec<f64> {
    for row in 1..values.len() {
        let turns = ((values[row] - values[row - 1]) / 360.0).round();
        values[row] -= 360.0 * turns;
    }
    values
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

    fn parse(text: &str) -> anyhow::Result<Reference> {
        Reference::parse(&Source::new("data.csv", text.as_bytes()), 0.1)
    }

    #[test]
    fn units_are_converted() {
        let reference = parse("time_s,speed_m_s,yaw_rate_rad_s,wind\n0,10,0.1,1\n1,20,-0.2,2\n").expect("a table");
        let (points, half) = reference.points(Quantity::Speed).expect("a column");
        assert_eq!(points, [(0.0, 36.0), (1.0, 72.0)]);
        assert!((half - 7.2).abs() < 1e-12);
        let (points, _) = reference.points(Quantity::YawRate).expect("a column");
        assert!((points[1].1 + 11.459).abs() < 1e-3);
        assert_eq!(reference.unknown, ["wind"]);
    }

    #[test]
    fn a_heading_goes_on_beyond_half_a_turn() {
        let reference = parse("time_s,heading_deg\n0,170\n1,-170\n2,-10\n3,170\n4,-150\n").expect("a table");
        let (points, _) = reference.points(Quantity::Heading).expect("a column");
        let headings: Vec<f64> = points.into_iter().map(|(_, heading)| heading).collect();
        assert_eq!(headings, [170.0, 190.0, 350.0, 530.0, 570.0]);
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, expected) in [
            ("", "names of the columns"),
            ("t,x_m\n0,1\n", "data.csv:1:1: t: the first column is `t`; expected time_s"),
            ("time_s,x_m\n0,1\n1,2,3\n", "data.csv:3:3: x_m: 3 cells; expected 2"),
            ("time_s,x_m\n0,1\n1,one\n", "data.csv:3:3: x_m: expected a finite number, found `one`"),
            ("time_s,x_m\n0,1\n0,2\n", "data.csv:3:1: time_s: expected times that rise"),
            ("time_s,x_m\n0,1\n", "at least two rows"),
            ("time_s,wind\n0,1\n1,2\n", "no column is known"),
        ] {
            let error = parse(text).err().expect("an error").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
