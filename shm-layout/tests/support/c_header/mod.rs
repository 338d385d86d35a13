//! The C header of the shared region, made from the Rust declarations.
//!
//! The structures and the plain constants come from the sources by cbindgen. What the compiler
//! computes (offsets, sizes, the layout hash) cannot be read from the sources: it is appended from
//! the values themselves, with assertions by which a C compiler checks that it lays the structures
//! out in the same way.

mod facts;
mod structures;

pub use structures::declared_structures;

const HEADER: &str = "\
/* The shared region of rtrd: payloads, offsets and fields.
 *
 * Generated from the declarations in crates/signals/src/blocks; do not edit. To make it again:
 *     RTRD_UPDATE_HEADER=1 cargo test -p shm-layout --test c_header
 *
 * C11 and C++17. A reader that uses it is rtrd_reader.h.
 */
#ifndef RTRD_H
#define RTRD_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

// Three components along the axes of the frame that the field names.
typedef struct RtrdVector3 {
    double x;
    double y;
    double z;
} RtrdVector3;

// An orientation as a unit quaternion, scalar part first.
typedef struct RtrdQuaternion {
    double w;
    double x;
    double y;
    double z;
} RtrdQuaternion;

";

/// The whole header.
pub fn generate() -> String {
    let mut text = HEADER.to_owned();
    text += &structures::declarations();
    text += &facts::region();
    text += &facts::blocks();
    text += &facts::fields();
    text += &facts::assertions();
    text += "#endif /* RTRD_H */\n";
    text
}

/// `PlantOutputs` → `RtrdPlantOutputs`.
fn structure_name(name: &str) -> String {
    format!("Rtrd{name}")
}

/// `SLOTS` → `RTRD_SLOTS`.
fn constant_name(name: &str) -> String {
    format!("RTRD_{name}")
}
