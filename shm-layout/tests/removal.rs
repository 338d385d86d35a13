//! How regions come and go: stale ones are replaced, live ones are never removed, and any number of
//! processes may make, use and remove one at the same time.

use std::fs::File;
use std::sync::mpsc::channel;
use std::time::Duration;

use nix::fcntl::{FcntlArg, fcntl};
use shm_layout::blocks::{DRIVER, DriverInput};
use shm_layout::region::IN_USE;
use shm_layout::{Region, RegionError};

use crate::child::{self, Child};
use crate::place::{self, Place};

const PROCESSES: usize = 4;

#[test]
fn a_live_region_is_neither_removed_nor_replaced() {
    let (place, region) = Place::with_region();
    let name = place.name();
    let _writer = region.claim(DRIVER).unwrap();
    let owner = format!("process {} writes /driver/", std::process::id());
    let refusals = [
        Region::create(&name, None).map(|_| ()),
        Region::remove_stale(&name).map(|_| ()),
        Region::remove_anything(&name).map(|_| ()),
        Region::is_stale(&name).map(|_| ()),
    ];
    for refused in refusals.map(Result::unwrap_err) {
        assert!(matches!(refused, RegionError::InUse { .. }), "{refused:?}");
        assert!(refused.to_string().contains(&owner), "{refused}");
    }
    assert!(!region.is_removed());
}

#[test]
fn the_last_one_to_leave_removes_it() {
    let place = Place::new();
    let name = place.name();
    let first = Region::create(&name, None).unwrap();
    let second = Region::open_or_create(&name, None).unwrap();
    assert_eq!(first.header().instance_epoch, second.header().instance_epoch);
    let kept = first.close_and_remove().unwrap_err();
    assert!(matches!(kept, RegionError::InUse { .. }), "{kept:?}");
    assert!(second.close_and_remove().unwrap());
    assert_eq!(place.folder().read_dir().unwrap().count(), 0);
    assert!(!Region::remove_stale(&name).unwrap(), "there is nothing left to remove");
}

/// Who only looks neither keeps a region alive nor stops the next one.
#[test]
fn an_onlooker_sees_the_end_of_the_run() {
    let (place, region) = Place::with_region();
    let name = place.name();
    let onlooker = Region::observe(&name).unwrap();
    assert!(!onlooker.is_removed());
    assert!(region.close_and_remove().unwrap());
    assert!(onlooker.is_removed());
    assert!(onlooker.reader(DRIVER).latest().is_none(), "what is mapped stays readable");
    assert!(Region::create(&name, None).is_ok());
}

/// A process that was killed leaves its region behind; the next one replaces it and finds none of
/// its data.
#[test]
fn a_stale_region_is_replaced_and_its_data_is_gone() {
    if child::role().is_some() {
        let region = Region::create(&place::given(), None).unwrap();
        region.claim(DRIVER).unwrap().publish(&DriverInput::default());
        child::say(region.header().instance_epoch);
        child::listen();
        return;
    }
    let place = Place::new();
    let name = place.name();
    for way in ["create", "open_or_create", "remove"] {
        let maker = Child::start(this_test!(), "maker", &place.environment());
        let epoch: u64 = maker.next().parse().unwrap();
        assert!(Region::is_stale(&name).is_err(), "it is in use");
        maker.kill();
        assert!(Region::is_stale(&name).unwrap());
        let region = match way {
            "create" => Region::create(&name, None),
            "open_or_create" => Region::open_or_create(&name, None),
            _ => {
                assert!(Region::remove_stale(&name).unwrap());
                Region::create(&name, None)
            }
        };
        let region = region.unwrap();
        assert!(region.header().instance_epoch > epoch, "a new run has a new epoch");
        assert!(region.reader(DRIVER).latest().is_none(), "{way}: data of the dead run is seen");
        assert_eq!(region.claim(DRIVER).unwrap().generation(), 1);
        assert!(region.close_and_remove().unwrap());
    }
}

