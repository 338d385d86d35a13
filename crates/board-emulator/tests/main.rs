//! Tests of the crate from outside.

mod suite;

use rt::allocation::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
