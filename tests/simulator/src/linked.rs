//! A vehicle whose processes are objects in this one, for tests that look at single steps.

use dynamics_service::VehicleModel;
use lockstep::{Answerer, Asker, Clock};
use service::Config;
use service::config::Settings;
use shm_layout::blocks::{KINEMATICS, Kinematics};
use shm_layout::{Region, RegionName, Wait, Waited};
use subsystems::VehicleSubsystems;

use crate::system::{System, VehicleSystem};

/// A region of its own, as long as its folder.
pub fn temporary_region() -> (tempfile::TempDir, Region) {
    let folder = tempfile::tempdir_in("/dev/shm").expect("shared memory");
    let name = RegionName::in_directory(folder.path(), "simulator").expect("a good name");
    let region = Region::create(&name, None).expect("a region");
    (folder, region)
}

/// Dynamics and subsystems of a vehicle that meet in a region.
pub struct Linked {
    /// What `dynamics-service` steps.
    pub asker: Asker<VehicleModel>,
    /// What `subsystem-service` answers with; `None` while it is dead.
    pub answerer: Option<Answerer<VehicleSubsystems>>,
    /// Where they meet.
    pub region: Region,
    system: VehicleSystem,
    settings: Settings,
    _folder: Option<tempfile::TempDir>,
}

impl Linked {
    /// With the settings of the default configuration, in a region of its own.
    pub fn new(system: VehicleSystem) -> Self {
        let (folder, region) = temporary_region();
        let linked = Self::on(region, system, Settings::of(&Config::default()));
        Self { _folder: Some(folder), ..linked }
    }

    /// In this region.
    pub fn on(region: Region, system: VehicleSystem, settings: Settings) -> Self {
        let [hash, _] = system.hashes();
        let asker = Asker::new(&region, system.model(&settings), hash, Clock::Monotonic).expect("blocks to claim");
        let mut linked = Self { asker, answerer: None, region, system, settings, _folder: None };
        linked.revive();
        linked
    }

    /// Starts the subsystems, which go on where the last ones ended.
    pub fn revive(&mut self) {
        let Self { region, system, settings, .. } = self;
        let [_, hash] = system.hashes();
        let models = system.responder(region, settings);
        self.answerer = Some(Answerer::new(region, models, hash, Clock::Monotonic).expect("blocks to claim"));
    }

    /// The subsystems, which live.
    pub fn answerer(&mut self) -> &mut Answerer<VehicleSubsystems> {
        self.answerer.as_mut().expect("they live")
    }

    /// One exchange, as the two processes make it.
    pub fn exchange(&mut self) {
        self.asker.ask(1, Wait::Spin);
        assert_eq!(self.answerer().await_question(0, Wait::Spin), Waited::Answered);
        assert!(self.answerer().answer(Wait::Spin).is_answered, "nothing is waited for");
        self.take_answer(Waited::Answered);
    }

    /// A step without an answer.
    pub fn silence(&mut self) {
        self.asker.ask(1, Wait::Spin);
        self.take_answer(Waited::Late);
    }

    /// The rest of a step that was asked, with an answer or without.
    pub fn take_answer(&mut self, expected: Waited) {
        assert_eq!(self.asker.await_answer(0, Wait::Spin), expected);
        self.asker.advance();
    }

    /// The last motion that was published.
    pub fn motion(&self) -> Kinematics {
        *self.region.reader(KINEMATICS).latest().expect("a step").value
    }
}
