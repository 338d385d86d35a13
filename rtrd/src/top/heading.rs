//! What runs, in one line.

use shm_layout::blocks::MODE_STOP;

use super::look::Look;
use crate::view::format::clock;
use crate::view::{State, trouble};

/// Instance, plant, time and period, as far as they are known.
pub fn run(look: &Look) -> String {
    let mut parts = vec![format!("instance {:?}", look.instance)];
    if look.is_left_behind() {
        parts.push("left behind: no process takes part any more, `rtrd clean` removes it".to_owned());
        return parts.join(" · ");
    }
    parts.extend(inputs_in_trouble(look));
    parts.extend((!look.title.is_empty()).then(|| look.title.clone()));
    parts.push(match (look.control, look.running_s) {
        (Some(control), _) if control.mode == MODE_STOP => "ending".to_owned(),
        (_, Some(running_s)) => format!("running {}", clock(running_s)),
        _ => "running without a supervisor".to_owned(),
    });
    if let Some(exchange) = &look.exchange {
        parts.push(format!("simulated {}", clock(exchange.time_s)));
        parts.push(format!("step {}", exchange.step));
        if !exchange.condition.is_empty() {
            parts.push(format!("! {}", exchange.condition));
        }
    }
    if let Some(control) = look.control {
        parts.push(format!("every {} µs", control.period_ns as f64 / 1e3));
    }
    parts.join(" · ")
}

/// What is wrong with the inputs that a process measures, and what is done about it.
fn inputs_in_trouble(look: &Look) -> Option<String> {
    let reports = look.processes.iter().filter(|process| process.state == State::Running);
    let mut troubles = reports.map(|process| trouble(process.health.input_faults, process.health.input_reaction));
    let trouble = troubles.find(|trouble| !trouble.is_empty())?;
    Some(format!("! inputs {trouble}"))
}
