//! What can be said only when the whole file is read: who selects whom, and whether everything
//! fits.

use std::collections::HashSet;

use super::parse::{EXTENDED, INDEPENDENT_SIGNALS, Parser, refuse};
use super::{Database, DatabaseError, Message, Presence};

impl Parser<'_> {
    pub(super) fn finish(mut self) -> Result<Database, DatabaseError> {
        for selected in std::mem::take(&mut self.selected) {
            let message = &mut self.database.messages[selected.message];
            if message.signals[selected.signal].presence != Presence::Always {
                continue;
            }
            let selectors: Vec<usize> = (0..message.signals.len())
                .filter(|&index| index != selected.signal && message.signals[index].selects)
                .collect();
            let signal = &mut message.signals[selected.signal];
            let [selector] = selectors[..] else {
                return refuse(
                    selected.line,
                    format!(
                        "{} is multiplexed; message {} needs one selector (M), or a line SG_MUL_VAL_ that names it",
                        signal.name, message.name
                    ),
                );
            };
            signal.presence = Presence::When { selector, ranges: vec![(selected.value, selected.value)] };
        }
        self.database.messages.retain(|message| !(message.extended && message.id == INDEPENDENT_SIGNALS & !EXTENDED));
        for message in &self.database.messages {
            for (index, signal) in message.signals.iter().enumerate() {
                check_selection(message, index)?;
                let last = signal.place.bytes().1;
                if last >= message.length_bytes {
                    return refuse(
                        signal.line,
                        format!(
                            "{} reaches into byte {last}, but message {} has {} bytes",
                            signal.name, message.name, message.length_bytes
                        ),
                    );
                }
            }
        }
        Ok(self.database)
    }
}

/// Selectors lead to a signal that is always there, never in a circle.
fn check_selection(message: &Message, first: usize) -> Result<(), DatabaseError> {
    let mut seen = HashSet::new();
    let mut at = first;
    while let Presence::When { selector, .. } = &message.signals[at].presence {
        if !seen.insert(at) {
            return refuse(
                message.signals[first].line,
                format!("{} is selected by itself", message.signals[first].name),
            );
        }
        at = *selector;
    }
    Ok(())
}
