//! The drawings that a program knows: each once, for as long as somebody owns it.
//!
//! A [`Layout`] is a few bytes, which name a drawing by its number. Where its points lie
//! and what they are called has to be looked up. Whoever reads, compiles or receives a
//! drawing [keeps](Drawing::keep) it and gets a [`KnownLayout`]: the layout with a counted
//! handle of its drawing. While one exists, [`Layout::drawing`] finds the drawing.
//!
//! Ownership: code that asks about a layout later holds the handle (options, a text, a
//! session, a driver, a plan of places), and a board of `firmware-core` holds that of
//! its own layout. The table of the process holds none. It finds what has an owner, so
//! that equal drawings are shared. When its last handle is dropped, a drawing goes, and
//! with it what was [noted](KnownDrawing::set_note) about it.
//!
//! Without the feature `std` no drawing is known, and [`KnownDrawing`] has no value: a
//! microcontroller has the drawing of its own board.
//!
//! Invariants: no two drawings that are owned have the same number; the table has an entry
//! for each of them and for no other.

#[cfg(feature = "std")]
use core::ops::Deref;

use crate::{Drawing, Layout, Name, Point};

/// A drawing that is known for as long as this or a clone of it exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDrawing(Handle);

#[cfg(feature = "std")]
type Handle = std::sync::Arc<table::Record>;
#[cfg(not(feature = "std"))]
type Handle = core::convert::Infallible;

impl KnownDrawing {
    /// The drawing, which this handle lends.
    #[must_use]
    pub fn as_drawing(&self) -> Drawing<'_> {
        #[cfg(feature = "std")]
        return self.0.drawing();
        #[cfg(not(feature = "std"))]
        match self.0 {}
    }
}

impl Layout {
    /// The drawing of a layout that is drawn, if somebody in this program owns it.
    /// Microcontrollers know none here: they have that of their own board.
    #[must_use]
    pub fn drawing(self) -> Option<KnownDrawing> {
        #[cfg(feature = "std")]
        return table::find(self).map(KnownDrawing);
        #[cfg(not(feature = "std"))]
        return None;
    }

    /// The name of a point of a drawing that is known; `None` of any other layout.
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

/// A layout together with its drawing, if it is drawn: as long as this or a clone of it
/// exists, the drawing is known.
///
/// It is its [`Layout`] wherever one is asked for, and equal to another of the same layout.
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
#[must_use = "the drawing goes with the last that owns it"]
pub struct KnownLayout {
    layout: Layout,
    drawing: Option<KnownDrawing>,
}

#[cfg(feature = "std")]
impl KnownLayout {
    /// The layout: a name that owns nothing.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Its drawing; `None` of a rectangle, and of a layout whose drawing nobody knew when
    /// this was made.
    #[must_use]
    pub fn drawing(&self) -> Option<&KnownDrawing> {
        self.drawing.as_ref()
    }
}

#[cfg(feature = "std")]
impl From<Layout> for KnownLayout {
    /// Owns the drawing too from now on, if somebody does.
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

/// Drawings that are owned together, such as those of all layouts in a session.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
pub struct KnownDrawings(std::vec::Vec<KnownDrawing>);

#[cfg(feature = "std")]
impl KnownDrawings {
    /// Owns the drawing of this layout too from now on, if somebody does.
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
    //! The table of the process, and what it counts.

    use core::any::{Any, TypeId};
    use core::fmt;
    use std::boxed::Box;
    use std::collections::BTreeMap;
    use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockWriteGuard, Weak};
    use std::vec::Vec;

    use super::{KnownDrawing, KnownLayout};
    use crate::{Drawing, DrawingError, Layout, Name, Point, naming};

    /// Finds the drawings that somebody owns. A handle is dropped while the table is not
    /// locked, since the last one takes its entry out.
    static TABLE: RwLock<BTreeMap<u32, Weak<Record>>> = RwLock::new(BTreeMap::new());

    fn table_to_change() -> RwLockWriteGuard<'static, BTreeMap<u32, Weak<Record>>> {
        TABLE.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a drawing.
    pub struct Record {
        id: u32,
        bytes: Box<[u8]>,
        /// Found when they are asked for.
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
            // The same drawing may have been kept again since its last handle went.
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
        /// Makes the drawing known: [`Layout::drawing`] finds it for as long as what is
        /// returned, or a clone of it, exists. An equal drawing that is known is shared.
        ///
        /// # Errors
        /// [`DrawingError::SameNumber`] if another drawing with its number is known.
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
        /// How many drawings this program knows.
        #[must_use]
        pub fn count() -> usize {
            let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
            table.len()
        }

        /// What was noted of the drawing under this type.
        ///
        /// Notes are for what a host knows of a drawing besides its bytes, such as the
        /// rules in words of the text that it was compiled from. Everybody who knows the
        /// drawing finds them.
        #[must_use]
        pub fn note<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
            let notes = self.0.notes.read().unwrap_or_else(PoisonError::into_inner);
            let note = notes.get(&TypeId::of::<T>()).cloned()?;
            note.downcast().ok()
        }

        /// Notes this of the drawing, in place of what was noted under this type. It is
        /// dropped with the drawing, so it must not own this drawing itself.
        pub fn set_note<T: Any + Send + Sync>(&self, note: Arc<T>) {
            let before = {
                let notes = &self.0.notes;
                let mut notes = notes.write().unwrap_or_else(PoisonError::into_inner);
                notes.insert(TypeId::of::<T>(), note)
            };
            // Whatever its drop does, the notes are not locked.
            drop(before);
        }
    }
}
