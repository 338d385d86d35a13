//! Messages for people: to the journal where systemd started the process, to standard error
//! elsewhere.
//!
//! In the journal each message has fields to find it by: `INSTANCE`, `ROLE`, `PID`, and for what a
//! loop reports `EVENT`, `STEP` and `COUNT`. On standard error it is one line, with the event's
//! name at its end. None ever comes from the real-time path: loops report [`rt::events`], and the
//! attendant writes them.

use std::os::unix::fs::MetadataExt;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::debug_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// Sends messages of level info and above (or what `RTRD_LOG` says) to the journal or standard
/// error.
pub fn start_logging() {
    start(&[]);
}

/// As [`start_logging`], with the name of the process and of its instance as fields.
pub fn start_logging_as(role: &str, instance: &str) {
    start(&[("ROLE", role), ("INSTANCE", instance)]);
}

fn start(fields: &[(&str, &str)]) {
    let filter =
        EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).with_env_var("RTRD_LOG").from_env_lossy();
    let layer = match journal(fields) {
        Some(journal) => journal.boxed(),
        None => standard_error().boxed(),
    };
    let started = tracing_subscriber::registry().with(layer).with(filter).try_init();
    // A second start in the same process keeps the first; tests do that.
    drop(started);
}

/// The journal, if standard error goes there anyway and the journal listens.
fn journal(fields: &[(&str, &str)]) -> Option<tracing_journald::Layer> {
    let stream = std::env::var("JOURNAL_STREAM").ok()?;
    let standard_error = std::fs::metadata("/proc/self/fd/2").ok()?;
    if !is_stream(&stream, standard_error.dev(), standard_error.ino()) {
        return None;
    }
    let pid = std::process::id().to_string();
    let fields = fields.iter().copied().chain([("PID", pid.as_str())]);
    let layer = tracing_journald::layer().ok()?;
    Some(layer.with_field_prefix(None).with_custom_fields(fields))
}

/// Whether `JOURNAL_STREAM`, `device:inode`, names this file. Children inherit the variable even
/// where their output goes elsewhere, as that of the processes of `rtrd run` does.
fn is_stream(stream: &str, device: u64, inode: u64) -> bool {
    stream.split_once(':').is_some_and(|(named_device, named_inode)| {
        named_device.parse() == Ok(device) && named_inode.parse() == Ok(inode)
    })
}

fn standard_error<S>() -> impl Layer<S>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false)
        .without_time()
        .fmt_fields(debug_fn(|writer, field, value| match field.name() {
            "message" => write!(writer, "{value:?}"),
            "event" => write!(writer, " [{}]", format!("{value:?}").trim_matches('"')),
            _ => Ok(()),
        }))
}

#[cfg(test)]
mod tests {
    use super::is_stream;

    #[test]
    fn the_journal_is_taken_only_where_standard_error_goes_there() {
        assert!(is_stream("9:12345", 9, 12345));
        for other in ["", "9", "9:", "8:12345", "9:12346", "9:12345:1", "x:y"] {
            assert!(!is_stream(other, 9, 12345), "{other:?}");
        }
    }
}
