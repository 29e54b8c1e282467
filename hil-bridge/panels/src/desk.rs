//! Maps a board to a panel: which key is which point or button, and what each lamp shows.
//!
//! The board is in the top left corner of the pads. A Launchpad has keys next to the
//! pads: those on the right are the board's buttons, and the first four at the top scroll
//! a board that is larger than 8x8. A grid only has pads: the buttons are in its last
//! column if the board leaves that free, otherwise in its last row. A larger board is
//! refused.
//!
//! Invariants: releasing a key undoes what pressing it did, even if the board was scrolled
//! meanwhile; a key without a role does nothing and is dark.

use std::collections::BTreeMap;

use firmware_core::Seen;
use protocol::{Button, Colour, Input, Layout, Point};

use crate::form::{KeySpot, PanelExtent, PanelForm, PanelLamp, PanelPicture};
use crate::plan::LayoutPlan;

/// The buttons in the order of their keys. The lamp after them shows the side to move.
pub const BUTTONS: [Button; 7] = [
    Button::Start,
    Button::Stop,
    Button::Game,
    Button::Time,
    Button::Speed,
    Button::Level,
    Button::Mode,
];

/// The direction of a scroll, given by the points that come into view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scroll {
    /// Shows the points above.
    Up,
    /// Shows the points below.
    Down,
    /// Shows the points to the left.
    Left,
    /// Shows the points to the right.
    Right,
}

/// The scrolls in the order of their keys, as printed on a Launchpad Mini and X.
pub const SCROLLS: [Scroll; 4] = [Scroll::Up, Scroll::Down, Scroll::Left, Scroll::Right];

/// The role of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A point of the board.
    Point(Point),
    /// A button of the board.
    Button(Button),
    /// Scrolls the board.
    Scroll(Scroll),
    /// A lamp that shows the side to move.
    Turn,
    /// The key has no role.
    Nothing,
}

/// Why a panel cannot show a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// The board has more columns or rows than the panel.
    TooLarge {
        /// Columns and rows of the board.
        board: PanelExtent,
        /// Columns and rows of the panel.
        panel: PanelExtent,
    },
    /// The layout's drawing is not known in this process.
    Unknown,
}

/// A board on a panel: its mapping and held keys.
#[derive(Clone, Debug)]
pub struct PanelDesk {
    form: PanelForm,
    layout: Layout,
    plan: LayoutPlan,
    /// The columns and rows of the board before the first pad.
    offset: PanelExtent,
    /// The inputs that are down, by key.
    held: BTreeMap<KeySpot, Input>,
}

