//! `gateway-service`: a running instance in a browser.

use clap::Parser;

fn main() -> std::process::ExitCode {
    gateway_service::main(&gateway_service::Arguments::parse())
}
