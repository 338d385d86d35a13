//! Is there something to compare our latencies with?

use super::super::Patient;
use super::super::finding::{About, Area, Finding};

const ABOUT: About = About {
    id: "cyclictest",
    area: Area::Tools,
    title: "cyclictest",
    expected: "installed",
    why: "The jitter measurement runs it beside our own loop, to tell the latency of the machine from ours. \
          Nothing else needs it.",
};

pub(super) fn check(patient: Patient) -> Finding {
    match &patient.machine.cyclictest {
        Some(path) => ABOUT.pass(path.display().to_string()),
        None => ABOUT.warning("not installed").with_fix("sudo apt-get install rt-tests"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    #[test]
    fn it_is_only_a_warning_when_missing() {
        let finding =
            Sample::of(&SampleTree::healthy().without("usr/bin/cyclictest")).only_complaint("cyclictest");
        assert_eq!(finding.verdict, Verdict::Warning);
        assert_eq!(fix(&finding), "sudo apt-get install rt-tests");
    }
}
