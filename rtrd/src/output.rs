//! What commands leave behind: files, and a line that says how far the work is.

use std::fs::{File, Permissions};
use std::io::{ErrorKind, IsTerminal, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;

/// Writes a file and says so.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    std::fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))?;
    say_wrote(path, "");
    Ok(())
}

/// Nobody takes what is said, so that a further line would wait for ever.
static SAYS_NOTHING: AtomicBool = AtomicBool::new(false);

/// From now on only files are written.
pub fn say_nothing_more() {
    SAYS_NOTHING.store(true, Ordering::Relaxed);
}

/// Says what was written, with a remark. The files count, not whether anybody still reads about
/// them.
pub fn say_wrote(path: &Path, remark: &str) {
    if SAYS_NOTHING.load(Ordering::Relaxed) {
        return;
    }
    let _ = writeln!(std::io::stdout(), "wrote {}{remark}", path.display());
}

/// Fails now rather than after an hour if a file cannot be written.
pub fn check_writable<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> anyhow::Result<()> {
    for path in paths {
        let open = File::options().create(true).append(true).open(path);
        open.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The content of a file, if there is one.
pub fn read_if_there(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Replaces a file as a whole: at no time, and after no power cut, is there half of one.
pub fn replace(place: &Path, content: &[u8], mode: Option<u32>) -> anyhow::Result<()> {
    let draft = with_ending(place, ".rtrd-new");
    // With a mode that is set at the end nobody else opens the draft before.
    let drafted =
        File::options().write(true).create(true).truncate(true).mode(mode.map_or(0o666, |_| 0o600)).open(&draft);
    let written = drafted.and_then(|mut file| {
        file.write_all(content)?;
        if let Some(mode) = mode {
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        file.sync_all()?;
        std::fs::rename(&draft, place)
    });
    written.with_context(|| {
        let _ = std::fs::remove_file(&draft);
        format!("cannot write {}", place.display())
    })
}

/// The path with this behind it. A name may itself hold dots, as that of a kernel's release does.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Work that is shorter needs no bar.
const WORTH_A_BAR: Duration = Duration::from_millis(300);
const BAR_WIDTH: usize = 24;

/// A bar on standard error, if that is a terminal, for work that takes long enough to wonder. It
/// goes with this value.
pub struct Progress {
    is_terminal: bool,
    is_shown: bool,
    /// What is done, and all of it.
    done: u64,
    total: u64,
    began: Instant,
    /// The part that is done now, and about how long it takes.
    part: (String, Duration),
}

impl Progress {
    /// Work of so many steps.
    pub fn of_steps(steps: u64) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self { is_terminal, is_shown: false, done: 0, total: steps, began: Instant::now(), part: Default::default() }
    }

    /// Work that takes about so long, in parts.
    pub fn lasting(total: Duration) -> Self {
        Self::of_steps(total.as_nanos() as u64)
    }

    /// So many steps are done. Draws the bar a hundred times in all.
    pub fn at(&mut self, step: u64) {
        self.done = step;
        if step.is_multiple_of((self.total / 100).max(1)) && self.began.elapsed() > WORTH_A_BAR {
            self.tick();
        }
    }

    /// A part begins that takes about so long.
    pub fn begin(&mut self, what: String, takes: Duration) {
        self.done += self.part.1.as_nanos() as u64;
        self.part = (what, takes);
        self.began = Instant::now();
    }

    /// Draws the bar again.
    pub fn tick(&mut self) {
        if self.is_terminal {
            eprint!("\r\x1b[K{} {}", self.bar(), self.part.0);
            let _ = std::io::stderr().flush();
            self.is_shown = true;
        }
    }

    fn bar(&self) -> String {
        let done = self.done as f64 + self.began.elapsed().min(self.part.1).as_nanos() as f64;
        let share = (done / self.total.max(1) as f64).min(1.0);
        let filled = (share * BAR_WIDTH as f64).round() as usize;
        format!("{}{} {:3.0} %", "█".repeat(filled), "░".repeat(BAR_WIDTH - filled), share * 100.0)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            eprint!("\r\x1b[K");
        }
    }
}

/// Says once what is to be noted of the files of a vehicle.
pub fn say_notes(setup: &vehicle::assembly::Setup) {
    for note in &setup.notes {
        eprintln!("note: {note}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_part_by_part() {
        let hour = Duration::from_secs(3_600);
        let mut progress = Progress::lasting(2 * hour);
        progress.begin("first".to_owned(), hour);
        assert!(progress.bar().ends_with("  0 %"), "{}", progress.bar());
        progress.begin("second".to_owned(), hour);
        assert!(progress.bar().ends_with(" 50 %"), "{}", progress.bar());
        assert_eq!(progress.bar().chars().filter(|symbol| *symbol == '█').count(), 12);
        let mut progress = Progress::of_steps(8);
        progress.at(2);
        assert!(progress.bar().ends_with(" 25 %"), "{}", progress.bar());
    }

    #[test]
    fn a_name_may_hold_dots() {
        assert_eq!(with_ending(Path::new("a/6.12.9-rt"), ".md"), Path::new("a/6.12.9-rt.md"));
    }
}
