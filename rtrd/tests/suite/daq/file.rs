//! An acquisition or calibration file that is missing or wrong is found before any process starts.

use crate::support::{Folder, error};

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
            let message = error(&output);
            assert!(message.contains(expected), "{command} {file}: {message}");
            assert!(output.stdout.is_empty() && message.lines().count() == 1, "{command} {file}: {message}");
        }
    }
}
