//! Verifies a cartridge once, when it is inserted.
//!
//! Properties of a verified cartridge: every part is where the head says. The operands of
//! every node of the program are earlier nodes of the right kind, or existing sets,
//! tables and choices. No node is more than [`MOST_DEPTH`] above its leaves, and no run
//! of a node keeps more than [`MOST_COPIES`] positions to return to.
//! [`Scratch::stack_bytes`] computes the stack that depth and positions may need
//! together; for the game of a layout, it is compared with the board's stack. Every run
//! ends, because a node only refers to earlier ones; the machine's
//! [fuel](super::Machine::refuel) limits its duration.

use super::bytes::{
    Cartridge, HEAD_BYTES, MAGIC, MOST_BYTES, NEXT_PHASES, PHASE_WORDS, PHASES, PIECE_BYTES,
    PIECES, PLAYERS, PROGRAM_WORDS, ROOTS, SECTION_BYTES, SECTIONS, SITES, VERSION, WAYS, checksum,
    flag, word,
};
use super::machine::{BOARD_AHEAD, MOST_AHEAD};
use super::op::{NOTHING, NodeKind, Op, OperandKind, bit, slot};

/// The maximum depth of a node above its leaves.
pub const MOST_DEPTH: u8 = 40;
/// The maximum number of positions that a run of a root keeps: one for each move that is
/// tried inside another trial. Looking ahead over a turn counts as [`MOST_AHEAD`]
/// positions, each with the trials inside it.
pub const MOST_COPIES: u8 = 64;

/// The stack of a node while one of its operands runs, and that of a kept position, in
/// bytes, on boards of up to 64, 128 and 256 sites. The numbers are the stack frames of
/// the calls between two nodes in an image for a Cortex-M4, rounded up.
const ROOM_OF_MOVES: [u16; 3] = [480, 960, 1_500];
const ROOM_OF_SITES: [u16; 3] = [200, 260, 1_300];
const ROOM_OF_TRUTHS: [u16; 3] = [280, 400, 1_100];
const ROOM_OF_NUMBERS: [u16; 3] = [180, 220, 320];
const ROOM_OF_A_COPY: [u16; 3] = [1_190, 1_770, 2_830];

/// The unit in which the stack is stored.
const UNIT_BYTES: u16 = 256;

/// The number for boards with this many sites.
fn of_sites(room: [u16; 3], sites: usize) -> u16 {
    let [small, medium, large] = room;
    match sites {
        0..=64 => small,
        65..=128 => medium,
        _ => large,
    }
}

/// Why a cartridge is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The bytes are not a cartridge, or are cut off.
    NoCartridge,
    /// The cartridge has this version of the format, which is not supported.
    Version(u8),
    /// The checksum does not match: the bytes are damaged.
    Checksum,
    /// A number in the head exceeds its limit.
    TooLarge,
    /// The program needs something that the head does not declare.
    Unsaid,
    /// This part is not where it should be, or has the wrong length.
    Part(u8),
    /// The program is invalid at this word.
    Program(u16),
    /// The program is too deep at this word.
    TooDeep(u16),
    /// The program nests too many trials of moves at this word.
    TooManyCopies(u16),
}

/// Scratch memory for a verification.
pub struct Scratch {
    /// The depth of the node that starts at this word; 0 if none does.
    depth: [u8; PROGRAM_WORDS],
    /// The number of positions that the node keeps. The entry of the next word, the first
    /// operand, contains the stack that a run of the node may need, in [`UNIT_BYTES`].
    copies: [u8; PROGRAM_WORDS],
    /// The largest stack that a root may need, in bytes.
    most: u16,
    /// The stack for one kept position, if the program looks ahead over turns.
    ahead: Option<u16>,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch::new()
    }
}

impl Scratch {
    /// Scratch memory that holds no results.
    #[must_use]
    pub const fn new() -> Self {
        Scratch {
            depth: [0; PROGRAM_WORDS],
            copies: [0; PROGRAM_WORDS],
            most: 0,
            ahead: None,
        }
    }

