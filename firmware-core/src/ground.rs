//! The geometry of a board: its points and their adjacency, for games that are played
//! on any layout.
//!
//! For a grid the answers are computed; for a drawn layout they are read from the
//! [`Drawing`], which the board keeps here, beside its state. A game that only supports
//! rectangles declares that ([`About::any_layout`](crate::About::any_layout)) and uses the
//! [`Grid`], which offers more operations.
//!
//! Invariants: all neighbours of a point are on the board; a way from a point leads to at
//! most one other point.

use protocol::{Drawing, KnownDrawing, Layout, Point, Refusal};

#[cfg(feature = "cartridge")]
use crate::cartridge::layout_game::Room;
#[cfg(feature = "cartridge")]
use crate::cartridge::{LayoutGame, Scratch, Shifts};
use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// The points of a board and their adjacency.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground<W: Word> {
    layout: Layout,
    all: Points<W>,
    /// The grid; without points if the layout is drawn.
    grid: Grid<W>,
    /// The bytes of the drawing, and their number; 0 for a grid.
    slot: W::Slot,
    drawing_bytes: u16,
    /// On a host, keeps the drawing known while the board exists, because the places and
    /// names of its points are looked up by the layout.
    known: Option<KnownDrawing>,
    /// The steps on the board of the layout's own game.
    #[cfg(feature = "cartridge")]
    shifts: Shifts<W>,
    /// The size of the boards on which the layout's own game fits.
    #[cfg(feature = "cartridge")]
    room: Room,
}

impl<W: Word> Ground<W> {
    /// A ground without points, for a board that has no layout yet.
    pub(crate) const NOTHING: Self = Ground {
        // No board has this layout, so it is never mistaken for the current one.
        layout: Layout::Drawn { points: 0, id: 0 },
        all: Points::NONE,
        grid: Grid::NOTHING,
        slot: W::EMPTY_SLOT,
        drawing_bytes: 0,
        known: None,
        #[cfg(feature = "cartridge")]
        shifts: Shifts::NOTHING,
        #[cfg(feature = "cartridge")]
        room: Room::Every,
    };

    /// The ground of a layout; `None` if the word is too narrow for it, or the layout is
    /// drawn and its drawing is not known here.
    #[must_use]
    pub fn new(layout: Layout) -> Option<Self> {
        Self::of(layout).ok()
    }

    /// The ground of a layout.
    ///
    /// # Errors
    /// [`Refusal::Layout`] if the word is too narrow for the layout or the layout is
    /// invalid, [`Refusal::NotDrawn`] if the layout is drawn and its drawing is not
    /// known here, and the errors of [`Ground::of_drawing`].
    pub fn of(layout: Layout) -> Result<Self, Refusal> {
        if !layout.is_valid() || layout.points() > W::BITS {
            return Err(Refusal::Layout(layout));
        }
        match layout {
            Layout::Grid(_) => {
                let grid = Grid::new(layout).ok_or(Refusal::Layout(layout))?;
                Ok(Ground {
                    layout,
                    all: grid.all(),
                    grid,
                    ..Ground::NOTHING
                })
            }
            Layout::Drawn { .. } => {
                let known = layout.drawing().ok_or(Refusal::NotDrawn(layout))?;
                Ground::of_drawing(known.as_drawing())
            }
        }
    }

    /// The ground of a drawing.
    ///
    /// # Errors
    /// [`Refusal::Layout`] if the word is too narrow for it, [`Refusal::LayoutGame`] if
    /// it carries a game that cannot be played here.
    pub fn of_drawing(drawing: Drawing<'_>) -> Result<Self, Refusal> {
        let layout = drawing.layout();
        if layout.points() > W::BITS {
            return Err(Refusal::Layout(layout));
        }
        let room = room::<W>(drawing).ok_or(Refusal::LayoutGame(layout));
        #[cfg(feature = "cartridge")]
        let room = room?;
        #[cfg(not(feature = "cartridge"))]
        room?;
        let mut slot = W::EMPTY_SLOT;
        let bytes = drawing.bytes();
        let place = slot.as_mut().get_mut(..bytes.len());
        place.ok_or(Refusal::Layout(layout))?.copy_from_slice(bytes);
        Ok(Ground {
            layout,
            all: layout.iter().collect(),
            grid: Grid::NOTHING,
            slot,
            drawing_bytes: bytes.len() as u16,
            known: layout.drawing(),
            #[cfg(feature = "cartridge")]
            shifts: LayoutGame::looked_through(drawing)
                .map_or(Shifts::NOTHING, |game| Shifts::of(&game.cartridge)),
            #[cfg(feature = "cartridge")]
            room,
        })
    }

