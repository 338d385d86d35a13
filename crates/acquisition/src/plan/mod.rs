//! The acquisition file: which sources there are, which channels take from them, and where their values go.
