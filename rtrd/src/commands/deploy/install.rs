//! `rtrd deploy install`: programs, units, models, user, configuration and CPU plan. What is
//! installed besides the programs is inside this one, so that the programs alone are enough to
//! install from.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use service::Config;

use super::instances::machine;
use super::manifest::Step;
use super::plan::{InstanceArguments, add, drop_ins};
use super::site::{Site, SiteArguments, below};

/// What dpkg knows of our package, if it installed it.
const PACKAGE: &str = "/var/lib/dpkg/info/rtrd.list";
const USER: &str = "rtrd";

/// Install the programs, units, models, user and one instance on this machine
///
/// Programs come from the folder of this one. Where the Debian package is installed, it is left
/// alone and only the instance is set up: its configuration (an existing one is kept) and its CPU
/// plan.
#[derive(clap::Args)]
pub struct InstallArguments {
    #[command(flatten)]
    instance: InstanceArguments,
    /// Folder of the programs [default: that of this program]
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Folder of models to install as /usr/share/rtrd/models [default: that of the repository, if
    /// built there]
    ///
    /// The shipped models are inside the programs; copies are for people to read and change.
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    #[command(flatten)]
    site: SiteArguments,
}

pub fn install(arguments: &InstallArguments) -> anyhow::Result<()> {
    let own = arguments.own_configuration()?;
    let mut site = Site::open(&arguments.site)?;
    if site.path(Path::new(PACKAGE)).exists() {
        println!("programs and units are those of the Debian package");
    } else {
        programs(&mut site, arguments)?;
        models(&mut site, arguments)?;
        for (path, text) in SYSTEM {
            site.write(Path::new(path), text.as_bytes(), 0o644)?;
        }
        user(&mut site, &arguments.site.root)?;
    }
    configuration(&mut site, &arguments.instance.instance, &own)?;
    let instance = InstanceArguments { config: None, ..arguments.instance.clone() };
    let (_, topology) = machine(&arguments.site.root)?;
    let plan = service::plan_on(&own, &topology)?;
    add(&mut site, &drop_ins(&instance, &own, &topology, &plan)?)?;
    if site.is_live() {
        site.run("systemctl", &["daemon-reload"]);
        site.run("udevadm", &["control", "--reload"]);
        site.run("udevadm", &["trigger", "--name-match=cpu_dma_latency"]);
    }
    println!(
        "\nnext:\n  rtrd deploy advise                              what the kernel of this machine should be told\n  \
         rtrd check                                      what else stands in the way of real time\n  \
         systemctl enable --now rtrd@{0}.target        start {0}, now and with the machine\n  \
         rtrd top --instance {0}                       watch it",
        arguments.instance.instance
    );
    Ok(())
}

impl InstallArguments {
    /// The configuration of the instance: an existing one of the machine, a given file, or the
    /// defaults.
    fn own_configuration(&self) -> anyhow::Result<Config> {
        shm_layout::RegionName::new(&self.instance.instance)?;
        let usual = self.instance.configuration_path();
        let existing = below(&self.site.root, &usual);
        let mut config = match &self.instance.config {
            Some(given) => Config::load(Some(given))?,
            None if existing.exists() => Config::load(Some(&existing))?,
            None => Config::default(),
        };
        config.instance.name.clone_from(&self.instance.instance);
        service::Job::read(&config)?;
        Ok(config)
    }
}

fn programs(site: &mut Site, arguments: &InstallArguments) -> anyhow::Result<()> {
    let own = std::env::current_exe().context("this program does not know its own path")?;
    let folder = match &arguments.from {
        Some(folder) => folder.as_path(),
        None => own.parent().unwrap_or(Path::new("/usr/bin")),
    };
    for name in PROGRAMS {
        let from = folder.join(name);
        let content = std::fs::read(&from).with_context(|| {
            format!(
                "expected the program {}; `cargo build --release` makes it, --from names its folder",
                from.display()
            )
        })?;
        site.write(&Path::new("/usr/bin").join(name), &content, 0o755)?;
    }
    Ok(())
}

fn models(site: &mut Site, arguments: &InstallArguments) -> anyhow::Result<()> {
    let own = std::env::current_exe().unwrap_or_default();
    let beside =
        || own.ancestors().map(|folder| folder.join("models")).find(|folder| folder.join("scenarios").is_dir());
    let Some(folder) = arguments.models.clone().or_else(beside) else {
        println!("models are inside the programs; no copies are installed (--models DIR would)");
        return Ok(());
    };
    if !folder.is_dir() {
        bail!("--models {}: there is no such folder", folder.display());
    }
    copy_tree(site, &folder, Path::new("/usr/share/rtrd/models"))
}

fn copy_tree(site: &mut Site, from: &Path, to: &Path) -> anyhow::Result<()> {
    let listed = std::fs::read_dir(from).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = listed.with_context(|| format!("cannot read {}", from.display()))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_tree(site, &path, &place)?;
        } else {
            let content = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            site.write(&place, &content, 0o644)?;
        }
    }
    Ok(())
}

