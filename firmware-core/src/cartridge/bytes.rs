//! The bytes of a cartridge: a head, a table with the location of each part, the parts,
//! and a checksum.
//!
//! ```text
//! "LUDE" version players board sites flags stack ways flags   24 bytes
//! part n: start u16, length u16                              4 bytes each
//! parts
//! checksum u32                                               FNV-1a of all before
//! ```
//! Numbers are little-endian.
//!
//! Invariants: the bytes of a [`Cartridge`] are [verified](mod@super::verify), so no read
//! from it can fail.

use crate::points::Points;
use crate::word::Word;

use super::op::{Op, OperandSlot};

/// The first bytes of every cartridge.
pub const MAGIC: [u8; 4] = *b"LUDE";
/// The version of the format.
pub const VERSION: u8 = 1;
/// The length of the head in bytes.
pub const HEAD_BYTES: usize = 24;
/// The largest length of a cartridge in bytes.
pub const MOST_BYTES: usize = 0xFFFF;
/// The largest number of players.
pub const PLAYERS: usize = 4;
/// The largest number of phases.
pub const PHASES: usize = 16;
/// The largest number of ways from a site. A way is a direction.
pub const WAYS: usize = 32;
/// The largest number of piece kinds.
pub const PIECES: usize = 128;
/// The largest number of sites.
pub const SITES: usize = 256;
/// The largest number of words of a program.
pub const PROGRAM_WORDS: usize = 4096;

/// The parts of a cartridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Section {
    /// For each way, the next site of each site of the board; the site itself if there is
    /// none.
    Steps,
    /// For each choice of ways, u32 masks with one bit for each way: for pieces without
    /// an owner, for the pieces of each player, and for those of all players.
    Choices,
    /// The piece kinds, of [`PIECE_BYTES`] each; the first stands for no piece.
    Pieces,
    /// Sets of sites, one bit for each site.
    Sets,
    /// Tables: the length and then that many numbers, each an i16.
    Tables,
    /// The program, a sequence of u16.
    Program,
    /// The phases, each of [`PHASE_WORDS`] u16.
    Phases,
    /// The nodes of the set-up and of the rules of the end, u16 each.
    Roots,
    /// Texts: a length byte, then UTF-8. The first is the name of the game, the others
    /// are the names of the piece kinds.
    Texts,
}

/// The number of sections of a cartridge.
pub const SECTIONS: usize = 9;
/// The length of an entry of the table of sections, in bytes.
pub const SECTION_BYTES: usize = 4;
/// The length of a piece kind in bytes: owner, side, other side, 0, the node of its moves
/// (u16), and that of its threats (u16).
pub const PIECE_BYTES: usize = 8;
/// The length of a phase in words: the nodes of play, play for threats and end, and then
/// [`NEXT_PHASES`] times a player, a condition and the next phase.
pub const PHASE_WORDS: usize = 3 + 3 * NEXT_PHASES;
/// The maximum number of rules for changing to another phase.
pub const NEXT_PHASES: usize = 4;
/// The length of [`Section::Roots`] in words: the set-up and the end.
pub const ROOTS: usize = 2;

/// The flags in the head of a cartridge.
pub mod flag {
    /// The second player may swap the colours.
    pub const SWAP: u16 = 1;
    /// No position may occur twice, whoever moves.
    pub const NO_REPEAT: u16 = 2;
    /// Pieces stand on top of each other.
    pub const STACKS: u16 = 4;
    /// More than one piece of a kind may stand on a site.
    pub const COUNTS: u16 = 8;
    /// The game ends without a winner if all players pass.
    pub const PASS_ENDS: u16 = 16;
    /// There are no players: the game runs by itself.
    pub const SIMULATION: u16 = 32;
    /// No position may occur twice with the same player to move.
    pub const NO_REPEAT_SITUATION: u16 = 64;
    /// The program reads the sites visited in this turn.
    pub const VISITS: u16 = 128;
    /// The program draws random numbers.
    pub const CHANCE: u16 = 256;
    /// The rules use scores.
    pub const SCORES: u16 = 512;
    /// The program tests whether a position is repeated.
    pub const REPEATS: u16 = 1024;
}

/// A kind of piece: its owner and properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// The owner: 0 for none, the number of players + 1 for all.
    pub owner: u8,
    /// The two states that a flip exchanges.
    pub flips: [u8; 2],
    /// The nodes of the piece's moves: for play, and for threats.
    pub moves: [u16; 2],
}

