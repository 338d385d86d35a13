//! dynamics-service
fn main() {}
