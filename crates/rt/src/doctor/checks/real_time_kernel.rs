//! Is the kernel preemptible everywhere?

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, shell};

const ABOUT: About = About {
    id: "real-time-kernel",
    area: Area::Kernel,
    title: "Real-time kernel",
    expected: "a PREEMPT_RT kernel",
    why: "Other kernels finish an interrupt handler or a locked section before a FIFO process may run: under \
          load it wakes up milliseconds late.",
};

pub(super) fn check(patient: Patient) -> Finding {
    let kernel = &patient.machine.kernel;
    if kernel.realtime {
        return ABOUT.pass(format!("{}, PREEMPT_RT", kernel.release));
    }
    let finding = ABOUT.failure(format!("{}, not PREEMPT_RT", kernel.release));
    Finding { fix: shell::install_real_time_kernel(), ..finding }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::Sample;
    use crate::machine::sample::SampleTree;

    #[test]
    fn an_ordinary_kernel_fails() {
        let finding = Sample::of(&SampleTree::healthy().with("sys/kernel/realtime", "0"))
            .only_complaint("real-time-kernel");
        assert_eq!(finding.verdict, Verdict::Failure);
        assert_eq!(finding.found, "6.12.9-rt-amd64, not PREEMPT_RT");
        if cfg!(target_arch = "x86_64") {
            assert!(finding.fix.unwrap().starts_with("sudo apt-get install linux-image-rt-amd64"));
        }
    }
}
