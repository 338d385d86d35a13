//! From the text of a configuration to one that can be trusted.

use std::ops::{Range, RangeInclusive};
use std::path::Path;

use toml::Spanned;

use super::schema::{ConfigText, Key};
use super::{
    Config, ConfigError, Daq, DriverSource, Dynamics, Exchange, Instance, Models, OverrunPolicy, RealTime, Subsystem,
    Supervisor,
};

const MILLISECONDS: RangeInclusive<i64> = 1..=600_000;

pub fn read(text: &str, origin: &str, folder: &Path) -> Result<Config, ConfigError> {
    let reader = Reader { text, origin };
    let file: ConfigText =
        toml::from_str(text).map_err(|error| reader.error(error.span(), error.message().replace('\n', "; ")))?;
    // Who gives an acquisition file wants its data to drive.
    let usual_driver = match file.daq.acquisition {
        Some(_) => DriverSource::Block,
        None => DriverSource::Manoeuvre,
    };
    let config = Config {
        instance: Instance {
            name: reader.instance_name(file.instance.name)?,
            scenario: file.instance.scenario.map_or_else(|| DEFAULT_SCENARIO.to_owned(), Spanned::into_inner),
            vehicle: file.instance.vehicle.map(Spanned::into_inner),
            road: file.instance.road.map(Spanned::into_inner),
            group: file.instance.group.map(Spanned::into_inner),
        },
        realtime: RealTime {
            require: plain(file.realtime.require, false),
            lock_memory: plain(file.realtime.lock_memory, true),
            hold_cpu_latency: plain(file.realtime.hold_cpu_latency, true),
            health_period_ms: reader.number(&file.realtime.health_period_ms, 100, 1..=10_000)?,
        },
        daq: Daq {
            cpu: reader.cpu(&file.daq.cpu)?,
            fifo_priority: reader.priority(&file.daq.fifo_priority, 70)?,
            period_us: reader.number(&file.daq.period_us, 1_000, 50..=10_000_000)?,
            acquisition: file.daq.acquisition.map(Spanned::into_inner),
            wait: reader.choice(&file.daq.wait, &EXCHANGES, Exchange::Auto)?,
        },
        dynamics: Dynamics {
            cpu: reader.cpu(&file.dynamics.cpu)?,
            fifo_priority: reader.priority(&file.dynamics.fifo_priority, 80)?,
            step_us: reader.optional(&file.dynamics.step_us, 50..=10_000_000)?,
            overrun: reader.choice(&file.dynamics.overrun, &OVERRUNS, OverrunPolicy::Skip)?,
            answer_within: reader.ratio(&file.dynamics.answer_within, 0.5)?,
            exchange: reader.choice(&file.dynamics.exchange, &EXCHANGES, Exchange::Auto)?,
            subsystems: reader.choice(&file.dynamics.subsystems, &MODELS, Models::Process)?,
            hold_forces_ms: reader.number(&file.dynamics.hold_forces_ms, 100, MILLISECONDS)?,
            takeover_ms: reader.number(&file.dynamics.takeover_ms, 200, MILLISECONDS)?,
        },
        subsystem: Subsystem {
            cpu: reader.cpu(&file.subsystem.cpu)?,
            fifo_priority: reader.priority(&file.subsystem.fifo_priority, 79)?,
            driver_timeout_ms: reader.number(&file.subsystem.driver_timeout_ms, 500, MILLISECONDS)?,
            driver: reader.choice(&file.subsystem.driver, &DRIVERS, usual_driver)?,
            external_within: reader.ratio(&file.subsystem.external_within, 0.2)?,
        },
        supervisor: Supervisor {
            restart_delay_ms: reader.number(&file.supervisor.restart_delay_ms, 20, MILLISECONDS)?,
            restart_delay_max_ms: reader.number(&file.supervisor.restart_delay_max_ms, 5_000, MILLISECONDS)?,
            settled_after_ms: reader.number(&file.supervisor.settled_after_ms, 2_000, MILLISECONDS)?,
            hung_after_ms: reader.number(&file.supervisor.hung_after_ms, 5_000, 0..=600_000)?,
            stop_within_ms: reader.number(&file.supervisor.stop_within_ms, 2_000, MILLISECONDS)?,
        },
        folder: folder.to_owned(),
    };
    if let Some(most) = &file.supervisor.restart_delay_max_ms
        && config.supervisor.restart_delay_max_ms < config.supervisor.restart_delay_ms
    {
        let least = config.supervisor.restart_delay_ms;
        return reader.fail(most.span(), format!("expected at least `restart_delay_ms`, which is {least}"));
    }
    Ok(config)
}

