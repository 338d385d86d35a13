//! `rtrd view` and `rtrd drive`: the page of an instance.

use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::Context;
use shm_layout::blocks::{self, STATE_RUNNING};
use shm_layout::{Region, RegionName, Role};

use crate::run::{self, RunArguments};

/// Show a running instance in a browser
///
/// Opens the page of the instance's gateway, or starts a gateway for an instance that has none;
/// that one runs until Ctrl-C. An instance of a car PC is known by its configuration in /etc/rtrd.
#[derive(clap::Args)]
pub struct ViewArguments {
    #[command(flatten)]
    service: service::Arguments,
    /// Address and port of the page, where a gateway is started [default: 127.0.0.1:7400]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<std::net::SocketAddr>,
}

/// Drive: the page with the driver's seat taken
///
/// Opens the page of the running instance, or runs one. Arrow keys or WASD drive, as does a gamepad
/// or a game wheel that the browser knows; Space brakes. Closing the page is letting go: the
/// vehicle stops safely.
#[derive(clap::Args)]
pub struct DriveArguments {
    #[command(flatten)]
    run: RunArguments,
}

/// Opens or starts the page of an instance.
pub fn view(arguments: &ViewArguments) -> anyhow::Result<()> {
    let instance = instance(&arguments.service)?;
    if let Some(page) = page_of(&instance)? {
        show(&page);
        return Ok(());
    }
    let mut line = arguments.service.to_command_line();
    let installed = format!("/etc/rtrd/{instance}.toml");
    if arguments.service.config.is_none() && std::path::Path::new(&installed).is_file() {
        line.extend(["--config".into(), installed.into()]);
    }
    if let Some(listen) = arguments.listen {
        line.extend(["--listen".into(), listen.to_string().into()]);
    }
    let gateway = run::find_program(Role::Gateway.name())?;
    // It takes our place: Ctrl-C is for it alone.
    Err(Command::new(&gateway).args(line).arg("--open").exec())
        .with_context(|| format!("cannot start {}", gateway.display()))
}

/// Opens the page with the seat taken, of an instance that runs or of one that is started.
pub fn drive(arguments: &DriveArguments) -> anyhow::Result<()> {
    match page_of(&instance(&arguments.run.service)?)? {
        Some(page) => {
            show(&format!("{page}&drive"));
            Ok(())
        }
        None => {
            let view = run::ViewArguments { drive: true, ..arguments.run.view.clone() };
            run::run(&RunArguments { view, ..arguments.run.clone() })
        }
    }
}

fn instance(arguments: &service::Arguments) -> anyhow::Result<String> {
    Ok(arguments.configuration()?.instance.name)
}

/// The address of the page that the instance's gateway shows now, if it has one that lives.
fn page_of(instance: &str) -> anyhow::Result<Option<String>> {
    let Ok(region) = Region::observe(&RegionName::new(instance)?) else { return Ok(None) };
    let mut health = region.reader(blocks::GATEWAY_HEALTH);
    let lives = health
        .latest()
        .is_some_and(|snapshot| snapshot.value.state == STATE_RUNNING && rt::processes::is_alive(snapshot.value.pid));
    if !lives {
        return Ok(None);
    }
    let path = service::page_file(instance);
    let page = std::fs::read_to_string(&path)
        .with_context(|| format!("the page of {instance:?} belongs to another user: cannot read {}", path.display()))?;
    Ok(Some(page.trim().to_owned()))
}

/// Prints the address, and opens it where there is a display.
fn show(page: &str) {
    println!("the page is at {page}");
    service::open_page(page);
}
