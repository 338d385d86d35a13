//! Runs the body of a test in a process of its own: signals, limits, user and environment belong to
//! a process, and must not leak into the tests beside it.

use std::process::{Command, Output};

const MARK: &str = "RT_TEST_CHILD";

/// Whether this process is the child of a test.
pub fn is_child() -> bool {
    std::env::var_os(MARK).is_some()
}

/// The command that runs the test of this body as a child, with its output visible: the test
/// program starts itself again, limited to the one test, with a variable that says so.
pub fn command<Body>(_: &Body) -> Command {
    // `program::module::test::{{closure}}`, and without the ends what the harness calls the test.
    let (_, name) = std::any::type_name::<Body>().split_once("::").expect("the program's name comes first");
    let mut command = Command::new(std::env::current_exe().expect("the test program has a path"));
    let test = name.strip_suffix("::{{closure}}").unwrap_or(name);
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command.env(MARK, "1").env_remove("NOTIFY_SOCKET").env_remove("WATCHDOG_USEC").env_remove("WATCHDOG_PID");
    command
}

/// Runs the body in a child of the test in which this stands, and fails unless it passes there.
pub fn run(body: impl FnOnce()) {
    run_with(&[], body);
}

/// The same with these variables.
pub fn run_with(environment: &[(&str, &str)], body: impl FnOnce()) {
    if is_child() {
        return body();
    }
    assert_passed(&command(&body).envs(environment.iter().copied()).output().expect("the test program runs"));
}

/// Fails with everything that the child has said, unless it passed.
fn assert_passed(output: &Output) {
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (said(&output.stdout), said(&output.stderr));
    assert!(output.status.success(), "{}\n{stdout}\n{stderr}", output.status);
    // A misspelt name would run no test at all, and pass.
    assert!(stdout.contains("1 passed"), "the child ran no test");
}