/// What runs when nothing is asked for.
const DEFAULT_SCENARIO: &str = "drive-default";

/// The words for who drives.
pub const DRIVERS: [(&str, DriverSource); 2] = [("manoeuvre", DriverSource::Manoeuvre), ("block", DriverSource::Block)];
/// The words for where the subsystem models run.
pub const MODELS: [(&str, Models); 2] = [("process", Models::Process), ("linked", Models::Linked)];
/// The words for the two policies.
pub const OVERRUNS: [(&str, OverrunPolicy); 2] = [("skip", OverrunPolicy::Skip), ("run-late", OverrunPolicy::RunLate)];
/// The words for the ways to wait.
pub const EXCHANGES: [(&str, Exchange); 3] =
    [("auto", Exchange::Auto), ("spin", Exchange::Spin), ("sleep", Exchange::Sleep)];

fn plain<T>(key: Key<T>, default: T) -> T {
    key.map_or(default, Spanned::into_inner)
}

struct Reader<'a> {
    text: &'a str,
    origin: &'a str,
}

impl Reader<'_> {
    fn error(&self, span: Option<Range<usize>>, problem: String) -> ConfigError {
        let place = span.unwrap_or(0..0);
        let (line, column) = files::place::line_and_column(self.text, place.start);
        let field = files::place::field_at(self.text, &place);
        ConfigError::Text { origin: self.origin.to_owned(), line, column, field, problem }
    }

    fn fail<T>(&self, span: Range<usize>, problem: String) -> Result<T, ConfigError> {
        Err(self.error(Some(span), problem))
    }

    fn instance_name(&self, key: Key<String>) -> Result<String, ConfigError> {
        let Some(name) = key else {
            return Ok("default".to_owned());
        };
        match shm_layout::RegionName::new(name.get_ref()) {
            Ok(_) => Ok(name.into_inner()),
            Err(error) => self.fail(name.span(), error.to_string()),
        }
    }

    fn number(&self, key: &Key<i64>, default: u64, range: RangeInclusive<i64>) -> Result<u64, ConfigError> {
        Ok(self.optional(key, range)?.unwrap_or(default))
    }

    fn optional(&self, key: &Key<i64>, range: RangeInclusive<i64>) -> Result<Option<u64>, ConfigError> {
        let Some(value) = key else { return Ok(None) };
        if !range.contains(value.get_ref()) {
            let (least, most) = range.into_inner();
            return self.fail(value.span(), format!("{} is impossible; expected {least}..{most}", value.get_ref()));
        }
        Ok(Some(*value.get_ref() as u64))
    }

    fn cpu(&self, key: &Key<i64>) -> Result<Option<usize>, ConfigError> {
        Ok(self.optional(key, 0..=8191)?.map(|cpu| cpu as usize))
    }

    fn priority(&self, key: &Key<i64>, default: u8) -> Result<u8, ConfigError> {
        Ok(self.number(key, u64::from(default), 1..=98)? as u8)
    }

    fn ratio(&self, key: &Key<f64>, default: f64) -> Result<f64, ConfigError> {
        match key {
            Some(value) if !(0.01..=1.0).contains(value.get_ref()) => {
                self.fail(value.span(), format!("{} is impossible; expected 0.01..1", value.get_ref()))
            }
            Some(value) => Ok(*value.get_ref()),
            None => Ok(default),
        }
    }

    fn choice<T: Copy>(&self, key: &Key<String>, words: &[(&str, T)], default: T) -> Result<T, ConfigError> {
        let Some(word) = key else { return Ok(default) };
        match words.iter().find(|(known, _)| known == word.get_ref()) {
            Some((_, value)) => Ok(*value),
            None => {
                let known: Vec<String> = words.iter().map(|(known, _)| format!("\"{known}\"")).collect();
                self.fail(word.span(), format!("{:?} is not known; expected {}", word.get_ref(), known.join(" or ")))
            }
        }
    }
}