    /// Notes what is known of a node: its depth, the positions it keeps, its stack.
    fn note(&mut self, at: usize, length: usize, deep: u8, kept: u8, room: u16) {
        if let (Some(place), Some(copies)) = (self.depth.get_mut(at), self.copies.get_mut(at)) {
            *place = deep;
            *copies = kept;
        }
        self.most = self.most.max(room);
        if let Some(place) = self.copies.get_mut(at + 1).filter(|_| length > 1) {
            *place = u8::try_from(room.div_ceil(UNIT_BYTES)).unwrap_or(u8::MAX);
        }
    }

    /// The largest stack, in bytes, that the last verified cartridge may need on a board.
    #[must_use]
    pub fn stack_bytes(&self) -> usize {
        self.looking_ahead(BOARD_AHEAD)
    }

    /// As [`Scratch::stack_bytes`], on a host, which looks further ahead.
    #[must_use]
    pub fn host_stack_bytes(&self) -> usize {
        self.looking_ahead(MOST_AHEAD)
    }

    fn looking_ahead(&self, ahead: u8) -> usize {
        let most = usize::from(self.most);
        match self.ahead {
            // Each turn that is looked ahead contains all of the moves again.
            Some(copy) => (most + usize::from(copy)) * (usize::from(ahead) + 1),
            None => most,
        }
    }
}

/// Verifies these bytes as a cartridge.
///
/// # Errors
/// The reason why the bytes are not a cartridge that can be played.
pub fn verify<'a>(bytes: &'a [u8], scratch: &mut Scratch) -> Result<Cartridge<'a>, Refused> {
    let opened = open(bytes);
    // If a part seems to be misplaced, damage is reported first.
    let foreign = matches!(opened, Err(Refused::NoCartridge | Refused::Version(_)));
    if !foreign && !is_whole(bytes) {
        return Err(Refused::Checksum);
    }
    let cartridge = opened?;
    check_layout(&cartridge)?;
    if check_program(&cartridge, scratch)? && !cartridge.is(flag::REPEATS) {
        return Err(Refused::Unsaid);
    }
    check_roots(&cartridge, scratch)?;
    Ok(cartridge)
}

/// The cartridge in bytes that were verified before.
#[must_use]
pub fn looked_through(bytes: &[u8]) -> Option<Cartridge<'_>> {
    open(bytes).ok()
}

/// The number of sites that the head of a cartridge declares.
#[must_use]
pub fn sites_of(bytes: &[u8]) -> usize {
    usize::from(word(bytes, 4))
}

/// True if the checksum matches the bytes before it.
fn is_whole(bytes: &[u8]) -> bool {
    bytes
        .split_last_chunk()
        .is_some_and(|(held, sum)| u32::from_le_bytes(*sum) == checksum(held))
}

fn open(bytes: &[u8]) -> Result<Cartridge<'_>, Refused> {
    let start = HEAD_BYTES + SECTIONS * SECTION_BYTES;
    if bytes.len() < start + 4 || bytes.len() > MOST_BYTES || bytes.get(..4) != Some(&MAGIC) {
        return Err(Refused::NoCartridge);
    }
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    if byte(4) != VERSION {
        return Err(Refused::Version(byte(4)));
    }
    let held = bytes.get(..bytes.len() - 4).unwrap_or(&[]);
    let mut parts: [&[u8]; SECTIONS] = [&[]; SECTIONS];
    for (index, part) in parts.iter_mut().enumerate() {
        let at = HEAD_BYTES / 2 + 2 * index;
        let (from, length) = (word(bytes, at), word(bytes, at + 1));
        let (from, length) = (usize::from(from), usize::from(length));
        let found = held.get(from..from + length).filter(|_| from >= start);
        *part = found.ok_or(Refused::Part(index as u8))?;
    }
    let [
        steps,
        choices,
        pieces,
        sets,
        tables,
        program,
        phases,
        roots,
        texts,
    ] = parts;
    Ok(Cartridge {
        bytes,
        players: byte(5),
        board: word(bytes, 3),
        sites: word(bytes, 4),
        flags: u16::from_le_bytes([byte(10), byte(13)]),
        stack: byte(11),
        ways: byte(12),
        most_turns: word(bytes, 7),
        most_moves: word(bytes, 8),
        first_phases: [18, 19, 20, 21].map(byte),
        program,
        steps,
        choices,
        pieces,
        sets,
        tables,
        phases,
        roots,
        texts,
    })
}

