//! Helpers for tests of the whole: the programs as they are built, and runs of them that end by
//! themselves.

pub mod board;
pub mod live;
pub mod page;
pub mod played;
pub mod programs;

/// Says why a test did nothing, in a form that a reader of the output finds.
pub fn skip(why: &str) {
    println!("skipped: {why}");
    eprintln!("skipped: {why}");
}

/// Whether the tests run as root.
pub fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}
