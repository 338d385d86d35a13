//! From raw numbers to quantities: offset, scale, two points, table, sign, deadband, clamp.
