//! A real input device: its positions and its force.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use evdev::raw_stream::RawDevice;
use evdev::{
    AttributeSet, FFEffect, FFEffectCode, FFEffectData, FFEffectKind, FFEnvelope, FFReplay, FFTrigger, KeyCode,
};
use nix::fcntl::{FcntlArg, OFlag, fcntl};

use super::super::ioctl::stamp_with_monotonic_clock;
use super::channel::Controls;
use super::feedback::Actuator;

/// The least and greatest position of an axis, and where it is.
#[derive(Clone, Copy)]
struct Axis {
    code: u16,
    position: i32,
    range: (i32, i32),
}

pub(super) struct Device {
    device: RawDevice,
    axes: Vec<Axis>,
    pressed: AttributeSet<KeyCode>,
}

impl Device {
    pub fn open(path: &Path) -> io::Result<Self> {
        let device = RawDevice::open(path)?;
        stamp_with_monotonic_clock(device.as_fd())?;
        fcntl(&device, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let axes = device.get_absinfo()?.map(|(code, information)| Axis {
            code: code.0,
            position: information.value(),
            range: (information.minimum(), information.maximum()),
        });
        let axes = axes.collect();
        let pressed = device.get_key_state()?;
        Ok(Self { device, axes, pressed })
    }

    /// The records: a descriptor of the same queue.
    pub fn events(&self) -> io::Result<OwnedFd> {
        self.device.as_fd().try_clone_to_owned()
    }

    /// Uploads a constant force of level zero and plays it.
    pub fn force(&mut self) -> io::Result<Box<dyn Actuator>> {
        let supported = |code| self.device.supported_ff().is_some_and(|effects| effects.contains(code));
        if !supported(FFEffectCode::FF_CONSTANT) {
            return Err(io::Error::other("the device has no constant force (FF_CONSTANT); remove force_feedback"));
        }
        let (gain, autocenter) = (supported(FFEffectCode::FF_GAIN), supported(FFEffectCode::FF_AUTOCENTER));
        if gain {
            // Our own gain is in the level, where it holds for every device.
            self.device.set_ff_gain(u16::MAX)?;
        }
        if autocenter {
            // The wheel's own spring is not in the vehicle's model.
            self.device.set_ff_autocenter(0)?;
        }
        let mut effect = self.device.upload_ff_effect(constant_force(0))?;
        effect.play(1)?;
        Ok(Box::new(effect))
    }
}

impl Controls for Device {
    fn refresh(&mut self) -> io::Result<()> {
        // Neither call allocates: both fill what is there.
        self.device.update_key_state(&mut self.pressed)?;
        let positions = self.device.get_abs_state()?;
        for axis in &mut self.axes {
            axis.position = positions[usize::from(axis.code)].value;
        }
        Ok(())
    }

    fn axis(&self, code: u16) -> Option<i32> {
        self.axes.iter().find(|axis| axis.code == code).map(|axis| axis.position)
    }

    fn range(&self, code: u16) -> Option<(i32, i32)> {
        self.axes.iter().find(|axis| axis.code == code).map(|axis| axis.range)
    }

    fn button(&self, code: u16) -> Option<bool> {
        let has = self.device.supported_keys().is_some_and(|keys| keys.contains(KeyCode(code)));
        has.then(|| self.pressed.contains(KeyCode(code)))
    }
}

impl Actuator for FFEffect {
    fn set_level(&mut self, level: i16) -> io::Result<()> {
        self.update(constant_force(level))
    }

    fn refresh(&mut self, level: i16) -> io::Result<()> {
        self.set_level(level)?;
        self.play(1)
    }
}

/// A force that lasts until it is changed. The kernel's direction 0x4000 is to the left (`struct
/// ff_effect`, linux/input.h), and a negative level pulls the other way.
fn constant_force(level: i16) -> FFEffectData {
    FFEffectData {
        direction: 0x4000,
        trigger: FFTrigger::default(),
        replay: FFReplay { length: 0, delay: 0 },
        kind: FFEffectKind::Constant {
            level,
            envelope: FFEnvelope { attack_length: 0, attack_level: 0, fade_length: 0, fade_level: 0 },
        },
    }
}

/// The device of a name; the message says which there are.
pub(super) fn find(name: &str) -> Result<PathBuf, String> {
    let mut names = Vec::new();
    for (path, device) in evdev::raw_stream::enumerate() {
        match device.name() {
            Some(found) if found == name => return Ok(path),
            Some(found) => names.push(format!("{found:?}")),
            None => {}
        }
    }
    match names.is_empty() {
        true => Err("no input device can be opened (/dev/input; is this user in the group input?)".to_owned()),
        false => Err(format!("no input device has this name; there are {}", names.join(", "))),
    }
}
