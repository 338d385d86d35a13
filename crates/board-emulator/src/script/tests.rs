//! The thesis's script is understood; everything wrong is answered with its place and what was
//! expected.

use proptest::prelude::*;

use super::*;

fn program(text: &str) -> Result<Program, ScriptError> {
    Program::from_text(text, "test.dap")
}

/// DAS 4.4: five channels at 200 µs make a block of 1 ms (4.3.4 prints "200 µs x 3", see its
/// errata), 2 + 2 + 4 bytes.
#[test]
fn the_script_of_the_thesis() {
    let program = Program::load("con_dap").unwrap();
    assert_eq!(program.channels, [Pin::Analog(4), Pin::Latch, Pin::Counter, Pin::Counter, Pin::Counter]);
    assert_eq!((program.channel_ns, program.block_ns()), (200_000, 1_000_000));
    assert_eq!((program.block_bytes(), program.gathered), (8, 1));
    // The brake goes when it is sampled; the throttle is the last channel, and the steering stands
    // behind it.
    assert_eq!(program.sent_after(), [0, 4, 4]);
    let block: Vec<(&str, Width, usize)> =
        program.block.iter().map(|field| (field.pipe.as_str(), field.width, field.place)).collect();
    assert_eq!(block, [("IP0", Width::Word, 0), ("IP4", Width::Word, 4), ("P1", Width::Long, 5)]);
    assert_eq!(program.tasks, [Task::Count { from: 2, offset: 0, to: 5 }]);
}

#[test]
fn the_rate_is_one_more_pipe() {
    let program = Program::load("con_dap_rate").unwrap();
    assert_eq!(program.block_bytes(), 12);
    assert_eq!(program.tasks[1], Task::Rate { from: 5, width: Width::Long, window: 20, to: 6 });
}

#[test]
fn capitals_and_small_letters_are_the_same() {
    assert_eq!(program(&CON_DAP.to_lowercase()), program(&CON_DAP.to_uppercase()));
    assert!(program(&CON_DAP.to_lowercase()).is_ok());
}

#[test]
fn channels_are_sampled_by_number_and_tasks_run_when_they_can() {
    let text = "PIPES P1 LONG, P2 LONG\nIDEF A 3\nSET IP9 B2\nSET IP7 S0\nSET IP8 B3\nTIME 0.5e2\nEND\n\
                PDEF B\nMERGE(P2,$BinOut)\nCTRATE(P1,1,P2)\nQDCOUNT(IP9,-5,\"relative\",P1)\nEND\nSTART B,A";
    let program = program(text).unwrap();
    assert_eq!(program.channels, [Pin::Analog(0), Pin::Latch, Pin::Counter]);
    assert_eq!(program.channel_ns, 50_000);
    assert_eq!(program.tasks[0], Task::Count { from: 2, offset: -5, to: 3 });
}

#[test]
fn reset_forgets_and_buffering_gathers() {
    let program = program(&format!("IDEF A 1\nSET IP0 S4\nEND\nRESET\n{}", &CON_DAP.replace("=off", "=on"))).err();
    assert_eq!(program, None);
    assert_eq!(super::Program::from_text(&CON_DAP.replace("=off", "=on"), "").unwrap().gathered, 64);
}

