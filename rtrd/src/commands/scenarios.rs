//! `rtrd scenarios`: the scenarios that are shipped.

use std::process::ExitCode;

use plant::Scenario;

/// List the shipped scenarios, or print one as a start for your own
#[derive(clap::Args)]
pub struct ScenariosArguments {
    /// Print the file of this scenario
    name: Option<String>,
}

pub fn scenarios(arguments: &ScenariosArguments) -> anyhow::Result<ExitCode> {
    if let Some(name) = &arguments.name {
        Scenario::builtin(name)?;
        print!("{}", Scenario::builtin_text(name).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    for name in Scenario::builtin_names() {
        let scenario = Scenario::builtin(name)?;
        let step_us = scenario.step_s() * 1e6;
        println!(
            "{name:12} {step_us:>7.0} µs {:>5.0} s  {}",
            scenario.duration_s(),
            scenario.description()
        );
    }
    Ok(ExitCode::SUCCESS)
}
