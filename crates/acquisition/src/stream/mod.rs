//! The board's stream of blocks, and the strategies of taking them.
