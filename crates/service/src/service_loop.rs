//! What every loop does around its body: stop on request, report, publish its health, take reloads.

use std::cell::RefMut;

use rt::clock::monotonic_ns;
use rt::events::Reporter;
use shm_layout::blocks::Health;
use shm_layout::{Block, ClaimError};

use crate::attendant::LoopSide;
use crate::config::Settings;
use crate::health::{HealthReport, LoopAccount};
use crate::main_function::announce;
use crate::start::Started;

/// The frame of a service's loop. Everything but its beginning and its end is real-time safe.
pub struct ServiceLoop<'a> {
    started: &'a Started,
    health: HealthReport,
    loop_side: RefMut<'a, LoopSide>,
}

impl<'a> ServiceLoop<'a> {
    /// Claims the health block and publishes that the process is starting.
    pub fn claim(started: &'a Started, block: Block<Health>, period_ns: u64) -> Result<Self, ClaimError> {
        let health = HealthReport::claim(started, block, period_ns)?;
        Ok(Self { started, health, loop_side: started.loop_side.borrow_mut() })
    }

    /// The set-up is over: says what the loop does.
    pub fn begin(&mut self, doing: &str) {
        self.health.running();
        announce(doing);
    }

    /// Whether no stop was asked for.
    #[inline]
    pub fn goes_on(&self) -> bool {
        !self.started.flags.stop_requested()
    }

    /// Takes events.
    #[inline]
    pub fn reporter(&mut self) -> &mut Reporter {
        &mut self.loop_side.reporter
    }

    /// Ends a turn of the loop. Returns whether its statistics are to begin again, and settings
    /// that were changed.
    #[inline]
    pub fn account(&mut self, account: &LoopAccount<'_>) -> (bool, Option<Settings>) {
        self.started.heartbeat.beat();
        self.health.publish_if_due(monotonic_ns(), account);
        (self.started.flags.take_reload(), self.loop_side.new_settings())
    }

    /// The loop is over.
    pub fn finish(mut self, account: &LoopAccount<'_>) {
        self.health.finish(account);
    }
}
