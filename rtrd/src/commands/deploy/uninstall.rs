//! `rtrd deploy uninstall`: undoes what the manifest has, last first.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use super::advise::GRUB_FILE;
use super::manifest::{self, Step, fingerprint};
use super::site::{Site, SiteArguments};
use crate::output::replace;

/// Undo everything that `rtrd deploy` did to this machine, and restore what was there before
///
/// A file that someone has changed since is kept and named, unless --purge is given.
#[derive(clap::Args)]
pub struct UninstallArguments {
    /// Remove files too that were changed after they were written, such as configurations
    #[arg(long)]
    purge: bool,
    #[command(flatten)]
    site: SiteArguments,
}

pub fn uninstall(arguments: &UninstallArguments) -> anyhow::Result<()> {
    let site = Site::open(&arguments.site)?;
    let steps = site.manifest.steps.clone();
    if steps.is_empty() {
        println!("nothing to undo: `rtrd deploy` has changed nothing here");
        return Ok(());
    }
    // Before anything is removed: half of an uninstallation is none.
    for path in site.manifest.paths().chain([manifest::PATH, manifest::BACKUPS].map(Path::new)) {
        site.path_inside(path)?;
    }
    if site.is_live() {
        stop_instances(&site);
    }
    for step in steps.iter().rev() {
        match step {
            Step::Folder(_) | Step::BootLoader => {}
            Step::File { path, fingerprint, before } => {
                let theirs = restore(&site, path, fingerprint, before.as_deref(), arguments.purge)?;
                if let Some(why) = theirs {
                    println!("kept       {} ({why})", path.display());
                }
            }
            Step::User(name) => remove_user(&site, &arguments.site.root, name),
            Step::Unit(name) if site.is_live() => {
                site.run("systemctl", &["disable", "--now", name]);
            }
            Step::Unit(name) => println!("not stopped: {name} (this is not the running system)"),
        }
    }
    if !site.is_dry_run() {
        remove_notes(&site)?;
    }
    for step in steps.iter().rev() {
        if let Step::Folder(path) = step {
            remove_folder(&site, path);
        }
    }
    site.reload_units();
    undo_kernel_parameters(&site, &steps);
    Ok(())
}

/// The boot loader has a copy of the parameters that are gone from its settings. Where we updated
/// it we do so again; otherwise that is left to the one who did.
fn undo_kernel_parameters(site: &Site, steps: &[Step]) {
    let is_ours = |step: &Step| matches!(step, Step::File { path, .. } if path == Path::new(GRUB_FILE));
    if !steps.iter().any(is_ours) || site.path(Path::new(GRUB_FILE)).exists() {
        return;
    }
    if steps.contains(&Step::BootLoader) && site.is_live() && site.run("update-grub", &[]) {
        println!("restart the machine: until then the kernel keeps the parameters that it was started with");
    } else {
        println!(
            "the boot loader may still have the kernel parameters: run `sudo update-grub` and restart the machine"
        );
    }
}

/// Units must not run programs that are about to go.
fn stop_instances(site: &Site) {
    site.run("systemctl", &["stop", "rtrd.target", "rtrd@*.target", "rtrd-*.service"]);
}

/// Puts back what was there before; otherwise says why the file stays.
fn restore(
    site: &Site,
    path: &Path,
    written: &str,
    before: Option<&Path>,
    purge: bool,
) -> anyhow::Result<Option<&'static str>> {
    let place = site.path_inside(path)?;
    if place.is_symlink() {
        return Ok(Some("a symbolic link is in its place: remove it by hand"));
    }
    let Ok(content) = std::fs::read(&place) else {
        return Ok(None);
    };
    if fingerprint(&content) != written && !purge {
        return Ok(Some("changed since; --purge removes it"));
    }
    let what = if before.is_some() { "restored" } else { "removed" };
    if site.is_dry_run() {
        println!("would have {what} {}", path.display());
        return Ok(None);
    }
    match before {
        Some(saved) => {
            let saved = site.path_inside(saved)?;
            if saved.is_symlink() {
                bail!("{} is a symbolic link; expected the file that was there before", saved.display());
            }
            let content = std::fs::read(&saved).with_context(|| format!("cannot read {}", saved.display()))?;
            let mode = std::fs::metadata(&saved)?.permissions().mode();
            replace(&place, &content, Some(mode))?;
        }
        None => std::fs::remove_file(&place).with_context(|| format!("cannot remove {}", place.display()))?,
    }
    println!("{what:<10} {}", path.display());
    Ok(None)
}

/// Removes the user, and its group where `userdel` leaves that.
fn remove_user(site: &Site, root: &Path, name: &str) {
    if site.is_dry_run() {
        println!("would remove user {name}");
        return;
    }
    for (list, program, what) in [("/etc/passwd", "userdel", "user"), ("/etc/group", "groupdel", "group")] {
        let known = std::fs::read_to_string(site.path(Path::new(list))).unwrap_or_default();
        if !known.lines().any(|line| line.split(':').next() == Some(name)) {
            continue;
        }
        let mut removing = Command::new(program);
        if root != Path::new("/") {
            removing.arg("--prefix").arg(root);
        }
        match removing.arg(name).output() {
            Ok(output) if output.status.success() => println!("removed    {what} {name}"),
            Ok(output) => eprintln!("rtrd: {program}: {}", String::from_utf8_lossy(&output.stderr).trim()),
            Err(error) => eprintln!("rtrd: {program}: {error}"),
        }
    }
}

fn remove_notes(site: &Site) -> anyhow::Result<()> {
    let notes = site.path_inside(Path::new(manifest::PATH))?;
    std::fs::remove_file(&notes).with_context(|| format!("cannot remove {}", notes.display()))?;
    let backups = site.path_inside(Path::new(manifest::BACKUPS))?;
    if backups.is_dir() {
        std::fs::remove_dir_all(&backups).with_context(|| format!("cannot remove {}", backups.display()))?;
    }
    Ok(())
}

/// Folders that hold something of others stay.
fn remove_folder(site: &Site, path: &Path) {
    if site.is_dry_run() {
        return;
    }
    let removed = site.path_inside(path).is_ok_and(|place| std::fs::remove_dir(place).is_ok());
    if removed {
        println!("removed    {}", path.display());
    }
}
