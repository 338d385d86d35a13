//! Every key with its explanation: the reference of the configuration, printed with the values in
//! force.

use std::fmt::Write;

use super::Config;
use super::read::{DRIVERS, EXCHANGES, MODELS, OVERRUNS};
use super::reload::Change;

/// One key: its name, what it means, and its value in a configuration (`None`: not set).
struct Key {
    name: &'static str,
    meaning: &'static str,
    value: fn(&Config) -> Option<String>,
    /// Whether a running process takes a change over.
    reloads: bool,
}

const fn key(name: &'static str, meaning: &'static str, value: fn(&Config) -> Option<String>) -> Key {
    Key { name, meaning, value, reloads: false }
}

/// A key that a running process takes over: one of [`super::Settings`].
const fn live_key(name: &'static str, meaning: &'static str, value: fn(&Config) -> Option<String>) -> Key {
    Key { reloads: true, ..key(name, meaning, value) }
}

fn text(value: &str) -> Option<String> {
    Some(toml::Value::String(value.to_owned()).to_string())
}

fn number(value: impl ToString) -> Option<String> {
    Some(value.to_string())
}

fn word<T: PartialEq + Copy>(words: &[(&str, T)], value: T) -> Option<String> {
    words.iter().find(|(_, known)| *known == value).and_then(|(word, _)| text(word))
}

const SECTIONS: &[(&str, &str, &[Key])] = &[
    (
        "instance",
        "Which instance this is and what it simulates.",
        &[
            key("name", "Name; instances with different names do not see each other.", |c| text(&c.instance.name)),
            key(
                "scenario",
                "A shipped scenario or manoeuvre (`rtrd scenarios`), or the path of a file, from this file's folder.",
                |c| text(&c.instance.scenario),
            ),
            key(
                "vehicle",
                "Vehicle of a manoeuvre: a shipped one (`rtrd scenarios`), or the path of its file. Not set: the manoeuvre's.",
                |c| c.instance.vehicle.as_deref().and_then(text),
            ),
            key(
                "road",
                "Road of a manoeuvre: a shipped one, or the path of its file. Not set: the manoeuvre's.",
                |c| c.instance.road.as_deref().and_then(text),
            ),
            key("group", "Group whose members may open the shared region. Not set: the user's own.", |c| {
                c.instance.group.as_deref().and_then(text)
            }),
        ],
    ),
    (
        "realtime",
        "What every real-time process asks of the machine.",
        &[
            key("require", "Missing rights are errors instead of warnings.", |c| number(c.realtime.require)),
            key("lock_memory", "Lock all memory.", |c| number(c.realtime.lock_memory)),
            key("hold_cpu_latency", "Keep the CPUs out of deep sleep.", |c| number(c.realtime.hold_cpu_latency)),
            live_key("health_period_ms", "How often a process publishes its health, 1..10000.", |c| {
                number(c.realtime.health_period_ms)
            }),
        ],
    ),
    (
        "daq",
        "Acquisition: the driver's and the car's signals.",
        &[
            key("cpu", "CPU to run on. Not set: chosen by the CPU plan.", |c| c.daq.cpu.and_then(number)),
            key("fifo_priority", "SCHED_FIFO priority, 1..98.", |c| number(c.daq.fifo_priority)),
            key("period_us", "Period of the acquisition, 50..10000000.", |c| number(c.daq.period_us)),
            key(
                "acquisition",
                "Acquisition file: a shipped one, or the path of a file, from this file's folder. Not set: the scenario's script.",
                |c| c.daq.acquisition.as_deref().and_then(text),
            ),
            key("wait", "Waiting for data: \"spin\", \"sleep\", or \"auto\" (spin on a CPU of one's own).", |c| {
                word(&EXCHANGES, c.daq.wait)
            }),
        ],
    ),
    (
        "dynamics",
        "Simulation: one plant, stepped on the clock.",
        &[
            key("cpu", "CPU to run on. Not set: chosen by the CPU plan.", |c| c.dynamics.cpu.and_then(number)),
            key("fifo_priority", "SCHED_FIFO priority, 1..98.", |c| number(c.dynamics.fifo_priority)),
            key("step_us", "Period of the step, 50..10000000. Not set: the scenario's.", |c| {
                c.dynamics.step_us.and_then(number)
            }),
            live_key(
                "overrun",
                "After a step that took too long: \"skip\" the missed periods, or \"run-late\".",
                |c| word(&OVERRUNS, c.dynamics.overrun),
            ),
            live_key("answer_within", "Part of the period after which the subsystems' answer is late, 0.01..1.", |c| {
                number(format!("{:?}", c.dynamics.answer_within))
            }),
            key(
                "exchange",
                "Waiting in lock-step: \"spin\", \"sleep\", or \"auto\" (spin on CPUs of one's own).",
                |c| word(&EXCHANGES, c.dynamics.exchange),
            ),
            key(
                "subsystems",
                "Where the subsystem models of a vehicle run: in a \"process\" of their own, or \"linked\" into dynamics-service.",
                |c| word(&MODELS, c.dynamics.subsystems),
            ),
            live_key(
                "hold_forces_ms",
                "How long a vehicle coasts on its last forces when nobody answers, before its safe stop, 1..600000.",
                |c| number(c.dynamics.hold_forces_ms),
            ),
            live_key("takeover_ms", "How long answers take over from a safe stop, 1..600000.", |c| {
                number(c.dynamics.takeover_ms)
            }),
        ],
    ),
    (
        "subsystem",
        "Subsystem models: they answer each step of the dynamics.",
        &[
            key("cpu", "CPU to run on. Not set: chosen by the CPU plan.", |c| c.subsystem.cpu.and_then(number)),
            key("fifo_priority", "SCHED_FIFO priority, 1..98.", |c| number(c.subsystem.fifo_priority)),
            live_key(
                "driver_timeout_ms",
                "Age of the driver's oldest number beyond which it is stale: a vehicle stops.",
                |c| number(c.subsystem.driver_timeout_ms),
            ),
            key(
                "driver",
                "Who drives a vehicle: the \"manoeuvre\" in lock-step, or who writes the \"block\" /driver/; with daq.acquisition the latter.",
                |c| word(&DRIVERS, c.subsystem.driver),
            ),
            live_key(
                "external_within",
                "Part of the period that subsystems of other processes have for their answer, 0.01..1.",
                |c| number(format!("{:?}", c.subsystem.external_within)),
            ),
        ],
    ),
    (
        "supervisor",
        "What `rtrd run` does when a process dies or has to end.",
        &[
            key("restart_delay_ms", "Delay of the first restart; doubled for each that follows too soon.", |c| {
                number(c.supervisor.restart_delay_ms)
            }),
            key("restart_delay_max_ms", "Largest delay of a restart.", |c| number(c.supervisor.restart_delay_max_ms)),
            key("settled_after_ms", "A process that ran so long starts again with the first delay.", |c| {
                number(c.supervisor.settled_after_ms)
            }),
            key(
                "hung_after_ms",
                "A process whose health is older has hung: it is killed and restarted. 0: never.",
                |c| number(c.supervisor.hung_after_ms),
            ),
            key("stop_within_ms", "Time for a process to end before it is killed.", |c| {
                number(c.supervisor.stop_within_ms)
            }),
        ],
    ),
];

