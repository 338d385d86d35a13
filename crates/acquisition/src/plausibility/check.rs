//! Rules as they stand in a file, and what has to hold for them.

use files::ranges::Finite;
use files::{FileError, Source as Text};
use serde::Deserialize;
use toml::Spanned;

use super::{JumpRule, RangeRule, Reaction, Rules, TimeRule};
use crate::calibration::check_limits;
use crate::{Seconds, nanoseconds};

/// The keys of a channel's plausibility; every one may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesText {
    range: Option<Spanned<RangeRule>>,
    stuck: Option<Stuck>,
    jump: Option<Spanned<JumpRule>>,
    stale: Option<Stale>,
    not_a_number: Option<Spanned<NotANumber>>,
    safe_value: Option<Finite>,
    ramp_s: Option<Seconds>,
    recover_s: Option<Seconds>,
    return_s: Option<Seconds>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stuck {
    for_s: Seconds,
    reaction: Reaction,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stale {
    after_s: Seconds,
    reaction: Reaction,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotANumber {
    reaction: Reaction,
}

impl RulesText {
    pub fn check(self, text: &Text<'_>) -> Result<Rules, FileError> {
        let usual = Rules::default();
        let rule = |time, reaction| TimeRule { longest_ns: nanoseconds(time), reaction };
        if let Some(range) = &self.range {
            check_limits(range.get_ref().min, range.get_ref().max, range, text)?;
        }
        if let Some(jump) = &self.jump {
            check_jump(jump, text)?;
        }
        Ok(Rules {
            range: self.range.map(Spanned::into_inner),
            stuck: self.stuck.map(|stuck| rule(stuck.for_s, stuck.reaction)),
            jump: self.jump.map(Spanned::into_inner),
            stale: self.stale.map(|stale| rule(stale.after_s, stale.reaction)),
            not_a_number: self.not_a_number.map_or(Ok(usual.not_a_number), |rule| not_a_number(&rule, text))?,
            safe_value: self.safe_value.map_or(usual.safe_value, |value| *value),
            ramp_ns: self.ramp_s.map_or(usual.ramp_ns, nanoseconds),
            recover_ns: self.recover_s.map_or(usual.recover_ns, nanoseconds),
            return_ns: self.return_s.map_or(usual.return_ns, nanoseconds),
        })
    }
}

fn check_jump(rule: &Spanned<JumpRule>, text: &Text<'_>) -> Result<(), FileError> {
    let JumpRule { step_max, rate_max, .. } = *rule.get_ref();
    if step_max >= 0.0 && rate_max >= 0.0 && step_max + rate_max > 0.0 {
        return Ok(());
    }
    let problem =
        format!("expected step_max and rate_max of zero or more and not both zero, found {step_max} and {rate_max}");
    text.fail(rule.span(), problem)
}

fn not_a_number(rule: &Spanned<NotANumber>, text: &Text<'_>) -> Result<Reaction, FileError> {
    match rule.get_ref().reaction {
        Reaction::None => {
            text.fail(rule.span(), "expected the reaction hold, ramp or stop: what is not a number cannot be used")
        }
        reaction => Ok(reaction),
    }
}
