//! Looks after the processes of one run.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rt::signals::Flags;
use service::{Companion, Config, Job};
use shm_layout::blocks::{self, Control, MODE_RUN, MODE_STOP, STATE_STARTING};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Region, Writer};

use super::RunArguments;
use super::child::{Backoff, Line, Supervised};
use super::display::{Display, Messages};
use super::gateway::Gateway;
use super::recorder::{Recorder, record_flight};
use super::summary;
use crate::commands::signal_table::SignalTable;
use crate::view::format::terminal_width;
use crate::view::{Observer, PROCESSES, State};

/// How often the supervisor looks; also the time between two rows of the recording.
const LOOK: Duration = Duration::from_millis(10);

/// The processes of one run and all that is known of them.
pub struct Supervisor<'a> {
    children: Vec<Supervised>,
    gateway: Gateway,
    control: Control,
    control_writer: Writer<Control>,
    observer: Observer,
    recorder: Recorder,
    display: Display,
    messages: Messages,
    lines: Receiver<Line>,
    flight_recorder: Option<Companion>,
    limit_s: Option<f64>,
    config: &'a Config,
    began: Instant,
}

impl<'a> Supervisor<'a> {
    pub fn new(region: &Region, arguments: &RunArguments, config: &'a Config, job: &Job) -> anyhow::Result<Self> {
        let (sender, lines) = channel();
        let backoff = Backoff::new(&config.supervisor);
        let line = arguments.service.to_command_line();
        let children = PROCESSES
            .iter()
            .map(|(role, _)| Supervised::new(*role, line.clone(), backoff.clone(), sender.clone()))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let (gateway, message) = Gateway::new(&arguments.view, line, backoff, sender.clone());
        let mut display = Display::new(arguments.quiet)?;
        display.message(&message);
        let flight_recorder = if arguments.no_crash_reports {
            None
        } else {
            let folder = arguments.crash_reports.clone();
            Some(record_flight(region.name(), &config.instance.name, folder, sender)?)
        };
        let is_recorded = arguments.plot.is_some() || arguments.out.is_some();
        let control = Control {
            mode: MODE_RUN,
            started_ns: monotonic_ns(),
            period_ns: (job.step_s() * 1e9).round() as u64,
            supervisor_pid: u64::from(std::process::id()),
            ..Control::default()
        };
        Ok(Self {
            children,
            gateway,
            control,
            control_writer: region.claim(blocks::CONTROL)?,
            observer: Observer::new(region),
            recorder: Recorder::new(job.name(), is_recorded.then(|| arguments.signals.clone())),
            display,
            messages: Messages::default(),
            lines,
            flight_recorder,
            limit_s: arguments.seconds,
            config,
            began: Instant::now(),
        })
    }

    /// Shows a text that stays.
    pub fn show(&mut self, text: &str) {
        self.display.message(text);
    }

    /// Starts all processes and looks after them until it is time to end.
    pub fn run(&mut self, flags: &Flags) -> anyhow::Result<()> {
        self.publish_control();
        for child in &mut self.children {
            child.start()?;
        }
        let failed = self.gateway.start();
        failed.iter().for_each(|text| self.display.message(text));
        self.began = Instant::now();
        while !flags.stop_requested() && !self.time_is_up() && !self.display.is_gone() {
            // Without a time of its own the run ends with its manoeuvre, as it does offline.
            if self.limit_s.is_none() && self.observer.manoeuvre_is_over() {
                self.display.message("the manoeuvre is over");
                break;
            }
            self.look_after_children()?;
            self.show_messages();
            self.recorder.record(&mut self.observer)?;
            let elapsed_s = self.began.elapsed().as_secs_f64();
            self.display.status(&mut self.observer, elapsed_s, self.limit_s);
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    fn time_is_up(&self) -> bool {
        self.limit_s.is_some_and(|limit| self.began.elapsed().as_secs_f64() >= limit)
    }

    fn look_after_children(&mut self) -> anyhow::Result<()> {
        let health = self.observer.processes();
        let mut changed = false;
        for (child, view) in self.children.iter_mut().zip(&health) {
            let name = view.name();
            let has_run = view.state != State::Absent && view.health.state != STATE_STARTING;
            if let Some(how) = child.notice_death(has_run)? {
                self.display.message(&format!("! {name} {how}"));
            }
            let before = child.restarts;
            child.restart_if_due()?;
            changed |= child.restarts != before;
            let timeout = stuck_after(self.config, view.health.period_ns);
            if let (Some((pid, lived)), Some(timeout)) = (child.running(), timeout) {
                let age = Duration::from_nanos(view.age_ns);
                let reported = view.health.pid == u64::from(pid);
                if lived > timeout && (!reported || age > timeout) {
                    self.display
                        .message(&format!("! {name} has not reported for {:.1} s: killing it", age.as_secs_f64()));
                    child.kill_stuck();
                }
            }
        }
        if changed {
            self.publish_control();
        }
        let said = self.gateway.look_after();
        said.iter().for_each(|text| self.display.message(text));
        Ok(())
    }

    fn publish_control(&mut self) {
        for (count, child) in self.control.restarts.iter_mut().zip(&self.children) {
            *count = child.restarts;
        }
        self.control.stamp.step += 1;
        self.control.stamp.publish_ns = monotonic_ns();
        self.control.stamp.sample_ns = self.control.stamp.publish_ns;
        self.control_writer.publish(&self.control);
    }

    fn show_messages(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            let processes = self.observer.processes();
            let from = processes.iter().find(|process| process.name() == line.process);
            let is_real_time = from.is_some_and(|process| process.not_real_time().is_none());
            if let Some(text) = self.messages.show(&line, is_real_time) {
                self.display.message(&text);
            }
        }
    }

    /// Ends the processes, the last started first.
    pub fn stop(&mut self) {
        self.display.erase();
        let within = Duration::from_millis(self.config.supervisor.stop_within_ms);
        self.gateway.stop(within);
        for child in self.children.iter_mut().rev() {
            if let Some(how) = child.stop(within) {
                self.display.message(&format!("! {} {how}", service::short_name(child.role)));
            }
        }
        self.control.mode = MODE_STOP;
        self.publish_control();
        // Its last report, if there is one to write.
        self.flight_recorder = None;
        // The last words of a process may still be on their way through its pipe.
        std::thread::sleep(LOOK);
        self.show_messages();
    }

    /// Prints the summary and gives the recording away.
    pub fn finish(mut self) -> Option<SignalTable> {
        let elapsed_s = self.began.elapsed().as_secs_f64();
        let text = summary::text(&mut self.observer, elapsed_s, terminal_width());
        self.display.finish(&text);
        self.recorder.into_table()
    }
}

/// How long a process may be silent: what is configured, but a few of its own periods in any case.
fn stuck_after(config: &Config, period_ns: u64) -> Option<Duration> {
    let configured = Duration::from_millis(config.supervisor.hung_after_ms);
    (!configured.is_zero()).then(|| configured.max(Duration::from_nanos(3 * period_ns)))
}
