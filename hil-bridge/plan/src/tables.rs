//! The tables of a plan. Each has a type for its indices, so that an entry of one table
//! cannot be looked up in another.

use core::marker::PhantomData;

use heapless::Vec;

/// The maximum number of entries of a table.
const MAX_ENTRIES: usize = 32;

/// A place in a table.
pub(super) trait Index: Copy {
    /// The index of the entry with this number, from 0.
    fn of(number: u8) -> Self;
    /// The number of the entry.
    fn number(self) -> usize;
}

/// Entries that are added one by one, and looked up by their index.
pub(super) struct Table<I, T, const N: usize = MAX_ENTRIES> {
    entries: Vec<T, N>,
    index: PhantomData<I>,
}

impl<I: Index, T, const N: usize> Table<I, T, N> {
    /// A table without entries.
    pub(super) const NONE: Self = Table {
        entries: Vec::new(),
        index: PhantomData,
    };

    /// Adds an entry, and returns its index; `None` if there is no room.
    pub(super) fn push(&mut self, entry: T) -> Option<I> {
        let index = I::of(u8::try_from(self.entries.len()).ok()?);
        self.entries.push(entry).ok()?;
        Some(index)
    }

    /// The index of an entry that equals this one; it is added if there is none.
    pub(super) fn find_or_push(&mut self, entry: T) -> Option<I>
    where
        T: PartialEq,
    {
        match self.entries.iter().position(|known| *known == entry) {
            Some(known) => Some(I::of(known as u8)),
            None => self.push(entry),
        }
    }

    /// The entry with this index.
    #[inline]
    pub(super) fn get(&self, index: I) -> Option<&T> {
        self.entries.get(index.number())
    }
}

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq)]
            pub(super) struct $name(u8);

            impl Index for $name {
                fn of(number: u8) -> Self {
                    $name(number)
                }

                #[inline]
                fn number(self) -> usize {
                    self.0.into()
                }
            }
        )*
    };
}

indices! {
    /// The index of a condition.
    ConditionId
    /// The index of a play.
    PlayId
    /// The index of moves of pieces along ways.
    PieceMovesId
    /// The index of a consequence.
    ConsequenceId
    /// The index of a set of sites.
    SetId
    /// The index of a shape.
    ShapeId
    /// The index of a table of steps.
    StepTableId
}
