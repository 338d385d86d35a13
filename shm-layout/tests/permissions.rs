//! Who may open a region: its user and its group, whatever the umask, and nobody else. And what
//! happens when there is no room for it.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::ExitStatusExt;

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, umask};
use nix::unistd::{Gid, Group, Uid, getegid, geteuid, setgid, setgroups, setuid};
use shm_layout::block::REGION_BYTES;
use shm_layout::blocks::{self, DRIVER, DriverInput};
use shm_layout::{ClaimError, Region, RegionError};

use crate::child::{self, Child};
use crate::place::{self, Place};

/// The user "nobody" of every Linux.
const NOBODY: u32 = 65534;

fn mode_of(path: &std::path::Path) -> u32 {
    path.metadata().unwrap().mode() & 0o7777
}

/// The umask belongs to the whole process, so each has a process of its own.
#[test]
fn the_mode_is_0660_whatever_the_umask() {
    if let Some(mask) = child::role() {
        umask(Mode::from_bits_truncate(u32::from_str_radix(&mask, 8).unwrap()));
        let _region = Region::create(&place::given(), None).unwrap();
        return child::say(format!("{:o}", mode_of(&place::given().path())));
    }
    for mask in ["0", "22", "77", "777"] {
        let place = Place::new();
        let maker = Child::start(this_test!(), mask, &place.environment());
        assert_eq!(maker.next(), "660", "with umask {mask}");
    }
}

/// A group that this user may give a file to.
fn some_group() -> Option<Group> {
    let own = getegid();
    if !geteuid().is_root() {
        return Group::from_gid(own).ok().flatten();
    }
    let others = (1..1000).filter_map(|gid| Group::from_gid(Gid::from_raw(gid)).ok().flatten());
    others.into_iter().find(|group| group.gid != own)
}

#[test]
fn the_region_belongs_to_the_group_that_is_named() {
    let Some(group) = some_group() else {
        return child::skipped("a region for a group: this machine has no other group");
    };
    let place = Place::new();
    let _region = Region::create(&place.name(), Some(&group.name)).unwrap();
    let found = place.name().path().metadata().unwrap();
    assert_eq!((found.gid(), found.mode() & 0o7777), (group.gid.as_raw(), 0o660));
}

#[test]
fn an_unknown_group_is_refused_and_leaves_nothing() {
    let place = Place::new();
    let refused = Region::create(&place.name(), Some("no-such-group-here")).unwrap_err();
    assert!(matches!(refused, RegionError::NoSuchGroup { .. }), "{refused:?}");
    assert!(refused.to_string().contains("no-such-group-here"), "{refused}");
    assert_eq!(place.folder().read_dir().unwrap().count(), 0);
}

/// Gives up root for good: first the groups, then the user. With a group, only as its member.
fn become_nobody(group: Option<u32>) {
    let gid = Gid::from_raw(group.unwrap_or(NOBODY));
    setgroups(&[gid]).unwrap();
    setgid(gid).unwrap();
    setuid(Uid::from_raw(NOBODY)).unwrap();
}

/// Says how each way in is answered.
fn play_stranger(group: Option<u32>) {
    become_nobody(group);
    let name = place::given();
    let group = group.and_then(|gid| Group::from_gid(Gid::from_raw(gid)).unwrap());
    match Region::open(&name, group.as_ref().map(|group| group.name.as_str())) {
        Err(error @ RegionError::Forbidden { .. }) => child::say(format!("forbidden: {error}")),
        Err(error) => child::say(format!("other: {error}")),
        Ok(region) => match region.claim(DRIVER) {
            Ok(writer) => child::say(format!("writer of generation {}", writer.generation())),
            Err(error @ ClaimError::Forbidden { .. }) => child::say(format!("reader: {error}")),
            Err(error) => child::say(format!("other: {error}")),
        },
    }
    let removed = Region::remove_anything(&name);
    child::say(format!("removal: {}", removed.map_or_else(|error| error.to_string(), |_| "done".to_owned())));
}

#[test]
fn another_user_cannot_open_it_and_a_member_of_the_group_can() {
    if let Some(role) = child::role() {
        return play_stranger(role.parse().ok());
    }
    if !geteuid().is_root() {
        return child::skipped("a region against another user: only root can become one");
    }
    let Some(group) = some_group() else {
        return child::skipped("a region against another user: this machine has no other group");
    };
    let place = Place::new();
    std::fs::set_permissions(place.folder(), Permissions::from_mode(0o755)).unwrap();
    let _region = Region::create(&place.name(), Some(&group.name)).unwrap();

    let stranger = Child::start(this_test!(), "stranger", &place.environment());
    let answer = stranger.expect("forbidden:");
    assert!(answer.contains("0660") && answer.contains(&group.gid.to_string()), "{answer}");
    assert!(stranger.expect("removal:").contains("may not be opened"));
    assert!(place.name().path().exists());

    let member = Child::start(this_test!(), &group.gid.to_string(), &place.environment());
    member.expect("writer of generation 1");
    assert!(member.expect("removal:").contains("is in use"));
}

/// What is said to each who wants to use the region: to join it, to join or make it, to look.
fn answers(place: &Place, group: Option<&str>) -> Vec<String> {
    let name = place.name();
    let said = |answer: Result<Region, RegionError>| match answer {
        Ok(_) => "used".to_owned(),
        Err(error @ RegionError::Untrusted { .. }) => format!("untrusted: {error}"),
        Err(error) => format!("other: {error}"),
    };
    vec![said(Region::open(&name, group)), said(Region::open_or_create(&name, group)), said(Region::observe(&name))]
}

