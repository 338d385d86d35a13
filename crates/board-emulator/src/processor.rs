//! The acquisition processor: runs a program on the hardware and makes blocks.
//!
//! Channel *i* of block *k* is sampled at
//!
//! ```text
//! t = (k·n + i)·T        n channels, T from one to the next                                 (1)
//! ```
//!
//! so the parts of a block are not of the same moment: in the script of the thesis the brake is
//! sampled 0.2 ms before the counters are latched. After the last channel, the tasks run and the
//! block is complete, at
//!
//! ```text
//! t = (k·n + n − 1)·T                                                                       (2)
//! ```

use super::Settings;
use super::hardware::Hardware;
use super::manoeuvre::Manoeuvre;
use super::script::{Field, Program, Task};
use super::tasks::{Count, Rate};

/// A block as the board makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Counted from 0.
    pub number: u64,
    /// When its last channel was sampled, from the start (ns).
    pub sampled_ns: u64,
    /// The values of its fields.
    pub values: Vec<i32>,
}

impl Block {
    /// Its bytes, each field in the order of bytes that is asked for.
    pub fn bytes(&self, program: &Program, big_endian: bool) -> Vec<u8> {
        let bytes = |(field, value): (&Field, &i32)| {
            let mut bytes = value.to_le_bytes()[..field.width.bytes()].to_vec();
            if big_endian {
                bytes.reverse();
            }
            bytes
        };
        program.block.iter().zip(&self.values).flat_map(bytes).collect()
    }
}

enum Running {
    Count { from: usize, to: usize, count: Count },
    Rate { from: usize, to: usize, rate: Rate },
}

/// The processor with its boards, started.
pub struct Processor {
    program: Program,
    manoeuvre: Manoeuvre,
    hardware: Hardware,
    tasks: Vec<Running>,
    places: Vec<i32>,
    next: u64,
}

impl Processor {
    /// Starts a program. The steering counter stands where it was left.
    pub fn new(program: Program, manoeuvre: Manoeuvre, settings: &Settings) -> Self {
        let hardware = Hardware::new(&manoeuvre.at(0.0), settings);
        let period_s = program.block_ns() as f64 * 1e-9;
        let tasks = program.tasks.iter().map(|task| match *task {
            Task::Count { from, offset, to } => Running::Count { from, to, count: Count::new(offset) },
            Task::Rate { from, width, window, to } => {
                Running::Rate { from, to, rate: Rate::new(width, window, period_s) }
            }
        });
        Self { tasks: tasks.collect(), places: vec![0; program.places], hardware, manoeuvre, program, next: 0 }
    }

    /// What it runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Measures nothing for the time of a block; the car goes on moving.
    pub fn skip(&mut self) {
        self.next += 1;
    }

    /// Samples every channel once and makes the next block.
    pub fn block(&mut self) -> Block {
        let number = self.next;
        self.next += 1;
        let channels = self.program.channels.len() as u64;
        let mut sampled_ns = 0;
        for (index, pin) in self.program.channels.iter().enumerate() {
            // Eq. (1)
            sampled_ns = (number * channels + index as u64) * self.program.channel_ns;
            let controls = self.manoeuvre.at(sampled_ns as f64 * 1e-9);
            self.hardware.follow(&controls);
            self.places[index] = i32::from(self.hardware.read(*pin, &controls));
        }
        for task in &mut self.tasks {
            match task {
                Running::Count { from, to, count } => self.places[*to] = count.next(self.places[*from] as i16),
                Running::Rate { from, to, rate } => self.places[*to] = rate.next(self.places[*from]),
            }
        }
        let fields = self.program.block.iter();
        Block { number, sampled_ns, values: fields.map(|field| self.places[field.place]).collect() }
    }
}
