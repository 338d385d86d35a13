//! system-tests
