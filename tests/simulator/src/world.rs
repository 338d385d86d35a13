//! The processes of one instance and their time.
//!
//! One period of the dynamics, unless somebody is dead, stopped or late:
//! ```text
//!   dynamics: ask ─► daq: take, publish ─► external subsystems ─► subsystem: answer ─► dynamics: step
//! ```

use std::cell::Cell;
use std::rc::Rc;

use daq_service::{Script, Scripted};
use dynamics_service::{Pace, Turn as Dynamics};
use fastrand::Rng;
use lockstep::{Answerer, Asker, Clock, Model, Report};
use rt::events::{self, Events, Reporter};
use rt::periodic::{OverrunPolicy, Schedule};
use service::Config;
use service::config::Settings;
use shm_layout::{Payload, Reader, Region, Wait, Waited};
use subsystem_service::Turn as Subsystem;

use crate::checks::blocks::Writers;
use crate::external::Externals;
use crate::gateway::Gateway;
use crate::impostor::{Impostor, write_half};
use crate::killable::Killable;
use crate::linked::temporary_region;
use crate::plan::{Fault, Kind, Plan, Role};
use crate::slot::ProcessSlot;
use crate::system::System;

/// The clock begins here: 0 stands for "never".
const START_NS: u64 = 1_000_000_000;
/// Room for events; what has none is lost, as in a process.
const EVENTS: usize = 64;
/// Processes wait in this way: no wake-ups are needed in one thread.
const WAIT: Wait = Wait::Spin;

type Said<S> = <<S as System>::Script as Script>::Said;
type Answer<S> = <<S as System>::Model as Model>::Answer;

/// The dynamics with the schedule of their process.
pub struct Stepper<S: System> {
    turn: Dynamics<Killable<S::Model>>,
    pace: Pace,
    schedule: Schedule,
    /// They have asked, and wait for the answer.
    is_asking: bool,
}

/// What the dynamics did in a period.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// An answer came in time.
    pub is_answered: bool,
    /// What they report.
    pub report: Report,
}

/// One instance.
pub struct World<S: System> {
    /// What is simulated.
    pub system: S,
    /// What goes wrong.
    pub plan: Plan,
    /// The settings that the configuration has.
    settings: Settings,
    /// Those that dynamics and subsystems have taken over.
    pub taken: [Settings; 2],
    /// Where the processes meet.
    pub region: Region,
    /// `dynamics-service`
    pub dynamics: ProcessSlot<Stepper<S>>,
    /// `subsystem-service`
    pub subsystem: ProcessSlot<Subsystem<Killable<S::Responder>>>,
    /// `daq-service`
    pub daq: ProcessSlot<daq_service::Turn<Scripted<S::Script>>>,
    /// How often another process than ours claimed a block of these two roles, and of `/driver/`.
    other_owners: [u64; 3],
    now_ns: Rc<Cell<u64>>,
    period_ns: u64,
    periods: u64,
    next_fault: usize,
    late_until_ns: u64,
    twice_until_ns: u64,
    stops_waiting_ns: u64,
    answer_impostor: Option<(Impostor<Answer<S>>, u64)>,
    driver_impostor: Option<(Impostor<Said<S>>, u64)>,
    externals: Externals,
    gateway: Gateway,
    asked: Reader<<S::Model as Model>::Question>,
    random: Rng,
    reporter: Reporter,
    _events: Events,
    _folder: tempfile::TempDir,
}

impl<S: System> World<S> {
    /// A new region; the processes start with the first period.
    pub fn new(system: S, plan: Plan, seed: u64) -> Self {
        let (folder, region) = temporary_region();
        let (reporter, events) = events::ring(EVENTS);
        let settings = Settings::of(&Config::default());
        Self {
            externals: Externals::new(&region, system.external()),
            gateway: Gateway::new(&region),
            asked: region.reader(S::Model::QUESTION),
            taken: [settings; 2],
            settings,
            dynamics: ProcessSlot::default(),
            subsystem: ProcessSlot::default(),
            daq: ProcessSlot::default(),
            other_owners: [0; 3],
            now_ns: Rc::new(Cell::new(START_NS)),
            period_ns: system.period_ns(),
            periods: 0,
            next_fault: 0,
            late_until_ns: 0,
            twice_until_ns: 0,
            stops_waiting_ns: 0,
            answer_impostor: None,
            driver_impostor: None,
            random: Rng::with_seed(!seed),
            reporter,
            _events: events,
            _folder: folder,
            system,
            plan,
            region,
        }
    }

    /// The time since the start (s).
    #[must_use]
    pub fn time_s(&self) -> f64 {
        (self.now_ns.get() - START_NS) as f64 * 1e-9
    }

