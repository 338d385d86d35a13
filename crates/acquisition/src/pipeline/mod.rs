//! What happens to samples on their way to the shared blocks: calibration, plausibility,
//! differentiation, unit, target.
//!
//! ```text
//! Plan ── Pipeline::new
//! source opened or gone ── bind, lost        ┐
//! every sample          ── feed              │
//! then, once            ── tick              │ the loop: allocates nothing, waits for nothing
//! then                  ── readings, outputs ┘
//! ```
//!
//! [`Pipeline::outputs`] has a number for each of [`Plan::signals`], in the unit that the name of
//! the signal says.

mod channel;

use crate::Sample;
use crate::plan::{Plan, Quantity};
use crate::plausibility::{Faults, Reaction};

use channel::Channel;

/// How a channel is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The number as the source delivered it; not a number before the first sample.
    pub raw: f64,
    /// The value that is used, in the calibration's unit; not a number before the first sample.
    pub value: f64,
    /// Its rate (1/s); not a number where none is wanted.
    pub rate: f64,
    /// Its acceleration (1/s²); not a number where none is wanted.
    pub acceleration: f64,
    /// When the number was measured (ns); 0 before the first sample.
    pub sample_ns: u64,
    /// How old it was at the last tick (ns).
    pub age_ns: u64,
    /// Until when the number is known to hold (ns): when it was measured, or the last tick for one
    /// that is reported only when it changes and whose source is open; 0 before the first sample.
    pub known_ns: u64,
    /// What is wrong.
    pub faults: Faults,
    /// What is done about it.
    pub reaction: Reaction,
    /// How often a fault has begun.
    pub fault_count: u64,
}

impl Reading {
    fn get(&self, quantity: Quantity) -> f64 {
        match quantity {
            Quantity::Value => self.value,
            Quantity::Rate => self.rate,
            Quantity::Acceleration => self.acceleration,
        }
    }
}

/// The first channel, by its place in the file, whose number its source does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbound {
    channel: usize,
}

struct Write {
    signal: usize,
    channel: usize,
    quantity: Quantity,
    factor: f64,
}

/// All channels of a plan in operation.
pub struct Pipeline {
    file: String,
    source_names: Vec<String>,
    channels: Vec<Channel>,
    /// Channels in an order in which a measured rate comes before those that use it.
    order: Vec<usize>,
    gone: Vec<bool>,
    readings: Vec<Reading>,
    writes: Vec<Write>,
    stop: Stop,
    outputs: Vec<f64>,
}

impl Pipeline {
    /// Everything that the loop needs is made here.
    pub fn new(plan: &Plan) -> Self {
        let channels: Vec<Channel> = plan.channels.iter().map(Channel::new).collect();
        let mut order: Vec<usize> = (0..channels.len()).collect();
        order.sort_by_key(|index| depth(&channels, *index));
        let place = |signal: &String| plan.signals.iter().position(|known| known == signal);
        let mut writes = Vec::new();
        for (channel, planned) in plan.channels.iter().enumerate() {
            writes.extend(planned.targets.iter().filter_map(|target| {
                Some(Write {
                    signal: place(&target.signal)?,
                    channel,
                    quantity: target.quantity,
                    factor: target.factor,
                })
            }));
        }
        Self {
            file: plan.file.clone(),
            source_names: plan.sources.iter().map(|source| source.name.clone()).collect(),
            readings: channels.iter().map(Channel::reading).collect(),
            order,
            channels,
            gone: vec![false; plan.sources.len()],
            writes,
            stop: Stop::new(plan),
            outputs: vec![f64::NAN; plan.signals.len()],
        }
    }

    /// A source was opened and has these numbers. Real-time safe, refusal included.
    pub fn bind(&mut self, source: usize, numbers: &[String]) -> Result<(), Unbound> {
        let mut unbound = None;
        for (index, channel) in self.channels.iter_mut().enumerate() {
            if channel.plan.source == source && !channel.bind(numbers) {
                unbound = unbound.or(Some(Unbound { channel: index }));
            }
        }
        if let Some(gone) = self.gone.get_mut(source) {
            *gone = unbound.is_some();
        }
        unbound.map_or(Ok(()), Err)
    }

    /// The refusal of these numbers in words. Off the loop.
    pub fn explain(&self, unbound: Unbound, numbers: &[String]) -> String {
        let (file, plan) = (&self.file, &self.channels[unbound.channel].plan);
        let (channel, raw, source, known) =
            (&plan.name, &plan.raw, &self.source_names[plan.source], numbers.join(", "));
        format!("{file}: channel `{channel}`: raw: source `{source}` has no `{raw}`; expected one of {known}")
    }

    /// A source is gone: its channels are stale until it has been bound again and its samples are
    /// believed again. Real-time safe.
    pub fn lost(&mut self, source: usize) {
        if let Some(gone) = self.gone.get_mut(source) {
            *gone = true;
        }
    }

    /// Takes a sample of a source. Real-time safe.
    #[inline]
    pub fn feed(&mut self, source: usize, sample: &Sample) {
        for channel in self.channels.iter_mut().filter(|channel| channel.plan.source == source) {
            channel.take(sample);
        }
    }

    /// Looks at the clock and brings readings and outputs up to date. Real-time safe.
    pub fn tick(&mut self, now_ns: u64) {
        for place in 0..self.order.len() {
            let index = self.order[place];
            let channel = &mut self.channels[index];
            let gone = self.gone.get(channel.plan.source).copied().unwrap_or(true);
            let measured = channel.rate_channel().map(|rate| &self.readings[rate]);
            let reading = channel.tick(now_ns, gone, measured);
            self.readings[index] = reading;
        }
        self.outputs.fill(f64::NAN);
        for write in &self.writes {
            self.outputs[write.signal] = self.readings[write.channel].get(write.quantity) * write.factor;
        }
        let asked = self.stop_requested();
        self.stop.tick(now_ns, asked, &mut self.outputs);
    }

    /// The channels, in the order of the file.
    pub fn channels(&self) -> &[Reading] {
        &self.readings
    }

    /// A number for each of [`Plan::signals`] in its unit; not a number where there is none.
    pub fn outputs(&self) -> &[f64] {
        &self.outputs
    }

    /// What is wrong with any channel now.
    pub fn faults(&self) -> Faults {
        let faults = self.readings.iter().map(|reading| reading.faults.0);
        Faults(faults.fold(0, |all, one| all | one))
    }

    /// The sharpest reaction of any channel.
    pub fn reaction(&self) -> Reaction {
        let reactions = self.readings.iter().map(|reading| reading.reaction);
        reactions.max().unwrap_or_default()
    }

    fn stop_requested(&self) -> bool {
        self.reaction() == Reaction::Stop
    }
}

/// What a stop writes: each signal from where it was to where it has to go.
struct StopRamp {
    signal: usize,
    from: f64,
    value: f64,
    ramp_ns: u64,
}

struct Stop {
    ramps: Vec<StopRamp>,
    began_ns: Option<u64>,
}

impl Stop {
    fn new(plan: &Plan) -> Self {
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
    fn tick(&mut self, now_ns: u64, asked: bool, outputs: &mut [f64]) {
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

/// How many measured rates are below a channel. Units make a circle impossible.
fn depth(channels: &[Channel], index: usize) -> usize {
    let mut at = index;
    let below = (0..channels.len()).find(|_| match channels[at].rate_channel() {
        Some(next) => {
            at = next;
            false
        }
        None => true,
    });
    below.unwrap_or(channels.len())
}

#[cfg(test)]
mod tests;
