//! Rules as they stand in a file, and what has to hold for them.

use serde::Deserialize;
use toml::Spanned;

use super::{JumpRule, RangeRule, Reaction, Rules, TimeRule};
use crate::text::{Text, TextError, nanoseconds};

/// The keys of a channel's plausibility; every one may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesText {
    range: Option<Spanned<RangeText>>,
    stuck: Option<StuckText>,
    jump: Option<Spanned<JumpText>>,
    stale: Option<StaleText>,
    not_a_number: Option<Spanned<NotANumberText>>,
    safe_value: Option<Spanned<f64>>,
    ramp_s: Option<Spanned<f64>>,
    recover_s: Option<Spanned<f64>>,
    return_s: Option<Spanned<f64>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RangeText {
    min: Option<f64>,
    max: Option<f64>,
    reaction: Reaction,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StuckText {
    for_s: Spanned<f64>,
    reaction: Reaction,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JumpText {
    step_max: f64,
    #[serde(default)]
    rate_max: f64,
    reaction: Reaction,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StaleText {
    after_s: Spanned<f64>,
    reaction: Reaction,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotANumberText {
    reaction: Reaction,
}

impl RulesText {
    /// The rules, if they are possible.
    pub fn check(self, text: &Text) -> Result<Rules, TextError> {
        let usual = Rules::default();
        let time = |given: Option<Spanned<f64>>, otherwise_ns: u64| {
            given.map_or(Ok(otherwise_ns), |given| nanoseconds(&given, text))
        };
        let stuck = self.stuck.map(|rule| (rule.for_s, rule.reaction));
        let stale = self.stale.map(|rule| (rule.after_s, rule.reaction));
        Ok(Rules {
            range: self.range.map(|rule| range(&rule, text)).transpose()?,
            stuck: stuck.map(|rule| time_rule(rule, text)).transpose()?,
            jump: self.jump.map(|rule| jump(&rule, text)).transpose()?,
            stale: stale.map(|rule| time_rule(rule, text)).transpose()?,
            not_a_number: self
                .not_a_number
                .map_or(Ok(usual.not_a_number), |rule| not_a_number(&rule, text))?,
            safe_value: self.safe_value.map_or(Ok(usual.safe_value), |value| {
                let number = *value.get_ref();
                let problem =
                    || text.fault(value.span(), format!("expected a finite number, found {number}"));
                number.is_finite().then_some(number).ok_or_else(problem)
            })?,
            ramp_ns: time(self.ramp_s, usual.ramp_ns)?,
            recover_ns: time(self.recover_s, usual.recover_ns)?,
            return_ns: time(self.return_s, usual.return_ns)?,
        })
    }
}

fn time_rule((time_s, reaction): (Spanned<f64>, Reaction), text: &Text) -> Result<TimeRule, TextError> {
    Ok(TimeRule { longest_ns: nanoseconds(&time_s, text)?, reaction })
}

fn range(rule: &Spanned<RangeText>, text: &Text) -> Result<RangeRule, TextError> {
    let RangeText { min, max, reaction } = *rule.get_ref();
    let (least, most) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
    if least < most {
        Ok(RangeRule { least, most, reaction })
    } else {
        Err(text.fault(rule.span(), format!("expected min less than max, found {least} and {most}")))
    }
}

fn jump(rule: &Spanned<JumpText>, text: &Text) -> Result<JumpRule, TextError> {
    let JumpText { step_max, rate_max, reaction } = *rule.get_ref();
    if step_max >= 0.0 && rate_max >= 0.0 && step_max + rate_max > 0.0 {
        Ok(JumpRule { step_max, rate_max, reaction })
    } else {
        let problem = format!(
            "expected step_max and rate_max of zero or more and not both zero, found {step_max} and {rate_max}"
        );
        Err(text.fault(rule.span(), problem))
    }
}

fn not_a_number(rule: &Spanned<NotANumberText>, text: &Text) -> Result<Reaction, TextError> {
    match rule.get_ref().reaction {
        Reaction::None => Err(text.fault(
            rule.span(),
            "expected the reaction hold, ramp or stop: what is not a number cannot be used",
        )),
        reaction => Ok(reaction),
    }
}
