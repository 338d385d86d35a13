//! How the page for people looks.

use super::super::finding::About;
use super::*;

const THROTTLING: About = About {
    id: "throttling",
    area: Area::Kernel,
    title: "Throttling",
    expected: "no limit",
    why: "The kernel stops a busy process for 50 ms in each second.",
};
const SWAP: About =
    About { id: "swap", area: Area::Memory, title: "Swap", expected: "no swap in use", why: "Disks are slow." };

#[test]
fn passing_checks_take_one_line_and_the_others_explain_themselves() {
    let fix = "echo -1 | sudo tee /proc/sys/kernel/sched_rt_runtime_us";
    let findings = [THROTTLING.failure("950000 of 1000000 µs").with_fix(fix), SWAP.pass("none")];
    let expected = "\
Kernel
  ✘ Throttling  950000 of 1000000 µs
      wanted  no limit
      why     The kernel stops a busy process
              for 50 ms in each second.
      fix     echo -1 | sudo tee /proc/sys/kernel/sched_rt_runtime_us

Memory
  ✔ Swap        none

✘ 2 checks: 1 passed, 0 warnings, 1 failure, 0 unknown
  Not ready for real time: correct the failures first.
";
    assert_eq!(render_text(&findings, false, 46), expected);
}

#[test]
fn prose_keeps_to_the_width_and_commands_stay_whole() {
    let long = "word ".repeat(60);
    let command = "sudo something --with ".repeat(10);
    let findings = [SWAP.warning(long.trim()).with_fix(command.trim())];
    let text = render_text(&findings, false, 60);
    let (commands, prose): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.contains("sudo"));
    assert_eq!(commands.len(), 1);
    assert!(commands[0].ends_with(command.trim()));
    assert!(prose.iter().all(|line| line.chars().count() <= 60), "{text}");
}

#[test]
fn a_fix_that_was_shown_already_is_not_repeated() {
    let findings = [THROTTLING.warning("a").with_fix("sudo x"), SWAP.warning("b").with_fix("sudo x")];
    let text = render_text(&findings, false, 80);
    assert_eq!(text.matches("sudo x").count(), 1);
    assert!(text.contains("fix     the same as for “Throttling” above"), "{text}");
}

#[test]
fn a_fix_of_several_commands_has_a_line_for_each() {
    let text = render_text(&[SWAP.warning("b").with_fix("sudo one\nsudo two")], false, 80);
    assert!(text.contains("      fix     sudo one\n              sudo two\n"), "{text}");
}

#[test]
fn colours_are_there_only_when_asked_for() {
    let findings = [THROTTLING.unknown("a"), SWAP.warning("b").with_fix("sudo x"), SWAP.pass("c"), SWAP.failure("d")];
    let plain = render_text(&findings, false, 80);
    let coloured = render_text(&findings, true, 80);
    assert!(!plain.contains('\x1b'));
    for code in ["\x1b[32m✔", "\x1b[33m▲", "\x1b[31m✘", "\x1b[34m?"] {
        assert!(coloured.contains(code), "{code:?}");
    }
    let codes = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[36m"];
    let stripped = codes.iter().fold(coloured, |text, code| text.replace(code, ""));
    assert_eq!(stripped, plain, "colours change nothing else");
}

#[test]
fn a_tiny_or_zero_width_still_gives_a_page() {
    let text = render_text(&[SWAP.warning("one two three")], false, 0);
    assert!(text.contains("Disks are slow.") && text.contains("▲"), "{text}");
}
