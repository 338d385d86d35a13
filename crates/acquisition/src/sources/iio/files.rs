//! A device's folder.

use std::path::{Path, PathBuf};

use crate::OpenError;

#[derive(Clone, Debug)]
pub(super) struct Files {
    folder: PathBuf,
}

/// Raw numbers to quantities: (raw + offset) · scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Conversion {
    pub offset: f64,
    pub scale: f64,
}

impl Conversion {
    pub const NONE: Self = Self { offset: 0.0, scale: 1.0 };

    pub fn of(&self, raw: f64) -> f64 {
        (raw + self.offset) * self.scale
    }
}

impl Files {
    pub fn find(sysfs: &Path, device: &str) -> Result<Self, OpenError> {
        let error = |problem: String| OpenError::new(format!("IIO device {device}"), problem);
        let devices = named_folders(sysfs).map_err(|problem| {
            error(format!("{}: {problem}; is the kernel's module industrialio there?", sysfs.display()))
        })?;
        let mut names = Vec::new();
        for (folder, number, name) in devices.into_iter().filter(|(_, number, _)| number.starts_with("iio:device")) {
            if number == device || name == device {
                return Ok(Self { folder });
            }
            names.push(format!("{number} ({name})"));
        }
        names.sort();
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Err(error(format!("there is no such device in {}; there is: {there}", sysfs.display())))
    }

    /// Its number: `iio:device0`.
    pub fn number(&self) -> &str {
        self.folder.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub fn read(&self, name: &str) -> Result<String, OpenError> {
        let path = self.path(name);
        let text = std::fs::read_to_string(&path).map_err(|problem| OpenError::new(path.display(), problem))?;
        Ok(text.trim().to_owned())
    }

    pub fn write(&self, name: &str, value: &str) -> Result<(), OpenError> {
        let path = self.path(name);
        let refused = |problem| OpenError::new(path.display(), format!("{value} cannot be written: {problem}"));
        std::fs::write(&path, value).map_err(refused)
    }

    pub fn number_in(&self, name: &str) -> Result<f64, OpenError> {
        let text = self.read(name)?;
        let wrong = |_| OpenError::new(self.path(name).display(), format!("expected a number, found {text:?}"));
        text.parse().map_err(wrong)
    }

    /// Names of the files in a folder of the device.
    pub fn list(&self, folder: &str) -> Result<Vec<String>, OpenError> {
        let path = self.path(folder);
        let entries = std::fs::read_dir(&path).map_err(|problem| OpenError::new(path.display(), problem))?;
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort();
        Ok(names)
    }

    /// From a channel's raw numbers to a quantity, by its own files or those of its kind.
    pub fn conversion(&self, channel: &str) -> Result<Conversion, OpenError> {
        let number = |what: &str, default: f64| {
            let names = shared_names(channel).map(|name| format!("{name}_{what}"));
            match names.iter().find(|name| self.has(name)) {
                Some(name) => self.number_in(name),
                None => Ok(default),
            }
        };
        Ok(Conversion { offset: number("offset", 0.0)?, scale: number("scale", 1.0)? })
    }

    /// Sets how often the device samples, wherever it has a file for that; otherwise how often its
    /// trigger fires. Either may round.
    pub fn set_sampling_frequency(&self, frequency_hz: f64, trigger: Option<&str>) -> Result<(), OpenError> {
        let names = self.list(".")?;
        let own: Vec<&String> = names.iter().filter(|name| name.ends_with("sampling_frequency")).collect();
        for name in &own {
            self.write(name, &frequency_hz.to_string())?;
        }
        match (own.is_empty(), trigger.and_then(|name| self.trigger(name))) {
            (false, _) => Ok(()),
            (true, Some(trigger)) => trigger.write("sampling_frequency", &frequency_hz.to_string()),
            (true, None) => {
                let problem =
                    "neither the device nor its trigger has a sampling_frequency; remove sampling_frequency_hz";
                Err(OpenError::new(self.folder.display(), problem))
            }
        }
    }

    /// The folder of a trigger, beside those of the devices.
    fn trigger(&self, name: &str) -> Option<Self> {
        let mut folders = named_folders(self.folder.parent()?).ok()?.into_iter();
        let is_it = |(_, number, called): &(PathBuf, String, String)| number.starts_with("trigger") && called == name;
        let found = folders.find(is_it).map(|(folder, ..)| Self { folder });
        found.filter(|trigger| trigger.has("sampling_frequency"))
    }
}

/// The folders of devices and triggers, with the number and the name of each.
fn named_folders(sysfs: &Path) -> std::io::Result<Vec<(PathBuf, String, String)>> {
    let named = |folder: PathBuf| {
        let number = folder.file_name().and_then(|number| number.to_str()).unwrap_or_default().to_owned();
        let name = std::fs::read_to_string(folder.join("name")).unwrap_or_default().trim().to_owned();
        (folder, number, name)
    };
    Ok(std::fs::read_dir(sysfs)?.flatten().map(|entry| named(entry.path())).collect())
}

/// `in_voltage0-voltage1` → itself, `in_voltage-voltage`, `in_voltage`.
fn shared_names(channel: &str) -> [String; 3] {
    let without_numbers: String = channel.chars().filter(|character| !character.is_ascii_digit()).collect();
    let kind = channel.trim_start_matches("in_");
    let end = kind.find(|character: char| !character.is_ascii_lowercase()).unwrap_or(kind.len());
    [channel.to_owned(), without_numbers, format!("in_{}", &kind[..end])]
}

#[cfg(test)]
mod tests {
    use super::shared_names;

    #[test]
    fn names_of_files_that_channels_share() {
        assert_eq!(shared_names("in_accel_x"), ["in_accel_x", "in_accel_x", "in_accel"]);
        assert_eq!(shared_names("in_voltage12"), ["in_voltage12", "in_voltage", "in_voltage"]);
        assert_eq!(shared_names("in_voltage0-voltage1"), ["in_voltage0-voltage1", "in_voltage-voltage", "in_voltage"]);
    }
}
