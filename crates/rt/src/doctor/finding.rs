//! What a check says.

use serde::Serialize;

/// How good or bad what was found is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// The machine does not say.
    Unknown,
    /// It works, and latency suffers.
    Warning,
    /// Real time cannot be kept, or the processes do not run at all.
    Failure,
}

/// The part of the machine that a finding belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// The kernel and its clocks.
    Kernel,
    /// The CPUs and who runs on them.
    Processors,
    /// Device interrupts.
    Interrupts,
    /// What this user may do.
    Rights,
    /// Memory, swap, shared memory.
    Memory,
    /// Programs that help.
    Tools,
}

impl Area {
    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Kernel => "Kernel",
            Self::Processors => "Processors",
            Self::Interrupts => "Interrupts",
            Self::Rights => "Rights",
            Self::Memory => "Memory",
            Self::Tools => "Tools",
        }
    }
}

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A name that stays the same from version to version, `rt-throttling`.
    pub id: &'static str,
    /// The part of the machine.
    pub area: Area,
    /// A name for people.
    pub title: &'static str,
    /// The judgement.
    pub verdict: Verdict,
    /// What the machine has.
    pub found: String,
    /// What it should have.
    pub expected: String,
    /// Why it matters.
    pub why: &'static str,
    /// The command or kernel parameter that corrects it, ready to be pasted into a shell; `None`
    /// when there is nothing to correct or no command can.
    pub fix: Option<String>,
}

/// What a check knows about itself before it looks.
pub(super) struct About {
    pub(super) id: &'static str,
    pub(super) area: Area,
    pub(super) title: &'static str,
    pub(super) expected: &'static str,
    pub(super) why: &'static str,
}

impl About {
    pub(super) fn pass(&self, found: impl Into<String>) -> Finding {
        self.finding(Verdict::Pass, found)
    }

    pub(super) fn unknown(&self, found: impl Into<String>) -> Finding {
        self.finding(Verdict::Unknown, found)
    }

    pub(super) fn warning(&self, found: impl Into<String>) -> Finding {
        self.finding(Verdict::Warning, found)
    }

    pub(super) fn failure(&self, found: impl Into<String>) -> Finding {
        self.finding(Verdict::Failure, found)
    }

    fn finding(&self, verdict: Verdict, found: impl Into<String>) -> Finding {
        Finding {
            id: self.id,
            area: self.area,
            title: self.title,
            verdict,
            found: found.into(),
            expected: self.expected.into(),
            why: self.why,
            fix: None,
        }
    }
}

impl Finding {
    pub(super) fn with_fix(self, fix: impl Into<String>) -> Self {
        Self { fix: Some(fix.into()), ..self }
    }

    pub(super) fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: expected.into(), ..self }
    }
}
