//! May this user lock its memory?

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, bytes_text, shell};

const ABOUT: About = About {
    id: "memory-lock",
    area: Area::Rights,
    title: "Memory lock",
    expected: "a limit (ulimit -l) as large as what a process locks, or CAP_IPC_LOCK",
    why: "Memory that is not locked may be moved or dropped: touching it again costs a page fault, and \
          milliseconds when it must come from a disk.",
};

pub(super) fn check(patient: Patient) -> Finding {
    let (limits, need) = (patient.limits, patient.workload.locked_memory_bytes);
    let limit = limits.memlock.soft.map_or("unlimited".to_owned(), bytes_text);
    let finding = if limits.cap_ipc_lock {
        ABOUT.pass("any amount (CAP_IPC_LOCK)")
    } else if limits.memlock.allows(need) {
        ABOUT.pass(format!("limit {limit}"))
    } else if limits.memlock.can_be_raised_to(need) {
        ABOUT.failure(format!("limit {limit}")).with_fix("ulimit -Sl hard")
    } else {
        let fix = shell::grant_limits(limits.is_root, patient.workload.priority_max);
        ABOUT.failure(format!("limit {limit}")).with_fix(fix)
    };
    finding.expecting(format!("a limit (ulimit -l) of at least {}, or CAP_IPC_LOCK", bytes_text(need)))
}

#[cfg(test)]
mod tests {
    use super::super::super::{Limit, Verdict};
    use super::super::sample::{Sample, fix};

    fn with_limit(soft: u64, hard: Option<u64>) -> Sample {
        let mut sample = Sample::healthy();
        sample.limits.memlock = Limit { soft: Some(soft), hard };
        sample
    }

    #[test]
    fn a_limit_below_the_need_fails() {
        let finding = with_limit(8 << 20, Some(8 << 20)).only_complaint("memory-lock");
        assert_eq!((finding.verdict, finding.found.as_str()), (Verdict::Failure, "limit 8 MiB"));
        assert_eq!(finding.expected, "a limit (ulimit -l) of at least 64 MiB, or CAP_IPC_LOCK");
        assert!(fix(&finding).contains("@realtime - memlock unlimited"));
    }

    #[test]
    fn enough_passes_and_so_does_the_capability() {
        assert_eq!(with_limit(64 << 20, None).finding("memory-lock").verdict, Verdict::Pass);
        let mut sample = with_limit(0, Some(0));
        sample.limits.cap_ipc_lock = true;
        assert_eq!(sample.finding("memory-lock").verdict, Verdict::Pass);
    }

    #[test]
    fn a_limit_that_the_user_may_raise_is_raised_in_the_shell() {
        assert_eq!(fix(&with_limit(0, None).only_complaint("memory-lock")), "ulimit -Sl hard");
    }

    #[test]
    fn both_limits_are_mended_by_one_command() {
        let mut sample = with_limit(0, Some(0));
        sample.limits.rtprio = Limit { soft: Some(0), hard: Some(0) };
        assert_eq!(sample.finding("memory-lock").fix, sample.finding("rt-priority").fix);
    }
}