    /// The drawing of the layout; `None` for a grid.
    #[must_use]
    pub fn drawing(&self) -> Option<Drawing<'_>> {
        let bytes = self.slot.as_ref().get(..self.drawing_bytes.into())?;
        (!bytes.is_empty()).then(|| Drawing::looked_through(bytes))
    }

    /// The game that the layout carries.
    #[cfg(feature = "cartridge")]
    #[must_use]
    pub fn game(&self) -> Option<LayoutGame<'_>> {
        LayoutGame::looked_through(self.drawing()?)
    }

    /// The boards that have room for that game.
    #[cfg(feature = "cartridge")]
    pub(crate) fn room(&self) -> Room {
        self.room
    }

    /// The steps on the board of that game.
    #[cfg(feature = "cartridge")]
    pub(crate) fn shifts(&self) -> &Shifts<W> {
        &self.shifts
    }

    /// The layout that the ground describes.
    #[inline]
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The set of all points.
    #[inline]
    #[must_use]
    pub fn all(&self) -> Points<W> {
        self.all
    }

    /// The grid; for a drawn layout, one without points.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> &Grid<W> {
        &self.grid
    }

    /// The number of ways from a point: on a grid the eight of [`Direction::ALL`].
    #[must_use]
    pub fn ways(&self) -> usize {
        self.drawing()
            .map_or(Direction::ALL.len(), |drawing| drawing.ways())
    }

    /// True if this way leads along a side, and not across a corner.
    #[must_use]
    pub fn is_straight(&self, way: usize) -> bool {
        match self.drawing() {
            Some(drawing) => drawing.is_straight(way),
            None => {
                let way = Direction::ALL.get(way);
                way.is_some_and(|way| Direction::STRAIGHT.contains(way))
            }
        }
    }

    /// The next point this way; `None` at the edge.
    #[must_use]
    pub fn step(&self, point: Point, way: usize) -> Option<Point> {
        match self.drawing() {
            Some(drawing) => drawing.step(point, way),
            None => {
                let (columns, rows) = Direction::ALL.get(way)?.step();
                let point = Some(point).filter(|point| self.layout.has(*point))?;
                self.grid.offset(point, columns, rows)
            }
        }
    }

    /// The points that follow this one along one way, nearest first, without the point
    /// itself. A line that returns to its start ends there.
    pub fn ray(&self, from: Point, way: usize) -> impl Iterator<Item = Point> + '_ {
        let next = move |point: &Point| self.step(*point, way).filter(|next| *next != from);
        core::iter::successors(next(&from), next).take(self.layout.points())
    }

    /// The points that touch the set, across corners too, without the set.
    #[must_use]
    pub fn neighbours(&self, set: Points<W>) -> Points<W> {
        match self.drawing() {
            Some(drawing) => self.beside(drawing, set, |_| true),
            None => self.grid.neighbours(set),
        }
    }

    /// The points that touch the set along a side, without the set.
    #[must_use]
    pub fn straight_neighbours(&self, set: Points<W>) -> Points<W> {
        match self.drawing() {
            Some(drawing) => self.beside(drawing, set, |way| drawing.is_straight(way)),
            None => self.grid.straight_neighbours(set),
        }
    }

    fn beside(
        &self,
        drawing: Drawing<'_>,
        set: Points<W>,
        counts: impl Fn(usize) -> bool,
    ) -> Points<W> {
        let mut beside = Points::NONE;
        for way in (0..drawing.ways()).filter(|way| counts(*way)) {
            (set & self.all).for_each(|point| {
                if let Some(next) = drawing.step(point, way) {
                    beside.insert(next);
                }
            });
        }
        beside.without(set)
    }
}

/// The boards that have room for the drawing's game, or for a drawing without one;
/// `None` if the game cannot be played on such a board.
#[cfg(feature = "cartridge")]
#[inline(never)]
fn room<W: Word>(drawing: Drawing<'_>) -> Option<Room> {
    let mut scratch = Scratch::new();
    let Some(game) = LayoutGame::new(drawing, &mut scratch) else {
        return Some(Room::Every);
    };
    let sites = game.ok()?.cartridge.sites();
    Room::of(&scratch, sites).filter(|_| sites <= W::BITS)
}

/// A build without cartridges plays no such game.
#[cfg(not(feature = "cartridge"))]
fn room<W: Word>(drawing: Drawing<'_>) -> Option<()> {
    drawing.game().is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;
    use crate::games::testing::{hexagon, wheel};
    use crate::word::Wide;

    fn grounds() -> Vec<Ground<Wide>> {
        let grids = [(9, 9), (1, 1), (16, 16), (3, 5)];
        let grids = grids.map(|(columns, rows)| Layout::grid(columns, rows).unwrap());
        let layouts = grids.into_iter().chain([hexagon(), wheel()]);
        layouts.map(|layout| Ground::new(layout).unwrap()).collect()
    }

    #[test]
    fn neighbours_are_one_step_along_each_way() {
        for ground in grounds() {
            for point in ground.all() {
                let one = Points::one(point);
                let along = |counts: &dyn Fn(usize) -> bool| -> Points<Wide> {
                    let ways = (0..ground.ways()).filter(|way| counts(*way));
                    ways.filter_map(|way| ground.step(point, way)).collect()
                };
                assert_eq!(ground.neighbours(one), along(&|_| true));
                let straight = along(&|way| ground.is_straight(way));
                assert_eq!(ground.straight_neighbours(one), straight);
            }
            assert_eq!(ground.neighbours(ground.all()), Points::NONE);
        }
    }

    #[test]
    fn a_ray_runs_to_the_edge_or_once_around() {
        for ground in grounds() {
            for from in ground.all() {
                for way in 0..ground.ways() {
                    let ray: Vec<Point> = ground.ray(from, way).collect();
                    let once: BTreeSet<Point> = ray.iter().copied().collect();
                    assert_eq!(once.len(), ray.len());
                    assert!(!once.contains(&from));
                    assert_eq!(ray.first().copied(), ground.step(from, way));
                }
            }
        }
        let wheel = Ground::<u64>::new(wheel()).unwrap();
        let top = wheel.layout().point("b5").unwrap();
        assert_eq!(wheel.ray(top, 0).count(), 7);
    }

    #[test]
    fn a_layout_too_large_for_a_word_has_no_ground() {
        let wide = Layout::grid(9, 9).unwrap();
        assert!(Ground::<u64>::new(wide).is_none());
        assert!(Ground::<u64>::new(hexagon()).is_some());
        let unknown = Layout::Drawn { points: 9, id: 1 };
        assert!(Ground::<u64>::new(unknown).is_none());
        let known = hexagon().drawing().unwrap();
        let drawn = Ground::of_drawing(known.as_drawing());
        assert_eq!(Ground::<u128>::of(hexagon()), drawn);
    }
}
