//! What bears a region's name but is none is refused with a message that says what it is, and is
//! left alone until somebody asks for its removal.

use std::fs::OpenOptions;
use std::os::unix::fs::{FileExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use nix::sys::stat::Mode;
use shm_layout::block::{LAYOUT_HASH, REGION_BYTES};
use shm_layout::header::{Header, LAYOUT_VERSION};
use shm_layout::{Region, RegionError, RegionName};

use crate::place::Place;

/// Opening, looking and making must all refuse it as no region, for this reason, and leave it where
/// it is; removing on request must remove it.
fn assert_refused(place: &Place, why: &str) {
    let name = place.name();
    let attempts = [Region::open(&name, None), Region::observe(&name), Region::create(&name, None)];
    for refused in attempts.map(Result::unwrap_err).into_iter().chain(Region::remove_stale(&name).err()) {
        let message = refused.to_string();
        assert!(matches!(refused, RegionError::NotARegion { .. }), "{refused:?}");
        assert!(message.contains(why), "expected {why:?} in: {message}");
        assert!(message.contains(name.path().to_str().unwrap()) && message.contains("rtrd clean"), "{message}");
    }
    assert!(name.path().symlink_metadata().is_ok(), "what was refused is still there");
    assert!(Region::remove_anything(&name).unwrap());
    assert!(name.path().symlink_metadata().is_err(), "what was to be removed is gone");
    assert!(!Region::remove_anything(&name).unwrap());
}

/// Any bytes that are not ours; a multiplicative generator makes them the same in every run.
fn random_bytes() -> Vec<u8> {
    (0..REGION_BYTES as u64).map(|index| (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

#[test]
fn an_empty_file_a_random_one_a_pipe_and_a_socket() {
    type Make = fn(&Path);
    let empty: Make = |path| std::fs::write(path, []).unwrap();
    let random: Make = |path| std::fs::write(path, random_bytes()).unwrap();
    let pipe: Make = |path| nix::unistd::mkfifo(path, Mode::S_IRUSR | Mode::S_IWUSR).unwrap();
    let socket: Make = |path| drop(UnixListener::bind(path).unwrap());
    let no_file = "it is no regular file";
    for (why, make) in [("it has only 0 bytes", empty), ("it begins with", random), (no_file, pipe), (no_file, socket)]
    {
        let place = Place::new();
        make(&place.name().path());
        assert_refused(&place, why);
    }
}

#[test]
fn a_directory() {
    let place = Place::new();
    std::fs::create_dir(place.name().path()).unwrap();
    let name = place.name();
    // Opened for reading it is known by its kind, for writing by the kernel's answer.
    for refused in [Region::open(&name, None), Region::create(&name, None)].map(Result::unwrap_err) {
        let message = refused.to_string();
        assert!(matches!(refused, RegionError::NotARegion { .. }), "{refused:?}");
        assert!(message.contains("it is no regular file") || message.contains("it is a folder"), "{message}");
    }
    std::fs::write(name.path().join("file"), []).unwrap();
    let kept = Region::remove_anything(&name).unwrap_err().to_string();
    assert!(kept.contains("not empty"), "a folder with something in it is kept: {kept}");
    std::fs::remove_file(name.path().join("file")).unwrap();
    assert!(Region::remove_anything(&name).unwrap());
}

/// A link might lead to a region, but also to any file of another user.
#[test]
fn a_symbolic_link() {
    let place = Place::new();
    let real = RegionName::in_directory(place.folder(), "real").unwrap();
    let _region = Region::create(&real, None).unwrap();
    symlink(real.path(), place.name().path()).unwrap();
    assert_refused(&place, "it is a symbolic link");
    assert!(Region::open(&real, None).is_ok(), "the link was removed, not what it points to");
}

/// Writes a word of a region's header.
fn damage(path: &Path, word: usize, value: u64) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.write_all_at(&value.to_ne_bytes(), word as u64 * 8).unwrap();
}

#[test]
fn a_region_of_another_layout_is_refused_with_both_hashes() {
    let place = Place::new();
    let name = place.name();
    let word = std::mem::offset_of!(Header, layout_hash) / 8;
    drop(Region::create(&name, None).unwrap());
    damage(&name.path(), word, 0x1234);
    for refused in [Region::open(&name, None), Region::observe(&name)].map(Result::unwrap_err) {
        assert!(matches!(refused, RegionError::OtherLayout { .. }), "{refused:?}");
        let message = refused.to_string();
        let (found, expected) = ("0000000000001234", format!("{LAYOUT_HASH:016x}"));
        assert!(message.contains(found) && message.contains(&expected), "{message}");
    }
    // Nobody uses it: it is stale whatever its layout.
    assert!(Region::create(&name, None).is_ok());
}

#[test]
fn a_region_of_another_version_is_refused_with_both_versions() {
    let place = Place::new();
    let name = place.name();
    drop(Region::create(&name, None).unwrap());
    damage(&name.path(), std::mem::offset_of!(Header, layout_version) / 8, 77);
    let message = Region::open(&name, None).unwrap_err().to_string();
    let expected = format!("version {LAYOUT_VERSION}");
    assert!(message.contains("version 77") && message.contains(&expected), "{message}");
}

#[test]
fn a_truncated_region_is_refused_with_its_length() {
    let place = Place::new();
    let name = place.name();
    for length in [REGION_BYTES as u64 - 1, 4096, 100, 0] {
        drop(Region::open_or_create(&name, None).unwrap());
        OpenOptions::new().write(true).open(name.path()).unwrap().set_len(length).unwrap();
        for refused in [Region::open(&name, None), Region::observe(&name)].map(Result::unwrap_err) {
            let message = refused.to_string();
            assert!(matches!(refused, RegionError::NotARegion { .. }), "{refused:?}");
            assert!(message.contains(&format!("{length} bytes")), "{message}");
        }
        assert!(Region::remove_anything(&name).unwrap());
    }
}

#[test]
fn bad_instance_names_are_refused() {
    for name in ["", "a/b", "..", "a b", "ä", &"x".repeat(65)] {
        let refused = RegionName::new(name).unwrap_err();
        assert!(matches!(&refused, RegionError::BadName { name: found } if found == name), "{refused}");
    }
    assert!(RegionName::new(&"x".repeat(64)).is_ok());
}

#[test]
fn a_missing_region_and_a_missing_folder_are_said_to_be_missing() {
    let place = Place::new();
    let missing = Region::open(&place.name(), None).unwrap_err();
    assert!(matches!(missing, RegionError::NotFound { .. }), "{missing:?}");
    let nowhere = RegionName::in_directory(&place.folder().join("nowhere"), "test").unwrap();
    let missing = Region::create(&nowhere, None).unwrap_err();
    assert!(matches!(missing, RegionError::Folder { .. }), "{missing:?}");
    assert!(missing.to_string().contains("nowhere"), "{missing}");
}
