//! Recursive multibody dynamics.
