//! The emulated acquisition processor: a configuration script, the boards that it samples, and the stream that it makes.
