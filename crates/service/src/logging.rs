//! Messages for people, on standard error. None ever comes from the real-time path.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Sends messages of level info and above (or what `RTRD_LOG` says) to standard error, one line each.
pub fn start_logging() {
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::INFO.into())
        .with_env_var("RTRD_LOG")
        .from_env_lossy();
    let started = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false)
        .without_time()
        .try_init();
    // A second start in the same process keeps the first; tests do that.
    drop(started);
}