/// A maker that this process does not trust could shorten the file, which would end us.
#[test]
fn a_region_that_another_user_made_is_not_used() {
    if !geteuid().is_root() {
        return child::skipped("a region of another user: only root can make one");
    }
    // In use, so that nobody may put a new one in its place.
    let (place, _region) = Place::with_region();
    chown(place.name().path(), Some(NOBODY), Some(NOBODY)).unwrap();
    for answer in answers(&place, None) {
        assert!(answer.starts_with("untrusted:"), "{answer}");
        assert!(answer.contains("user 65534") && answer.contains("expected user 0"), "{answer}");
    }
    // A member of its group may look; taking part needs the group to be agreed on.
    chown(place.name().path(), Some(NOBODY), Some(getegid().as_raw())).unwrap();
    let [open, join, look] = answers(&place, None).try_into().unwrap();
    assert!(open.starts_with("untrusted:") && join.starts_with("untrusted:"), "{open}\n{join}");
    assert_eq!(look, "used");
}

#[test]
fn a_region_left_by_another_user_is_replaced_and_nothing_is_resumed_from_it() {
    if !geteuid().is_root() {
        return child::skipped("a region of another user: only root can make one");
    }
    let (place, region) = Place::with_region();
    region.claim(DRIVER).unwrap().publish(&DriverInput::default());
    drop(region);
    chown(place.name().path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let region = Region::open_or_create(&place.name(), None).unwrap();
    assert_eq!(place.name().path().metadata().unwrap().uid(), 0);
    assert!(region.reader(DRIVER).latest().is_none());
}

#[test]
fn a_region_with_rights_for_others_is_not_used() {
    let (place, _region) = Place::with_region();
    for mode in [0o664, 0o662, 0o661] {
        std::fs::set_permissions(place.name().path(), Permissions::from_mode(mode)).unwrap();
        for answer in answers(&place, None) {
            assert!(answer.starts_with("untrusted:"), "{mode:o}: {answer}");
            assert!(answer.contains(&format!("{mode:04o}")) && answer.contains("no rights for others"), "{answer}");
        }
    }
}

#[test]
fn a_region_that_exists_must_be_of_the_group_that_is_named() {
    let Some(group) = some_group() else {
        return child::skipped("a region for a group: this machine has no other group");
    };
    let (place, _region) = Place::with_region();
    for answer in &answers(&place, Some("no-such-group-here"))[..2] {
        assert!(answer.contains("no-such-group-here") && answer.contains("does not exist"), "{answer}");
    }
    if !geteuid().is_root() {
        return child::skipped("a region of another group: only root can make one for sure");
    }
    for answer in &answers(&place, Some(&group.name))[..2] {
        assert!(answer.starts_with("untrusted:") && answer.contains("`instance.group`"), "{answer}");
    }
    // Whoever made it: the group is what was agreed on.
    chown(place.name().path(), Some(NOBODY), Some(group.gid.as_raw())).unwrap();
    assert_eq!(answers(&place, Some(&group.name))[..2], ["used", "used"]);
}

/// Nothing can keep a member of the group from shortening the file; the process says who died of
/// what.
#[test]
fn a_process_whose_region_is_shortened_names_the_cause_and_dies_of_the_signal() {
    if let Some(role) = child::role() {
        let region = Region::open(&place::given(), None).unwrap();
        region.explain_faults().unwrap();
        let mut writer = region.claim(DRIVER).unwrap();
        child::say("ready");
        child::listen();
        if role == "writer" {
            writer.publish(&DriverInput::default());
        } else {
            region.reader(blocks::CONTROL).latest();
        }
        return child::say("alive");
    }
    for role in ["writer", "reader"] {
        let (place, _region) = Place::with_region();
        let mut victim = Child::start(this_test!(), role, &place.environment());
        victim.expect("ready");
        std::fs::File::options().write(true).open(place.name().path()).unwrap().set_len(0).unwrap();
        victim.tell("go on");
        let said = victim.last_words();
        assert!(said.contains("was shortened") && said.contains(place.name().path().to_str().unwrap()), "{said}");
        assert_eq!(victim.end().signal(), Some(Signal::SIGBUS as i32));
    }
}

/// Mounts a small memory file system where only this process sees it, and fills it with a region.
fn play_in_a_full_folder() -> Result<(), nix::Error> {
    let name = place::given();
    let none: Option<&str> = None;
    unshare(CloneFlags::CLONE_NEWNS)?;
    mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none)?;
    mount(Some("tmpfs"), name.directory(), Some("tmpfs"), MsFlags::empty(), Some("size=64k"))?;
    let refused = Region::create(&name, None).unwrap_err();
    assert!(matches!(refused, RegionError::NoRoom { .. }), "{refused:?}");
    child::say(format!("refused: {refused}"));
    let left = std::fs::read_dir(name.directory()).unwrap().count();
    child::say(format!("left: {left}"));
    Ok(())
}

#[test]
fn no_room_is_said_with_what_is_needed_and_what_is_free() {
    if child::role().is_some() {
        if let Err(error) = play_in_a_full_folder() {
            child::say(format!("impossible: {error}"));
        }
        return;
    }
    let place = Place::new();
    let tenant = Child::start(this_test!(), "tenant", &place.environment());
    let answer = tenant.next();
    if let Some(why) = answer.strip_prefix("impossible:") {
        return child::skipped(&format!("a full folder: a small file system cannot be mounted:{why}"));
    }
    let needed = format!("{} KiB are needed", REGION_BYTES / 1024);
    assert!(answer.contains(&needed) && answer.contains("64 KiB are free"), "{answer}");
    assert_eq!(tenant.expect("left:"), "0", "nothing is left of the attempt");
}
