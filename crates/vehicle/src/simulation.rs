//! A vehicle without processes and clocks: mechanism, subsystems and driver in one program, as fast
//! as the machine goes.
//!
//! One step is the same exchange as between the processes, in the same order, so it gives the same
//! bits:
//! ```text
//! motion_k → driver → input_k → subsystems → response_k → mechanism → motion_{k+1}
//! ```

use crate::assembly::{Setup, SetupError};
use crate::divergence::{Divergence, Watch};
use crate::driver::Driver;
use crate::mechanism::Mechanism;
use crate::subsystems::{External, Subsystems};
use crate::{DriverInput, Kinematics, stateful};
use multibody::dynamics::Status;

/// A vehicle that runs in one program.
pub struct Simulation {
    mechanism: Mechanism,
    subsystems: Subsystems,
    driver: Box<dyn Driver>,
    watch: Watch,
    step_s: f64,
    steps: u64,
    violation_max: f64,
    iterations: u64,
}

impl Simulation {
    /// A vehicle at the beginning of its manoeuvre.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        let mechanism = setup.mechanism()?;
        Ok(Self {
            watch: Watch::new(&mechanism),
            mechanism,
            subsystems: setup.subsystems()?,
            driver: setup.new_driver()?,
            step_s: setup.step_s,
            steps: 0,
            violation_max: 0.0,
            iterations: 0,
        })
    }

    /// One step with the driver of the manoeuvre.
    pub fn step(&mut self) -> Status {
        let input = self.driver.drive(self.mechanism.motion(), self.step_s);
        self.step_with(&input, &External::default())
    }

    /// One step with an input and subsystems from elsewhere.
    pub fn step_with(&mut self, input: &DriverInput, external: &External) -> Status {
        let response = self.subsystems.answer(self.mechanism.motion(), input, external);
        let status = self.mechanism.step(response);
        self.steps += 1;
        self.watch.look(&self.mechanism, &self.subsystems, self.steps, self.step_s);
        self.violation_max = self.violation_max.max(status.violation);
        self.iterations += u64::from(status.iterations);
        status
    }

    /// Whether the manoeuvre is over, or the run has diverged.
    #[must_use]
    pub fn has_finished(&self) -> bool {
        self.driver.has_finished(self.mechanism.motion()) || self.divergence().is_some()
    }

    /// What showed that the run is no longer that of the vehicle.
    #[must_use]
    pub fn divergence(&self) -> Option<&Divergence> {
        self.watch.divergence()
    }

    /// The same, as a message.
    #[must_use]
    pub fn divergence_message(&self) -> Option<String> {
        self.divergence().map(|found| found.explain(&self.mechanism, self.step_s))
    }

    /// Energy that no force supplied, over what is allowed: of the mechanism and of the vehicle.
    #[must_use]
    pub fn surplus_ratios(&self) -> [f64; 2] {
        self.watch.surplus_ratios()
    }

    /// The motion now.
    #[must_use]
    pub fn motion(&self) -> &Kinematics {
        self.mechanism.motion()
    }

    /// The subsystems.
    #[must_use]
    pub fn subsystems(&self) -> &Subsystems {
        &self.subsystems
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Steps made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Largest opening of a loop in any step so far (m or rad).
    #[must_use]
    pub fn violation_max(&self) -> f64 {
        self.violation_max
    }

    /// Newton iterations of the loops in all steps.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }
}

// Mechanism, subsystems and driver; what is counted over all steps goes on.
stateful!(Simulation, |it| it.mechanism, it.subsystems, it.driver);
