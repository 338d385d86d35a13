//! The calibration file: which one, what is in it already, and how it is replaced without ever
//! being half there.

use std::path::{Path, PathBuf};

use acquisition::Plan;
use acquisition::calibration::CalibrationFile;
use anyhow::Context;

use crate::output::{self, with_ending};

/// The file to write: the one that is given, the one that the acquisition file names if that is a
/// file, or one of our own.
pub fn place(given: Option<&Path>, plan: &Plan) -> PathBuf {
    let named = plan.calibration.as_ref().map(|name| match &plan.folder {
        Some(folder) => folder.join(name),
        None => PathBuf::from(name),
    });
    match (given, named) {
        (Some(given), _) => given.to_owned(),
        (None, Some(named)) if named.is_file() => named,
        _ => PathBuf::from("calibration.toml"),
    }
}

/// What is in the file already; if there is none, what the acquisition uses now, so that the new
/// file is complete.
pub fn earlier(path: &Path, plan: &Plan) -> anyhow::Result<CalibrationFile> {
    if path.is_file() {
        return Ok(CalibrationFile::load(&path.to_string_lossy(), None)?);
    }
    let channels = plan.channels.iter();
    Ok(CalibrationFile {
        channels: channels.map(|channel| (channel.name.clone(), channel.calibration.clone())).collect(),
    })
}

/// Writes the file beside its place, keeps the old one as `.bak`, and puts the new one there in one
/// step.
pub fn write(path: &Path, calibrations: &CalibrationFile) -> anyhow::Result<()> {
    let backup = with_ending(path, ".bak");
    let is_replaced = path.exists();
    if is_replaced {
        std::fs::copy(path, &backup).with_context(|| format!("cannot keep the old file as {}", backup.display()))?;
    }
    output::replace(path, format!("# written by rtrd daq calibrate\n{calibrations}").as_bytes(), None)?;
    println!("\nwrote {}", path.display());
    if is_replaced {
        println!("the old one is {}", backup.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use acquisition::calibration::{Calibration, Map};

    #[test]
    fn the_old_file_is_kept_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        let mut calibrations = CalibrationFile::default();
        write(&path, &calibrations).unwrap();
        let first = std::fs::read_to_string(&path).unwrap();
        let calibration = Calibration { map: Map::TwoPoint([[1.0, 0.0], [9.0, 2.0]]), ..Calibration::default() };
        calibrations.channels.insert("brake".into(), calibration);
        write(&path, &calibrations).unwrap();
        assert_eq!(std::fs::read_to_string(with_ending(&path, ".bak")).unwrap(), first);
        assert_eq!(CalibrationFile::load(&path.to_string_lossy(), None).unwrap(), calibrations);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_with_its_name() {
        let error = write(Path::new("/no/such/folder/x.toml"), &CalibrationFile::default()).unwrap_err();
        assert!(format!("{error:#}").contains("/no/such/folder/x.toml"), "{error:#}");
    }
}
