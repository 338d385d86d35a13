//! Checks the `[controller]` part of a scenario.

use super::ControllerSettings;
use super::check::{Checked, Checker, Span};
use super::schema::{ControllerText, ScenarioText};
use crate::control::{Controller, Direct, Pid, PidError, PidSettings};
use crate::description::{Description, Port};
use toml::Spanned;

impl Checker<'_> {
    /// The controller's settings, and the demands that it understands.
    pub(super) fn controller(
        &self,
        text: &ControllerText,
        plant: &Description,
    ) -> Checked<(ControllerSettings, Vec<Port>)> {
        match text.kind.get_ref().as_str() {
            "direct" => {
                self.refuse_settings(text)?;
                Ok((ControllerSettings::Direct, Direct::new(plant).description().demands.clone()))
            }
            "pid" => {
                let settings = self.pid_settings(text)?;
                let pid = Pid::new(plant, &settings);
                let pid = pid.or_else(|error| self.source.fail(place_of(&error, text), error))?;
                Ok((ControllerSettings::Pid(settings), pid.description().demands.clone()))
            }
            other => {
                self.source.fail(text.kind.span(), format!("`{other}` is not a controller; expected direct or pid"))
            }
        }
    }

    /// A PID controller without a demand to follow is a mistake, not a demand of zero.
    pub(super) fn require_setpoint(&self, text: &ScenarioText, controller: &ControllerSettings) -> Checked<()> {
        match controller {
            ControllerSettings::Pid(settings) if !text.demands.contains_key(settings.measured.as_str()) => {
                let measured = &settings.measured;
                let problem = format!("there is no demand `{measured}` to follow; expected it in [demands]");
                self.source.fail(text.controller.kind.span(), problem)
            }
            _ => Ok(()),
        }
    }

    fn refuse_settings(&self, text: &ControllerText) -> Checked<()> {
        let names = [&text.measured, &text.driven].into_iter().flatten().map(Spanned::span);
        let numbers = [&text.kp, &text.ki, &text.kd, &text.derivative_filter_s, &text.error_full_scale];
        match names.chain(numbers.into_iter().flatten().map(Spanned::span)).next() {
            Some(span) => self.source.fail(span, "a direct controller has no settings; expected only `kind`"),
            None => Ok(()),
        }
    }

    fn pid_settings(&self, text: &ControllerText) -> Checked<PidSettings> {
        Ok(PidSettings {
            measured: self.require(text, &text.measured, "measured")?,
            driven: self.require(text, &text.driven, "driven")?,
            kp: self.require(text, &text.kp, "kp")?,
            ki: self.require(text, &text.ki, "ki")?,
            kd: self.require(text, &text.kd, "kd")?,
            derivative_filter_s: text.derivative_filter_s.as_ref().map(|value| *value.get_ref()),
            error_full_scale: text.error_full_scale.as_ref().map(|value| *value.get_ref()),
        })
    }

    fn require<T: Clone>(&self, text: &ControllerText, field: &Option<Spanned<T>>, name: &str) -> Checked<T> {
        match field {
            Some(value) => Ok(value.get_ref().clone()),
            None => self.source.fail(text.kind.span(), format!("a pid controller needs `{name}`, which is missing")),
        }
    }
}

/// The place of the setting that an error speaks of.
fn place_of(error: &PidError, text: &ControllerText) -> Span {
    let number = |field: &Option<Spanned<f64>>| field.as_ref().map(Spanned::span);
    let place = match error {
        PidError::Measured(_) => text.measured.as_ref().map(Spanned::span),
        PidError::Driven(_) => text.driven.as_ref().map(Spanned::span),
        PidError::Number { field: "kp", .. } => number(&text.kp),
        PidError::Number { field: "ki", .. } => number(&text.ki),
        PidError::Number { field: "kd", .. } => number(&text.kd),
        PidError::Number { field: "derivative_filter_s", .. } => number(&text.derivative_filter_s),
        PidError::Number { .. } => number(&text.error_full_scale),
    };
    place.unwrap_or_else(|| text.kind.span())
}
