//! The shapes of pieces, for programs that draw more than letters.
//!
//! A layout's own game names its kinds of pieces, and a name suggests a shape: a `Knight`
//! is a horse's head, a `DoubleCounter` is two stacked counters. A piece whose name
//! suggests nothing is a token with its letter.
//!
//! Invariants: two kinds of the same side never have the same figure.

use firmware_core::cartridge::Cartridge;
use ludemes::shown;
use protocol::{Colour, Side};

/// The shape of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceShape {
    /// The king of Chess, or of a game in which a king is hunted.
    King,
    /// The queen of a set of chess pieces.
    Queen,
    /// The rook of a set of chess pieces.
    Rook,
    /// The bishop of a set of chess pieces.
    Bishop,
    /// The knight of a set of chess pieces.
    Knight,
    /// The pawn of a set of chess pieces.
    Pawn,
    /// A low turned piece with a round head, as in Nine Men's Morris and Tafl.
    Man,
    /// A flat disc with a grooved top, as in draughts.
    Counter,
    /// A disc with a crown: two counters stacked.
    Crowned,
    /// A stone with a convex top and bottom, as in Go.
    Stone,
    /// A flat disc with a raised rim.
    Disc,
    /// Two bars across each other.
    Cross,
    /// A ball: a full sphere.
    Ball,
    /// A small pointed peg, which blocks a place.
    Arrow,
    /// A tile with an ASCII symbol.
    Tile(char),
    /// A thick round piece with a dished top, made to be piled up.
    Drum,
    /// A flat round piece with its letter.
    Token(char),
}

impl PieceShape {
    /// The letter of a chessman.
    #[must_use]
    pub fn letter(self) -> Option<char> {
        Some(match self {
            PieceShape::King => 'K',
            PieceShape::Queen => 'Q',
            PieceShape::Rook => 'R',
            PieceShape::Bishop => 'B',
            PieceShape::Knight => 'N',
            PieceShape::Pawn => 'P',
            _ => return None,
        })
    }

    /// The shapes that are recognised without a letter or symbol.
    pub const SHAPES: [PieceShape; 15] = [
        PieceShape::King,
        PieceShape::Queen,
        PieceShape::Rook,
        PieceShape::Bishop,
        PieceShape::Knight,
        PieceShape::Pawn,
        PieceShape::Man,
        PieceShape::Counter,
        PieceShape::Crowned,
        PieceShape::Stone,
        PieceShape::Disc,
        PieceShape::Cross,
        PieceShape::Ball,
        PieceShape::Arrow,
        PieceShape::Drum,
    ];

    /// The word for a piece of this shape; `None` if it only has a letter, or if the
    /// shape occurs in several games.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            PieceShape::King | PieceShape::Crowned => "king",
            PieceShape::Queen => "queen",
            PieceShape::Rook => "rook",
            PieceShape::Bishop => "bishop",
            PieceShape::Knight => "knight",
            PieceShape::Pawn => "pawn",
            PieceShape::Man | PieceShape::Counter => "man",
            PieceShape::Stone => "stone",
            PieceShape::Arrow => "arrow",
            _ => return None,
        })
    }

    /// The symbol or letter on the piece.
    #[must_use]
    pub fn sign(self) -> Option<char> {
        match self {
            PieceShape::Tile(sign) | PieceShape::Token(sign) => Some(sign),
            _ => None,
        }
    }
}

/// The width of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// The usual width of its shape.
    #[default]
    Usual,
    /// As wide as its place allows.
    Large,
}

/// The appearance of one kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceStyle {
    /// The shape of the figure.
    pub form: PieceShape,
    /// The width of the figure.
    pub width: Width,
}

impl PieceStyle {
    /// This shape in its usual width.
    #[must_use]
    pub fn of(form: PieceShape) -> PieceStyle {
        PieceStyle {
            form,
            width: Width::Usual,
        }
    }
}

/// The colour of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tint {
    /// The colour of this side.
    Side(Side),
    /// The colour of pieces that nobody owns.
    Nobody,
    /// The colour of the light with this index.
    Light(u8),
}

impl Tint {
    /// The tint of this side's pieces, or of nobody's.
    #[must_use]
    pub fn of(side: Option<Side>) -> Tint {
        side.map_or(Tint::Nobody, Tint::Side)
    }

    /// The tint of a light of this colour.
    #[must_use]
    pub fn light(colour: Colour) -> Tint {
        Tint::Light(colour.index())
    }
}

/// The figures on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Figure {
    /// The appearance of each of its pieces.
    pub look: PieceStyle,
    /// The colour of the pieces.
    pub tint: Tint,
    /// The number of stacked pieces of this tint, at least 1; a pinned piece beneath is not
    /// counted.
    pub count: u8,
    /// The colour of a pinned piece beneath them, if there is one.
    pub beneath: Option<Tint>,
    /// True if a player has picked it up and not yet put it down.
    pub is_held: bool,
}

impl Figure {
    /// A single piece with this appearance.
    #[must_use]
    pub fn one(look: PieceStyle, tint: Tint) -> Figure {
        Figure {
            look,
            tint,
            count: 1,
            beneath: None,
            is_held: false,
        }
    }

