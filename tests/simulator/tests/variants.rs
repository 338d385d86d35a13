//! Runs that are broken on purpose: each check catches its own.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;

use service::config::DriverSource;
use shm_layout::block::{block_bytes, offset};
use shm_layout::blocks::{FORCES, Forces, KINEMATICS, Kinematics};
use shm_layout::writer::PUBLISHED;
use shm_layout::{Block, Payload, Region};
use simulator::checks::Checks;
use simulator::killable::Defect;
use simulator::plan::{Fault, Kind, Plan, Role};
use simulator::{PlantSystem, System, VehicleSystem, World};

/// Simulated time of these runs (s).
const SECONDS: f64 = 14.0;

fn circuit() -> VehicleSystem {
    VehicleSystem::new("drive-default", None, DriverSource::Manoeuvre)
}

/// A silence of the subsystems, long enough for a safe stop.
fn silence() -> Plan {
    Plan { faults: vec![Fault { begin_s: 2.0, seconds: 2.0, kind: Kind::Stop(Role::Subsystem) }] }
}

/// The same, and answers count fully at once.
fn silence_without_take_over() -> Plan {
    let at_once = Fault { begin_s: 0.0, seconds: 0.0, kind: Kind::Reload { hold_forces_ms: 100, takeover_ms: 0 } };
    Plan { faults: [at_once].into_iter().chain(silence().faults).collect() }
}

/// What the checks find in a run with broken models.
fn found_of(system: impl System, plan: Plan, defect: Option<Defect>) -> String {
    let world = World::new(system, plan, 0);
    world.dynamics.account.defect.set(defect);
    world.subsystem.account.defect.set(defect);
    run(world, |_, _| {})
}

/// What they find in a run in which somebody meddles with the region after each period.
fn found(plan: Plan, meddle: impl FnMut(&Region, u64)) -> String {
    run(World::new(circuit(), plan, 0), meddle)
}

fn run<S: System>(mut world: World<S>, mut meddle: impl FnMut(&Region, u64)) -> String {
    let mut checks = Checks::new(&world, SECONDS);
    let (mut period, mut last) = (0, None);
    while world.time_s() < SECONDS {
        period += 1;
        last = world.period();
        meddle(&world.region, period);
        if let Err(found) = checks.look(&world, last) {
            return found;
        }
    }
    checks.finish(&world, last).err().unwrap_or_else(|| "nothing".to_owned())
}

#[test]
fn each_defect_of_a_model_is_caught() {
    for (defect, plan, expected) in [
        (Some(Defect::TimeStands), Plan::default(), "s, expected 1 s"),
        (Some(Defect::OtherBit), Plan::default(), "the bits of step 1000 are not those"),
        (Some(Defect::NotANumber), Plan::default(), "is NaN, outside of"),
        (Some(Defect::OutOfRange), Plan::default(), "outside of"),
        (Some(Defect::NoSafeStop), silence(), "no safe stop"),
        (Some(Defect::NoBrakes), silence(), "of a safe stop from"),
        (None, silence_without_take_over(), "the acceleration jumped by"),
        (Some(Defect::NeverReady), Plan::default(), "time has never begun"),
        (Some(Defect::AnswerNotANumber), Plan::default(), "is NaN, outside of"),
    ] {
        let found = found_of(circuit(), plan, defect);
        assert!(found.contains(expected), "{defect:?}: {found}");
    }
    let found = found_of(PlantSystem::new("tank-level"), Plan::default(), Some(Defect::TimeBack));
    assert!(found.contains("time went back"), "{found}");
}

/// A control: the same plans without a defect.
#[test]
fn without_a_defect_nothing_is_found() {
    assert_eq!(found_of(circuit(), silence(), None), "nothing");
    assert_eq!(found_of(PlantSystem::new("tank-level"), silence(), None), "nothing");
}

/// Writes into the newest snapshot of a block, as no writer of ours does.
fn damage<T: Payload>(region: &Region, block: Block<T>, spoil: impl FnOnce(&mut [u64])) {
    let newest = *region.reader(block).latest().expect("it was published").value;
    let used = &newest.words()[..newest.used_words()];
    let file = OpenOptions::new().read(true).write(true).open(region.name().path()).expect("our region");
    let mut bytes = vec![0; block_bytes(block.entry())];
    file.read_exact_at(&mut bytes, offset(block.index) as u64).expect("a whole region");
    let words: Vec<u64> = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8"))).collect();
    let place = words.windows(used.len()).position(|window| window == used).expect("the newest slot");
    let mut spoilt = used.to_vec();
    spoil(&mut spoilt);
    let bytes: Vec<u8> = spoilt.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.write_all_at(&bytes, (offset(block.index) + 8 * place) as u64).expect("our region");
}

fn at_period(wanted: u64, mut act: impl FnMut(&Region)) -> impl FnMut(&Region, u64) {
    move |region, period| {
        if period == wanted {
            act(region);
        }
    }
}

#[test]
fn a_torn_snapshot_is_caught() {
    let tear = |region: &Region| damage::<Kinematics>(region, KINEMATICS, |words| words[20..].fill(0));
    let found = found(Plan::default(), at_period(500, tear));
    assert!(found.contains("/kinematics/: what was read is not what was written"), "{found}");
}

#[test]
fn a_lost_stamp_is_caught() {
    let lose = |region: &Region| damage(region, KINEMATICS, |words| words[0] = 3);
    let found = found(Plan::default(), at_period(500, lose));
    assert!(found.contains("step 499 was followed by step 3"), "{found}");
}

#[test]
fn a_snapshot_that_is_never_whole_is_caught() {
    let overtake = |region: &Region| {
        let file = OpenOptions::new().read(true).write(true).open(region.name().path()).expect("ours");
        let place = (offset(FORCES.index) + 8 * PUBLISHED) as u64;
        let mut bytes = [0; 8];
        file.read_exact_at(&mut bytes, place).expect("a whole region");
        let next = u64::from_le_bytes(bytes) + 1;
        file.write_all_at(&next.to_le_bytes(), place).expect("ours");
    };
    let found = found(Plan::default(), at_period(500, overtake));
    assert!(found.contains("/forces/: no whole snapshot could be read"), "{found}");
}

/// A running process keeps the right to write its blocks; when it is dead, another owner is found.
#[test]
fn a_second_writer_is_refused_or_caught() {
    let plan = Plan { faults: vec![Fault { begin_s: 0.5, seconds: 0.3, kind: Kind::Die(Role::Subsystem, None) }] };
    let mut refused = 0;
    let found = found(plan, |region, _| match region.claim(FORCES) {
        Err(_) => refused += 1,
        Ok(mut writer) => writer.publish(&Forces::default()),
    });
    assert_eq!(refused, 499);
    assert!(found.contains("/forces/: 2 owners, but only 1 are known"), "{found}");
}
