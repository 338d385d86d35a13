//! The whole, tested: the real programs, killed, starved and misled.

mod acquisition;
mod acquisition_board;
mod acquisition_faults;
mod acquisition_live;
mod acquisition_proof;
mod acquisition_sources;
mod acquisition_waiting;
mod architecture;
mod circumstances;
mod closed_loop;
mod crash_reports;
mod documentation;
mod external;
mod faults;
mod gateway;
mod journal;
mod names;
mod reload;
mod soak;
mod unit_start;
mod units;
mod vehicle_bits;
mod vehicle_faults;
