//! daq-service
fn main() {}
