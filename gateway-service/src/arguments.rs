//! The command line of the gateway.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The port that is tried first.
pub const DEFAULT_PORT: u16 = 7400;

/// Shows a running instance in a browser
///
/// Usually started by `rtrd run`, or by `rtrd view` for an instance that runs already. Listens on
/// this machine only, unless --listen names an address that others can reach.
#[derive(Clone, Debug, clap::Parser)]
#[command(version, max_term_width = 110)]
#[group(id = "gateway")]
pub struct Arguments {
    /// What the instance runs.
    #[command(flatten)]
    pub service: service::Arguments,
    /// Address and port to listen on [default: 127.0.0.1:7400, or a free port where that is taken]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// Name by which a browser may call this machine besides its address, with the port
    /// (`car-pc:7400`); may be given several times
    #[arg(long, value_name = "HOST:PORT")]
    pub allow_host: Vec<String>,
    /// The page opens with the driver's seat taken
    #[arg(long)]
    pub drive: bool,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
}

impl Arguments {
    /// The addresses to try, in this order.
    #[must_use]
    pub fn addresses(&self) -> Vec<SocketAddr> {
        let local = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        self.listen.map_or_else(|| vec![local(DEFAULT_PORT), local(0)], |address| vec![address])
    }
}
