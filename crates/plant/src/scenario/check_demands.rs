//! Checks the `[demands]` part of a scenario.

use super::check::{Checked, Checker, Span};
use super::schema::{DemandText, ProfileText};
use crate::demand::{Demands, Interpolation, Profile, ProfileError};
use crate::description::{Port, find};
use files::{Gaps, Table};
use std::collections::BTreeMap;
use toml::Spanned;

/// Points with their places in the text.
struct Points {
    values: Vec<(f64, f64)>,
    /// The place of each; empty when they come from a recording.
    spans: Vec<Span>,
    /// The place of all of them.
    whole: Span,
}

impl Points {
    fn span(&self, index: usize) -> Span {
        self.spans.get(index).unwrap_or(&self.whole).clone()
    }
}

impl Checker<'_> {
    /// A profile for each demand that the controller understands.
    pub(super) fn demands(
        &self,
        texts: &BTreeMap<Spanned<String>, Spanned<DemandText>>,
        ports: &[Port],
    ) -> Checked<Demands> {
        let mut demands = Demands::defaults(ports);
        for (name, text) in texts {
            let index = find(ports, "a demand here", name.get_ref());
            let index = index.or_else(|error| self.source.fail(name.span(), error))?;
            demands.set(index, self.demand(text, &ports[index])?);
        }
        Ok(demands)
    }

    fn demand(&self, text: &Spanned<DemandText>, port: &Port) -> Checked<Profile> {
        match text.get_ref() {
            DemandText::Constant(value) => {
                let whole = text.span();
                let points = Points { values: vec![(0.0, *value)], spans: Vec::new(), whole };
                self.profile(&points, Interpolation::Hold, None, port)
            }
            DemandText::Profile(profile) => {
                let points = self.points(profile, text.span(), port)?;
                let interpolation = self.interpolation(profile.interpolation.as_ref())?;
                self.profile(&points, interpolation, profile.repeat_s.as_ref(), port)
            }
        }
    }

    fn interpolation(&self, text: Option<&Spanned<String>>) -> Checked<Interpolation> {
        let words = [("hold", Interpolation::Hold), ("linear", Interpolation::Linear)];
        text.map_or(Ok(Interpolation::Hold), |text| self.source.choice(text, &words))
    }

    /// The points that are written out, or those of a recording.
    fn points(&self, text: &ProfileText, whole: Span, port: &Port) -> Checked<Points> {
        match (&text.points, &text.file) {
            (Some(points), None) => {
                if let Some(column) = &text.column {
                    return self
                        .source
                        .fail(column.span(), "`column` belongs to `file`; expected no column beside points");
                }
                let (values, spans) = points.get_ref().iter().map(|point| (*point.get_ref(), point.span())).unzip();
                Ok(Points { values, spans, whole: points.span() })
            }
            (None, Some(file)) => {
                let column = text.column.as_ref().map_or(&port.name, |column| column.get_ref());
                let place = text.column.as_ref().map_or(file.span(), Spanned::span);
                let values = self.recorded(file, column, place)?;
                Ok(Points { values, spans: Vec::new(), whole: file.span() })
            }
            _ => self.source.fail(whole, "expected either `points` or `file`"),
        }
    }

    fn recorded(&self, file: &Spanned<String>, column: &str, column_span: Span) -> Checked<Vec<(f64, f64)>> {
        let found = files::read(&self.folder.join(file.get_ref()));
        let found = found.or_else(|error| self.source.fail(file.span(), error))?;
        let source = found.source();
        let table = Table::over_time(&source, Gaps::Refused).or_else(|error| self.source.fail(file.span(), error))?;
        let values = table.column(&source, column).or_else(|error| self.source.fail(column_span, error))?;
        Ok(table.time_s().iter().copied().zip(values.iter().copied()).collect())
    }

    fn profile(
        &self,
        points: &Points,
        interpolation: Interpolation,
        repeat_s: Option<&Spanned<f64>>,
        port: &Port,
    ) -> Checked<Profile> {
        let period_s = repeat_s.map(|repeat_s| *repeat_s.get_ref());
        let profile = Profile::new(&points.values, interpolation, period_s).or_else(|error| {
            let span = match &error {
                ProfileError::Empty => points.whole.clone(),
                ProfileError::NotFinite { index, .. } | ProfileError::Unsorted { index, .. } => points.span(*index),
                ProfileError::Repeat { .. } => repeat_s.map_or(points.whole.clone(), Spanned::span),
            };
            self.source.fail(span, error)
        })?;
        match points.values.iter().position(|(_, value)| !port.range.contains(*value)) {
            Some(index) => {
                let (value, range, unit) = (points.values[index].1, port.range, &port.unit);
                let problem = format!("{value} {unit} is outside the range; expected {range} {unit}");
                self.source.fail(points.span(index), problem)
            }
            None => Ok(profile),
        }
    }
}
