//! What is asked of the plant over time.
//!
//! Demands are what a driver or an operator wants: a level, a speed, the opening of a valve. The
//! controller says which exist ([`crate::control::ControllerDescription::demands`]); a scenario
//! gives each of them a [`Profile`], written out or taken from a recording.

mod profile;

pub use profile::{Interpolation, Profile, ProfileError};

use crate::description::Port;

/// One profile per demand of the controller, in the controller's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Demands {
    ports: Vec<Port>,
    profiles: Vec<Profile>,
}

impl Demands {
    /// Every demand at its default.
    pub fn defaults(ports: &[Port]) -> Self {
        let profiles = ports.iter().map(|port| Profile::constant(port.default)).collect();
        Demands { ports: ports.to_vec(), profiles }
    }

    /// Gives the demand of this index its profile.
    pub(crate) fn set(&mut self, index: usize, profile: Profile) {
        self.profiles[index] = profile;
    }

    /// The demands that exist.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Their profiles, in the same order.
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ports.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    /// Writes the demands at a time, as many as fit; O(log n) each, without allocation.
    pub fn values(&self, time_s: f64, demands: &mut [f64]) {
        for (demand, profile) in demands.iter_mut().zip(&self.profiles) {
            *demand = profile.value(time_s);
        }
    }
}
