//! The conformance suite of sources on the emulated board.

use acquisition::conformance::check_running;
use board_emulator::{EmulatorOpening, Settings};
use rt::allocation::forbid;

/// The emulated board runs when it is opened; it disconnects every 0.3 s and is back at once.
#[test]
fn the_emulated_board_conforms() {
    for framed in [false, true] {
        let settings = Settings { disconnect_s: "0.3,0.05".parse().ok(), framed, ..Settings::default() };
        let opening = EmulatorOpening::new(settings.prepare(None).expect("good settings"));
        check_running(Box::new(opening), &|work| forbid(work));
    }
}