fn check_layout(game: &Cartridge<'_>) -> Result<(), Refused> {
    let (board, sites) = (game.board(), game.sites());
    let stacked = game.stack() * sites;
    if usize::from(game.players) > PLAYERS
        || board == 0
        || board > sites
        || sites > SITES
        || game.ways() > WAYS
        || game.pieces() > PIECES
        || stacked > super::state::POOL
        || game.phases() > PHASES
        || (1..=game.players).any(|player| usize::from(game.first_phase(player)) >= game.phases())
        || game.most_moves == 0
        || game.most_turns == 0
    {
        return Err(Refused::TooLarge);
    }
    let is_whole = |index: u8, is: bool| is.then_some(()).ok_or(Refused::Part(index));
    is_whole(0, game.steps.len() == game.ways() * board)?;
    is_whole(0, game.steps.iter().all(|to| usize::from(*to) < board))?;
    let row = 4 * (usize::from(game.players) + 2);
    is_whole(1, game.choices.len().is_multiple_of(row))?;
    let ways = 1_u64 << game.ways();
    let mut choices = game.choices.chunks_exact(4);
    let holds = |choice: &[u8]| match choice {
        [a, b, c, d] => u64::from(u32::from_le_bytes([*a, *b, *c, *d])) < ways,
        _ => false,
    };
    is_whole(1, choices.all(holds))?;
    is_whole(2, game.pieces.len().is_multiple_of(PIECE_BYTES))?;
    is_whole(2, !game.pieces.is_empty())?;
    let owners = (0..game.pieces()).map(|what| game.owner(what as u8));
    is_whole(2, owners.into_iter().all(|owner| owner <= game.players + 1))?;
    is_whole(3, game.sets.len().is_multiple_of(sites.div_ceil(8)))?;
    let spare = sites.div_ceil(8) * 8 - sites;
    let mut rows = game.sets.chunks_exact(sites.div_ceil(8));
    let fits = |row: &[u8]| {
        row.last()
            .is_none_or(|last| u32::from(*last) << spare < 0x100)
    };
    is_whole(3, rows.all(fits))?;
    is_whole(4, game.tables.len().is_multiple_of(2))?;
    is_whole(5, game.program.len().is_multiple_of(2))?;
    is_whole(5, game.program.len() <= 2 * PROGRAM_WORDS)?;
    is_whole(6, game.phases.len().is_multiple_of(2 * PHASE_WORDS))?;
    is_whole(6, game.phases() > 0)?;
    is_whole(7, game.roots.len() == 2 * ROOTS)
}

/// The number of positions that a node keeps while its operands run, if those keep
/// `below`.
fn copies(op: Op, below: u8) -> u8 {
    match op {
        Op::Afterwards | Op::MostTaken | Op::Sow => below.saturating_add(1),
        // The position before the first operand, and the one after it.
        Op::Do => below.saturating_add(2),
        Op::Longest => below.saturating_add(1).saturating_mul(MOST_AHEAD + 1),
        _ => below,
    }
}

/// The stack that an earlier node may need. A node without operands needs a fixed amount;
/// the entry after it belongs to another node.
fn room_of(game: &Cartridge<'_>, scratch: &Scratch, node: u16) -> u16 {
    let [number, _] = game.program(node).to_le_bytes();
    let alone = Op::of(number).map_or(0, |op| room_for(op, 0, game.sites()));
    let units = scratch.copies.get(usize::from(node) + 1).copied();
    let kept = u16::from(units.unwrap_or(0)).saturating_mul(UNIT_BYTES);
    alone.max(kept)
}