/// Opens and leaves the region whenever it is told to.
fn play_partner() {
    let mut region = None;
    while let Some(order) = child::listen() {
        match order.as_str() {
            "open" => {
                let opened = Region::open_or_create(&place::given(), None).unwrap();
                child::say(opened.header().instance_epoch);
                region = Some(opened);
            }
            _ => match region.take().expect("it was opened").close_and_remove() {
                Ok(_) | Err(RegionError::InUse { .. }) => child::say("left"),
                Err(other) => child::say(other),
            },
        }
    }
}

/// All come at once: they must meet in one region. All leave at once: nothing may be left.
#[test]
fn many_who_come_at_once_meet_and_leave_nothing() {
    if child::role().is_some() {
        return play_partner();
    }
    let place = Place::new();
    let mut partners: Vec<Child> =
        (0..PROCESSES).map(|_| Child::start(this_test!(), "partner", &place.environment())).collect();
    for round in 0..100 {
        partners.iter_mut().for_each(|partner| partner.tell("open"));
        let epochs: Vec<String> = partners.iter().map(Child::next).collect();
        assert!(epochs.iter().all(|epoch| *epoch == epochs[0]), "round {round}: {epochs:?}");
        assert_eq!(place.folder().read_dir().unwrap().count(), 1, "round {round}");
        partners.iter_mut().for_each(|partner| partner.tell("leave"));
        partners.iter().for_each(|partner| assert_eq!(partner.next(), "left", "round {round}"));
        assert_eq!(place.folder().read_dir().unwrap().count(), 0, "round {round}: a region was left behind");
    }
}

/// Comes and goes without regard for the others.
fn play_visitor() {
    let name = place::given();
    let mut owned = 0;
    for _ in 0..300 {
        let region = Region::open_or_create(&name, None).unwrap();
        assert!(!region.is_removed(), "it was let into a region that is over");
        if let Ok(mut writer) = region.claim(DRIVER) {
            writer.publish(&DriverInput::default());
            owned += 1;
        }
        match region.close_and_remove() {
            Ok(_) | Err(RegionError::InUse { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
    child::say(owned);
}

#[test]
fn many_who_come_and_go_do_not_disturb_each_other() {
    if child::role().is_some() {
        return play_visitor();
    }
    let place = Place::new();
    let visitors: Vec<Child> =
        (0..PROCESSES).map(|_| Child::start(this_test!(), "visitor", &place.environment())).collect();
    for visitor in visitors {
        let owned: usize = visitor.next().parse().unwrap();
        assert!(owned > 0, "it never got the block");
        assert!(visitor.end().success());
    }
    assert_eq!(place.folder().read_dir().unwrap().count(), 0, "a region was left behind");
}

/// Takes the lock of one who is removing the region.
fn lock_as_remover(file: &File) {
    let lock = nix::libc::flock {
        l_type: nix::libc::F_WRLCK as i16,
        l_whence: nix::libc::SEEK_SET as i16,
        l_start: IN_USE as i64,
        l_len: 1,
        l_pid: 0,
    };
    fcntl(file, FcntlArg::F_OFD_SETLK(&lock)).expect("nobody uses it");
}

/// One who is just removing a stale region does not take part: another who finds it then waits a
/// moment instead of saying that it is in use. How long a moment is cannot be said on a loaded
/// machine; most of the rounds must do.
#[test]
fn one_who_is_removing_it_is_not_taken_for_one_who_uses_it() {
    const ROUNDS: usize = 10;
    let place = Place::new();
    let name = place.name();
    let succeeded = (0..ROUNDS).filter(|_| {
        drop(Region::create(&name, None).unwrap());
        let file = File::options().read(true).write(true).open(name.path()).unwrap();
        lock_as_remover(&file);
        let (here, arrived) = channel();
        std::thread::scope(|scope| {
            let newcomer = scope.spawn(|| {
                here.send(()).unwrap();
                Region::create(&name, None).is_ok()
            });
            arrived.recv().unwrap();
            std::thread::sleep(Duration::from_millis(5));
            std::fs::remove_file(name.path()).unwrap();
            drop(file);
            newcomer.join().unwrap()
        })
    });
    assert!(succeeded.count() > ROUNDS / 2);
}
