//! Runs the body of a test in a process of its own: signals, limits, user and environment belong to
//! a process, and must not leak into the tests beside it.
//!
//! The test program starts itself again, limited to the one test, with a variable that says so:
//!
//! ```text
//! #[test]
//! fn name_of_the_test() {
//!     if child::is_child() { /* the body */ return; }
//!     let output = child::command("name_of_the_test").output();
//! }
//! ```

use std::process::{Command, Output};

const MARK: &str = "RT_TEST_CHILD";

/// Whether this process is the child of a test.
pub fn is_child() -> bool {
    std::env::var_os(MARK).is_some()
}

/// The command that runs one test of this program as a child, with its output visible.
pub fn command(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("the test program has a path"));
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command.env(MARK, "1").env_remove("NOTIFY_SOCKET").env_remove("WATCHDOG_USEC").env_remove("WATCHDOG_PID");
    command
}

/// Fails with everything that the child has said, unless it passed.
pub fn assert_passed(output: &Output) {
    assert!(
        output.status.success(),
        "{}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    // A misspelt name would run no test at all, and pass.
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the child ran no test");
}
