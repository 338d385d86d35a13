//! What is drawn of scenarios and of latencies.

mod histograms;
mod scenarios;
