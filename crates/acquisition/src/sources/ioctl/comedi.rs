//! The control calls of comedi (linux/comedi.h).

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::ptr;

const NAME_BYTES: usize = 20;

#[repr(C)]
#[derive(Default)]
struct DeviceInformation {
    version_code: u32,
    n_subdevices: u32,
    driver_name: [u8; NAME_BYTES],
    board_name: [u8; NAME_BYTES],
    read_subdevice: i32,
    write_subdevice: i32,
    unused: [i32; 30],
}

/// What a part of a board says of itself.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Subdevice {
    /// Analogue inputs are 1.
    pub kind: u32,
    pub n_channels: u32,
    pub flags: u32,
    timer_type: u32,
    /// How many channels a scan may have.
    pub longest_scan: u32,
    pub greatest_sample: u32,
    channel_flags: u32,
    /// Names the table of ranges.
    pub range_type: u32,
    settling_time: u32,
    insn_bits_support: u32,
    unused: [u32; 8],
}

/// A range of a channel, in millionths of its unit.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Range {
    /// Value of sample zero.
    pub least: i32,
    /// Value of the greatest sample.
    pub greatest: i32,
    /// The unit (low byte: 0 volts, 1 milliamperes, 2 none), and what it depends on.
    pub flags: u32,
}

#[repr(C)]
struct RangeRequest {
    range_type: u32,
    ranges: *mut Range,
}

/// What makes something happen, and its argument (linux/comedi.h).
pub type Event = [u32; 2];

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    pub subdevice: u32,
    pub flags: u32,
    pub start: Event,
    pub scan_begin: Event,
    pub convert: Event,
    pub scan_end: Event,
    pub stop: Event,
}

#[repr(C)]
struct Command {
    timing: Timing,
    channels: *mut u32,
    n_channels: u32,
    data: *mut i16,
    data_length: u32,
}

nix::ioctl_read!(device_information, b'd', 1, DeviceInformation);
nix::ioctl_read!(subdevice_information, b'd', 2, Subdevice);
nix::ioctl_read!(range_information, b'd', 8, RangeRequest);
nix::ioctl_read!(command, b'd', 9, Command);
nix::ioctl_read!(command_test, b'd', 10, Command);
nix::ioctl_write_int_bad!(cancel, nix::request_code_none!(b'd', 7));
nix::ioctl_write_int_bad!(set_read_subdevice, nix::request_code_none!(b'd', 16));

pub struct Board {
    descriptor: OwnedFd,
    pub driver: String,
    pub name: String,
    pub subdevices: Vec<Subdevice>,
    /// Which of them is read by default.
    pub read_subdevice: Option<u32>,
}

impl Board {
    /// Opens a board for reads that do not wait, and asks what it is.
    pub fn open(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::OpenOptionsExt;
        let file = std::fs::File::options().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(path)?;
        let descriptor = OwnedFd::from(file);
        let mut information = DeviceInformation { read_subdevice: -1, ..DeviceInformation::default() };
        // SAFETY: the kernel writes one structure, of exactly this layout, into one that outlives
        // the call.
        unsafe { device_information(descriptor.as_raw_fd(), &mut information) }?;
        // The kernel writes one structure per part, so there must be room for as many as it has
        // just named.
        let mut subdevices = vec![Subdevice::default(); information.n_subdevices as usize];
        if !subdevices.is_empty() {
            // SAFETY: the room has `n_subdevices` structures; a board's number of parts does not
            // change while it is open.
            unsafe { subdevice_information(descriptor.as_raw_fd(), subdevices.as_mut_ptr()) }?;
        }
        Ok(Self {
            descriptor,
            driver: text(&information.driver_name),
            name: text(&information.board_name),
            subdevices,
            read_subdevice: u32::try_from(information.read_subdevice).ok(),
        })
    }

    /// The ranges of a part whose channels all have the same.
    pub fn ranges(&self, range_type: u32) -> io::Result<Vec<Range>> {
        // The low half of the type is the number of ranges.
        let mut ranges = vec![Range::default(); (range_type & 0xffff) as usize];
        let mut request = RangeRequest { range_type, ranges: ranges.as_mut_ptr() };
        // SAFETY: the kernel writes as many ranges as the type says, and there is room for them.
        unsafe { range_information(self.descriptor.as_raw_fd(), &mut request) }?;
        Ok(ranges)
    }

    /// Asks whether the board can do this. What it cannot do it changes, and says at which of its
    /// five stages it did so; zero means that all is well.
    pub fn test(&self, timing: &mut Timing, channels: &mut [u32]) -> io::Result<i32> {
        let mut request = Command::new(*timing, channels);
        // SAFETY: the kernel reads and writes the structure and the channels, which both outlive
        // the call; no data is given.
        let stage = unsafe { command_test(self.descriptor.as_raw_fd(), &mut request) }?;
        *timing = request.timing;
        Ok(stage)
    }

    pub fn start(&self, timing: &Timing, channels: &mut [u32]) -> io::Result<()> {
        let mut request = Command::new(*timing, channels);
        // SAFETY: as for `test`.
        unsafe { command(self.descriptor.as_raw_fd(), &mut request) }?;
        Ok(())
    }

    /// Makes reads come from a part other than the default one.
    pub fn read_from(&self, subdevice: u32) -> io::Result<()> {
        // SAFETY: the argument is a number.
        unsafe { set_read_subdevice(self.descriptor.as_raw_fd(), subdevice as i32) }?;
        Ok(())
    }

    pub fn cancel(&self, subdevice: u32) -> io::Result<()> {
        // SAFETY: the argument is a number.
        unsafe { cancel(self.descriptor.as_raw_fd(), subdevice as i32) }?;
        Ok(())
    }
}

impl AsFd for Board {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

impl Command {
    fn new(timing: Timing, channels: &mut [u32]) -> Self {
        let n_channels = channels.len() as u32;
        Self { timing, channels: channels.as_mut_ptr(), n_channels, data: ptr::null_mut(), data_length: 0 }
    }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    /// Sizes of the kernel's structures on machines of 64 bits, as a C compiler gives them for
    /// linux/comedi.h; the numbers of the calls carry them.
    #[test]
    fn structures_have_the_kernels_sizes() {
        assert_eq!(size_of::<DeviceInformation>(), 176);
        assert_eq!(size_of::<Subdevice>(), 72);
        assert_eq!(size_of::<Range>(), 12);
        assert_eq!(size_of::<RangeRequest>(), 16);
        assert_eq!(size_of::<Command>(), 80);
        let events = [
            offset_of!(Timing, subdevice),
            offset_of!(Timing, flags),
            offset_of!(Timing, start),
            offset_of!(Timing, scan_begin),
            offset_of!(Timing, convert),
            offset_of!(Timing, scan_end),
            offset_of!(Timing, stop),
        ];
        assert_eq!(events, [0, 4, 8, 16, 24, 32, 40]);
        assert_eq!(offset_of!(Command, channels), 48);
        assert_eq!(offset_of!(Command, data), 64);
    }
}
