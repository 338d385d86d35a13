//! The programs under test, built once.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const PACKAGES: [&str; 6] = ["rtrd", "soak", "daq-service", "subsystem-service", "dynamics-service", "gateway-service"];

/// Says that the programs are up to date: to ask cargo takes a second for each test.
const ARE_BUILT: &str = "RTRD_PROGRAMS_ARE_BUILT";

/// The folder of the programs, which are built if they are not up to date.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let test = std::env::current_exe().expect("the test has a path");
        let profile = test.ancestors().nth(2).expect("target/PROFILE/deps/test").to_owned();
        if std::env::var_os(ARE_BUILT).is_some() {
            return profile;
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.arg("build").arg("--quiet").current_dir(root());
        cargo.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
        if profile.ends_with("release") {
            cargo.arg("--release");
        }
        cargo.env("CARGO_TARGET_DIR", profile.parent().expect("a target folder"));
        assert!(cargo.status().expect("cargo runs").success(), "the programs do not build");
        profile
    })
}

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

/// `rtrd`, ready for arguments; crash reports and the like stay in the target folder.
pub fn rtrd() -> Command {
    let mut command = Command::new(folder().join("rtrd"));
    command.env("XDG_STATE_HOME", folder().join("test-state"));
    command
}

/// Runs `rtrd` with these arguments to its end.
pub fn rtrd_output(arguments: &[&str]) -> Output {
    rtrd().args(arguments).output().expect("rtrd runs")
}

/// What a program said, on both outputs.
pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A configuration or another file in TOML, until it is dropped.
pub struct TextFile(tempfile::NamedTempFile);

impl TextFile {
    /// A file with this text.
    pub fn new(text: impl AsRef<[u8]>) -> Self {
        let file = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
        std::fs::write(file.path(), text).expect("a writable file");
        Self(file)
    }

    /// Where it is.
    pub fn path(&self) -> &str {
        path_text(self.0.path())
    }
}

/// A path as an argument.
pub fn path_text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}

/// A name for an instance that no other test uses.
pub fn instance(test: &str) -> String {
    format!("test-{test}-{}", std::process::id())
}
