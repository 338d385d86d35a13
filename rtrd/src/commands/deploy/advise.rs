//! `rtrd deploy advise`: what the kernel and the machine should be told, and on request telling
//! them.

use std::path::Path;

use rt::kernel_parameters::{Parameter, line, parameters};
use rt::machine::{CpuList, Machine};

use super::instances::{grub_file, instances_or_default, machine, set_apart};
use super::manifest::Step;
use super::site::{Site, SiteArguments};

/// Debian's GRUB reads every file there after its own settings.
pub const GRUB_FILE: &str = "/etc/default/grub.d/rtrd.cfg";
const GRUB: &str = "/etc/default/grub";
/// Sets at every start what the command line cannot.
const MACHINE_UNIT: &str = "rtrd-machine.service";

/// Say which kernel parameters this machine should be started with, and with --apply write them for
/// GRUB
///
/// The CPUs are those of the CPU plans of all instances in /etc/rtrd. `--apply` also enables
/// rtrd-machine.service, which sets the governor and moves interrupts at every start. Nothing takes
/// effect before `update-grub` and a restart of the machine.
#[derive(clap::Args)]
pub struct AdviseArguments {
    /// Write the parameters to /etc/default/grub.d/rtrd.cfg and enable rtrd-machine.service
    #[arg(long)]
    apply: bool,
    /// With --apply: run update-grub too
    #[arg(long, requires = "apply")]
    update_grub: bool,
    #[command(flatten)]
    site: SiteArguments,
}

pub fn advise(arguments: &AdviseArguments) -> anyhow::Result<()> {
    let root = &arguments.site.root;
    let (machine, topology) = machine(root)?;
    let mut apart = CpuList::new();
    for config in instances_or_default(root)? {
        let plan = service::plan_on(&config, &topology)?;
        println!("CPU plan of instance {:?}\n{plan}\n", config.instance.name);
        apart = apart.union(&set_apart(&topology, &plan));
    }
    let wanted = parameters(&topology.online, &apart);
    if wanted.is_empty() {
        println!("no CPU of this machine can be set apart for real time: the system needs them all");
        return Ok(());
    }
    let missing = missing(&machine, &wanted);
    print_parameters(&wanted, &missing);
    if arguments.apply {
        apply(arguments, &wanted)?;
    } else if !missing.is_empty() {
        println!("\n`sudo rtrd deploy advise --apply` writes them for GRUB; `rtrd check` says what else is missing.");
    }
    Ok(())
}

fn missing<'a>(machine: &Machine, wanted: &'a [Parameter]) -> Vec<&'a Parameter> {
    let has = |parameter: &&Parameter| {
        let (name, value) = parameter.text.split_once('=').unwrap_or((&parameter.text, ""));
        machine.kernel.command_line.value(name) == Some(value)
    };
    wanted.iter().filter(|parameter| !has(parameter)).collect()
}

fn print_parameters(wanted: &[Parameter], missing: &[&Parameter]) {
    println!("kernel parameters for this machine");
    let width = wanted.iter().map(|parameter| parameter.text.len()).max().unwrap_or(0);
    for parameter in wanted {
        let mark = if missing.contains(&parameter) { "missing" } else { "in force" };
        println!("  {:<width$}  {mark:<8}  {}", parameter.text, parameter.why);
    }
    if missing.is_empty() {
        println!("\nthe running kernel has them all");
    }
}

fn apply(arguments: &AdviseArguments, wanted: &[Parameter]) -> anyhow::Result<()> {
    println!();
    let mut site = Site::open(&arguments.site)?;
    if site.path(Path::new(GRUB)).exists() {
        site.write(Path::new(GRUB_FILE), grub_file(wanted).as_bytes(), 0o644)?;
    } else {
        println!("no GRUB here ({GRUB} is absent): give your boot loader this line\n  {}", line(wanted));
    }
    if site.is_live() && site.run("systemctl", &["enable", "--now", MACHINE_UNIT]) {
        site.note(Step::Unit(MACHINE_UNIT.to_owned()))?;
    }
    if arguments.update_grub && site.is_live() {
        // Noted first: what fails half-way is to be undone too.
        site.note(Step::BootLoader)?;
        site.run("update-grub", &[]);
        println!("\nrestart the machine, then run `rtrd deploy plan` for each instance and `rtrd check`");
    } else {
        println!(
            "\nto take effect: `sudo update-grub`, restart the machine, then `rtrd deploy plan` for each instance and `rtrd check`"
        );
    }
    Ok(())
}
