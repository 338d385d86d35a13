//! The parameters of the kernel's command line that take CPUs away from the rest of the system.

use crate::machine::CpuList;

/// One of them, and why it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// As it stands on the command line.
    pub text: String,
    /// What it does.
    pub why: &'static str,
}

/// The parameters that set these CPUs apart; none if there are none.
pub fn parameters(online: &CpuList, apart: &CpuList) -> Vec<Parameter> {
    if apart.is_empty() {
        return Vec::new();
    }
    let rest = online.difference(apart);
    let parameter = |text: String, why| Parameter { text, why };
    vec![
        parameter(
            format!("isolcpus=managed_irq,domain,{apart}"),
            "the scheduler puts nothing there by itself, and disks keep their interrupts away",
        ),
        parameter(format!("nohz_full={apart}"), "no tick while one process runs there"),
        parameter(format!("rcu_nocbs={apart}"), "the kernel's clean-up work happens elsewhere"),
        parameter(format!("irqaffinity={rest}"), "devices interrupt the other CPUs"),
        parameter("cpufreq.default_governor=performance".to_owned(), "the clock does not drop between two steps"),
    ]
}

/// The parameters as one line.
pub fn line(parameters: &[Parameter]) -> String {
    let texts: Vec<&str> = parameters.iter().map(|parameter| parameter.text.as_str()).collect();
    texts.join(" ")
}