    /// One period of everybody; what the dynamics did, if they made a step.
    pub fn period(&mut self) -> Option<Made> {
        self.periods += 1;
        self.now_ns.set(START_NS + self.periods * self.period_ns);
        self.begin_faults();
        self.start_processes();
        let now_ns = self.now_ns.get();
        self.gateway.turn(now_ns);
        let reporter = &mut self.reporter;
        self.dynamics.turn(now_ns, |dynamics| dynamics.ask(now_ns, reporter));
        if now_ns < self.stops_waiting_ns {
            self.dynamics.stop(self.stops_waiting_ns);
        }
        self.pass_a_quarter();
        self.daq.turn(now_ns, daq_service::Turn::take);
        self.others_speak();
        self.pass_a_quarter();
        let is_late = now_ns < self.late_until_ns;
        if !is_late {
            self.answer();
        }
        let reporter = &mut self.reporter;
        let made = self.dynamics.turn(now_ns, |dynamics| dynamics.step(now_ns, reporter));
        self.pass_a_quarter();
        if is_late {
            self.answer();
        }
        self.take_settings();
        made.flatten()
    }

    /// Who has written the blocks of a process: question, answer or `/driver/`, and what belongs to
    /// them.
    #[must_use]
    pub fn writers(&self, role: Role) -> Writers<'_> {
        let (starts, account, is_nonsense) = match role {
            Role::Daq => (self.daq.starts, None, self.driver_impostor.is_some()),
            Role::Subsystem => {
                let subsystem = &self.subsystem;
                (subsystem.starts, Some(&*subsystem.account), self.answer_impostor.is_some())
            }
            Role::Dynamics => (self.dynamics.starts, Some(&*self.dynamics.account), false),
        };
        Writers { starts, other_owners: self.other_owners[role as usize], is_nonsense, is_wild: false, account }
    }

    fn pass_a_quarter(&self) {
        self.now_ns.set(self.now_ns.get() + self.period_ns / 4);
    }

    fn answer(&mut self) {
        let now_ns = self.now_ns.get();
        let times = if now_ns < self.twice_until_ns { 2 } else { 1 };
        let reporter = &mut self.reporter;
        self.subsystem.turn(now_ns, |subsystem| {
            if subsystem.await_question(0) == Waited::Answered {
                for _ in 0..times {
                    subsystem.answer(reporter);
                }
            }
        });
    }

    /// Those who are not ours.
    fn others_speak(&mut self) {
        let now_ns = self.now_ns.get();
        let Some(step) = self.asked.latest().map(|snapshot| snapshot.value.stamp().step) else {
            return;
        };
        self.externals.answer(step, now_ns, &mut self.random);
        if let Some((impostor, _)) = &mut self.answer_impostor {
            impostor.publish(step, now_ns, &mut self.random);
        }
        if let Some((impostor, _)) = &mut self.driver_impostor {
            impostor.publish(step, now_ns, &mut self.random);
        }
    }

    fn start_processes(&mut self) {
        let now_ns = self.now_ns.get();
        let is_over = |until_ns: u64| now_ns >= until_ns;
        self.answer_impostor.take_if(|(_, until_ns)| is_over(*until_ns));
        self.driver_impostor.take_if(|(_, until_ns)| is_over(*until_ns));
        let clock = Clock::Virtual(Rc::clone(&self.now_ns));
        let Self { system, region, settings, taken, period_ns, .. } = self;
        let [model_hash, responder_hash] = system.hashes();
        self.daq.revive(now_ns, |_| {
            let script = Scripted::new(region, system.script(region), clock.clone());
            let mut turn = daq_service::Turn::new(script.expect("free blocks"), *period_ns, clock.clone());
            turn.begin();
            turn
        });
        self.subsystem.revive(now_ns, |account| {
            taken[1] = *settings;
            let models = Killable::new(system.responder(region, settings), account);
            let answerer = Answerer::new(region, models, responder_hash, clock.clone());
            Subsystem::new(answerer.expect("free blocks"), WAIT)
        });
        self.dynamics.revive(now_ns, |account| {
            taken[0] = *settings;
            let model = Killable::new(system.model(settings), account);
            let asker = Asker::new(region, model, model_hash, clock.clone()).expect("free blocks");
            let turn = Dynamics::new(asker, None, settings, *period_ns, WAIT);
            let schedule = Schedule::new(now_ns, *period_ns, OverrunPolicy::Skip);
            Stepper { turn, pace: Pace::new(region, settings), schedule, is_asking: false }
        });
    }

    fn begin_faults(&mut self) {
        while let Some(fault) = self.plan.faults.get(self.next_fault).copied()
            && self.time_s() >= fault.begin_s
        {
            self.next_fault += 1;
            self.begin(fault);
        }
    }

    fn begin(&mut self, fault: Fault) {
        let now_ns = self.now_ns.get();
        let until_ns = now_ns + (fault.seconds * 1e9) as u64;
        match fault.kind {
            Kind::Die(role, None) => self.kill(role, until_ns),
            Kind::Die(role, Some(moment)) => match role {
                Role::Daq => self.daq.kill(until_ns),
                Role::Subsystem => self.subsystem.end_in_turn(moment, until_ns),
                Role::Dynamics => self.dynamics.end_in_turn(moment, until_ns),
            },
            Kind::DieWriting(role) => self.kill_writing(role, until_ns),
            Kind::Stop(Role::Daq) => self.daq.stop(until_ns),
            Kind::Stop(Role::Subsystem) => self.subsystem.stop(until_ns),
            Kind::Stop(Role::Dynamics) => self.dynamics.stop(until_ns),
            Kind::StopWaiting => self.stops_waiting_ns = until_ns,
            Kind::AnswerLate => self.late_until_ns = until_ns,
            Kind::AnswerTwice => self.twice_until_ns = until_ns,
            Kind::External(nonsense) => self.externals.fault = Some((nonsense, until_ns)),
            Kind::Impostor(role, nonsense) => self.replace(role, nonsense, until_ns),
            Kind::Reload { hold_forces_ms, takeover_ms } => {
                self.settings = Settings { hold_forces_ms, takeover_ms, ..self.settings };
            }
            Kind::Pace(pace_ratio) => self.gateway.ask(pace_ratio, until_ns),
        }
    }

    fn kill(&mut self, role: Role, until_ns: u64) {
        match role {
            Role::Daq => self.daq.kill(until_ns),
            Role::Subsystem => self.subsystem.kill(until_ns),
            Role::Dynamics => self.dynamics.kill(until_ns),
        }
    }

    fn kill_writing(&mut self, role: Role, until_ns: u64) {
        self.kill(role, until_ns);
        if self.is_taken(role) {
            return;
        }
        self.other_owners[role as usize] += 1;
        match role {
            Role::Daq => write_half(&self.region, S::Script::BLOCK),
            Role::Subsystem => write_half(&self.region, S::Model::ANSWER),
            Role::Dynamics => write_half(&self.region, S::Model::QUESTION),
        }
    }

    fn replace(&mut self, role: Role, nonsense: crate::nonsense::Nonsense, until_ns: u64) {
        self.kill(role, until_ns);
        if self.is_taken(role) {
            return;
        }
        self.other_owners[role as usize] += 1;
        let region = &self.region;
        if role == Role::Daq {
            let impostor = Impostor::new(region, S::Script::BLOCK, nonsense, &self.daq.account);
            self.driver_impostor = Some((impostor, until_ns));
        } else {
            let impostor = Impostor::new(region, S::Model::ANSWER, nonsense, &self.subsystem.account);
            self.answer_impostor = Some((impostor, until_ns));
        }
    }

    /// Whether an impostor has the place already.
    fn is_taken(&self, role: Role) -> bool {
        match role {
            Role::Daq => self.driver_impostor.is_some(),
            Role::Subsystem => self.answer_impostor.is_some(),
            Role::Dynamics => false,
        }
    }

    /// At the end of a turn, as in the loops; a process that is stopped does it when it goes on.
    fn take_settings(&mut self) {
        let (now_ns, settings) = (self.now_ns.get(), self.settings);
        if self.taken[0] != settings
            && self.dynamics.turn(now_ns, |dynamics| dynamics.take_settings(&settings)).is_some()
        {
            self.taken[0] = settings;
        }
        if self.taken[1] != settings
            && self.subsystem.turn(now_ns, |subsystem| subsystem.take_settings(&settings)).is_some()
        {
            self.taken[1] = settings;
        }
    }
}

impl<S: System> Stepper<S> {
    /// Unless they still wait for the answer to the last question, or no step is due at this pace.
    fn ask(&mut self, now_ns: u64, reporter: &mut Reporter) {
        if !self.is_asking {
            let due = self.schedule.advance(now_ns);
            self.is_asking = self.pace.is_due(now_ns, self.turn.report().step, reporter);
            if self.is_asking {
                self.turn.ask(due.scheduled_ns);
            }
        }
    }

    fn take_settings(&mut self, settings: &Settings) {
        self.pace.take_settings(settings);
        self.turn.take_settings(settings);
    }

    fn step(&mut self, now_ns: u64, reporter: &mut Reporter) -> Option<Made> {
        if !self.is_asking {
            return None;
        }
        self.is_asking = false;
        let waited = self.turn.await_answer(now_ns);
        self.turn.advance();
        self.turn.look(0, reporter);
        let report = self.turn.report();
        Some(Made { is_answered: waited == Waited::Answered, report })
    }
}
