//! Whether the machine as it is now has a report that passes.

use std::path::Path;

use rt::machine::Machine;

use super::identity::Identity;
use super::report::Content;
use super::store::{self, Places};

/// What may be said of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportStatus {
    /// A report of this machine passes.
    Passes {
        made: String,
        /// The largest latency that it allows (µs).
        limit_us: u64,
        /// Its times are no evidence of hardware latency.
        virtual_machine: bool,
    },
    /// None does, and why, in one line.
    NotPassed(String),
}

impl ReportStatus {
    /// That of the machine below `root` with the reports in these places. Any that passes is
    /// enough; if none does, the first says why.
    pub fn of(places: &Places, root: &Path) -> Self {
        let now = match Machine::read(root) {
            Ok(machine) => Identity::of(&machine, root),
            Err(error) => return Self::NotPassed(error.to_string()),
        };
        let mut first = None;
        for (_, text) in places.reports() {
            match judge(&text, &now) {
                Ok(passes) => return passes,
                Err(why) => first = first.or(Some(why)),
            }
        }
        let none = || "no readiness report: `rtrd check --report` makes one".to_owned();
        Self::NotPassed(first.unwrap_or_else(none))
    }
}

fn judge(text: &str, now: &Identity) -> Result<ReportStatus, String> {
    let report = store::open(text).map_err(|error| format!("the readiness report {error:#}"))?;
    let content = report.content;
    if let Some(other) = difference(&content, now) {
        return Err(format!("{other}: `rtrd check --report` makes a new one"));
    }
    if !content.passes {
        let why = content.first_failure().unwrap_or_default();
        return Err(format!("the readiness report does not pass: {why}"));
    }
    Ok(ReportStatus::Passes {
        made: content.made,
        limit_us: content.limits.latency_max_us,
        virtual_machine: content.kernel.virtual_machine,
    })
}

/// In what the machine of the report is another one than this.
fn difference(content: &Content, now: &Identity) -> Option<String> {
    let then = &content.identity;
    let made = &content.made;
    let what = if then.machine_id_hash != now.machine_id_hash {
        "is of another machine".to_owned()
    } else if then.cpu_model != now.cpu_model {
        format!("is of another CPU ({})", then.cpu_model)
    } else if then.kernel_release != now.kernel_release {
        format!("is of another kernel ({}, this is {})", then.kernel_release, now.kernel_release)
    } else if then.command_line != now.command_line {
        "is of another kernel command line".to_owned()
    } else if then.settings_hash != now.settings_hash {
        return Some(format!("settings of the machine have changed since the readiness report of {made}"));
    } else {
        return None;
    };
    Some(format!("the readiness report of {made} {what}"))
}

#[cfg(test)]
mod tests {
    use super::super::{sample, write};
    use super::*;

    /// A machine, and a report of it that passes.
    fn machine_with_report() -> (tempfile::TempDir, Places) {
        let tree = sample::machine_tree();
        let places = Places(vec![tree.path().join("state")]);
        write(&places.stem().unwrap(), sample::content_of(tree.path())).unwrap();
        (tree, places)
    }

    fn why_not(places: &Places, root: &Path) -> String {
        match ReportStatus::of(places, root) {
            ReportStatus::NotPassed(why) => why,
            passes => panic!("{passes:?}"),
        }
    }

    #[test]
    fn a_report_of_this_machine_that_passes_is_enough() {
        let (tree, places) = machine_with_report();
        let expected = ReportStatus::Passes { made: sample::content().made, limit_us: 100, virtual_machine: false };
        assert_eq!(ReportStatus::of(&places, tree.path()), expected);
        // A better one further behind counts as well.
        let both = Places(vec![tree.path().join("none"), places.0[0].clone()]);
        assert_eq!(ReportStatus::of(&both, tree.path()), expected);
    }

    #[test]
    fn without_a_report_the_command_is_named() {
        let tree = sample::machine_tree();
        let why = why_not(&Places(vec![tree.path().join("state")]), tree.path());
        assert_eq!(why, "no readiness report: `rtrd check --report` makes one");
    }

    #[test]
    fn a_machine_that_has_changed_is_told_in_what() {
        for (path, text, expected) in [
            ("etc/machine-id", "ff\n", "is of another machine"),
            ("proc/cpuinfo", "model name\t: Other\n", "is of another CPU (Test CPU @ 2 GHz)"),
            ("proc/sys/kernel/osrelease", "6.13.0-rt\n", "another kernel (6.12.9-rt-amd64, this is 6.13.0-rt)"),
            ("proc/cmdline", "quiet\n", "another kernel command line"),
            ("sys/devices/system/cpu/isolated", "\n", "settings of the machine have changed"),
            ("proc/sys/kernel/sched_rt_runtime_us", "950000\n", "settings of the machine have changed"),
        ] {
            let (tree, places) = machine_with_report();
            std::fs::write(tree.path().join(path), text).unwrap();
            let why = why_not(&places, tree.path());
            assert!(why.contains(expected), "{path}: {why}");
            assert!(!why.contains('\n'), "{why}");
        }
    }

    #[test]
    fn a_changed_or_failed_report_is_none() {
        let (tree, places) = machine_with_report();
        let path = places.0[0].join("readiness.json");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("car-pc", "my-pc")).unwrap();
        assert!(why_not(&places, tree.path()).contains("was changed after it was made"));
        std::fs::write(&path, &text[..100]).unwrap();
        assert!(why_not(&places, tree.path()).contains("the readiness report is not whole"));

        let mut content = sample::content_of(tree.path());
        content.wake_ups.ours.max_us = 500.0;
        sample::judge_again(&mut content);
        write(&places.stem().unwrap(), content).unwrap();
        let why = why_not(&places, tree.path());
        assert!(why.contains("does not pass: Our loop, maximum: 500 µs (wanted: at most 100 µs)"), "{why}");
    }
}
