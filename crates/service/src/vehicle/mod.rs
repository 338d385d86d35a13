//! What onlookers are shown of a vehicle.

pub mod signals;
