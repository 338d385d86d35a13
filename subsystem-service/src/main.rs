//! subsystem-service
fn main() {}
