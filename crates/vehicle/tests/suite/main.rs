//! The tests of the crate, in one program. Its allocator counts by thread, for the tests that
//! forbid a step to use the heap.

mod aerodynamics;
mod brake;
mod brake_antilock;
mod brake_docs;
mod chrono;
mod commonroad;
mod divergence;
mod driven;
mod driver;
mod evaluation;
mod figures;
mod fingerprint;
mod manoeuvres;
mod parking;
mod powertrain;
mod rack_force;
mod steering;
mod steering_conformance;
mod steering_mechanism;
mod support;
mod terrain_conformance;
mod terrain_crg;
mod terrain_crg_faults;
mod terrain_faults;
mod terrain_make;
mod terrain_shapes;
mod tyre_conformance;
mod tyre_files;
mod tyre_reference;
mod tyre_support;
mod wheels;
mod wind;

#[global_allocator]
static ALLOCATOR: rt::allocation::CountingAllocator = rt::allocation::CountingAllocator;
