//! cpu_plan
