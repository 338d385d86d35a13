//! A serial port: bytes as they come, at the speed and in the frame of the other end.

use std::os::fd::OwnedFd;

use nix::sys::termios::{self, BaudRate, ControlFlags, InputFlags, SetArg, SpecialCharacterIndices, Termios};
use serde::Deserialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parity {
    #[default]
    None,
    Even,
    Odd,
}

/// How we ask the other end to wait when the kernel's buffer is full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlowControl {
    /// Not at all.
    #[default]
    None,
    /// By the wires RTS and CTS.
    Hardware,
    /// By the characters XOFF and XON, which we send. What we receive is numbers, and none of it is
    /// taken for such a character.
    Software,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub baud: u32,
    /// 5 to 8 bits of a character.
    pub data_bits: u8,
    pub parity: Parity,
    /// 1 or 2 bits between characters.
    pub stop_bits: u8,
    pub flow_control: FlowControl,
}

impl Line {
    pub fn check(self) -> Result<Self, String> {
        if speed(self.baud).is_none() {
            return Err(format!("baud: {}", no_speed(self.baud)));
        }
        if !(5..=8).contains(&self.data_bits) {
            return Err(format!("data_bits: expected 5 to 8, found {}", self.data_bits));
        }
        if !(1..=2).contains(&self.stop_bits) {
            return Err(format!("stop_bits: expected 1 or 2, found {}", self.stop_bits));
        }
        Ok(self)
    }

    /// Sets speed, frame and flow control; what was there before does not matter.
    fn apply(&self, settings: &mut Termios) -> nix::Result<()> {
        let size = [ControlFlags::CS5, ControlFlags::CS6, ControlFlags::CS7, ControlFlags::CS8];
        let frame = &mut settings.control_flags;
        frame.remove(ControlFlags::CSIZE);
        frame.insert(size[usize::from(self.data_bits.clamp(5, 8) - 5)]);
        frame.set(ControlFlags::PARENB, self.parity != Parity::None);
        frame.set(ControlFlags::PARODD, self.parity == Parity::Odd);
        frame.set(ControlFlags::CSTOPB, self.stop_bits == 2);
        frame.set(ControlFlags::CRTSCTS, self.flow_control == FlowControl::Hardware);
        let input = &mut settings.input_flags;
        // A character with the wrong parity is read as zero: the blocks behind it stay where they
        // are.
        input.set(InputFlags::INPCK, self.parity != Parity::None);
        input.remove(InputFlags::IGNPAR | InputFlags::IXON);
        input.set(InputFlags::IXOFF, self.flow_control == FlowControl::Software);
        let speed = speed(self.baud).ok_or(nix::errno::Errno::EINVAL)?;
        termios::cfsetspeed(settings, speed)
    }
}

/// Bytes as they come: no echo, no lines, no special characters, and a read gives what there is.
/// Without a line, its speed and frame stay as they are.
pub(super) fn make_raw(terminal: &OwnedFd, line: Option<&Line>) -> Result<(), String> {
    let failed = |errno| format!("is no serial port: {errno}");
    let mut settings = termios::tcgetattr(terminal).map_err(failed)?;
    termios::cfmakeraw(&mut settings);
    settings.control_flags |= ControlFlags::CREAD | ControlFlags::CLOCAL;
    settings.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
    settings.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
    if let Some(line) = line {
        line.apply(&mut settings).map_err(failed)?;
    }
    termios::tcsetattr(terminal, SetArg::TCSANOW, &settings).map_err(failed)
}

const SPEEDS: [(u32, BaudRate); 14] = [
    (9_600, BaudRate::B9600),
    (19_200, BaudRate::B19200),
    (38_400, BaudRate::B38400),
    (57_600, BaudRate::B57600),
    (115_200, BaudRate::B115200),
    (230_400, BaudRate::B230400),
    (460_800, BaudRate::B460800),
    (500_000, BaudRate::B500000),
    (921_600, BaudRate::B921600),
    (1_000_000, BaudRate::B1000000),
    (1_500_000, BaudRate::B1500000),
    (2_000_000, BaudRate::B2000000),
    (3_000_000, BaudRate::B3000000),
    (4_000_000, BaudRate::B4000000),
];

