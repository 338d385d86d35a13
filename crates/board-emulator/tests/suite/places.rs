//! The same bytes come out of every kind of connection.

use std::fs::File;
use std::io::Read;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;

use board_emulator::Settings;
use board_emulator::delivery::{Outlet, Place};

use super::{Running, delivery, expected, read, read_all};

/// Enough that every byte value and both ends of the counter are among them.
const BLOCKS: usize = 20_000;

fn check(place: &Place, open: impl FnOnce(&str) -> Box<dyn Read>) {
    let running = Running::at(place, delivery(None, Settings::default()));
    let mut reader = open(&running.address);
    let bytes = read(&mut reader, BLOCKS * 8);
    assert!(bytes == expected(BLOCKS, false), "{place}");
    assert!((0..=255).all(|value| bytes.contains(&value)), "the test sees every byte value");
    drop(reader);
    let tally = running.end();
    assert!(tally.sent >= BLOCKS as u64 && tally.overflowed == 0, "{tally:?}");
    assert_eq!(tally.readers, 1);
}

#[test]
fn through_a_fifo() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board");
    check(&Place::Fifo(path.clone()), |address| Box::new(File::open(address).unwrap()));
    assert!(!path.exists(), "what the emulator has made it removes");
}

#[test]
fn through_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("tty");
    let through = link.clone();
    check(&Place::Terminal(Some(link.clone())), move |_| Box::new(File::open(through).unwrap()));
    assert!(!link.is_symlink());
}

#[test]
fn through_a_unix_socket() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    // One that was left behind is replaced.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    check(&Place::Unix(path.clone()), |address| Box::new(UnixStream::connect(address).unwrap()));
    assert!(!path.exists());
}

#[test]
fn through_tcp() {
    check(&Place::Tcp("127.0.0.1:0".into()), |address| Box::new(TcpStream::connect(address).unwrap()));
}

#[test]
fn through_a_pipe_until_its_blocks_are_over() {
    let delivery = delivery(Some(BLOCKS as u64), Settings::default());
    let (running, reading_end) = Running::through_pipe(delivery, None);
    assert!(read_all(reading_end) == expected(BLOCKS, false));
    assert_eq!(running.wait().sent, BLOCKS as u64);
}

#[test]
fn what_is_something_else_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("precious");
    std::fs::write(&path, "data").unwrap();
    for place in [Place::Fifo(path.clone()), Place::Unix(path.clone()), Place::Terminal(Some(path.clone()))] {
        let error = Outlet::open(&place).err().expect("it is a file").to_string();
        assert!(error.contains("something else than a"), "{error}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), b"data");
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let error = Outlet::open(&Place::Unix(socket)).err().expect("it is in use").to_string();
    assert!(error.contains("another program listens"), "{error}");
}
