//! Tests of the crate from outside. The kernel's virtual devices are a program of their own, which
//! runs in the virtual machine.

mod suite {
    mod any_text;
    mod clocked_conformance;
    mod conformance;
    mod differentiators;
    mod errata;
    mod example_files;
    mod no_allocation;
}

use rt::allocation::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
