//! The commands that mend things, ready to be pasted into a shell on Debian.

use crate::machine::CpuList;

/// Sets the parameters that take CPUs away from the rest of the system.
///
/// All findings about isolation offer this one command: it writes one file with all parameters, so
/// running it for one finding mends the others too, and running it twice changes nothing.
pub(super) fn isolate(real_time: &CpuList, online: &CpuList) -> String {
    let rest = online.difference(real_time);
    let parameters = format!(
        "isolcpus=managed_irq,domain,{real_time} nohz_full={real_time} rcu_nocbs={real_time} irqaffinity={rest}"
    );
    kernel_parameters("rtrd", &parameters)
}

/// Adds parameters for the kernel in a file of their own, which the configuration of GRUB reads.
pub(super) fn kernel_parameters(file: &str, parameters: &str) -> String {
    format!(
        "sudo mkdir -p /etc/default/grub.d && \
         echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX {parameters}\"' | \
         sudo tee /etc/default/grub.d/{file}.cfg && sudo update-grub  # then restart the machine"
    )
}

/// Installs the real-time kernel of Debian for this processor; `None` where Debian has none.
pub(super) fn install_real_time_kernel() -> Option<String> {
    let flavour = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "x86" => "686-pae",
        "aarch64" => "arm64",
        "arm" => "armmp",
        _ => return None,
    };
    Some(format!(
        "sudo apt-get install linux-image-rt-{flavour}  # then restart the machine with this kernel"
    ))
}

/// Lets the user take real-time priorities and lock memory, by membership of a group.
pub(super) fn grant_limits(is_root: bool, priority: u8) -> String {
    let priority = priority.max(95);
    if is_root {
        // Root lacks these rights only where they were taken away: in a container.
        return format!(
            "docker run --cap-add SYS_NICE --cap-add IPC_LOCK --ulimit rtprio={priority} --ulimit memlock=-1 \
             …  # restart the container with these options"
        );
    }
    format!(
        "{JOIN_GROUP} && printf '@realtime - rtprio {priority}\\n@realtime - memlock unlimited\\n' | \
         sudo tee /etc/security/limits.d/rtrd.conf  # then log in again"
    )
}

/// Lets the same group hold the device that keeps CPUs awake.
pub(super) fn grant_cpu_dma_latency() -> String {
    format!(
        "{JOIN_GROUP} && echo 'KERNEL==\"cpu_dma_latency\", GROUP=\"realtime\", MODE=\"0660\"' | \
         sudo tee /etc/udev/rules.d/90-rtrd.rules && sudo udevadm control --reload && \
         sudo udevadm trigger --name-match=cpu_dma_latency  # then log in again"
    )
}

const JOIN_GROUP: &str = "sudo groupadd -rf realtime && sudo usermod -aG realtime \"$USER\"";

/// Numbers as bash expands them inside a path: `2`, `{2..4}`, `{2,5}`.
pub(super) fn braces(numbers: &CpuList) -> String {
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
             rcu_nocbs=2-3 irqaffinity=0-1\"'"
        ));
    }

    #[test]
    fn limits_are_granted_by_group_or_to_the_container() {
        assert!(grant_limits(false, 80).contains("@realtime - rtprio 95\\n@realtime - memlock unlimited\\n"));
        assert!(grant_limits(false, 98).contains("rtprio 98"));
        assert!(grant_limits(true, 80).contains("--cap-add SYS_NICE"));
    }

    #[test]
    fn every_command_is_valid_shell() {
        let commands = [
            isolate(&list("2-3"), &list("0-3")),
            grant_limits(false, 80),
            grant_cpu_dma_latency(),
            install_real_time_kernel().unwrap_or_default(),
        ];
        for command in commands {
            let checked = Command::new("bash").args(["-n", "-c", &command]).status().unwrap();
            assert!(checked.success(), "{command}");
        }
    }
}
