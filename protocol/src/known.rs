//! The drawings that a program knows: one copy of each, for as long as it has an owner.
//!
//! A [`Layout`] is a few bytes, which identify a drawing by its number. The places
//! and names of its points have to be looked up. Code that reads, compiles or
//! receives a drawing [keeps](Drawing::keep) it and gets a [`KnownLayout`]: the
//! layout with a counted handle of its drawing. While such a handle exists,
//! [`Layout::drawing`] finds the drawing.
//!
//! Ownership: code that needs the drawing of a layout later (options, texts, sessions,
//! drivers, plans of places) holds the handle, and a board of `firmware-core` holds the
//! handle of its own layout. The process-wide table holds none; it only finds drawings
//! that have an owner, so that equal drawings are shared. Dropping the last handle drops
//! the drawing and its [notes](KnownDrawing::set_note).
//!
//! Without the feature `std` no drawing is known, and [`KnownDrawing`] has no values: a
//! microcontroller only has the drawing of its own board.
//!
//! Invariants: no two owned drawings have the same number; the table has exactly one
//! entry for each owned drawing.

#[cfg(feature = "std")]
use core::ops::Deref;

use crate::{Drawing, Layout, Name, Point};

/// A counted handle of a drawing. The drawing is known while this handle or a clone of it
/// exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDrawing(Handle);

#[cfg(feature = "std")]
type Handle = std::sync::Arc<table::Record>;
#[cfg(not(feature = "std"))]
type Handle = core::convert::Infallible;

impl KnownDrawing {
    /// The drawing, borrowed from this handle.
    #[must_use]
    pub fn as_drawing(&self) -> Drawing<'_> {
        #[cfg(feature = "std")]
        return self.0.drawing();
        #[cfg(not(feature = "std"))]
        match self.0 {}
    }
}

impl Layout {
    /// The drawing of this layout, if the layout is drawn and this program owns its
    /// drawing. `None` on a microcontroller, which only has the drawing of its own board.
    #[must_use]
    pub fn drawing(self) -> Option<KnownDrawing> {
        #[cfg(feature = "std")]
        return table::find(self).map(KnownDrawing);
        #[cfg(not(feature = "std"))]
        return None;
    }

    /// The name of a point of a known drawing; `None` for any other layout.
    pub(crate) fn drawn_name(self, point: Point) -> Option<Name> {
        #[cfg(feature = "std")]
        return table::find(self)?.name(point);
        #[cfg(not(feature = "std"))]
        {
            let _ = point;
            None
        }
    }
}

/// A layout together with a handle of its drawing, if it is drawn. The drawing is known
/// while this value or a clone of it exists.
///
/// Dereferences to its [`Layout`], and equals any other value with the same layout.
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
#[must_use = "the drawing goes with the last that owns it"]
pub struct KnownLayout {
    layout: Layout,
    drawing: Option<KnownDrawing>,
}

#[cfg(feature = "std")]
impl KnownLayout {
    /// The layout alone, which owns no drawing.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The drawing; `None` for a rectangle, and for a layout whose drawing was not
    /// known when this was created.
    #[must_use]
    pub fn drawing(&self) -> Option<&KnownDrawing> {
        self.drawing.as_ref()
    }
}

#[cfg(feature = "std")]
impl From<Layout> for KnownLayout {
    /// Also takes ownership of the drawing, if it is known.
    fn from(layout: Layout) -> KnownLayout {
        let drawing = layout.drawing();
        KnownLayout { layout, drawing }
    }
}

#[cfg(feature = "std")]
impl From<&KnownLayout> for KnownLayout {
    fn from(layout: &KnownLayout) -> KnownLayout {
        layout.clone()
    }
}

#[cfg(feature = "std")]
impl Deref for KnownLayout {
    type Target = Layout;

    fn deref(&self) -> &Layout {
        &self.layout
    }
}

#[cfg(feature = "std")]
impl PartialEq for KnownLayout {
    fn eq(&self, other: &KnownLayout) -> bool {
        self.layout == other.layout
    }
}

#[cfg(feature = "std")]
impl Eq for KnownLayout {}

#[cfg(feature = "std")]
impl PartialEq<Layout> for KnownLayout {
    fn eq(&self, other: &Layout) -> bool {
        self.layout == *other
    }
}

#[cfg(feature = "std")]
impl PartialEq<KnownLayout> for Layout {
    fn eq(&self, other: &KnownLayout) -> bool {
        *self == other.layout
    }
}

#[cfg(feature = "std")]
impl core::fmt::Display for KnownLayout {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.layout.fmt(f)
    }
}

/// A collection of owned drawings, such as those of all the layouts in a session.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
pub struct KnownDrawings(std::vec::Vec<KnownDrawing>);

