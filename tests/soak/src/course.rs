//! The run itself: faults at their times, rounds of cyclictest between them, a look every second.

use std::time::{Duration, Instant};

use rt::signals::Flags;

use crate::disk::SmallDisk;
use crate::injector::Injector;
use crate::instance::Instance;
use crate::load::Load;
use crate::peer::Peer;
use crate::plan::Plan;
use crate::recovery::{Incident, is_excused};
use crate::watch::{Look, Watch};

/// How often the faults go on.
const TICK: Duration = Duration::from_millis(2);
/// Time between two looks (s).
const LOOK_S: f64 = 1.0;
/// Time between two lines of progress (s).
const PROGRESS_S: f64 = 30.0;

/// What happened.
pub struct Course {
    pub looks: Vec<Look>,
    pub incidents: Vec<Incident>,
    /// When it ended (s).
    pub ended_s: f64,
    /// Why it ended before its time.
    pub early: Option<String>,
}

/// Everything that takes part.
pub struct Parts<'a> {
    pub plan: &'a Plan,
    pub injector: Injector,
    pub watch: &'a mut Watch,
    pub instance: &'a mut Instance,
    pub peer: &'a mut Result<Peer, String>,
    /// The load, until it ends by itself; then how.
    pub load: &'a mut Result<Load, String>,
    pub flags: &'a Flags,
}

impl Parts<'_> {
    /// Runs to the end of the plan, or until that makes no sense any more. The disk of the crash
    /// reports comes back.
    pub fn run(mut self) -> (Course, Option<SmallDisk>) {
        let begun = Instant::now();
        let (mut looks, mut next_look_s, mut next_progress_s) = (Vec::new(), 0.0, PROGRESS_S);
        let mut waiting = self.plan.events.iter().peekable();
        loop {
            let now_s = begun.elapsed().as_secs_f64();
            if self.injector.is_busy() {
                self.injector.go_on(now_s, self.watch.pids());
            }
            if !self.injector.is_busy()
                && let Some(event) = waiting.next_if(|event| event.at_s <= now_s)
            {
                self.injector.begin(event.fault, now_s, self.watch.pids());
            }
            if let Ok(peer) = self.peer {
                peer.go_on(now_s, self.watch);
            }
            if now_s >= next_look_s {
                looks.push(self.look(now_s, looks.last().map_or(0.0, |last: &Look| last.at_s)));
                next_look_s = now_s + LOOK_S;
            }
            if now_s >= next_progress_s {
                next_progress_s = now_s + PROGRESS_S;
                self.say_progress(now_s, looks.last());
            }
            let early = self.why_to_end_early();
            if early.is_some() || now_s >= self.plan.seconds {
                let (incidents, disk) = self.injector.finish(now_s);
                let course = Course { looks, incidents, ended_s: now_s, early };
                return (course, disk);
            }
            std::thread::sleep(TICK);
        }
    }

    fn look(&mut self, now_s: f64, before_s: f64) -> Look {
        if let Ok(load) = self.load
            && let Some(how) = load.ended()
        {
            *self.load = Err(format!("stress-ng ended by itself after {now_s:.0} s ({how})"));
        }
        let excused = std::array::from_fn(|process| is_excused(process, &self.injector.incidents, before_s, now_s));
        self.watch.look(now_s, excused)
    }

    fn say_progress(&self, now_s: f64, last: Option<&Look>) {
        let (steps, restarts) = last.map_or((0, 0), |look| (look.processes[2].step, look.restarts));
        println!(
            "{now_s:6.0} of {:.0} s, {:.0} s to go: {steps} steps, {} of {} faults, {restarts} restarts",
            self.plan.seconds,
            (self.plan.seconds - now_s).max(0.0),
            self.injector.incidents.len(),
            self.plan.events.len(),
        );
    }

    fn why_to_end_early(&mut self) -> Option<String> {
        if self.flags.stop_requested() {
            Some("interrupted".to_owned())
        } else if !self.instance.is_alive() || self.watch.is_over() {
            Some("the supervisor ended by itself; instance.log says why".to_owned())
        } else {
            None
        }
    }
}
