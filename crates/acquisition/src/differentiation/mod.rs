//! Rates and accelerations of sampled signals, from past samples only.