impl PanelDesk {
    /// Places a board with this layout on this panel.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn new(form: PanelForm, layout: Layout) -> Result<PanelDesk, NoRoom> {
        let plan = LayoutPlan::of(layout).ok_or(NoRoom::Unknown)?;
        let (board, panel) = (plan.size(), form.pads());
        let is_larger = board.columns > panel.columns || board.rows > panel.rows;
        if is_larger && form != PanelForm::Launchpad {
            return Err(NoRoom::TooLarge { board, panel });
        }
        Ok(PanelDesk {
            form,
            layout,
            plan,
            offset: PanelExtent {
                columns: 0,
                rows: 0,
            },
            held: BTreeMap::new(),
        })
    }

    /// The layout of the board.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// The maximum scroll offset.
    fn most(&self) -> PanelExtent {
        let (board, panel) = (self.plan.size(), self.form.pads());
        PanelExtent {
            columns: board.columns.saturating_sub(panel.columns),
            rows: board.rows.saturating_sub(panel.rows),
        }
    }

    /// The scroll offset after this.
    fn moved(&self, scroll: Scroll) -> PanelExtent {
        let (PanelExtent { columns, rows }, most) = (self.offset, self.most());
        let (columns, rows) = match scroll {
            Scroll::Up => (columns, rows.saturating_sub(1)),
            Scroll::Down => (columns, (rows + 1).min(most.rows)),
            Scroll::Left => (columns.saturating_sub(1), rows),
            Scroll::Right => ((columns + 1).min(most.columns), rows),
        };
        PanelExtent { columns, rows }
    }

    /// The index of a key among the button keys.
    fn among_buttons(&self, spot: KeySpot) -> Option<usize> {
        let PanelExtent { columns, rows } = self.form.pads();
        let board = self.plan.size();
        let place = match self.form {
            PanelForm::Launchpad => (spot.column == 8 && spot.row > 0).then(|| spot.row - 1),
            PanelForm::Grid { .. } if board.columns < columns => {
                (spot.column + 1 == columns).then_some(spot.row)
            }
            PanelForm::Grid { .. } if board.rows < rows => {
                (spot.row + 1 == rows).then_some(spot.column)
            }
            PanelForm::Grid { .. } => None,
        };
        place.map(usize::from)
    }

    /// The point under a key.
    fn point(&self, spot: KeySpot) -> Option<Point> {
        let first = self.form.first_pad();
        let column = spot.column.checked_sub(first.column)?;
        let row = spot.row.checked_sub(first.row)?;
        let pads = self.form.pads();
        let is_pad = column < pads.columns && row < pads.rows;
        let PanelExtent { columns, rows } = self.offset;
        let found = || self.plan.at(column + columns, row + rows);
        is_pad.then(found).flatten()
    }

    /// The role of the key at `spot`.
    #[must_use]
    pub fn role(&self, spot: KeySpot) -> Role {
        if !self.form.has(spot) {
            return Role::Nothing;
        }
        if let Some(place) = self.among_buttons(spot) {
            let button = BUTTONS.get(place).copied().map(Role::Button);
            let turn = (place == BUTTONS.len()).then_some(Role::Turn);
            return button.or(turn).unwrap_or(Role::Nothing);
        }
        if self.form == PanelForm::Launchpad && spot.row == 0 {
            let scroll = SCROLLS.get(usize::from(spot.column)).copied();
            return scroll.map_or(Role::Nothing, Role::Scroll);
        }
        self.point(spot).map_or(Role::Nothing, Role::Point)
    }

    /// Handles a key that is pressed or released. Returns the input for the board.
    pub fn finger(&mut self, spot: KeySpot, is_down: bool) -> Option<Input> {
        if !is_down {
            return self.held.remove(&spot).map(Input::reverse);
        }
        if self.held.contains_key(&spot) {
            return None;
        }
        let input = match self.role(spot) {
            Role::Point(point) => Input::Touch(point),
            Role::Button(button) => Input::Press(button),
            Role::Scroll(scroll) => {
                self.offset = self.moved(scroll);
                return None;
            }
            Role::Turn | Role::Nothing => return None,
        };
        // After a scroll, another key may still hold the same point.
        if self.held.values().any(|held| *held == input) {
            return None;
        }
        self.held.insert(spot, input);
        Some(input)
    }

    /// Releases all keys. Returns the inputs for the board.
    pub fn let_go(&mut self) -> Vec<Input> {
        let held = std::mem::take(&mut self.held);
        held.into_values().map(Input::reverse).collect()
    }

    /// The lamps for a board that shows this frame.
    #[must_use]
    pub fn picture(&self, seen: &Seen) -> PanelPicture {
        let mut picture = PanelPicture::dark(self.form);
        for spot in self.form.spots() {
            picture.light(spot, self.lamp(self.role(spot), seen));
        }
        picture
    }

    fn lamp(&self, role: Role, seen: &Seen) -> PanelLamp {
        let bright = |colour| PanelLamp {
            colour,
            is_dim: false,
        };
        let dim = |colour| PanelLamp {
            colour,
            is_dim: true,
        };
        match role {
            Role::Point(point) => bright(seen.points.get(point)),
            Role::Button(Button::Start) => dim(Colour::GREEN),
            Role::Button(Button::Stop) => dim(Colour::RED),
            Role::Button(_) => dim(Colour::WHITE),
            Role::Scroll(scroll) if self.moved(scroll) != self.offset => dim(Colour::WHITE),
            Role::Turn => bright(match seen.turn {
                [true, false] => Colour::GREEN,
                [false, true] => Colour::RED,
                [true, true] => Colour::AMBER,
                [false, false] => Colour::OFF,
            }),
            Role::Scroll(_) | Role::Nothing => PanelLamp::default(),
        }
    }
}

#[cfg(test)]
mod tests;
