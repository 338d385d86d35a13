//! May this user take a real-time priority?

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, shell};

const ABOUT: About = About {
    id: "rt-priority",
    area: Area::Rights,
    title: "Real-time priority",
    expected: "a limit (ulimit -r) as high as the priorities in the configuration, or CAP_SYS_NICE",
    why: "Without it the processes run as ordinary ones: any other program can delay a step.",
};

pub(super) fn check(patient: Patient) -> Finding {
    let (limits, need) = (patient.limits, patient.workload.priority_max);
    let limit = limits.rtprio.soft.map_or("unlimited".to_owned(), |soft| soft.to_string());
    let finding = if limits.cap_sys_nice {
        ABOUT.pass("any (CAP_SYS_NICE)")
    } else if limits.rtprio.allows(need.into()) {
        ABOUT.pass(format!("limit {limit}"))
    } else if limits.rtprio.can_be_raised_to(need.into()) {
        ABOUT.failure(format!("limit {limit}")).with_fix(format!("ulimit -Sr {need}"))
    } else {
        ABOUT.failure(format!("limit {limit}")).with_fix(shell::grant_limits(limits.is_root, need))
    };
    finding.expecting(format!("a limit (ulimit -r) of at least {need}, or CAP_SYS_NICE"))
}

#[cfg(test)]
mod tests {
    use super::super::super::{Limit, Verdict};
    use super::super::sample::{Sample, fix};

    fn with_limit(soft: u64, hard: u64) -> Sample {
        let mut sample = Sample::healthy();
        sample.limits.rtprio = Limit { soft: Some(soft), hard: Some(hard) };
        sample
    }

    #[test]
    fn a_limit_below_the_highest_priority_fails() {
        let finding = with_limit(84, 84).only_complaint("rt-priority");
        assert_eq!((finding.verdict, finding.found.as_str()), (Verdict::Failure, "limit 84"));
        assert_eq!(finding.expected, "a limit (ulimit -r) of at least 85, or CAP_SYS_NICE");
        assert!(fix(&finding).contains("/etc/security/limits.d/rtrd.conf"));
        assert_eq!(with_limit(85, 85).finding("rt-priority").verdict, Verdict::Pass);
    }

    #[test]
    fn a_limit_that_the_user_may_raise_is_raised_in_the_shell() {
        assert_eq!(fix(&with_limit(0, 95).only_complaint("rt-priority")), "ulimit -Sr 85");
    }

    #[test]
    fn the_capability_needs_no_limit() {
        let mut sample = with_limit(0, 0);
        sample.limits.cap_sys_nice = true;
        assert_eq!(sample.finding("rt-priority").found, "any (CAP_SYS_NICE)");
    }

    #[test]
    fn root_without_the_capability_is_in_a_container() {
        let mut sample = with_limit(0, 0);
        sample.limits.is_root = true;
        assert!(fix(&sample.only_complaint("rt-priority")).contains("--cap-add SYS_NICE"));
    }
}
