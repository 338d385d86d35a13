//! Readers that are slow, that go, and that come back; and the emulator's own record of it all.

use std::fs::File;
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use board_emulator::delivery::{Place, Repeated};
use board_emulator::{Delivery, Settings};

use super::{Running, delivery, expected, read, read_all};

fn paced(period_us: u64, blocks: Option<u64>) -> Delivery {
    Delivery { period_ns: period_us * 1000, ..delivery(blocks, Settings::default()) }
}

/// A reader that never reads: the pipe fills, then the board's memory, and then blocks are lost and
/// counted. Nothing waits for ever.
#[test]
fn a_reader_that_does_not_read_is_an_overflow() {
    let settings = Settings { memory_bytes: 800, ..Settings::default() };
    let delivery = Delivery { settings, lasting: Some(Duration::from_secs(60)), ..paced(1, Some(20_000)) };
    let (running, reading_end) = Running::through_pipe(delivery, None);
    let deadline = Instant::now() + Duration::from_secs(50);
    while running.overflowed.load(Ordering::Relaxed) == 0 {
        assert!(Instant::now() < deadline, "it has room for ever");
        std::thread::sleep(Duration::from_millis(10));
    }
    let bytes = read_all(reading_end);
    let tally = running.wait();
    assert_eq!(tally.made, 20_000);
    assert!(tally.overflowed > 0 && tally.most_waiting_bytes <= 800, "{tally:?}");
    assert_eq!(tally.sent + tally.overflowed, 20_000, "{tally:?}");
    assert_eq!(bytes.len() as u64, tally.sent * 8, "only whole blocks are lost");
    // Those that came before the first loss are the first that were made; there is room for a
    // hundred in the memory alone.
    assert!(bytes[..800] == expected(100, false)[..], "{tally:?}");
}

#[test]
fn a_reader_may_go_and_another_come() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Unix(folder.path().join("socket"));
    let running = Running::at(&place, paced(200, None));
    for _ in 0..3 {
        let mut reader = UnixStream::connect(&running.address).unwrap();
        read(&mut reader, 80);
    }
    let tally = running.end();
    assert_eq!(tally.readers, 3, "{tally:?}");
}

/// The connection is closed on purpose; a reader sees the end, and can open it again.
#[test]
fn disconnects_are_ends_that_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    for place in [Place::Fifo(folder.path().join("fifo")), Place::Unix(folder.path().join("socket"))] {
        let disconnect_s = Some(Repeated { every_s: 0.2, lasting_s: 0.05 });
        let settings = Settings { disconnect_s, ..Settings::default() };
        let running = Running::at(&place, Delivery { settings, ..paced(100, None) });
        for _ in 0..2 {
            let deadline = Instant::now() + Duration::from_secs(30);
            let mut bytes = Vec::new();
            while bytes.is_empty() {
                assert!(Instant::now() < deadline, "{place} never came back");
                // While it is closed, there may be nothing to open.
                let _ = match &place {
                    Place::Fifo(path) => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
                    _ => UnixStream::connect(&running.address).and_then(|mut socket| socket.read_to_end(&mut bytes)),
                };
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let tally = running.end();
        assert!(tally.disconnects >= 2 && tally.readers >= 2, "{tally:?}");
    }
}

/// DAS Fig. 4.19 and 4.20 turned round: what was read is what the record says was sent.
#[test]
fn the_record_says_what_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["sent.csv", "sent.bin"] {
        let path = folder.path().join(name);
        let delivery = delivery(Some(2000), Settings { lose: 0.1, ..Settings::default() });
        let (running, reading_end) = Running::through_pipe(delivery, Some(&path));
        let bytes = read_all(reading_end);
        let tally = running.wait();
        assert!(tally.lost > 100 && tally.sent + tally.lost == 2000, "{tally:?}");
        let noted =
            if name.ends_with("csv") { sent_of_csv(&path) } else { sent_of_binary(&std::fs::read(&path).unwrap()) };
        assert!(noted == bytes, "{name}");
    }
}