#[cfg(feature = "std")]
impl KnownDrawings {
    /// Adds the drawing of this layout, if it is known.
    pub fn own(&mut self, layout: Layout) {
        if let Some(drawing) = layout.drawing()
            && !self.0.contains(&drawing)
        {
            self.0.push(drawing);
        }
    }
}

#[cfg(feature = "std")]
mod table {
    //! The process-wide table and the counted handles.

    use core::any::{Any, TypeId};
    use core::fmt;
    use std::boxed::Box;
    use std::collections::BTreeMap;
    use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockWriteGuard, Weak};
    use std::vec::Vec;

    use super::{KnownDrawing, KnownLayout};
    use crate::{Drawing, DrawingError, Layout, Name, Point, naming};

    /// The drawings that have an owner. A handle must not be dropped while the table
    /// is locked, since the last one removes its entry.
    static TABLE: RwLock<BTreeMap<u32, Weak<Record>>> = RwLock::new(BTreeMap::new());

    fn table_to_change() -> RwLockWriteGuard<'static, BTreeMap<u32, Weak<Record>>> {
        TABLE.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// A known drawing and its notes.
    pub struct Record {
        id: u32,
        bytes: Box<[u8]>,
        /// Computed at the first request.
        names: OnceLock<Vec<Name>>,
        /// The notes of hosts, keyed by their types.
        notes: RwLock<BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    }

    impl Record {
        pub fn drawing(&self) -> Drawing<'_> {
            Drawing::looked_through(&self.bytes)
        }

        pub fn name(&self, point: Point) -> Option<Name> {
            let names = self.names.get_or_init(|| {
                let drawing = self.drawing();
                let points = (0..drawing.points()).map(|index| Point(index as u8));
                let places: Vec<_> = points.map(|point| drawing.place(point)).collect();
                naming::names(&places)
            });
            names.get(point.index()).copied()
        }
    }

    impl Drop for Record {
        fn drop(&mut self) {
            let mut table = table_to_change();
            // The same drawing may have been kept again since its last handle was
            // dropped.
            let is_gone = |entry: &Weak<Record>| entry.strong_count() == 0;
            if table.get(&self.id).is_some_and(is_gone) {
                table.remove(&self.id);
            }
        }
    }

    impl PartialEq for Record {
        fn eq(&self, other: &Record) -> bool {
            self.bytes == other.bytes
        }
    }

    impl Eq for Record {}

    impl fmt::Debug for Record {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_tuple("Record").field(&self.drawing()).finish()
        }
    }

    pub fn find(layout: Layout) -> Option<Arc<Record>> {
        let Layout::Drawn { points, id } = layout else {
            return None;
        };
        let found = {
            let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
            table.get(&id).and_then(Weak::upgrade)
        };
        found.filter(|known| known.drawing().points() == usize::from(points))
    }

    impl Drawing<'_> {
        /// Makes the drawing known: [`Layout::drawing`] finds it while the returned
        /// handle or a clone of it exists. If an equal drawing is known already, it is
        /// shared.
        ///
        /// # Errors
        /// [`DrawingError::SameNumber`] if a different drawing with the same number
        /// is known.
        pub fn keep(self) -> Result<KnownLayout, DrawingError> {
            let id = self.id();
            let known = {
                let mut table = table_to_change();
                let known = table.get(&id).and_then(Weak::upgrade);
                known.unwrap_or_else(|| {
                    let record = Arc::new(Record {
                        id,
                        bytes: self.bytes().into(),
                        names: OnceLock::new(),
                        notes: RwLock::new(BTreeMap::new()),
                    });
                    table.insert(id, Arc::downgrade(&record));
                    record
                })
            };
            if known.drawing() != self {
                return Err(DrawingError::SameNumber);
            }
            Ok(KnownLayout {
                layout: self.layout(),
                drawing: Some(KnownDrawing(known)),
            })
        }
    }

    impl KnownDrawing {
        /// The number of drawings that this program knows.
        #[must_use]
        pub fn count() -> usize {
            let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
            table.len()
        }

        /// The note of this type about the drawing.
        ///
        /// A note is something that a host knows about a drawing besides its bytes, such
        /// as the rules of its text in words. All owners of the drawing share its notes.
        #[must_use]
        pub fn note<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
            let notes = self.0.notes.read().unwrap_or_else(PoisonError::into_inner);
            let note = notes.get(&TypeId::of::<T>()).cloned()?;
            note.downcast().ok()
        }

        /// Sets the note of this type and replaces an earlier one. The note is dropped
        /// with the drawing, so it must not own the drawing itself.
        pub fn set_note<T: Any + Send + Sync>(&self, note: Arc<T>) {
            let before = {
                let notes = &self.0.notes;
                let mut notes = notes.write().unwrap_or_else(PoisonError::into_inner);
                notes.insert(TypeId::of::<T>(), note)
            };
            // Dropped after the notes are unlocked, because a destructor may run any
            // code.
            drop(before);
        }
    }
}