/// The stack that a node may need if its operands need `below`.
fn room_for(op: Op, below: u16, sites: usize) -> u16 {
    let own = match op.gives() {
        NodeKind::Moves => ROOM_OF_MOVES,
        NodeKind::Sites => ROOM_OF_SITES,
        NodeKind::Truth | NodeKind::End => ROOM_OF_TRUTHS,
        NodeKind::Number | NodeKind::Ways => ROOM_OF_NUMBERS,
    };
    let copies = match op {
        Op::Afterwards | Op::MostTaken | Op::Sow | Op::Longest => 1,
        // The position before the first operand, the one after it, and one being copied.
        Op::Do => 3,
        _ => 0,
    };
    let kept = of_sites(ROOM_OF_A_COPY, sites).saturating_mul(copies);
    let own = of_sites(own, sites);
    below.saturating_add(own).saturating_add(kept)
}

/// Checks all nodes; true if one tests for repeated positions.
fn check_program(game: &Cartridge<'_>, scratch: &mut Scratch) -> Result<bool, Refused> {
    scratch.depth.fill(0);
    scratch.copies.fill(0);
    scratch.most = 0;
    scratch.ahead = None;
    let words = game.words();
    let (mut at, mut repeats) = (0, false);
    while at < words {
        let [number, _] = game.program(at as u16).to_le_bytes();
        repeats |= number == Op::IsRepeated as u8;
        let length = check_node(game, at, words, scratch)?;
        at += length;
    }
    Ok(repeats)
}

/// Checks one node and returns its number of words.
fn check_node(
    game: &Cartridge<'_>,
    at: usize,
    words: usize,
    scratch: &mut Scratch,
) -> Result<usize, Refused> {
    let here = at as u16;
    let wrong = Refused::Program(here);
    let [number, extra] = game.program(here).to_le_bytes();
    let op = Op::of(number).ok_or(wrong)?;
    let more = op.each().map_or(0, |_| usize::from(extra));
    let length = 1 + op.takes().len() + more;
    if at + length > words {
        return Err(wrong);
    }
    let (mut depth, mut kept, mut room) = (0_u8, 0_u8, 0_u16);
    let room_of = |node: u16| room_of(game, scratch, node);
    for (place, takes) in op.operands(extra) {
        let value = game.operand(here, place);
        let node = operand_node(game, takes, value).ok_or(wrong)?;
        if let Some((node, kind)) = node {
            let (below, copies) = look_up(game, scratch, here, node, kind).ok_or(wrong)?;
            depth = depth.max(below);
            kept = kept.max(copies);
            room = room.max(room_of(node));
        }
    }
    if matches!(op, Op::Choose) {
        let first = game.operand(here, slot::Choose::SET);
        let many = game.operand(here, slot::Choose::MANY);
        let last = usize::from(first) + usize::from(many);
        (many > 0 && last <= game.sets())
            .then_some(())
            .ok_or(wrong)?;
    }
    for (node, kind) in hidden(game, op, extra) {
        let (below, copies) = look_up(game, scratch, here, node, kind).ok_or(wrong)?;
        depth = depth.max(below);
        kept = kept.max(copies);
        room = room.max(room_of(node));
    }
    let kept = copies(op, kept);
    let room = room_for(op, room, game.sites());
    if depth >= MOST_DEPTH {
        return Err(Refused::TooDeep(here));
    }
    if kept > MOST_COPIES {
        return Err(Refused::TooManyCopies(here));
    }
    scratch.note(at, length, depth + 1, kept, room);
    if op == Op::Longest {
        scratch.ahead = Some(of_sites(ROOM_OF_A_COPY, game.sites()));
    }
    Ok(length)
}