/// Makes the user and group, if they do not exist.
fn user(site: &mut Site, root: &Path) -> anyhow::Result<()> {
    let known = std::fs::read_to_string(site.path(Path::new("/etc/passwd"))).unwrap_or_default();
    if known.lines().any(|line| line.starts_with("rtrd:")) {
        println!("unchanged  user {USER}");
        return Ok(());
    }
    if site.is_dry_run() {
        println!("would make  user and group {USER}");
        return Ok(());
    }
    let mut making = Command::new("systemd-sysusers");
    if root != Path::new("/") {
        making.arg("--root").arg(root);
    }
    let made = making.arg(SYSUSERS_NAME).output();
    match made {
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            bail!("systemd-sysusers did not make the user {USER}: {}", String::from_utf8_lossy(&output.stderr).trim())
        }
        Err(error) => bail!("expected the program systemd-sysusers (package systemd): {error}"),
    }
    println!("made       user and group {USER}");
    site.note(Step::User(USER.to_owned()))
}

/// Writes the configuration of the instance. One that is there already is the user's.
fn configuration(site: &mut Site, instance: &str, config: &Config) -> anyhow::Result<()> {
    let path = PathBuf::from(format!("/etc/rtrd/{instance}.toml"));
    if site.path(&path).exists() {
        println!("kept       {}", path.display());
        return Ok(());
    }
    site.write(&path, service::config::render(config).as_bytes(), 0o644)
}

/// A file with its place on the machine.
type Shipped = (&'static str, &'static str);

/// Units, user, device rights.
const SYSTEM: [Shipped; 11] = [
    ("/usr/lib/systemd/system/rtrd-daq@.service", include_str!("../../../../systemd/rtrd-daq@.service")),
    ("/usr/lib/systemd/system/rtrd-subsystem@.service", include_str!("../../../../systemd/rtrd-subsystem@.service")),
    ("/usr/lib/systemd/system/rtrd-dynamics@.service", include_str!("../../../../systemd/rtrd-dynamics@.service")),
    ("/usr/lib/systemd/system/rtrd-flight@.service", include_str!("../../../../systemd/rtrd-flight@.service")),
    ("/usr/lib/systemd/system/rtrd-gateway@.service", include_str!("../../../../systemd/rtrd-gateway@.service")),
    ("/usr/lib/systemd/system/rtrd-machine.service", include_str!("../../../../systemd/rtrd-machine.service")),
    ("/usr/lib/systemd/system/rtrd@.target", include_str!("../../../../systemd/rtrd@.target")),
    ("/usr/lib/systemd/system/rtrd.target", include_str!("../../../../systemd/rtrd.target")),
    (SYSUSERS, include_str!("../../../../packaging/sysusers.conf")),
    ("/usr/lib/tmpfiles.d/rtrd.conf", include_str!("../../../../packaging/tmpfiles.conf")),
    ("/usr/lib/udev/rules.d/60-rtrd.rules", include_str!("../../../../packaging/60-rtrd.rules")),
];

/// The programs, in the folder of this one and in `/usr/bin`.
pub const PROGRAMS: [&str; 5] = ["rtrd", "daq-service", "subsystem-service", "dynamics-service", "gateway-service"];

/// The definition of the user and group, and its name for `systemd-sysusers`, which takes a path
/// for one outside of `--root`.
const SYSUSERS: &str = "/usr/lib/sysusers.d/rtrd.conf";
const SYSUSERS_NAME: &str = "rtrd.conf";
