//! The machine that is changed: `/`, or a folder that stands for it. Every change goes through
//! here, is said, and is noted in the manifest before the next one, so that an interrupted
//! installation can be undone too.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::manifest::{self, Manifest, Step, fingerprint};
use crate::output::{read_if_there, replace};

/// Where to work, and whether to.
#[derive(clap::Args, Clone)]
pub struct SiteArguments {
    /// Work on the system in this folder instead of this machine; starts and reloads nothing
    #[arg(long, value_name = "DIR", default_value = "/")]
    pub root: PathBuf,
    /// Say what would be done, and do nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,
}

pub struct Site {
    root: PathBuf,
    dry_run: bool,
    /// What was done so far.
    pub manifest: Manifest,
}

/// Mode of the folders that are made, whatever the umask is: services of another user read what is
/// in them.
const FOLDER_MODE: u32 = 0o755;

fn set_mode(place: &Path, mode: u32) -> anyhow::Result<()> {
    let set = std::fs::set_permissions(place, Permissions::from_mode(mode));
    set.with_context(|| format!("cannot set the mode of {}", place.display()))
}

/// A path of the machine as one below its root.
pub fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

impl Site {
    /// Prepares for changes; refuses at once without the rights for them.
    pub fn open(arguments: &SiteArguments) -> anyhow::Result<Self> {
        let root = &arguments.root;
        if !root.is_dir() {
            bail!("--root {}: there is no such folder", root.display());
        }
        if root == Path::new("/") && !arguments.dry_run && !nix::unistd::geteuid().is_root() {
            bail!(
                "this changes /etc, /usr and /var and needs root: run it with sudo; --dry-run shows what it would do, and \
                 --root DIR does it in a folder"
            );
        }
        Ok(Self {
            root: root.clone(),
            dry_run: arguments.dry_run,
            manifest: Manifest::load(&below(root, Path::new(manifest::PATH)))?,
        })
    }

    /// Where a path of the machine really is.
    pub fn path(&self, path: &Path) -> PathBuf {
        below(&self.root, path)
    }

    /// As [`Self::path`], for something that is to be changed: an error if a link on the way
    /// leads out of the root.
    pub fn path_inside(&self, path: &Path) -> anyhow::Result<PathBuf> {
        let place = self.path(path);
        let resolved =
            |path: &Path| std::fs::canonicalize(path).with_context(|| format!("cannot follow {}", path.display()));
        let folder = place.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(&self.root);
        let (real, root) = (resolved(folder)?, resolved(&self.root)?);
        if real.starts_with(&root) {
            return Ok(place);
        }
        bail!(
            "{} leads to {}, outside of {}: expected no symbolic link out of --root; nothing is changed there",
            folder.display(),
            real.display(),
            root.display()
        )
    }

    /// Whether nothing is changed, only said.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    /// Whether this is the machine that runs, with systemd as its manager, and not only a show.
    pub fn is_live(&self) -> bool {
        self.root == Path::new("/") && !self.dry_run && Path::new("/run/systemd/system").is_dir()
    }

    /// Writes a file unless it has that content already. What was there before is kept for
    /// `uninstall`.
    pub fn write(&mut self, path: &Path, content: &[u8], mode: u32) -> anyhow::Result<()> {
        let place = self.path_inside(path)?;
        if place.is_symlink() {
            bail!("{} is a symbolic link; expected a file or nothing: remove it first", place.display());
        }
        let before = read_if_there(&place)?;
        let is_ours = self.manifest.file_mut(path).is_some();
        if before.as_deref() == Some(content) {
            println!("unchanged  {}", path.display());
            return if is_ours && !self.dry_run { set_mode(&place, mode) } else { Ok(()) };
        }
        if self.dry_run {
            let what = if before.is_some() { "would replace" } else { "would write" };
            println!("{what}  {}", path.display());
            return Ok(());
        }
        self.make_folders(path)?;
        let saved = match before {
            Some(_) if !is_ours => Some(self.keep(path)?),
            _ => None,
        };
        self.note_file(path, content, saved)?;
        replace(&place, content, Some(mode))?;
        println!("wrote      {}", path.display());
        Ok(())
    }

    /// Notes a file before it is written: an interruption in between leaves a note of a file that
    /// is as it was.
    fn note_file(&mut self, path: &Path, content: &[u8], before: Option<PathBuf>) -> anyhow::Result<()> {
        let written = fingerprint(content);
        match self.manifest.file_mut(path) {
            Some(known) => *known = written,
            None => self.manifest.note(Step::File { path: path.to_owned(), fingerprint: written, before }),
        }
        self.save()
    }

    /// Notes something else that was done.
    pub fn note(&mut self, step: Step) -> anyhow::Result<()> {
        self.manifest.note(step);
        self.save()
    }

    /// Copies a file that is about to be replaced; says where to.
    fn keep(&mut self, path: &Path) -> anyhow::Result<PathBuf> {
        let name = path.strip_prefix("/").unwrap_or(path);
        let copy = Path::new(manifest::BACKUPS).join(name);
        self.make_folders(&copy)?;
        let (from, to) = (self.path(path), self.path(&copy));
        std::fs::copy(&from, &to).with_context(|| format!("cannot keep {} as {}", from.display(), to.display()))?;
        Ok(copy)
    }

    fn make_folders(&mut self, path: &Path) -> anyhow::Result<()> {
        let missing: Vec<PathBuf> =
            path.ancestors().skip(1).take_while(|folder| !self.path(folder).exists()).map(Path::to_owned).collect();
        for folder in missing.into_iter().rev() {
            let place = self.path_inside(&folder)?;
            std::fs::create_dir(&place).with_context(|| format!("cannot make {}", place.display()))?;
            set_mode(&place, FOLDER_MODE)?;
            self.manifest.note(Step::Folder(folder));
        }
        Ok(())
    }

    fn save(&mut self) -> anyhow::Result<()> {
        let path = Path::new(manifest::PATH);
        self.make_folders(path)?;
        replace(&self.path_inside(path)?, self.manifest.text()?.as_bytes(), Some(0o644))
    }

    /// Lets systemd read changed units, where it runs.
    pub fn reload_units(&self) {
        if self.is_live() {
            self.run("systemctl", &["daemon-reload"]);
        }
    }

    /// Runs a command of the system and says so; a failure is said and does not end the work.
    pub fn run(&self, program: &str, arguments: &[&str]) -> bool {
        let line = format!("{program} {}", arguments.join(" "));
        if self.dry_run {
            println!("would run  {line}");
            return true;
        }
        println!("running    {line}");
        let done = Command::new(program).args(arguments).status();
        match done {
            Ok(status) if status.success() => return true,
            Ok(status) => eprintln!("rtrd: `{line}` ended with {status}"),
            Err(error) => eprintln!("rtrd: `{line}`: {error}"),
        }
        false
    }
}
