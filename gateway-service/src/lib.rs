//! The gateway: shows a running instance in a browser, and takes what a person there does.
//!
//! It is an onlooker of the region with no real-time rights. It writes `/overrides/` and its own
//! health, nothing else; when it dies, nothing else does. `docs/gateway.md` has the messages.
//!
//! ```text
//!   region ──► sampler (thread) ──► newest state (slot) ───────────────┐
//!          │                   └──► every step (ring) ──► one task for each client ──► WebSocket
//!          └─► status  (thread) ──► newest status (slot) ──────────────┘      │
//!   region ◄── operator (task) ◄─────────── drive, seat, run ◄────────────────┘
//! ```
//! Slow clients cost nobody anything: of what is newest they get the newest when there is room, and
//! what they miss of every step is told to them as a hole.

mod access;
mod arguments;
mod batch;
mod client;
mod messages;
mod operator;
mod pace;
mod page;
mod pose;
mod run;
mod sampler;
mod scene;
mod seat;
mod server;
mod shared;
mod state_frame;
mod status;

pub use arguments::Arguments;
pub use run::main;
