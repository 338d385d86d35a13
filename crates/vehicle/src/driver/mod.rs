//! Who turns the steering wheel and presses the pedals: a manoeuvre file, or a driver that follows a path and holds a speed.

use crate::files::{FileError, Source};
use crate::memory::Memory;
use crate::{Input, Motion};

/// A driver. Nothing in a step allocates or panics.
pub trait Driver: Memory + Send {
    /// What the driver does during the step that begins with this motion.
    fn drive(&mut self, motion: &Motion, step_s: f64) -> Input;

    /// Whether the manoeuvre is over.
    fn has_finished(&self, motion: &Motion) -> bool;
}

/// Reads a manoeuvre from TOML.
pub fn read(source: &Source<'_>) -> Result<Box<dyn Driver>, FileError> {
    Err(source.fault(1, "kind", "no manoeuvre is known"))
}
