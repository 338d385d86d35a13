//! The services' own code on a virtual clock: seeds with faults, runs that are broken on purpose,
//! and single steps.

mod bits;
mod faults;
mod loads;
mod pace;
mod seeds;
mod silence;
mod variants;