/// What stands above the first section.
const HEADING: &str = "\
# Every key, with the value in force. A change of a key marked [reload] is taken over by running processes on `rtrd reload`
# (SIGHUP, `systemctl reload`); every other key needs a restart.

";

/// The configuration as a file, with an explanation of every key.
pub fn render(config: &Config) -> String {
    let mut page = HEADING.to_owned();
    for (section, meaning, keys) in SECTIONS {
        let _ = writeln!(page, "# {meaning}\n[{section}]");
        for key in *keys {
            let mark = if key.reloads { " [reload]" } else { "" };
            let _ = match (key.value)(config) {
                Some(value) => writeln!(page, "# {}{mark}\n{} = {value}", key.meaning, key.name),
                None => writeln!(page, "# {}{mark}\n# {} =", key.meaning, key.name),
            };
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// The keys in which a new configuration differs from the running one, in the order of the file.
pub(super) fn differences(running: &Config, new: &Config) -> Vec<Change> {
    let text = |value: Option<String>| value.unwrap_or_else(|| "not set".to_owned());
    let mut changes = Vec::new();
    for (section, _, keys) in SECTIONS {
        for key in *keys {
            let (from, to) = ((key.value)(running), (key.value)(new));
            if from != to {
                changes.push(Change { section, key: key.name, from: text(from), to: text(to), is_taken: key.reloads });
            }
        }
    }
    changes
}
