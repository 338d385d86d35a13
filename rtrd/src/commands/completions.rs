//! `rtrd completions`: scripts that let a shell complete our commands.

/// Print the completion script for a shell
///
/// For bash: rtrd completions bash > ~/.local/share/bash-completion/completions/rtrd
#[derive(clap::Args)]
pub struct CompletionsArguments {
    /// The shell
    shell: clap_complete::Shell,
}

pub fn completions(arguments: &CompletionsArguments, command: &mut clap::Command) {
    clap_complete::generate(arguments.shell, command, "rtrd", &mut std::io::stdout());
}
