//! The machine's C and C++ compilers, if it has them.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the C clients are.
pub fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients/c")
}

/// Whether this compiler can be run.
pub fn exists(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles with every warning an error.
pub fn compile(compiler: &str, standard: &str, arguments: &[&str], source: &Path, program: &Path) {
    let output = Command::new(compiler)
        .arg(format!("-std={standard}"))
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-I"])
        .arg(clients())
        .args(arguments)
        .arg(source)
        .arg("-o")
        .arg(program)
        .output()
        .expect("the compiler was there a moment ago");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} -std={standard} {}:\n{errors}", source.display());
}
