//! The sources: one file per kind of hardware.
