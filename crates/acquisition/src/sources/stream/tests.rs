//! Settings that make no stream, and streams that misbehave.

use std::io::Write;

use super::*;

fn read(text: &str) -> Result<StreamOpening, String> {
    let settings: StreamSettings = toml::from_str(text).map_err(|error| error.to_string())?;
    settings.prepare(Some(Path::new("/somewhere")))
}

#[test]
fn settings_are_read_and_refused() {
    let opening = read("path = \"board\"\nperiod_us = 1000.0").expect("good settings");
    assert_eq!(opening.endpoint, Endpoint::Path("/somewhere/board".into()));
    assert_eq!(opening.layout, Layout::board());
    let fields =
        "path = \"/dev/ttyUSB0\"\nbaud = 115200\nbyte_order = \"big\"\nfields = [{ name = \"a\", type = \"f32\" }]";
    assert_eq!(read(fields).expect("good settings").layout.bytes(), 4);
    let cases = [
        ("", "either `path`"),
        ("path = \"a\"\ntcp = \"b:1\"", "either `path`"),
        ("path = \"a\"\nbaud = 123", "123 is no speed"),
        ("path = \"a\"\nparity = \"odd\"", "parity: expected `baud`"),
        ("path = \"a\"\nbaud = 9600\nparity = \"mark\"", "unknown variant `mark`"),
        ("path = \"a\"\nbaud = 9600\ndata_bits = 9", "data_bits: expected 5 to 8"),
        ("path = \"a\"\nbaud = 9600\nstop_bits = 0", "stop_bits: expected 1 or 2"),
        ("tcp = \"b:1\"\nbaud = 9600", "either `path`"),
        ("path = \"a\"\nfields = []", "at least one field"),
        ("path = \"a\"\nperiod_us = 0.0", "period_us"),
        ("path = \"a\"\nfram = 1", "unknown field `fram`"),
        ("path = \"a\"\nfields = [{ name = \"a\", type = \"i24\" }]", "unknown variant `i24`"),
    ];
    for (text, expected) in cases {
        let problem = read(text).expect_err(text);
        assert!(problem.contains(expected), "{text}: {problem}");
    }
}

#[test]
fn what_cannot_be_opened_says_why() {
    for (text, expected) in [
        ("path = \"/nowhere/board\"", "/nowhere/board: cannot be found"),
        ("path = \"/tmp\"", "is a folder"),
        ("path = \"/dev/null\"\nbaud = 9600", "is no serial port"),
        ("tcp = \"127.0.0.1\"", "expected host:port"),
    ] {
        let opening = read(text).expect("good settings");
        let error = opening.open(Counters::default()).err().expect(text);
        assert!(error.to_string().contains(expected), "{error}");
    }
}

fn source(format: &StreamSettings) -> (StreamSource, std::io::PipeWriter) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let layout = format.layout().expect("good fields");
    let source = StreamSource::new(reader.into(), format, &layout, Counters::default());
    (source.expect("a descriptor"), writer)
}

#[test]
fn fifty_thousand_blocks_at_once_are_taken_in_a_few_opportunities() {
    let (mut source, mut writer) = source(&StreamSettings::default());
    let mut block = Vec::new();
    let stream: Vec<u8> = (0..50_000_u32)
        .flat_map(|index| {
            block.clear();
            Layout::board().encode(&[0.0, 0.0, f64::from(index)], &mut block);
            block.clone()
        })
        .collect();
    // A pipe holds 64 KiB: a writer of more waits for the reader.
    let thread = std::thread::spawn(move || writer.write_all(&stream).map(|()| writer));
    let mut found = Vec::new();
    let mut now_ns = 0;
    while found.len() < 50_000 {
        now_ns += 1_000;
        let state = source.take(now_ns, &mut |sample| found.push(sample.raw[2] as u32));
        assert_ne!(state, State::Gone);
    }
    assert_eq!(found, (0..50_000).collect::<Vec<_>>());
    let counters = source.counters();
    assert_eq!((counters.blocks, counters.bytes), (50_000, 400_000));
    assert!(counters.largest_burst > 1, "{counters:?}");
    thread.join().expect("the writer").expect("everything written");
    assert_eq!(source.take(now_ns + 1, &mut |_| {}), State::Gone);
}

/// A board with the other byte order: reported, refused, and believed when it is set right.
#[test]
fn swapped_bytes_are_reported_and_recovered_from() {
    let (mut source, mut writer) = source(&StreamSettings::default());
    let wrong = Layout::new(&Layout::board_fields(), ByteOrder::Big).expect("the board's fields");
    let mut drive = |layout: &Layout, blocks: std::ops::Range<u32>| {
        let mut state = State::Waiting;
        let mut taken = 0;
        for index in blocks {
            let phase = f64::from(index) * 2e-3;
            let numbers = [900.0 * (1.0 - phase.cos()), 210.0 + 200.0 * phase.sin(), 700.0 * phase.sin()];
            let mut block = Vec::new();
            layout.encode(&numbers, &mut block);
            writer.write_all(&block).expect("room in the pipe");
            state = source.take(u64::from(index) * 1_000_000, &mut |_| taken += 1);
        }
        (state, taken, *source.counters())
    };
    let (state, taken, counters) = drive(&wrong, 0..1000);
    assert_eq!(state, State::Swapped);
    // Four windows of 64 blocks pass before anything is sure.
    assert_eq!((taken, counters.blocks, counters.corrupted), (255, 255, 745));
    let (state, taken, _) = drive(&Layout::board(), 1000..2000);
    assert_eq!(state, State::Flowing);
    assert!(taken > 600, "{taken}");
}