/// The node that an operand names, if it names one; `None` if it names something that
/// does not exist.
fn operand_node(
    game: &Cartridge<'_>,
    takes: OperandKind,
    value: u16,
) -> Option<Option<(u16, NodeKind)>> {
    match takes {
        OperandKind::Node(kind) => Some(Some((value, kind))),
        OperandKind::Maybe(kind) => Some((value != NOTHING).then_some((value, kind))),
        OperandKind::Raw => Some(None),
        OperandKind::Set => (usize::from(value) < game.sets()).then_some(None),
        OperandKind::Table => {
            let length = usize::from(word(game.tables, usize::from(value)));
            let end = 2 * (usize::from(value) + 1 + length);
            (end <= game.tables.len()).then_some(None)
        }
        OperandKind::Choice => {
            let row = 4 * (usize::from(game.players) + 2);
            (usize::from(value) < game.choices.len() / row).then_some(None)
        }
    }
}

/// The nodes that a node runs without naming them: the moves of pieces and phases.
fn hidden<'a>(
    game: &'a Cartridge<'_>,
    op: Op,
    extra: u8,
) -> impl Iterator<Item = (u16, NodeKind)> + 'a {
    let pieces = matches!(op, Op::ForEachPiece).then_some(usize::from(extra & bit::THREATS));
    let phases = match op {
        Op::NoMoves => Some(0),
        Op::IsThreatened => Some(1),
        _ => None,
    };
    let pieces = pieces.into_iter().flat_map(move |column| {
        let moves = (0..game.pieces()).map(move |what| game.piece(what as u8).moves);
        moves.filter_map(move |moves| moves.get(column).copied())
    });
    let phases = phases.into_iter().flat_map(move |column| {
        (0..game.phases()).map(move |phase| game.phase(phase as u8, column))
    });
    let nodes = pieces.chain(phases).filter(|node| *node != NOTHING);
    nodes.map(|node| (node, NodeKind::Moves))
}

/// The depth of an earlier node and the number of positions that it keeps, if it is of
/// this kind.
fn look_up(
    game: &Cartridge<'_>,
    scratch: &Scratch,
    here: u16,
    node: u16,
    kind: NodeKind,
) -> Option<(u8, u8)> {
    let depth = *scratch.depth.get(usize::from(node))?;
    let copies = *scratch.copies.get(usize::from(node))?;
    let [number, _] = game.program(node).to_le_bytes();
    let is_one = node < here && depth > 0 && Op::of(number)?.gives() == kind;
    is_one.then_some((depth, copies))
}

fn check_roots(game: &Cartridge<'_>, scratch: &Scratch) -> Result<(), Refused> {
    let words = game.words() as u16;
    let is = |node: u16, kind: NodeKind, optional: bool| {
        let is_one = look_up(game, scratch, words, node, kind).is_some();
        let fine = is_one || (optional && node == NOTHING);
        fine.then_some(()).ok_or(Refused::Program(node))
    };
    for what in 0..game.pieces() {
        for moves in game.piece(what as u8).moves {
            is(moves, NodeKind::Moves, true)?;
        }
    }
    for phase in 0..game.phases() as u8 {
        is(game.phase(phase, 0), NodeKind::Moves, false)?;
        is(game.phase(phase, 1), NodeKind::Moves, true)?;
        is(game.phase(phase, 2), NodeKind::End, true)?;
        for next in 0..NEXT_PHASES {
            let [who, when, to] = [0, 1, 2].map(|word| game.phase(phase, 3 + 3 * next + word));
            if who == NOTHING {
                continue;
            }
            is(who, NodeKind::Number, false)?;
            is(when, NodeKind::Truth, true)?;
            let there = usize::from(to) < game.phases();
            there.then_some(()).ok_or(Refused::Part(6))?;
        }
    }
    is(game.set_up(), NodeKind::Moves, true)?;
    is(game.end(), NodeKind::End, true)
}
