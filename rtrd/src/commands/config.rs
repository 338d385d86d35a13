//! `rtrd config`: the effective configuration.

/// Print the effective configuration, with an explanation of every key
///
/// What it prints is a complete configuration file: rtrd config > car1.toml
#[derive(clap::Args)]
pub struct ConfigArguments {
    #[command(flatten)]
    service: service::Arguments,
}

pub fn config(arguments: &ConfigArguments) -> anyhow::Result<()> {
    let config = arguments.service.configuration()?;
    service::Job::read(&config)?;
    super::daq::acquisition_file(&config)?;
    print!("{}", service::config::render(&config));
    Ok(())
}
