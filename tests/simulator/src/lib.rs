//! The three services' own code in one thread, on a virtual clock, with faults from a seed.
//!
//! ```text
//!   seed ──► System (which plant or vehicle) + Plan (what goes wrong and when)
//!                 │                               │
//!                 ▼                               ▼
//!   World: a real region, three ProcessSlots with the services' turns, others' blocks ──► Checks
//! ```
//! A [`World`] makes the turns of the services in the order in which real processes would make
//! them, on a clock for which no thread waits. A process dies by unwinding out of its own code
//! ([`killable`]), so that everything of it is dropped and its locks are released. After every
//! period the [`checks`] look at the blocks as any other process does. docs/simulator.md has the
//! details.

/// Something of which there are a few kinds, each with its words.
macro_rules! named {
    ($(#[$about:meta])* $name:ident { $($(#[$more:meta])* $kind:ident = $words:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $words] $(#[$more])* $kind,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: [Self; [$($words),*].len()] = [$(Self::$kind),*];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str([$($words),*][*self as usize])
            }
        }
    };
}

pub mod checks;
pub mod external;
mod gateway;
pub mod impostor;
pub mod killable;
pub mod linked;
pub mod nonsense;
pub mod plan;
pub mod ranges;
pub mod run;
pub mod slot;
pub mod system;
pub mod world;

pub use plan::{Fault, Kind, Plan};
pub use run::{Outcome, Violation, run_seed};
pub use system::{Offline, PlantSystem, System, VehicleSystem};
pub use world::World;
