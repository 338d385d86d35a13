//! What goes wrong in a run, and when: made from a seed, so that the same seed gives the same run.

use std::fmt;

use fastrand::Rng;

use crate::killable::Moment;
use crate::nonsense::Nonsense;

/// Before this nothing goes wrong (s).
const QUIET_BEFORE_S: f64 = 0.5;
/// Nor in the end of a run, so that its recovery is seen (s).
const QUIET_AFTER_S: f64 = 10.0;
/// The longest fault, and the shortest (s).
const LONGEST_S: f64 = 3.0;
const SHORTEST_S: f64 = 1e-3;
/// One run in so many has no faults: it has the bits of the offline simulation to its end.
const RUNS_PER_FAULTLESS: u64 = 16;

named! {
    /// One of the three processes, `daq-service` and so on.
    Role {
        Daq = "daq",
        Subsystem = "subsystem",
        Dynamics = "dynamics",
    }
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A process dies: between two turns, or at this moment of the next one. It comes back when the
    /// fault ends.
    Die(Role, Option<Moment>),
    /// A process dies in the middle of a write.
    DieWriting(Role),
    /// A process makes no turn.
    Stop(Role),
    /// The dynamics stop between their question and its answer.
    StopWaiting,
    /// Answers come after the dynamics have given up.
    AnswerLate,
    /// Every answer is given twice.
    AnswerTwice,
    /// Another process has taken the place of the subsystems or the driver, and says this.
    Impostor(Role, Nonsense),
    /// The external subsystems say this; `None` if they say nothing.
    External(Option<Nonsense>),
    /// All processes take over other times for holding forces and taking over (ms).
    Reload {
        /// `dynamics.hold_forces_ms`
        hold_forces_ms: u64,
        /// `dynamics.takeover_ms`
        takeover_ms: u64,
    },
    /// A person at the gateway asks for another pace, and when it is held for a single step now and
    /// then. In the end the gateway dies.
    Pace(f64),
}

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// When it begins (s after the start).
    pub begin_s: f64,
    /// How long it lasts (s).
    pub seconds: f64,
    /// What it is.
    pub kind: Kind,
}

/// The faults of a run, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// What goes wrong.
    pub faults: Vec<Fault>,
}

impl Plan {
    /// The faults of a run of this length.
    #[must_use]
    pub fn new(seed: u64, seconds: f64, has_external: bool) -> Self {
        let mut random = Rng::with_seed(seed);
        let count = if seed.is_multiple_of(RUNS_PER_FAULTLESS) { 0 } else { random.usize(1..12) };
        // Half of the runs leave wild forces out: what is stricter for a vehicle that nothing has
        // thrown about is tested there.
        let may_be_wild = random.bool();
        let mut faults: Vec<_> = (0..count)
            .map(|_| {
                let latest_s = (seconds - QUIET_AFTER_S - LONGEST_S).max(2.0 * QUIET_BEFORE_S);
                let begin_s = QUIET_BEFORE_S + (latest_s - QUIET_BEFORE_S) * random.f64();
                let seconds = SHORTEST_S * (LONGEST_S / SHORTEST_S).powf(random.f64());
                Fault { begin_s, seconds, kind: kind(&mut random, may_be_wild, has_external) }
            })
            .collect();
        faults.sort_by(|one, other| one.begin_s.total_cmp(&other.begin_s));
        Self { faults }
    }

    /// When the first fault begins that changes what is computed (s); another pace only changes when.
    #[must_use]
    pub fn first_s(&self) -> f64 {
        let changes = |fault: &&Fault| !matches!(fault.kind, Kind::Pace(_));
        self.faults.iter().find(changes).map_or(f64::INFINITY, |fault| fault.begin_s)
    }

    /// When the last fault is over (s).
    #[must_use]
    pub fn last_s(&self) -> f64 {
        self.faults.iter().map(|fault| fault.begin_s + fault.seconds).fold(0.0, f64::max)
    }

    /// Whether a vehicle may be thrown about: it is given forces that are possible and make no
    /// sense.
    #[must_use]
    pub fn is_wild(&self) -> bool {
        self.faults.iter().any(|fault| is_wild(fault.kind) || may_be_taken(fault.kind))
    }
}

fn is_wild(kind: Kind) -> bool {
    matches!(kind, Kind::Impostor(_, Nonsense::Bounded | Nonsense::Bits) | Kind::External(Some(_)))
}

/// Nonsense in a number that is not used leaves an answer, that of a step long ago; and what a
/// driver says is done, however hard the brakes are.
fn may_be_taken(kind: Kind) -> bool {
    matches!(kind, Kind::Impostor(_, nonsense) if !matches!(nonsense, Nonsense::Old | Nonsense::Future))
}

fn kind(random: &mut Rng, may_be_wild: bool, has_external: bool) -> Kind {
    loop {
        let kind = any_kind(random, has_external);
        if may_be_wild || !is_wild(kind) {
            return kind;
        }
    }
}

fn any_kind(random: &mut Rng, has_external: bool) -> Kind {
    let role = Role::ALL[random.usize(0..3)];
    let nonsense = Nonsense::ALL[random.usize(0..Nonsense::ALL.len())];
    match random.usize(0..if has_external { 15 } else { 12 }) {
        0 | 1 => Kind::Die(role, None),
        2 | 3 => Kind::Die(role, Some(Moment::ALL[random.usize(0..Moment::ALL.len())])),
        4 => Kind::DieWriting(role),
        5 => Kind::Stop(role),
        6 => Kind::StopWaiting,
        7 => Kind::AnswerLate,
        8 => Kind::AnswerTwice,
        9 | 10 if role != Role::Dynamics => Kind::Impostor(role, nonsense),
        9 | 10 => Kind::Impostor(Role::Subsystem, nonsense),
        11 => Kind::Reload { hold_forces_ms: random.u64(0..400), takeover_ms: [50, 200, 500][random.usize(0..3)] },
        12 => Kind::External(None),
        _ => Kind::External(Some(nonsense)),
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "at {:7.3} s for {:.3} s: {}", self.begin_s, self.seconds, self.kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Die(role, None) => write!(formatter, "{role} dies between two turns"),
            Self::Die(role, Some(moment)) => write!(formatter, "{role} dies {moment}"),
            Self::DieWriting(role) => write!(formatter, "{role} dies in the middle of a write"),
            Self::Stop(role) => write!(formatter, "{role} is stopped"),
            Self::StopWaiting => write!(formatter, "dynamics is stopped while it waits for an answer"),
            Self::AnswerLate => write!(formatter, "answers come too late"),
            Self::AnswerTwice => write!(formatter, "answers are given twice"),
            Self::Impostor(role, nonsense) => write!(formatter, "in the place of {role}: {nonsense}"),
            Self::External(None) => write!(formatter, "the external subsystems are silent"),
            Self::External(Some(nonsense)) => write!(formatter, "from the external subsystems: {nonsense}"),
            Self::Reload { hold_forces_ms, takeover_ms } => {
                write!(formatter, "reload: hold_forces_ms = {hold_forces_ms}, takeover_ms = {takeover_ms}")
            }
            Self::Pace(pace_ratio) => write!(formatter, "{pace_ratio} steps in a period are asked for"),
        }
    }
}
