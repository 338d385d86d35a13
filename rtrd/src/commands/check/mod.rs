//! `rtrd check`: the doctor for this machine.

mod hardware_latency;
mod report;

use std::path::Path;
use std::process::ExitCode;

use rt::cpu_plan::CpuPlan;
use rt::doctor::{Finding, Limits, Summary, Verdict, Workload, examine, render_text, summarise};
use rt::machine::Machine;
use service::{Config, PlaceError};
use shm_layout::block::REGION_BYTES;

use crate::view::format::{has_colours, terminal_width};

/// Examine this machine: what stands in the way of real time, and the command that corrects it
///
/// Exit code 0 when no check failed (warnings are no failures), 1 when one did: `rtrd check && rtrd
/// run --require-rt`.
///
/// With --report, the latency of our loop, of cyclictest and of the hardware is measured as well,
/// and all of it is held against limits and written down. Exit code 0 when the report passes, 1
/// when it does not, 2 when none could be made.
#[derive(clap::Args)]
pub struct CheckArguments {
    #[command(flatten)]
    service: service::Arguments,
    /// Print all that was found as JSON, for programs
    #[arg(long, conflicts_with = "report")]
    json: bool,
    #[command(flatten)]
    report: report::ReportArguments,
}

impl CheckArguments {
    /// Whether measurements will be started, in processes of their own.
    pub fn measures(&self) -> bool {
        self.report.report.is_some()
    }
}

struct Examination {
    config: Config,
    machine: Machine,
    limits: Limits,
    workload: Workload,
    findings: Vec<Finding>,
    summary: Summary,
}

impl Examination {
    /// The CPU plan, or why there is none.
    fn plan_text(&self) -> String {
        self.workload.plan.as_ref().map_or_else(ToString::to_string, ToString::to_string)
    }
}

pub fn check(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let examine = || examination(&arguments.service.configuration()?);
    if arguments.measures() {
        return Ok(report::report(&arguments.report, examine()));
    }
    let examination = examine()?;
    let text = if arguments.json {
        format!("{:#}\n", json(&examination))
    } else {
        page(&examination, has_colours(), terminal_width())
    };
    print!("{text}");
    Ok(match examination.summary.verdict {
        Verdict::Failure => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}

fn examination(config: &Config) -> anyhow::Result<Examination> {
    let machine = Machine::read(Path::new("/"))?;
    let limits = Limits::read()?;
    let workload = workload(config)?;
    let findings = examine(&machine, &limits, &workload);
    Ok(Examination { config: config.clone(), summary: summarise(&findings), machine, limits, workload, findings })
}

/// What this instance asks of the machine. A plan that cannot be made is a finding, not the end of
/// the examination.
fn workload(config: &Config) -> anyhow::Result<Workload> {
    let plan = match service::plan(config) {
        Ok(plan) => Ok(plan),
        Err(PlaceError::Plan(error)) => Err(error),
        Err(other) => return Err(other.into()),
    };
    let priorities = [config.daq.fifo_priority, config.dynamics.fifo_priority, config.subsystem.fifo_priority];
    Ok(Workload {
        plan,
        priority_max: priorities.into_iter().max().unwrap_or(1),
        shared_memory_bytes: REGION_BYTES as u64,
    })
}

fn page(examination: &Examination, colour: bool, width: usize) -> String {
    let heading = format!("CPU plan of instance {:?}", examination.config.instance.name);
    let heading = if colour { format!("\x1b[1m{heading}\x1b[0m") } else { heading };
    let plan: String = examination.plan_text().lines().map(|line| format!("  {line}\n")).collect();
    let findings = render_text(&examination.findings, colour, width);
    format!("{heading}\n{plan}\n{findings}")
}

fn json(examination: &Examination) -> serde_json::Value {
    let plan: Option<&CpuPlan> = examination.workload.plan.as_ref().ok();
    let error = examination.workload.plan.as_ref().err();
    serde_json::json!({
        "instance": examination.config.instance.name,
        "summary": examination.summary,
        "findings": examination.findings,
        "plan": plan,
        "plan_error": error.map(ToString::to_string),
        "limits": examination.limits,
        "machine": examination.machine,
    })
}
