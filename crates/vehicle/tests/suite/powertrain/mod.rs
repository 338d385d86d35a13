//! The powertrain against closed forms, conservation of energy, an independent solver and another
//! simulator's run.

mod closed_forms;
mod conformance;
mod differentials;
mod energy;
mod files;
mod launching;
mod reference;
mod rig;
mod shifting;
mod stability;
mod wheel_motors;