/// A game, given as verified bytes.
#[derive(Clone, Copy, Debug)]
pub struct Cartridge<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) players: u8,
    pub(super) board: u16,
    pub(super) sites: u16,
    pub(super) flags: u16,
    pub(super) stack: u8,
    pub(super) ways: u8,
    pub(super) most_turns: u16,
    pub(super) most_moves: u16,
    pub(super) first_phases: [u8; PLAYERS],
    pub(super) program: &'a [u8],
    pub(super) steps: &'a [u8],
    pub(super) choices: &'a [u8],
    pub(super) pieces: &'a [u8],
    pub(super) sets: &'a [u8],
    pub(super) tables: &'a [u8],
    pub(super) phases: &'a [u8],
    pub(super) roots: &'a [u8],
    pub(super) texts: &'a [u8],
}

/// The checksum of these bytes: FNV-1a of 32 bits.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |sum, byte| {
        (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// The u16 at this index; 0 beyond the end.
#[inline]
pub(super) fn word(bytes: &[u8], index: usize) -> u16 {
    match bytes.as_chunks().0.get(index) {
        Some(word) => u16::from_le_bytes(*word),
        None => 0,
    }
}

impl<'a> Cartridge<'a> {
    /// The bytes from which the cartridge is read.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The name of the game.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.text(0)
    }

    /// The name of a piece kind; empty for the kind that stands for no piece.
    #[must_use]
    pub fn name_of_piece(&self, what: u8) -> &'a str {
        self.text(usize::from(what) + 1)
    }

    /// The text with this index, such as a name.
    #[must_use]
    pub fn text(&self, index: usize) -> &'a str {
        let mut rest = self.texts;
        for _ in 0..index {
            let Some((length, after)) = rest.split_first() else {
                return "";
            };
            rest = after.get(usize::from(*length)..).unwrap_or(&[]);
        }
        let text = rest
            .split_first()
            .and_then(|(length, after)| after.get(..usize::from(*length)));
        core::str::from_utf8(text.unwrap_or(&[])).unwrap_or("")
    }

    /// The number of players; 0 for a game that runs by itself.
    #[must_use]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// The number of sites of the board.
    #[must_use]
    pub fn board(&self) -> usize {
        usize::from(self.board)
    }

    /// The number of all sites, including those of hands.
    #[must_use]
    pub fn sites(&self) -> usize {
        usize::from(self.sites)
    }

    /// True if this [`flag`] is set.
    #[inline]
    #[must_use]
    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// True if the rules use scores.
    #[must_use]
    pub fn keeps_scores(&self) -> bool {
        self.is(flag::SCORES)
    }

    /// True if the program tests whether a position is repeated.
    #[must_use]
    pub fn asks_for_repeats(&self) -> bool {
        self.is(flag::REPEATS | flag::NO_REPEAT | flag::NO_REPEAT_SITUATION)
    }

    /// The largest height of a stack.
    #[must_use]
    pub fn stack(&self) -> usize {
        usize::from(self.stack)
    }

    /// The number of turns of each player after which the game is a draw.
    #[must_use]
    pub fn most_turns(&self) -> u32 {
        u32::from(self.most_turns) * u32::from(self.players.max(1))
    }

    /// The number of moves after which the game is a draw.
    #[must_use]
    pub fn most_moves(&self) -> u32 {
        u32::from(self.most_moves)
    }

    /// The phase in which a player starts.
    #[must_use]
    pub fn first_phase(&self, player: u8) -> u8 {
        let place = usize::from(player).wrapping_sub(1);
        self.first_phases.get(place).copied().unwrap_or(0)
    }

    /// The number of directions in the tables of steps.
    #[must_use]
    pub fn ways(&self) -> usize {
        usize::from(self.ways)
    }

    /// The word of the program at this index.
    #[inline]
    #[must_use]
    pub fn program(&self, at: u16) -> u16 {
        word(self.program, usize::from(at))
    }

    /// The number of words of the program.
    #[must_use]
    pub fn words(&self) -> usize {
        self.program.len() / 2
    }

    /// The operand in this slot of a node.
    #[inline]
    #[must_use]
    pub fn operand(&self, at: u16, place: OperandSlot) -> u16 {
        self.program(at.saturating_add(place.words()))
    }

    /// The operation of the node at this word of the program; `None` if no node starts
    /// there.
    #[must_use]
    pub fn node_at(&self, at: u16) -> Option<Op> {
        let (mut here, words) = (0, self.words());
        while here < words {
            let [number, extra] = word(self.program, here).to_le_bytes();
            let op = Op::of(number)?;
            if here == usize::from(at) {
                return Some(op);
            }
            here += 1 + op.takes().len() + op.each().map_or(0, |_| usize::from(extra));
        }
        None
    }

    /// The next site of the board along this way, if there is one.
    #[inline]
    #[must_use]
    pub fn step(&self, site: u8, way: u32) -> Option<u8> {
        let (board, index) = (usize::from(self.board), usize::from(site));
        if index >= board {
            return None;
        }
        let next = *self.steps.get(way as usize * board + index)?;
        (next != site).then_some(next)
    }

    /// For each site of the board, the next site along this way; the site itself if there
    /// is none.
    #[inline]
    #[must_use]
    pub fn row(&self, way: u32) -> &'a [u8] {
        let board = usize::from(self.board);
        let at = way as usize * board;
        self.steps.get(at..at + board).unwrap_or(&[])
    }

    /// The ways of a choice for pieces of this owner, one bit each.
    #[inline]
    #[must_use]
    pub fn choice(&self, choice: u16, owner: u8) -> u32 {
        let row = usize::from(choice) * (usize::from(self.players) + 2) + usize::from(owner);
        match self.choices.get(4 * row..4 * row + 4) {
            Some([a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]),
            _ => 0,
        }
    }

    /// The number of piece kinds, including the one for no piece.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces.len() / PIECE_BYTES
    }

    /// The piece kind with this number; a kind without an owner if there is none.
    #[inline]
    #[must_use]
    pub fn piece(&self, what: u8) -> PieceKind {
        let at = usize::from(what) * PIECE_BYTES;
        match self.pieces.get(at..at + PIECE_BYTES) {
            Some([owner, one, other, _, a, b, c, d]) => PieceKind {
                owner: *owner,
                flips: [*one, *other],
                moves: [u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d])],
            },
            _ => PieceKind {
                owner: 0,
                flips: [0; 2],
                moves: [super::op::NOTHING; 2],
            },
        }
    }

    /// The owner of a kind of piece.
    #[inline]
    #[must_use]
    pub fn owner(&self, what: u8) -> u8 {
        let at = usize::from(what) * PIECE_BYTES;
        self.pieces.get(at).copied().unwrap_or(0)
    }

    /// The length of a stored set in bytes.
    fn set_bytes(&self) -> usize {
        self.sites().div_ceil(8)
    }

    /// The number of stored sets.
    #[must_use]
    pub fn sets(&self) -> usize {
        self.sets.len() / self.set_bytes().max(1)
    }

    /// The stored set with this index.
    #[inline]
    #[must_use]
    pub fn set<W: Word>(&self, index: u16) -> Points<W> {
        let bytes = self.set_bytes();
        let at = usize::from(index) * bytes;
        Points(W::of_bytes(self.sets.get(at..at + bytes).unwrap_or(&[])))
    }

    /// The numbers of a table, which is identified by its position.
    #[inline]
    pub fn table(&self, at: u16) -> impl ExactSizeIterator<Item = i16> + 'a {
        let length = usize::from(word(self.tables, usize::from(at)));
        let start = 2 * usize::from(at) + 2;
        let numbers = self.tables.get(start..start + 2 * length).unwrap_or(&[]);
        numbers.chunks_exact(2).map(|pair| match pair {
            [low, high] => i16::from_le_bytes([*low, *high]),
            _ => 0,
        })
    }

    /// The entry of a table at this index.
    #[inline]
    #[must_use]
    pub fn entry(&self, at: u16, index: i32) -> Option<i16> {
        let length = i32::from(word(self.tables, usize::from(at)));
        (0..length)
            .contains(&index)
            .then(|| word(self.tables, usize::from(at) + 1 + index as usize).cast_signed())
    }

    /// The number of phases of the game.
    #[must_use]
    pub fn phases(&self) -> usize {
        self.phases.len() / (2 * PHASE_WORDS)
    }

    /// A word of a phase.
    #[inline]
    #[must_use]
    pub fn phase(&self, phase: u8, index: usize) -> u16 {
        word(self.phases, usize::from(phase) * PHASE_WORDS + index)
    }

    /// The node of the moves that set up the game.
    #[must_use]
    pub fn set_up(&self) -> u16 {
        word(self.roots, 0)
    }

    /// The node of the rules of the end.
    #[must_use]
    pub fn end(&self) -> u16 {
        word(self.roots, 1)
    }

    /// The checksum, which identifies the game.
    #[must_use]
    pub fn identity(&self) -> u32 {
        let at = self.bytes.len().saturating_sub(4);
        match self.bytes.get(at..) {
            Some([a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]),
            _ => 0,
        }
    }
}
