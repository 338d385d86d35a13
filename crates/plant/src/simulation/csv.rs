//! A trace as text: one line of names, then one line per row. Numbers are written with the fewest
//! digits that read back as the same bits.

use super::Trace;
use std::io::{self, Write};

/// Writes a trace; the names carry the units: `time_s,demand_level_cm,inlet_valve_ratio,level_cm,…`.
pub fn write_csv(trace: &Trace, mut writer: impl Write) -> io::Result<()> {
    write!(writer, "time_s")?;
    for column in trace.columns() {
        write!(writer, ",{}", column.file_name(trace))?;
    }
    writeln!(writer)?;
    for (row, time_s) in trace.times_s().iter().enumerate() {
        write!(writer, "{time_s:?}")?;
        for column in trace.columns() {
            write!(writer, ",{:?}", column.values[row])?;
        }
        writeln!(writer)?;
    }
    writer.flush()
}
