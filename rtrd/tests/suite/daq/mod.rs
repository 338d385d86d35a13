//! `rtrd daq` on regions that the tests make themselves, with and without a terminal.

mod calibrate;
mod live;
mod record;
mod scope;

use std::process::Command;

use crate::support::{self, Folder};

/// `rtrd daq` with the words of a line.
fn command(line: &str) -> Command {
    let mut command = support::command(&["daq"]);
    command.args(line.split_whitespace());
    command
}

/// What it prints; it must succeed.
fn printed(line: &str) -> String {
    support::text(&command(line).output().unwrap())
}

/// What it complains about; it must fail.
fn complaint(line: &str) -> String {
    let output = command(line).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    support::error(&output)
}

/// An acquisition or calibration file that is missing or wrong is found before any process starts.
#[test]
fn a_wrong_name_is_refused_at_once() {
    let folder = Folder::new();
    let text = "format = \"rtrd-acquisition-1\"\ncalibration = \"car\"\n\
                [[source]]\nname = \"board\"\nkind = \"emulator\"\n\
                [[channel]]\nname = \"brake\"\nsource = \"board\"\nraw = \"brake\"\n";
    folder.write("mine.toml", text);
    for (file, expected) in [
        ("nonsense", "rtrd: acquisition: `nonsense` is no file and not shipped; expected the path of a file or"),
        (
            "./missing.toml",
            "rtrd: acquisition: `./missing.toml` is no file and not shipped; expected the path of a file or",
        ),
        ("./mine.toml", "./mine.toml:2:15: calibration: `car` is no file and not shipped; expected the path"),
    ] {
        for command in ["run", "config"] {
            let instance = format!("test-daq-file-{}", std::process::id());
            let output = folder.run(&format!("{command} --instance {instance} --acquisition {file}"));
            let message = support::error(&output);
            assert!(message.contains(expected), "{command} {file}: {message}");
            assert!(output.stdout.is_empty() && message.lines().count() == 1, "{command} {file}: {message}");
        }
    }
}
