//! What the calling thread may do: its capabilities and limits, and the commands that give it more.

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};

/// Number of `CAP_IPC_LOCK`: lock memory without limit.
pub(super) const CAP_IPC_LOCK: u32 = 14;
/// Number of `CAP_SYS_NICE`: any scheduling policy and priority.
pub(super) const CAP_SYS_NICE: u32 = 23;

/// Whether the calling thread has a capability. A `/proc` that cannot be read counts as "no".
pub(super) fn has_capability(number: u32) -> bool {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    effective_capabilities(&status).is_some_and(|mask| mask >> number & 1 == 1)
}

/// The mask in the line `CapEff:` of a `status` file.
fn effective_capabilities(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("CapEff:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// The limit in force, `u64::MAX` for none. One that cannot be read counts as 0.
pub(super) fn limit_of(resource: Resource) -> u64 {
    match getrlimit(resource) {
        Ok((RLIM_INFINITY, _)) => u64::MAX,
        Ok((soft, _)) => soft,
        Err(_) => 0,
    }
}

/// The command that gives this program the rights of a real-time process, whoever starts it.
pub(super) fn setcap_command() -> String {
    let program = std::env::current_exe();
    let path = program.map_or_else(|_| "PROGRAM".to_owned(), |path| path.display().to_string());
    format!("`sudo setcap cap_sys_nice,cap_ipc_lock+ep {path}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_effective_mask() {
        let status =
            "Name:\tx\nCapPrm:\t0000000000000000\nCapEff:\t0000000000804000\nCapBnd:\t000001ffffffffff\n";
        let mask = effective_capabilities(status).unwrap();
        assert_eq!(mask, 1 << CAP_SYS_NICE | 1 << CAP_IPC_LOCK);
        assert_eq!(effective_capabilities("Name:\tx\n"), None);
        assert_eq!(effective_capabilities("CapEff:\tnot a number\n"), None);
    }

    #[test]
    fn the_command_names_this_program() {
        let command = setcap_command();
        assert!(command.contains(std::env::current_exe().unwrap().to_str().unwrap()), "{command}");
    }
}
