//! The keys of a panel in columns and rows, and a picture of their lamps.
//!
//! Every panel is treated as one rectangle of keys, counted from the left and from the
//! top. For a Launchpad it includes the row above the pads, the column to their right,
//! and the corner between them, which is a lamp without a key.

use protocol::Colour;

/// A key of a panel and the lamp in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeySpot {
    /// The column, counted from the left.
    pub column: u8,
    /// The row, counted from the top.
    pub row: u8,
}

/// A number of columns and rows: of keys, or of a board's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanelExtent {
    /// The number of columns.
    pub columns: u8,
    /// The number of rows.
    pub rows: u8,
}

/// The arrangement of a panel's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelForm {
    /// 8x8 pads, with keys above them and to their right.
    Launchpad,
    /// This many columns and rows of equal keys.
    Grid {
        /// The number of keys in a row.
        columns: u8,
        /// The number of rows.
        rows: u8,
    },
}

impl PanelForm {
    /// The columns and rows of all keys.
    #[must_use]
    pub const fn size(self) -> PanelExtent {
        let (columns, rows) = match self {
            PanelForm::Launchpad => (9, 9),
            PanelForm::Grid { columns, rows } => (columns, rows),
        };
        PanelExtent { columns, rows }
    }

    /// The columns and rows of the keys that can be points.
    #[must_use]
    pub const fn pads(self) -> PanelExtent {
        let (columns, rows) = match self {
            PanelForm::Launchpad => (8, 8),
            PanelForm::Grid { columns, rows } => (columns, rows),
        };
        PanelExtent { columns, rows }
    }

    /// The first key that can be a point.
    #[must_use]
    pub const fn first_pad(self) -> KeySpot {
        match self {
            PanelForm::Launchpad => KeySpot { column: 0, row: 1 },
            PanelForm::Grid { .. } => KeySpot { column: 0, row: 0 },
        }
    }

    /// All keys, row by row.
    pub fn spots(self) -> impl Iterator<Item = KeySpot> {
        let PanelExtent { columns, rows } = self.size();
        (0..rows).flat_map(move |row| (0..columns).map(move |column| KeySpot { column, row }))
    }

    /// True if there is such a key.
    #[must_use]
    pub const fn has(self, spot: KeySpot) -> bool {
        let PanelExtent { columns, rows } = self.size();
        spot.column < columns && spot.row < rows
    }
}

/// The state of a panel's lamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PanelLamp {
    /// The colour of the lamp.
    pub colour: Colour,
    /// True for a lamp that only marks a key and must not outshine the board.
    pub is_dim: bool,
}

/// The states of all lamps of a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelPicture {
    form: PanelForm,
    lamps: Vec<PanelLamp>,
}

impl PanelPicture {
    /// A picture with all lamps off.
    #[must_use]
    pub fn dark(form: PanelForm) -> PanelPicture {
        let PanelExtent { columns, rows } = form.size();
        let count = usize::from(columns) * usize::from(rows);
        PanelPicture {
            form,
            lamps: vec![PanelLamp::default(); count],
        }
    }

    /// The arrangement of the panel's keys.
    #[must_use]
    pub const fn form(&self) -> PanelForm {
        self.form
    }

    fn index(&self, spot: KeySpot) -> Option<usize> {
        let columns = usize::from(self.form.size().columns);
        let index = usize::from(spot.row) * columns + usize::from(spot.column);
        self.form.has(spot).then_some(index)
    }

    /// The state of this lamp; dark if there is none.
    #[must_use]
    pub fn lamp(&self, spot: KeySpot) -> PanelLamp {
        let lamp = self.index(spot).and_then(|index| self.lamps.get(index));
        lamp.copied().unwrap_or_default()
    }

    /// Lights a lamp, if it exists.
    pub fn light(&mut self, spot: KeySpot, lamp: PanelLamp) {
        let index = self.index(spot);
        if let Some(place) = index.and_then(|index| self.lamps.get_mut(index)) {
            *place = lamp;
        }
    }
}