/// DAS §4.3.3: values are sent one at a time, as they are sampled. A frequent reader finds parts
/// of blocks: two bytes while the throttle is awaited, and four if the look falls between throttle
/// and steering. One that reads to the end has whole blocks all the same.
#[test]
fn values_come_one_by_one() {
    let (running, mut reading_end) = Running::through_pipe(paced(5_000, Some(100)), None);
    let (mut bytes, mut remainders) = (Vec::new(), [0_u32; 8]);
    let mut room = [0; 4096];
    loop {
        let count = reading_end.read(&mut room).unwrap();
        if count == 0 {
            break;
        }
        bytes.extend_from_slice(&room[..count]);
        remainders[bytes.len() % 8] += 1;
    }
    assert_eq!(running.wait().sent, 100);
    assert!(bytes == expected(100, false));
    // The throttle comes 4 ms after the brake; even a busy machine finds it missing now and then.
    assert!(remainders[2] > 0, "{remainders:?}");
    assert_eq!(remainders[1] + remainders[3] + remainders[5] + remainders[7], 0);
    assert_eq!(remainders[6], 0, "half of a number");
}

/// A reader that comes in the middle of a block begins with the next one.
#[test]
fn a_new_reader_begins_with_a_whole_block() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Unix(folder.path().join("socket"));
    let running = Running::at(&place, paced(20_000, None));
    let all = expected(500, false);
    for _ in 0..3 {
        let mut reader = UnixStream::connect(&running.address).unwrap();
        let first = read(&mut reader, 16);
        assert!(all.windows(16).step_by(8).any(|pair| pair == first), "{first:?}");
        // Two bytes of the next block: the rest of it has no reader.
        read(&mut reader, 2);
    }
    let tally = running.end();
    assert_eq!(tally.readers, 3, "{tally:?}");
    assert!(tally.unread >= 1, "{tally:?}");
}

fn block_bytes(values: &[i32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend((values[0] as i16).to_le_bytes());
    bytes.extend((values[1] as i16).to_le_bytes());
    bytes.extend(values[2].to_le_bytes());
    bytes
}

fn sent_of_csv(path: &Path) -> Vec<u8> {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.starts_with("number,board_ns,sent_ns,written_ns,done,ip0,ip4,p1\n"), "{text}");
    let mut bytes = Vec::new();
    for (number, block) in (0..).zip(board_emulator::delivery::read(path).unwrap()) {
        assert_eq!((block.number, block.board_ns), (number, number * 1_000_000 + 800_000));
        assert_eq!(block.times.is_none(), block.done == "lost", "{block:?}");
        if block.times.is_some() {
            bytes.extend(block_bytes(&block.values));
        }
    }
    bytes
}

fn sent_of_binary(record: &[u8]) -> Vec<u8> {
    let (head, body) = record.split_at(16);
    assert_eq!(head, b"RTRDSENT\x02\0\0\0\x03\0\0\0");
    let mut bytes = Vec::new();
    let mut entries: Vec<&[u8]> = body.chunks_exact(5 * 8 + 3 * 4).collect();
    entries.sort_by_key(|entry| u64::from_le_bytes(entry[..8].try_into().unwrap()));
    for (number, entry) in entries.into_iter().enumerate() {
        let word = |index: usize| u64::from_le_bytes(entry[index * 8..][..8].try_into().unwrap());
        assert_eq!(word(0), number as u64);
        assert_eq!(word(2) == 0, word(4) == 4);
        assert!(word(3) >= word(2));
        let value = |index: usize| i32::from_le_bytes(entry[40 + index * 4..][..4].try_into().unwrap());
        if word(2) != 0 {
            bytes.extend(block_bytes(&[value(0), value(1), value(2)]));
        }
    }
    bytes
}
