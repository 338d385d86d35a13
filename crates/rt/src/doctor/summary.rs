//! All findings in four numbers and one judgement.

use std::fmt;

use serde::Serialize;

use super::{Finding, Verdict};

/// How many findings there are of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// As it should be.
    pub pass: usize,
    /// Works, with worse latency.
    pub warning: usize,
    /// Does not work in real time.
    pub failure: usize,
    /// Could not be found out.
    pub unknown: usize,
    /// The worst verdict of all.
    pub verdict: Verdict,
}

/// Counts the findings.
pub fn summarise(findings: &[Finding]) -> Summary {
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    Summary {
        pass: count(Verdict::Pass),
        warning: count(Verdict::Warning),
        failure: count(Verdict::Failure),
        unknown: count(Verdict::Unknown),
        verdict: findings.iter().map(|finding| finding.verdict).max().unwrap_or(Verdict::Pass),
    }
}

impl Summary {
    /// What the worst verdict means for the user.
    pub fn meaning(&self) -> &'static str {
        match self.verdict {
            Verdict::Pass => "Ready for real time.",
            Verdict::Unknown => "Ready for real time, as far as it can be seen.",
            Verdict::Warning => "Runs, with more latency than this machine could have.",
            Verdict::Failure => "Not ready for real time: correct the failures first.",
        }
    }
}

impl fmt::Display for Summary {
    /// Such as `22 checks: 18 passed, 3 warnings, 1 failure, 0 unknown`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pass, warning, failure, unknown, .. } = *self;
        let total = pass + warning + failure + unknown;
        let plural = |count| if count == 1 { "" } else { "s" };
        write!(out, "{total} check{}: {pass} passed, {warning} warning{}", plural(total), plural(warning))?;
        write!(out, ", {failure} failure{}, {unknown} unknown", plural(failure))
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{About, Area};
    use super::*;

    const ABOUT: About = About { id: "x", area: Area::Tools, title: "X", expected: "y", why: "z" };

    #[test]
    fn the_worst_verdict_decides() {
        let (pass, unknown) = (ABOUT.pass("a"), ABOUT.unknown("a"));
        let (warning, failure) = (ABOUT.warning("a"), ABOUT.failure("a"));
        assert_eq!(summarise(&[]).verdict, Verdict::Pass);
        assert_eq!(summarise(&[pass.clone(), unknown.clone()]).verdict, Verdict::Unknown);
        assert_eq!(summarise(&[warning.clone(), unknown.clone()]).verdict, Verdict::Warning);
        assert_eq!(summarise(&[failure.clone(), pass.clone()]).verdict, Verdict::Failure);
        let all = summarise(&[pass, unknown, warning.clone(), warning, failure]);
        assert_eq!((all.pass, all.unknown, all.warning, all.failure), (1, 1, 2, 1));
        assert_eq!(all.to_string(), "5 checks: 1 passed, 2 warnings, 1 failure, 1 unknown");
    }

    #[test]
    fn each_verdict_has_its_meaning() {
        let meanings = [ABOUT.pass("a"), ABOUT.unknown("a"), ABOUT.warning("a"), ABOUT.failure("a")]
            .map(|finding| summarise(&[finding]).meaning());
        assert!(meanings[0].starts_with("Ready") && meanings[3].starts_with("Not ready"));
        assert_ne!(meanings[1], meanings[2]);
    }
}
