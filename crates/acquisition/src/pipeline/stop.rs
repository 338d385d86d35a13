//! What a stop writes: each signal from where it was to where it has to go.

use crate::plan::Plan;

struct StopRamp {
    signal: usize,
    from: f64,
    value: f64,
    ramp_ns: u64,
}

pub(super) struct Stop {
    ramps: Vec<StopRamp>,
    began_ns: Option<u64>,
}

impl Stop {
    pub(super) fn new(plan: &Plan) -> Self {
        let ramps = plan.stops.iter().filter_map(|stop| {
            Some(StopRamp {
                signal: plan.signals.iter().position(|known| *known == stop.signal)?,
                from: 0.0,
                value: stop.value,
                ramp_ns: stop.ramp_ns,
            })
        });
        Self { ramps: ramps.collect(), began_ns: None }
    }

    /// Writes over the outputs while a stop is asked for.
    pub(super) fn tick(&mut self, now_ns: u64, asked: bool, outputs: &mut [f64]) {
        if !asked {
            self.began_ns = None;
            return;
        }
        let begins = self.began_ns.is_none();
        let began_ns = *self.began_ns.get_or_insert(now_ns);
        for ramp in &mut self.ramps {
            let place = &mut outputs[ramp.signal];
            if begins {
                ramp.from = if place.is_finite() { *place } else { 0.0 };
            }
            let passed_ns = now_ns.saturating_sub(began_ns);
            let done = if passed_ns >= ramp.ramp_ns { 1.0 } else { passed_ns as f64 / ramp.ramp_ns as f64 };
            *place = ramp.from + (ramp.value - ramp.from) * done;
        }
    }
}
