//! Wheel spin and tyre deflection, together and in substeps.
