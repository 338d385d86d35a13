//! rtrd
fn main() {}
