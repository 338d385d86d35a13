//! The table of blocks: which payload bears which name and number, and who writes it.

use core::marker::PhantomData;

use crate::payload::{Field, Payload};

/// Which process of the set writes a block by default. A process of the user's may take its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the processes")]
pub enum Role {
    Daq,
    Dynamics,
    Subsystem,
    Supervisor,
    Gateway,
    External,
}

impl Role {
    /// The name of the process.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Daq => "daq-service",
            Role::Dynamics => "dynamics-service",
            Role::Subsystem => "subsystem-service",
            Role::Supervisor => "rtrd",
            Role::Gateway => "gateway-service",
            Role::External => "a process of the user's",
        }
    }
}

/// One line of the table of blocks.
#[derive(Clone, Copy, Debug)]
pub struct BlockEntry {
    /// Name; people write it between slashes, as in Fortran: `/driver/`.
    pub name: &'static str,
    /// Number; it is part of the signal numbers and never changes.
    pub number: u32,
    /// Who writes it.
    pub writer: Role,
    /// Words of the payload.
    pub payload_words: usize,
    /// Fields of the payload.
    pub fields: &'static [Field],
}

/// A block and the type of its payload: the key to its readers and its writer.
#[derive(Debug)]
pub struct Block<T> {
    /// Position in the table of blocks.
    pub index: usize,
    payload: PhantomData<T>,
}

impl<T> Clone for Block<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Block<T> {}

impl<T: Payload> Block<T> {
    /// The block at this position of the table; only the table itself makes one.
    pub(crate) const fn at(index: usize) -> Self {
        Self { index, payload: PhantomData }
    }

    /// Its line in the table.
    pub const fn entry(self) -> &'static BlockEntry {
        &crate::blocks::CATALOGUE[self.index]
    }
}
