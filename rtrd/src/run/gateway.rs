//! The gateway of a run: its page is a comfort, so nothing about it ends the run.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::sync::mpsc::Sender;
use std::time::Duration;

use shm_layout::Role;

use super::child::{Backoff, Line, Supervised};

/// A gateway that ends by itself sooner would do so again.
const GIVES_UP_WITHIN: Duration = Duration::from_secs(2);

/// Whether there is a page, and where.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ViewArguments {
    /// Start no gateway, so that there is no page
    #[arg(long, conflicts_with_all = ["listen", "drive"])]
    pub no_view: bool,
    /// Address and port of the page [default: 127.0.0.1:7400, or a free port where that is taken]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// The page opens with the driver's seat taken
    #[arg(long)]
    pub drive: bool,
}

/// The gateway, as long as it is worth starting it.
pub struct Gateway {
    process: Option<Supervised>,
}

impl Gateway {
    /// Prepares it; a message where there can be none.
    pub fn new(view: &ViewArguments, mut line: Vec<OsString>, backoff: Backoff, lines: Sender<Line>) -> (Self, String) {
        if view.no_view {
            return (Self { process: None }, String::new());
        }
        if let Some(listen) = view.listen {
            line.extend(["--listen".into(), listen.to_string().into()]);
        }
        if view.drive {
            line.push("--drive".into());
        }
        if std::io::stdout().is_terminal() {
            line.push("--open".into());
        }
        match Supervised::new(Role::Gateway, line, backoff, lines) {
            Ok(process) => (Self { process: Some(process) }, String::new()),
            Err(error) => (Self { process: None }, format!("! no page: {error:#}")),
        }
    }

    /// Starts it. From the main thread, as all children.
    pub fn start(&mut self) -> Option<String> {
        let failed = self.process.as_mut()?.start().err()?;
        self.process = None;
        Some(format!("! no page: {failed:#}"))
    }

    /// Starts it again where it has died; says so.
    pub fn look_after(&mut self) -> Option<String> {
        let process = self.process.as_mut()?;
        let lived = process.running().map_or(GIVES_UP_WITHIN, |(_, lived)| lived);
        let outcome = process.notice_death(lived >= GIVES_UP_WITHIN).and_then(|how| {
            process.restart_if_due()?;
            Ok(how)
        });
        match outcome {
            Ok(how) => Some(format!("! gateway {}", how?)),
            Err(error) => {
                self.process = None;
                Some(format!("! no page: {error:#}"))
            }
        }
    }

    /// Ends it.
    pub fn stop(&mut self, within: Duration) {
        if let Some(process) = &mut self.process {
            process.stop(within);
        }
    }
}
