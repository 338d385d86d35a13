//! Other processes and programs.

use std::path::PathBuf;

use crate::machine::tree::field_bytes;

/// Whether a process exists and is not dying: its first thread ends before the process does.
#[must_use]
pub fn is_alive(pid: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name before it is in brackets and may hold any letter (proc(5)).
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// Resident memory of a process (KiB); 0 if it is not there.
#[must_use]
pub fn resident_kib(pid: u64) -> u64 {
    field_bytes(&std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default(), "VmRSS:") / 1024
}

/// The program of this name on the search path.
#[must_use]
pub fn on_search_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_lives_until_it_has_ended_even_if_nothing_has_waited_for_it() {
        assert!(is_alive(std::process::id().into()));
        assert!(resident_kib(std::process::id().into()) > 1_000);
        // Process numbers end at 4194304.
        assert!(!is_alive(5_000_000) && resident_kib(5_000_000) == 0);
        let mut child = std::process::Command::new(on_search_path("true").unwrap()).spawn().unwrap();
        let pid = child.id().into();
        while is_alive(pid) {
            std::thread::yield_now();
        }
        assert!(child.wait().unwrap().success());
        assert_eq!(on_search_path("no-such-program-of-ours"), None);
    }
}
