//! The board's configuration script, as document DAS section 4.4 has it.
//!
//! ```text
//! RESET                            forgets everything before
//! outport 8..11 type=1             boards of outputs and their addresses
//! options buffering=off            off | on
//! options quantum=200              µs that a task may run
//! options scheduling=fixed         fixed | adaptive
//! PIPES P1 LONG, P2 WORD           pipes of one's own
//! IDEF A 5                         input procedure A with five channels
//! SET IP0 S4                       pipe IP0 gets pin S4; channels are sampled in the order of their pipes' numbers
//! TIME 200                         µs from one channel to the next
//! END
//! PDEF B                           processing procedure B: its tasks run side by side
//! QDCOUNT(IP2,0,"RELATIVE",P1)     16 bits that overflow become 32, from the first value on
//! CTRATE(P1,20,P2)                 counts per second over the last 20 values
//! MERGE(IP0,IP4,P1,$BinOut)        one value of each pipe, in this order, to the computer
//! END
//! START A,B
//! ```
//!
//! Reading has two halves: `read` takes the lines apart, `check` finds what contradicts and puts
//! the tasks into an order in which each finds its input ready. What comes out is a `Program`
//! that can run.

mod check;
mod program;
mod read;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use program::{Field, Pin, Program, Task, Width};
use words::{Place, Problem, ScriptError};

/// The script of the X-by-wire prototype.
pub const CON_DAP: &str = include_str!("../../../../models/acquisition/con_dap.dap");
/// The same with the steering rate measured on the board.
pub const CON_DAP_RATE: &str = include_str!("../../../../models/acquisition/con_dap_rate.dap");
/// Names and texts of the shipped scripts.
pub const SHIPPED: [(&str, &str); 2] = [("con_dap", CON_DAP), ("con_dap_rate", CON_DAP_RATE)];

impl Program {
    /// Reads a script. `origin` is its name in messages.
    pub fn from_text(text: &str, origin: &str) -> Result<Self, ScriptError> {
        let named = |(place, problem)| ScriptError { origin: origin.to_owned(), place, problem };
        check::check(&read::read(text).map_err(named)?).map_err(named)
    }

    /// Reads a shipped script by its name, or a file.
    pub fn load(name: &str) -> Result<Self, ScriptError> {
        if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            return Self::from_text(text, name);
        }
        let text = std::fs::read(name).map_err(|error| {
            let shipped = SHIPPED.map(|(name, _)| name).join(", ");
            let problem = format!("{error}; expected the path of a script or one of the shipped ones: {shipped}");
            ScriptError { origin: name.to_owned(), place: Place { line: 1, column: 1 }, problem }
        })?;
        Self::from_text(&String::from_utf8_lossy(&text), name)
    }
}
