//! The powertrain against closed forms, conservation of energy, an independent solver and another
//! simulator's run.

use rt::allocation::CountingAllocator;

#[path = "powertrain/closed_forms.rs"]
mod closed_forms;
#[path = "powertrain/conformance.rs"]
mod conformance;
#[path = "powertrain/differentials.rs"]
mod differentials;
#[path = "powertrain/energy.rs"]
mod energy;
#[path = "powertrain/files.rs"]
mod files;
#[path = "powertrain/launching.rs"]
mod launching;
#[path = "powertrain/reference.rs"]
mod reference;
#[path = "powertrain/rig.rs"]
mod rig;
#[path = "powertrain/shifting.rs"]
mod shifting;
#[path = "powertrain/stability.rs"]
mod stability;
#[path = "powertrain/wheel_motors.rs"]
mod wheel_motors;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
