//! The commands that give a process its rights and the machine its settings, ready to be pasted
//! into a shell on Debian.

use crate::kernel_parameters::{line, parameters};
use crate::machine::CpuList;

/// Sets the parameters that take CPUs away from the rest of the system.
///
/// All findings about isolation offer this one command: it writes one file with all parameters, so
/// running it for one finding corrects the others too, and running it twice changes nothing.
pub(crate) fn isolate(real_time: &CpuList, online: &CpuList) -> String {
    kernel_parameters("rtrd", &line(&parameters(online, real_time)))
}

/// Adds parameters for the kernel in a file of their own, which the configuration of GRUB reads.
pub(crate) fn kernel_parameters(file: &str, parameters: &str) -> String {
    format!(
        "sudo mkdir -p /etc/default/grub.d && \
         echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX {parameters}\"' | \
         sudo tee /etc/default/grub.d/{file}.cfg && sudo update-grub  # then restart the machine"
    )
}

/// Installs the real-time kernel of Debian for this processor; `None` where Debian has none.
pub(crate) fn install_real_time_kernel() -> Option<String> {
    let flavour = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "x86" => "686-pae",
        "aarch64" => "arm64",
        "arm" => "armmp",
        _ => return None,
    };
    Some(format!("sudo apt-get install linux-image-rt-{flavour}  # then restart the machine with this kernel"))
}

/// Lets the user take real-time priorities and lock memory, by membership of a group.
pub(crate) fn grant_limits(is_root: bool, priority: u8) -> String {
    let priority = priority.max(95);
    if is_root {
        // Root lacks these rights only where they were taken away: in a container.
        return format!(
            "docker run --cap-add SYS_NICE --cap-add IPC_LOCK --ulimit rtprio={priority} --ulimit memlock=-1 \
             …  # restart the container with these options"
        );
    }
    format!(
        "{JOIN_GROUP} && printf '@rtrd - rtprio {priority}\\n@rtrd - memlock unlimited\\n' | \
         sudo tee /etc/security/limits.d/rtrd.conf  # then log in again"
    )
}

/// Lets the same group hold the device that keeps CPUs awake: by the rule of the package, in a file
/// of the same name.
pub(crate) fn grant_cpu_dma_latency() -> String {
    let rule = UDEV_RULES.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    format!(
        "{JOIN_GROUP} && echo '{rule}' | sudo tee /etc/udev/rules.d/60-rtrd.rules && \
         sudo udevadm control --reload && sudo udevadm trigger --name-match=cpu_dma_latency  # then log in again"
    )
}

const UDEV_RULES: &str = include_str!("../../../packaging/60-rtrd.rules");
/// The group may not exist yet, and the user not be in it.
const JOIN_GROUP: &str = "sudo groupadd -rf rtrd && sudo usermod -aG rtrd \"$USER\"";

/// Gives this program the rights of a real-time process, for every user.
pub(crate) fn set_capabilities() -> String {
    let program = std::env::current_exe();
    let path = program.map_or_else(|_| "PROGRAM".to_owned(), |path| path.display().to_string());
    format!("sudo setcap cap_sys_nice,cap_ipc_lock+ep {path}")
}

/// Numbers as bash expands them inside a path: `2`, `{2..4}`, `{2,5}`.
pub(crate) fn braces(numbers: &CpuList) -> String {
    let all: Vec<String> = numbers.iter().map(|number| number.to_string()).collect();
    match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) if last - first + 1 == numbers.len() => format!("{{{first}..{last}}}"),
        _ => format!("{{{}}}", all.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn list(text: &str) -> CpuList {
        text.parse().unwrap()
    }

    #[test]
    fn braces_are_what_bash_expands() {
        assert_eq!(braces(&list("2")), "2");
        assert_eq!(braces(&list("2-4")), "{2..4}");
        assert_eq!(braces(&list("2,5")), "{2,5}");
        for cpus in ["2", "2-4", "2,5", "1-2,9"] {
            let script = format!("echo {}", braces(&list(cpus)));
            let output = Command::new("bash").args(["-c", &script]).output().unwrap();
            let words = String::from_utf8(output.stdout).unwrap().trim().replace(' ', ",");
            assert_eq!(words.parse::<CpuList>().unwrap(), list(cpus));
        }
    }

    #[test]
    fn the_isolation_command_keeps_the_variable_for_grub_to_expand() {
        let command = isolate(&list("2-3"), &list("0-3"));
        assert!(command.contains(
            "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX isolcpus=managed_irq,domain,2-3 nohz_full=2-3 \
             rcu_nocbs=2-3 irqaffinity=0-1 cpufreq.default_governor=performance\"'"
        ));
    }

    #[test]
    fn limits_are_granted_by_group_or_to_the_container() {
        assert!(grant_limits(false, 80).contains("@rtrd - rtprio 95\\n@rtrd - memlock unlimited\\n"));
        assert!(grant_limits(false, 98).contains("rtprio 98"));
        assert!(grant_limits(true, 80).contains("--cap-add SYS_NICE"));
    }

    #[test]
    fn the_device_is_granted_by_the_rule_of_the_package_to_a_group_that_is_made() {
        let command = grant_cpu_dma_latency();
        assert!(command.contains("echo 'KERNEL==\"cpu_dma_latency\", GROUP=\"rtrd\", MODE=\"0660\"' | "));
        for group in ["sudo groupadd -rf rtrd && ", "usermod -aG rtrd "] {
            assert!(command.contains(group) && grant_limits(false, 80).contains(group), "{command}");
        }
    }

    #[test]
    fn the_capabilities_are_those_of_this_program() {
        let command = set_capabilities();
        assert!(command.contains(std::env::current_exe().unwrap().to_str().unwrap()), "{command}");
    }

    #[test]
    fn every_command_is_valid_shell() {
        let commands = [
            isolate(&list("2-3"), &list("0-3")),
            grant_limits(false, 80),
            grant_cpu_dma_latency(),
            set_capabilities(),
            install_real_time_kernel().unwrap_or_default(),
        ];
        for command in commands {
            let checked = Command::new("bash").args(["-n", "-c", &command]).status().unwrap();
            assert!(checked.success(), "{command}");
        }
    }
}