fn speed(baud: u32) -> Option<BaudRate> {
    let found = SPEEDS.iter().find(|(known, _)| *known == baud);
    found.map(|(_, speed)| *speed)
}

fn no_speed(baud: u32) -> String {
    let known: Vec<String> = SPEEDS.iter().map(|(baud, _)| baud.to_string()).collect();
    format!("{baud} is no speed of a serial port; expected one of {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::terminal;
    use nix::sys::termios::{LocalFlags, OutputFlags, cfgetospeed, tcgetattr};

    const LINE: Line =
        Line { baud: 115_200, data_bits: 8, parity: Parity::None, stop_bits: 1, flow_control: FlowControl::None };
    const ODD: Line =
        Line { baud: 9_600, data_bits: 7, parity: Parity::Odd, stop_bits: 2, flow_control: FlowControl::Software };

    #[test]
    fn every_key_has_its_flags() {
        let Some((board, _)) = terminal() else {
            return println!("skipped: no pseudo-terminals here");
        };
        let mut settings = tcgetattr(&board).expect("a terminal");
        let frame = ControlFlags::CSIZE
            | ControlFlags::PARENB
            | ControlFlags::PARODD
            | ControlFlags::CSTOPB
            | ControlFlags::CRTSCTS;
        ODD.apply(&mut settings).expect("possible");
        let odd = ControlFlags::CS7 | ControlFlags::PARENB | ControlFlags::PARODD | ControlFlags::CSTOPB;
        assert_eq!(settings.control_flags & frame, odd);
        assert!(settings.input_flags.contains(InputFlags::INPCK | InputFlags::IXOFF));
        // Nothing of that stays.
        LINE.apply(&mut settings).expect("possible");
        assert_eq!(settings.control_flags & frame, ControlFlags::CS8);
        let checks = InputFlags::INPCK | InputFlags::IXOFF | InputFlags::IXON;
        assert!(!settings.input_flags.intersects(checks));
        let even = Line { parity: Parity::Even, data_bits: 5, flow_control: FlowControl::Hardware, ..LINE };
        even.apply(&mut settings).expect("possible");
        let expected = ControlFlags::CS5 | ControlFlags::PARENB | ControlFlags::CRTSCTS;
        assert_eq!(settings.control_flags & frame, expected);
    }

    /// What the kernel keeps of it for a terminal without a wire: speed, stop bits, flow control
    /// and raw bytes. It keeps no size and no parity there.
    #[test]
    fn a_terminal_is_opened_as_told() {
        let Some((_board, name)) = terminal() else {
            return println!("skipped: no pseudo-terminals here");
        };
        let opened = |line: Line| {
            let endpoint = super::super::endpoint::Endpoint::Serial(name.clone().into(), line);
            tcgetattr(endpoint.open().expect("a terminal")).expect("its settings")
        };
        let found = opened(ODD);
        assert_eq!(cfgetospeed(&found), BaudRate::B9600);
        assert!(found.control_flags.contains(ControlFlags::CSTOPB | ControlFlags::PARODD));
        assert!(found.input_flags.contains(InputFlags::IXOFF));
        let found = opened(LINE);
        assert_eq!(cfgetospeed(&found), BaudRate::B115200);
        assert!(!found.control_flags.intersects(ControlFlags::CSTOPB | ControlFlags::CRTSCTS));
        assert!(found.control_flags.contains(ControlFlags::CREAD | ControlFlags::CLOCAL));
        let cooked = LocalFlags::ECHO | LocalFlags::ICANON | LocalFlags::ISIG | LocalFlags::IEXTEN;
        assert!(!found.local_flags.intersects(cooked));
        assert!(!found.output_flags.contains(OutputFlags::OPOST));
        let changed = InputFlags::ICRNL | InputFlags::IXON | InputFlags::IXOFF | InputFlags::ISTRIP;
        assert!(!found.input_flags.intersects(changed));
        let hardware = Line { flow_control: FlowControl::Hardware, ..LINE };
        assert!(opened(hardware).control_flags.contains(ControlFlags::CRTSCTS));
    }
}
