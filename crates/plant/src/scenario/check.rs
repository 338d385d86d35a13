//! From the text of a scenario to one that can be trusted.

use super::Scenario;
use super::schema::{Numbers, PlantText, ScenarioText};
use crate::description::{self, Port, Range, ValueError};
use crate::ode::Method;
use crate::systems::PlantKind;
use files::{FileError, Source};
use std::path::Path;
use toml::Spanned;

/// A step from a microsecond to ten seconds.
const STEPS_S: Range = Range::new(1e-6, 10.0);
/// A trace of so many rows still fits in memory.
const STEP_COUNT_MAX: f64 = 1e7;
/// More substeps than this belong into a smaller step.
pub(super) const SUBSTEPS_MAX: u32 = 100_000;

/// Names with values.
type Values = Vec<(String, f64)>;
pub(super) type Span = std::ops::Range<usize>;
pub(super) type Checked<T> = Result<T, FileError>;

/// Reads and checks a scenario; recordings are looked for in a folder.
pub(super) fn read(source: Source<'_>, folder: &Path) -> Checked<Scenario> {
    Checker { source, folder }.scenario(source.toml()?)
}

/// Which of step and duration cannot be simulated, and why.
pub(super) fn timing(step_s: f64, duration_s: f64) -> Result<(), (&'static str, String)> {
    if !STEPS_S.contains(step_s) {
        return Err(("step_s", format!("{step_s} is impossible; expected {STEPS_S} s")));
    }
    let duration_max_s = STEP_COUNT_MAX * step_s;
    if !(step_s..=duration_max_s).contains(&duration_s) {
        let expected = format!("expected {step_s}..{duration_max_s} s: one to ten million steps");
        return Err(("duration_s", format!("{duration_s} is impossible; {expected}")));
    }
    Ok(())
}

/// Turns parts of the text into parts of a scenario, and mistakes into errors with a place.
pub(super) struct Checker<'a> {
    pub(super) source: Source<'a>,
    pub(super) folder: &'a Path,
}

impl Checker<'_> {
    fn scenario(&self, text: ScenarioText) -> Checked<Scenario> {
        let allowed = |symbol: char| symbol.is_ascii_lowercase() || symbol.is_ascii_digit() || symbol == '-';
        let name = self.source.name(&text.name, allowed, "lower-case letters, digits and hyphens")?;
        let (step_s, duration_s) = self.timing(&text.step_s, &text.duration_s)?;
        let method: Method = self.source.parse(&text.integrator)?;
        let substeps = self.substeps(text.substeps.as_ref())?;
        let (kind, parameters, initial) = self.plant(&text.plant)?;
        let plant = kind.build(&parameters, &initial, method, substeps);
        let plant = plant.or_else(|error| self.source.fail(text.plant.kind.span(), error))?;
        let (controller, ports) = self.controller(&text.controller, plant.description())?;
        let demands = self.demands(&text.demands, &ports)?;
        self.require_setpoint(&text, &controller)?;
        Ok(Scenario {
            name,
            description: text.description,
            figure: text.figure,
            step_s,
            duration_s,
            method,
            substeps,
            kind,
            parameters,
            initial,
            controller,
            demands,
        })
    }

    fn timing(&self, step_s: &Spanned<f64>, duration_s: &Spanned<f64>) -> Checked<(f64, f64)> {
        timing(*step_s.get_ref(), *duration_s.get_ref()).or_else(|(field, problem)| {
            self.source.fail(if field == "step_s" { step_s.span() } else { duration_s.span() }, problem)
        })?;
        Ok((*step_s.get_ref(), *duration_s.get_ref()))
    }

    fn substeps(&self, substeps: Option<&Spanned<u32>>) -> Checked<u32> {
        match substeps {
            Some(count) if !(1..=SUBSTEPS_MAX).contains(count.get_ref()) => {
                self.source.fail(count.span(), format!("{} is impossible; expected 1..{SUBSTEPS_MAX}", count.get_ref()))
            }
            Some(count) => Ok(*count.get_ref()),
            None => Ok(1),
        }
    }

    fn plant(&self, text: &PlantText) -> Checked<(PlantKind, Vec<Port>, Values)> {
        let kind: PlantKind = self.source.parse(&text.kind)?;
        let mut parameters = kind.parameters();
        for (name, value) in &text.parameters {
            let set = description::set(&mut parameters, "a parameter", name.get_ref(), *value.get_ref());
            set.or_else(|error| self.source.fail(place_of(&error, name, value), error))?;
        }
        let initial = self.initial(kind, &parameters, &text.initial)?;
        Ok((kind, parameters, initial))
    }

    fn initial(&self, kind: PlantKind, parameters: &[Port], values: &Numbers) -> Checked<Values> {
        let mut initial = Vec::new();
        for (name, value) in values {
            let one = (name.get_ref().clone(), *value.get_ref());
            let tried = kind.build(parameters, std::slice::from_ref(&one), Method::Euler, 1);
            tried.or_else(|error| self.source.fail(place_of(&error, name, value), error))?;
            initial.push(one);
        }
        Ok(initial)
    }
}

/// An unknown name is wrong itself, of a known one the value.
fn place_of(error: &ValueError, name: &Spanned<String>, value: &Spanned<f64>) -> Span {
    if matches!(error, ValueError::Unknown { .. }) { name.span() } else { value.span() }
}
