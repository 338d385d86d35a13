//! Which kernel runs, how it was started, whether a hypervisor is beneath it, and the hardware
//! counter behind its monotonic clock.

use serde::Serialize;

use super::tree::Tree;

/// The running kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kernel {
    /// As `uname -r` prints it, `6.1.0-21-rt-amd64`.
    pub release: String,
    /// Major and minor number of the release; `None` when the release does not begin with them.
    pub version: Option<(u32, u32)>,
    /// Whether it is a `PREEMPT_RT` kernel.
    pub realtime: bool,
    /// Its command line.
    pub command_line: CommandLine,
    /// Whether the CPU says that a hypervisor is beneath it.
    pub virtual_machine: bool,
}

impl Kernel {
    pub(crate) fn read(tree: &Tree) -> Self {
        let release = tree.text("proc/sys/kernel/osrelease").unwrap_or_default();
        Self {
            version: version_of(&release),
            release,
            realtime: is_realtime(tree),
            command_line: CommandLine(tree.text("proc/cmdline").unwrap_or_default()),
            virtual_machine: is_virtual_machine(tree),
        }
    }

    /// Whether the kernel is at least `major.minor`; a release that cannot be read counts as old.
    pub fn is_at_least(&self, major: u32, minor: u32) -> bool {
        self.version.is_some_and(|version| version >= (major, minor))
    }
}

fn version_of(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// `/sys/kernel/realtime` came with the patch set and is not in every kernel; the version text
/// always names the preemption model (older patch sets wrote `PREEMPT RT`).
fn is_realtime(tree: &Tree) -> bool {
    if let Some(flag) = tree.text("sys/kernel/realtime") {
        return flag == "1";
    }
    let version_texts = [tree.text("proc/version"), tree.text("proc/sys/kernel/version")];
    version_texts.iter().flatten().any(|text| text.contains("PREEMPT_RT") || text.contains("PREEMPT RT"))
}

fn is_virtual_machine(tree: &Tree) -> bool {
    let cpu_says_so = tree.text("proc/cpuinfo").is_some_and(|text| {
        text.lines()
            .filter(|line| line.starts_with("flags"))
            .any(|line| line.ends_with(" hypervisor") || line.contains(" hypervisor "))
    });
    cpu_says_so || tree.exists("sys/hypervisor/type") || tree.exists("proc/device-tree/hypervisor")
}

/// The parameters that the kernel was started with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CommandLine(pub String);

impl CommandLine {
    /// The value of `name=value`; where it is given twice the last one counts, as in the kernel.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.parameters().filter_map(|word| word.strip_prefix(name)?.strip_prefix('=')).next_back()
    }

    /// Whether the bare word `name` is among the parameters.
    pub fn has_word(&self, name: &str) -> bool {
        self.parameters().any(|word| word == name)
    }

    /// The words before `--`: what follows it is for process 1.
    fn parameters(&self) -> impl DoubleEndedIterator<Item = &str> {
        let end = self.0.find(" -- ").unwrap_or(self.0.len());
        self.0[..end].split_whitespace()
    }
}

const CLOCK_FOLDER: &str = "sys/devices/system/clocksource/clocksource0";

/// The clock source in use and those that could be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClockSource {
    /// The one in use; `None` when the kernel does not say.
    pub current: Option<String>,
    /// All that the kernel offers.
    pub available: Vec<String>,
}

impl ClockSource {
    pub(crate) fn read(tree: &Tree) -> Self {
        let available = tree.text(&format!("{CLOCK_FOLDER}/available_clocksource")).unwrap_or_default();
        Self {
            current: tree.text(&format!("{CLOCK_FOLDER}/current_clocksource")),
            available: available.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// Whether the kernel offers this one.
    pub fn offers(&self, name: &str) -> bool {
        self.available.iter().any(|available| available == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    fn kernel(tree: &SampleTree) -> Kernel {
        Kernel::read(&Tree::new(tree.root()))
    }

    #[test]
    fn versions_are_read_from_releases() {
        assert_eq!(version_of("6.12.5-rt-amd64"), Some((6, 12)));
        assert_eq!(version_of("5.10"), Some((5, 10)));
        assert_eq!(version_of("unknown"), None);
    }

    #[test]
    fn versions_compare_by_number() {
        let tree = SampleTree::healthy().with("proc/sys/kernel/osrelease", "6.12.5");
        assert!(kernel(&tree).is_at_least(6, 12) && kernel(&tree).is_at_least(5, 30));
        assert!(!kernel(&tree).is_at_least(6, 13) && !kernel(&tree).is_at_least(7, 0));
        assert!(!kernel(&tree.with("proc/sys/kernel/osrelease", "odd")).is_at_least(2, 6));
    }

    #[test]
    fn the_real_time_flag_wins_over_the_version_text_which_decides_without_it() {
        let is_real_time = |tree: SampleTree, model: &str| {
            kernel(&tree.with("proc/version", &format!("Linux version 6.1 #1 SMP {model} Debian"))).realtime
        };
        let healthy = SampleTree::healthy;
        assert!(is_real_time(healthy(), "PREEMPT_RT"));
        assert!(!is_real_time(healthy().with("sys/kernel/realtime", "0"), "PREEMPT_RT"));
        assert!(is_real_time(healthy().without("sys/kernel/realtime"), "PREEMPT_RT"));
        assert!(!is_real_time(healthy().without("sys/kernel/realtime"), "PREEMPT_DYNAMIC"));
    }

    #[test]
    fn a_hypervisor_is_seen_in_the_flags() {
        let tree = SampleTree::healthy();
        assert!(!kernel(&tree).virtual_machine);
        assert!(kernel(&tree.with("proc/cpuinfo", "processor : 0\nflags\t: fpu hypervisor tsc")).virtual_machine);
    }

    #[test]
    fn the_last_parameter_of_a_name_counts_and_those_of_process_1_do_not() {
        let line = CommandLine("quiet nohz_full=1 isolcpus=2 nohz_full=2-3 nosmt -- nohz_full=9 debug".into());
        assert_eq!(line.value("nohz_full"), Some("2-3"));
        assert_eq!(line.value("nohz"), None);
        assert!(line.has_word("nosmt") && !line.has_word("debug"));
    }

    #[test]
    fn the_current_and_the_available_ones_are_read() {
        let found = ClockSource::read(&Tree::new(SampleTree::healthy().root()));
        assert_eq!(found.current.as_deref(), Some("tsc"));
        assert!(found.offers("hpet") && found.offers("tsc") && !found.offers("ts"));
    }

    #[test]
    fn a_kernel_that_does_not_say_gives_none() {
        let tree = SampleTree::healthy().without("sys/devices/system/clocksource");
        assert_eq!(ClockSource::read(&Tree::new(tree.root())), ClockSource::default());
    }
}
