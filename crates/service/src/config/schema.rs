//! The configuration as it stands in the file: every key optional, every value with its place.

use serde::Deserialize;
use toml::Spanned;

/// A key that may be left out.
pub type Key<T> = Option<Spanned<T>>;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConfigText {
    pub instance: InstanceText,
    pub realtime: RealTimeText,
    pub daq: DaqText,
    pub dynamics: DynamicsText,
    pub subsystem: SubsystemText,
    pub supervisor: SupervisorText,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InstanceText {
    pub name: Key<String>,
    pub scenario: Key<String>,
    pub vehicle: Key<String>,
    pub road: Key<String>,
    pub group: Key<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RealTimeText {
    pub require: Key<bool>,
    pub lock_memory: Key<bool>,
    pub hold_cpu_latency: Key<bool>,
    pub health_period_ms: Key<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DaqText {
    pub cpu: Key<i64>,
    pub fifo_priority: Key<i64>,
    pub period_us: Key<i64>,
    pub acquisition: Key<String>,
    pub wait: Key<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DynamicsText {
    pub cpu: Key<i64>,
    pub fifo_priority: Key<i64>,
    pub step_us: Key<i64>,
    pub overrun: Key<String>,
    pub answer_within: Key<f64>,
    pub exchange: Key<String>,
    pub subsystems: Key<String>,
    pub hold_forces_ms: Key<i64>,
    pub takeover_ms: Key<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SubsystemText {
    pub cpu: Key<i64>,
    pub fifo_priority: Key<i64>,
    pub driver_timeout_ms: Key<i64>,
    pub driver: Key<String>,
    pub external_within: Key<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SupervisorText {
    pub restart_delay_ms: Key<i64>,
    pub restart_delay_max_ms: Key<i64>,
    pub settled_after_ms: Key<i64>,
    pub hung_after_ms: Key<i64>,
    pub stop_within_ms: Key<i64>,
}
