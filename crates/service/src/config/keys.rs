//! The keys of the configuration, each declared once: name, type, default, what it may be, what it
//! means. `rtrd config` prints the meanings with the values in force; keys under `reload` are taken
//! over by running processes.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::value::{Check, InstanceName, Key, Reader, Value};
use super::{Change, ConfigError, DriverSource, Exchange, Models, OverrunPolicy};

/// A key for those who print and compare configurations.
struct Entry {
    name: &'static str,
    meaning: &'static str,
    /// What it may be, such as `1..98`.
    range: fn() -> Option<String>,
    /// Its value; `None` if it is not set.
    value: fn(&Config) -> Option<String>,
    /// Whether a running process takes a change over.
    reloads: bool,
}

impl Entry {
    /// The meaning, with the range at the end of its first sentence.
    fn explanation(&self) -> String {
        let meaning = self.meaning.trim();
        let end = meaning.find(". ").unwrap_or(meaning.len() - 1);
        let range = (self.range)().map_or_else(String::new, |range| format!(", {range}"));
        format!("{}{range}{}", &meaning[..end], &meaning[end..])
    }
}

/// Makes of the declarations the structures in memory and in the file, the way from one to the
/// other, and the list of all keys.
macro_rules! configuration {
    ($(
        #[doc = $about:literal]
        $section:ident: $Section:ident {
            $($(#[doc = $meaning:literal])+ $key:ident: $type:ty = $default:expr $(, $check:expr)?;)*
            $(reload {
                $($(#[doc = $live_meaning:literal])+ $live:ident: $live_type:ty = $live_default:expr $(, $live_check:expr)?;)*
            })?
        }
    )*) => {
        /// A whole configuration that has been checked.
        #[derive(Clone, Debug, PartialEq)]
        #[expect(missing_docs, reason = "each section says what it is")]
        pub struct Config {
            $(pub $section: $Section,)*
            /// The folder against which the scenario's path counts.
            pub folder: PathBuf,
        }

        $(
            #[doc = $about]
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Section {
                $($(#[doc = $meaning])+ pub $key: $type,)*
                $($($(#[doc = $live_meaning])+ pub $live: $live_type,)*)?
            }

            mod $section {
                use super::*;

                #[derive(Default, Deserialize)]
                #[serde(default, deny_unknown_fields)]
                pub struct Text {
                    $(pub $key: Key<<$type as Value>::Text>,)*
                    $($(pub $live: Key<<$live_type as Value>::Text>,)*)?
                }
            }
        )*

        /// The file: every key optional, every value with its place.
        #[derive(Default, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct File {
            $($section: $section::Text,)*
        }

        impl File {
            fn check(&self, reader: &Reader<'_>, folder: &Path) -> Result<Config, ConfigError> {
                Ok(Config {
                    $($section: $Section {
                        $($key: reader.value(&self.$section.$key, $default, ($($check)?))?,)*
                        $($($live: reader.value(&self.$section.$live, $live_default, ($($live_check)?))?,)*)?
                    },)*
                    folder: folder.to_owned(),
                })
            }
        }

        /// The values of all keys that a running process takes over: plain numbers, so that a loop
        /// can be handed them without a lock.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Settings {
            $($($($(#[doc = $live_meaning])+ pub $live: $live_type,)*)?)*
        }

        impl Settings {
            /// Those of a configuration.
            #[must_use]
            pub fn of(config: &Config) -> Self {
                Self { $($($($live: config.$section.$live,)*)?)* }
            }

            pub(super) fn put_into(self, config: &mut Config) {
                $($($(config.$section.$live = self.$live;)*)?)*
            }
        }

        /// Sections with their meanings and keys, in the order of the page.
        const SECTIONS: &[(&str, &str, &[Entry])] = &[$((stringify!($section), $about, &[
            $(Entry {
                name: stringify!($key),
                meaning: concat!($($meaning),+),
                range: || Check::<<$type as Value>::Text>::range(&($($check)?)),
                value: |config| config.$section.$key.text(),
                reloads: false,
            },)*
            $($(Entry {
                name: stringify!($live),
                meaning: concat!($($live_meaning),+),
                range: || Check::<<$live_type as Value>::Text>::range(&($($live_check)?)),
                value: |config| config.$section.$live.text(),
                reloads: true,
            },)*)?
        ])),*];
    };
}

configuration! {
    /// Which instance this is and what it simulates.
    instance: Instance {
        /// Name; instances with different names do not see each other.
        name: String = "default".to_owned(), InstanceName;
        /// A shipped scenario or manoeuvre (`rtrd scenarios`), or the path of a file, from this
        /// file's folder.
        scenario: String = "drive-default".to_owned();
        /// Vehicle of a manoeuvre: a shipped one (`rtrd scenarios`), or the path of its file. Not
        /// set: the manoeuvre's.
        vehicle: Option<String> = None;
        /// Road of a manoeuvre: a shipped one, or the path of its file. Not set: the manoeuvre's.
        road: Option<String> = None;
        /// Group whose members may open the shared region. Not set: the user's own.
        group: Option<String> = None;
    }

    /// What every real-time process asks of the machine.
    realtime: RealTime {
        /// Missing rights are errors instead of warnings.
        require: bool = false;
        /// Lock all memory.
        lock_memory: bool = true;
        /// Keep the CPUs out of deep sleep.
        hold_cpu_latency: bool = true;
        reload {
            /// How often a process publishes its health.
            health_period_ms: u64 = 100, 1..=10_000;
        }
    }

    /// Acquisition: the driver's and the car's signals.
    daq: Daq {
        /// CPU to run on. Not set: chosen by the CPU plan.
        cpu: Option<usize> = None, 0..=8191;
        /// SCHED_FIFO priority.
        fifo_priority: u8 = 70, 1..=98;
        /// Period of the acquisition.
        period_us: u64 = 1_000, 50..=10_000_000;
        /// Acquisition file: a shipped one, or the path of a file, from this file's folder. Not
        /// set: the scenario's script.
        acquisition: Option<String> = None;
        /// Waiting for data: "spin", "sleep", or "auto" (spin on a CPU of one's own).
        wait: Exchange = Exchange::Auto;
    }

    /// Simulation: one plant, stepped on the clock.
    dynamics: Dynamics {
        /// CPU to run on. Not set: chosen by the CPU plan.
        cpu: Option<usize> = None, 0..=8191;
        /// SCHED_FIFO priority.
        fifo_priority: u8 = 80, 1..=98;
        /// Period of the step. Not set: the scenario's.
        step_us: Option<u64> = None, 50..=10_000_000;
        /// Waiting in lock-step: "spin", "sleep", or "auto" (spin on CPUs of one's own).
        exchange: Exchange = Exchange::Auto;
        /// Where the subsystem models of a vehicle run: in a "process" of their own, or "linked"
        /// into dynamics-service.
        subsystems: Models = Models::Process;
        reload {
            /// After a step that took too long: "skip" the missed periods, or "run-late".
            overrun: OverrunPolicy = OverrunPolicy::Skip;
            /// Part of the period after which the subsystems' answer is late.
            answer_within: f64 = 0.5, 0.01..=1.0;
            /// How long a vehicle coasts on its last forces when no answer comes, before its safe
            /// stop.
            hold_forces_ms: u64 = 100, 1..=600_000;
            /// How long answers take over from a safe stop.
            takeover_ms: u64 = 200, 1..=600_000;
        }
    }

    /// Subsystem models: they answer each step of the dynamics.
    subsystem: Subsystem {
        /// CPU to run on. Not set: chosen by the CPU plan.
        cpu: Option<usize> = None, 0..=8191;
        /// SCHED_FIFO priority.
        fifo_priority: u8 = 79, 1..=98;
        /// Who drives a vehicle: the "manoeuvre" in lock-step, or who writes the "block" /driver/;
        /// with daq.acquisition the latter.
        driver: DriverSource = DriverSource::Manoeuvre;
        reload {
            /// Age of the driver's oldest number beyond which it is stale: a vehicle stops.
            driver_timeout_ms: u64 = 500, 1..=600_000;
            /// Part of the period that subsystems of other processes have for their answer.
            external_within: f64 = 0.2, 0.01..=1.0;
        }
    }

    /// What `rtrd run` does when a process dies or has to end.
    supervisor: Supervisor {
        /// Delay of the first restart; doubled for each that follows too soon.
        restart_delay_ms: u64 = 20, 1..=600_000;
        /// Largest delay of a restart.
        restart_delay_max_ms: u64 = 5_000, 1..=600_000;
        /// A process that ran so long starts again with the first delay.
        settled_after_ms: u64 = 2_000, 1..=600_000;
        /// A process whose health is older is stuck: it is killed and restarted. 0: never.
        hung_after_ms: u64 = 5_000, 0..=600_000;
        /// Time for a process to end before it is killed.
        stop_within_ms: u64 = 2_000, 1..=600_000;
    }
}

pub fn read(text: &str, origin: &str, folder: &Path) -> Result<Config, ConfigError> {
    let reader = Reader { text, origin };
    let file: File =
        toml::from_str(text).map_err(|error| reader.error(error.span(), error.message().replace('\n', "; ")))?;
    let mut config = file.check(&reader, folder)?;
    // Who gives an acquisition file wants its data to drive.
    if config.daq.acquisition.is_some() && file.subsystem.driver.is_none() {
        config.subsystem.driver = DriverSource::Block;
    }
    let (least, most) = (config.supervisor.restart_delay_ms, config.supervisor.restart_delay_max_ms);
    match file.supervisor.restart_delay_max_ms {
        Some(key) if most < least => {
            let problem = format!("expected at least `restart_delay_ms`, which is {least}");
            Err(reader.error(Some(key.span()), problem))
        }
        _ => Ok(config),
    }
}

/// What stands above the first section.
const HEADING: &str = "\
# Every key, with the value in force. A change of a key marked [reload] is taken over by running processes on `rtrd reload`
# (SIGHUP, `systemctl reload`); every other key needs a restart.
";

/// The configuration as a file, with an explanation of every key.
pub fn render(config: &Config) -> String {
    let section = |(name, about, keys): &(&str, &str, &[Entry])| {
        let keys = keys.iter().map(|key| {
            let mark = if key.reloads { " [reload]" } else { "" };
            let (explanation, name) = (key.explanation(), key.name);
            match (key.value)(config) {
                Some(value) => format!("# {explanation}{mark}\n{name} = {value}\n"),
                None => format!("# {explanation}{mark}\n# {name} =\n"),
            }
        });
        format!("\n#{about}\n[{name}]\n{}", keys.collect::<String>())
    };
    HEADING.to_owned() + &SECTIONS.iter().map(section).collect::<String>()
}

/// The keys in which a new configuration differs from the running one, in the order of the page.
pub(super) fn differences(running: &Config, new: &Config) -> Vec<Change> {
    let text = |value: Option<String>| value.unwrap_or_else(|| "not set".to_owned());
    let keys = SECTIONS.iter().flat_map(|(section, _, keys)| keys.iter().map(move |key| (*section, key)));
    let changes = keys.filter_map(|(section, key)| {
        let (from, to) = ((key.value)(running), (key.value)(new));
        let differs = from != to;
        differs.then(|| Change { section, key: key.name, from: text(from), to: text(to), is_taken: key.reloads })
    });
    changes.collect()
}
