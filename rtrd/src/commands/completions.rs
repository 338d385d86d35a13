//! `rtrd completions`: scripts that let a shell complete our commands.

use std::process::ExitCode;

use clap::CommandFactory;

/// Print the completion script for a shell
///
/// For bash: rtrd completions bash > ~/.local/share/bash-completion/completions/rtrd
#[derive(clap::Args)]
pub struct CompletionsArguments {
    /// The shell
    shell: clap_complete::Shell,
}

pub fn completions(arguments: &CompletionsArguments) -> anyhow::Result<ExitCode> {
    let mut command = crate::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "rtrd", &mut std::io::stdout());
    Ok(ExitCode::SUCCESS)
}