    /// The number of pieces on the point, including a pinned one.
    #[must_use]
    pub fn levels(self) -> u8 {
        self.count.saturating_add(self.beneath.is_some().into())
    }

    /// The tints of the pieces, from the lowest up.
    pub fn pieces(self) -> impl Iterator<Item = Tint> {
        let own = std::iter::repeat_n(self.tint, usize::from(self.count));
        self.beneath.into_iter().chain(own)
    }
}

/// The shapes by name; the first match counts. Names are complete and in lower case,
/// without a prefix such as `Large` and without the number at the end.
const NAMES: [(&[&str], PieceShape); 14] = [
    (&["king", "jarl", "hnefi"], PieceShape::King),
    (&["queen", "amazon"], PieceShape::Queen),
    (&["rook", "castle", "chariot"], PieceShape::Rook),
    (&["bishop"], PieceShape::Bishop),
    (&["knight", "horse"], PieceShape::Knight),
    (&["pawn", "soldier"], PieceShape::Pawn),
    (&["man", "hunn", "muscovite", "swede"], PieceShape::Man),
    (&["counter", "piece", "checker"], PieceShape::Counter),
    (
        &["doublecounter", "counterking", "dame"],
        PieceShape::Crowned,
    ),
    (&["stone", "seed", "blob", "pebble"], PieceShape::Stone),
    (&["disc", "marker", "coin"], PieceShape::Disc),
    (&["cross"], PieceShape::Cross),
    (&["ball", "marble", "bead"], PieceShape::Ball),
    (&["arrow"], PieceShape::Arrow),
];

/// Names of pieces that are only shown as lights.
const LIGHTS: [&str; 2] = ["light", "lamp"];

/// The appearance of each kind of piece; index 0 stands for no piece. `None` for a kind
/// that is only shown as a light.
#[must_use]
pub fn looks(cartridge: &Cartridge<'_>) -> Vec<Option<PieceStyle>> {
    let letters = shown::letters(cartridge);
    let kinds = (1..cartridge.pieces()).map(|what| {
        let letter = letters.get(what).copied().unwrap_or('?');
        let owner = cartridge.owner(what as u8);
        (cartridge.name_of_piece(what as u8), owner, letter)
    });
    let named: Vec<(&str, u8, char)> = kinds.collect();
    std::iter::once(None).chain(of_names(&named)).collect()
}

/// The appearances of kinds, each given by its name, player and letter.
#[must_use]
pub fn of_names(kinds: &[(&str, u8, char)]) -> Vec<Option<PieceStyle>> {
    let mut known: Vec<(u8, PieceStyle)> = Vec::new();
    let look = |(name, owner, letter): &(&str, u8, char)| {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let name = name.to_ascii_lowercase();
        let (name, width) = match name.strip_prefix("large") {
            Some(name) if !name.is_empty() => (name, Width::Large),
            _ => (name.as_str(), Width::Usual),
        };
        if LIGHTS.contains(&name) {
            return None;
        }
        let meant = NAMES.iter().find(|(names, _)| names.contains(&name));
        let meant = meant.map_or(PieceShape::Token(*letter), |(_, form)| *form);
        let is_free = |look: &PieceStyle| !known.contains(&(*owner, *look));
        let tokens = std::iter::once(*letter)
            .chain('A'..='Z')
            .map(PieceShape::Token);
        let forms = std::iter::once(meant).chain(tokens);
        let look = forms.map(|form| PieceStyle { form, width }).find(is_free);
        known.extend(look.map(|look| (*owner, look)));
        look
    };
    kinds.iter().map(look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_piece_determines_its_figure() {
        let kinds = [
            ("Knight1", 1, 'N'),
            ("King2", 2, 'K'),
            ("LargeCross", 2, 'L'),
            ("Light", 0, 'L'),
            ("Elephant1", 1, 'E'),
            ("Ferz1", 1, 'F'),
        ];
        let looks = of_names(&kinds);
        let forms: Vec<_> = looks
            .iter()
            .map(|look| look.map(|look| look.form))
            .collect();
        assert_eq!(
            forms,
            [
                Some(PieceShape::Knight),
                Some(PieceShape::King),
                Some(PieceShape::Cross),
                None,
                Some(PieceShape::Token('E')),
                Some(PieceShape::Token('F')),
            ]
        );
        assert_eq!(looks[2].unwrap().width, Width::Large);
    }

    #[test]
    fn two_kinds_with_the_same_shape_get_different_figures() {
        let kinds = [
            ("Rook1", 1, 'R'),
            ("Castle1", 1, 'C'),
            ("Chariot1", 1, 'C'),
            ("Rook2", 2, 'R'),
        ];
        let looks = of_names(&kinds);
        assert_eq!(looks[0], looks[3]);
        let mut own: Vec<_> = looks[..3].iter().flatten().collect();
        own.sort();
        own.dedup();
        assert_eq!(own.len(), 3);
    }

    #[test]
    fn every_shape_is_used_by_a_name_or_a_built_in_game() {
        for form in PieceShape::SHAPES {
            let is_named = NAMES.iter().any(|(_, named)| *named == form);
            assert!(is_named || form == PieceShape::Drum, "{form:?}");
        }
        let mut all: Vec<&str> = NAMES
            .iter()
            .flat_map(|(names, _)| *names)
            .copied()
            .collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