/// Every message: what is put in place of what, where it is found, and what it says.
#[test]
fn everything_wrong_is_named_with_its_place() {
    let cases = [
        ("START A,B", "STRAT A,B", "24:1", "`STRAT` is not known; expected RESET"),
        ("START A,B", "START A,C", "24:9", "START of procedure C, which is not defined"),
        ("START A,B", "START A,", "24:9", "expected the name of a procedure, found the end"),
        ("START A,B", "START A,A", "24:9", "procedure A is started twice"),
        ("START A,B", "START A", "24:7", "nothing is sent to $BinOut"),
        ("START A,B", "START B", "24:7", "no input procedure is started"),
        ("START A,B", "", "22:4", "nothing is started"),
        ("START A,B", "START A,B extra", "24:11", "expected the end of the line, found `EXTRA`"),
        ("START A,B", "END", "24:1", "END without IDEF or PDEF"),
        ("START A,B", "TIME 5", "24:1", "TIME belongs between IDEF and END"),
        ("START A,B", "MERGE(IP0,$BinOut)", "24:1", "MERGE belongs between PDEF and END"),
        ("START A,B", "START A,B?", "24:10", "the sign '?' has no meaning"),
        ("8..11", "11..8", "3:9", "expected an address such as 8"),
        ("8..11", "8..x", "3:9", "found `8..X`"),
        ("type=1", "type=2", "3:20", "expected the type of analog output boards, a number from 1 to 1, found `2`"),
        ("type=1", "kind=1", "3:15", "expected type=1, found `KIND`"),
        ("buffering=off", "buffering=some", "4:19", "expected off or on, found `SOME`"),
        ("quantum=200", "quantum=0", "5:17", "expected µs that a task may run"),
        ("quantum=200", "quantity=200", "5:9", "option `QUANTITY` is not known"),
        ("scheduling=fixed", "scheduling fixed", "6:20", "expected `=`, found `FIXED`"),
        ("scheduling=fixed", "scheduling=random", "6:20", "expected fixed or adaptive"),
        ("P1 LONG  ", "P1 FLOAT ", "8:10", "expected word or long, found `FLOAT`"),
        ("P1 LONG  ", "P1 LONG,P1", "8:15", "pipe P1 is defined twice"),
        ("P1 LONG  ", "IP7 LONG ", "8:7", "IP7 is a pipe of the board"),
        ("P1 LONG  ", "P1 WORD  ", "20:26", "expected a pipe that PIPES declares as LONG, found P1"),
        ("IDEF A 5", "IDEF A 6", "10:1", "procedure A announces 6 channels, but sets 5"),
        ("IDEF A 5", "IDEF A five", "10:8", "expected how many channels are sampled"),
        ("IP0 S4", "IP0 S16", "11:9", "expected a pin: S0 to S15"),
        ("IP0 S4", "IP0 B5", "11:9", "B3 (its control port), found `B5`"),
        ("IP0 S4", "P1 S4", "11:5", "expected an input pipe, IP0 to IP63, found `P1`"),
        ("IP3 B2", "IP2 B2", "14:1", "IP2 is set twice in procedure A"),
        ("IP1 B3", "IP1 S3", "13:1", "never latches them: expected a SET of B3"),
        ("TIME 200", "TIME 1.2", "16:6", "a number from 1.3 to 1000000, found `1.2`"),
        ("TIME 200", "TIME nan", "16:6", "found `NAN`"),
        ("TIME 200", "//", "10:1", "procedure A has no TIME"),
        ("TIME 200", "PDEF 200", "16:1", "`PDEF` inside procedure A; expected SET, TIME or END"),
        ("TIME 200    ", "TIME 200\nTIME 3//", "17:1", "TIME is given twice"),
        ("PDEF B", "PDEF A", "19:6", "procedure A is defined twice"),
        ("PDEF B", "IDEF B 1", "20:1", "`QDCOUNT` inside procedure B"),
        ("QDCOUNT(IP2", "QDCOUNT(IP5", "20:9", "pipe IP5 is not SET by any IDEF"),
        ("QDCOUNT(IP2", "QDCOUNT(P1", "20:9", "QDCOUNT extends a 16-bit count"),
        ("QDCOUNT(IP2", "QDCOUNT IP2", "20:9", "expected `(`, found `IP2`"),
        (",0,", ",0.5,", "20:13", "expected the first value of the count"),
        ("\"RELATIVE\"", "\"SIDEWAYS\"", "20:15", "mode \"SIDEWAYS\" is not known; expected \"RELATIVE\""),
        ("\"RELATIVE\"", "RELATIVE", "20:15", "expected the mode \"RELATIVE\", found `RELATIVE`"),
        ("\"RELATIVE\"", "\"RELATIVE", "20:15", "the text has no closing"),
        ("\"RELATIVE\",P1", "\"RELATIVE\",P2", "20:26", "pipe P2 is not known"),
        ("MERGE(IP0,IP4,P1,$BinOut)", "MERGE(IP0,IP4,P1)", "21:15", "expected $BinOut, found `P1`"),
        ("MERGE(IP0,IP4,P1,$BinOut)", "MERGE($BinOut)", "21:1", "at least one pipe before $BinOut"),
        ("MERGE(IP0,IP4,P1,$BinOut)", "MERGE(IP0,$SysOut,$BinOut)", "21:11", "pipe $SYSOUT is not known"),
        ("MERGE(IP0,IP4,P1,$BinOut)", "MERGE(IP0,$BinOut)\nMERGE(IP4,$BinOut)", "22:1", "only one MERGE"),
        ("MERGE(IP0,IP4,P1,$BinOut)", "CTRATE(IP2,9,P1)", "21:14", "pipe P1 is written by two tasks"),
        ("MERGE(IP0,IP4,P1,$BinOut)", "CTRATE(IP2,0,P1)", "21:12", "over how many values"),
    ];
    let mut surprises = Vec::new();
    for (old, new, place, message) in cases {
        assert_eq!(CON_DAP.matches(old).count(), 1, "{old:?} is not unique");
        let error = program(&CON_DAP.replacen(old, new, 1)).expect_err(new).to_string();
        if !error.starts_with(&format!("test.dap:{place}: ")) || !error.contains(message) {
            surprises.push(format!("{old} -> {new}: expected {place}: {message}, found {error}"));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

#[test]
fn missing_ends_rates_and_circles() {
    let two = "IDEF A 1\nSET IP0 S4\nTIME 100\nEND\nIDEF C 2\nSET IP5 S1\nSET IP6 S2\nTIME 100\nEND\n";
    let cases = [
        ("IDEF A 1\nSET IP0 S4\nTIME 100\n".to_owned(), "1:1: procedure A has no END"),
        (format!("{two}PDEF B\n"), "10:1: procedure B has no END"),
        (String::new(), "1:1: nothing is started"),
        (
            format!("{two}PDEF B\nMERGE(IP0,IP5,$BinOut)\nEND\nSTART A,B"),
            "11:1: MERGE needs pipes with equal rates: IP0 gets one every 100 µs, IP5 gets one every 200 µs",
        ),
        (format!("{two}START A,C"), "10:9: the board runs one input procedure at a time, not A and C"),
        (format!("{two}PDEF B\nMERGE(IP5,$BinOut)\nEND\nSTART A,B"), "11:7: pipe IP5 never gets a value"),
        (
            format!(
                "{two}PIPES P1 LONG,P2 LONG\nPDEF B\nCTRATE(P1,1,P2)\nCTRATE(P2,1,P1)\nMERGE(P1,$BinOut)\nEND\nSTART A,B"
            ),
            "12:8: pipe P1 never gets a value",
        ),
    ];
    for (text, message) in cases {
        let error = program(&text).expect_err(message).to_string();
        assert!(error.starts_with(&format!("test.dap:{message}")), "{error}");
    }
}

#[test]
fn a_script_that_is_not_there() {
    let error = Program::load("no/such/file.dap").unwrap_err().to_string();
    assert!(error.contains("no/such/file.dap") && error.contains("con_dap, con_dap_rate"), "{error}");
}

proptest! {
    /// No text makes the reader panic.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = program(&text);
    }

    /// Nor does any sequence of words that mean something; what is accepted can be sampled.
    #[test]
    fn any_sequence_of_words_is_read_or_refused(
        words in prop::collection::vec(prop::sample::select(vec![
            "RESET", "IDEF", "PDEF", "END", "START", "SET", "TIME", "PIPES", "A", "B", "A,B", "1", "2", "IP0", "IP1", "P1 LONG",
            "S4", "B2", "B3", "200", "\n", "\n", "\n", "\nEND\n", "QDCOUNT(IP1,0,\"RELATIVE\",P1)", "CTRATE(P1,2,P1)",
            "MERGE(IP0,$BinOut)", "IDEF A 1\nSET IP0 S4\nTIME 9\nEND\n", "PDEF B\nMERGE(IP0,$BinOut)\nEND\n", "\nSTART A,B\n",
        ]), 0..40)
    ) {
        if let Ok(program) = program(&words.join(" ")) {
            prop_assert!(program.block_ns() > 0 && program.block_bytes() > 0);
            prop_assert!(program.block.iter().all(|field| field.place < program.places));
        }
    }

    /// A line left out or doubled is read or refused.
    #[test]
    fn mutated_scripts_are_read_or_refused(left_out in 0_usize..30, doubled in 0_usize..30, cut in 0_usize..2000) {
        let mut lines: Vec<&str> = CON_DAP.lines().collect();
        lines.insert(doubled.min(lines.len() - 1), lines[doubled.min(lines.len() - 1)]);
        lines.remove(left_out.min(lines.len() - 1));
        let text = lines.join("\n");
        let cut = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let _ = program(&text[..cut]);
    }
}
