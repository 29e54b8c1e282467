//! A cartridge under construction: its program, its pools, and finally its bytes.

use std::collections::HashMap;

use firmware_core::cartridge::bytes::{
    HEAD_BYTES, MAGIC, NEXT_PHASES, PHASE_WORDS, SECTION_BYTES, SECTIONS, VERSION, checksum, flag,
};
use firmware_core::cartridge::op::{NOTHING, NotedSite, Op, OperandSlot, slot};

/// The index of a node's first word.
pub type NodeId = u16;

/// A phase of a game.
#[derive(Clone, Debug, Default)]
pub struct Phase {
    /// Its moves, and the same moves as they count for threats.
    pub play: [Option<NodeId>; 2],
    /// Its rules of the end.
    pub end: Option<NodeId>,
    /// The following phases.
    pub next: Vec<NextPhase>,
}

/// A phase that follows another.
#[derive(Clone, Debug)]
pub struct NextPhase {
    /// The player for whom it follows.
    pub who: NodeId,
    /// The condition on which it follows, if there is one.
    pub when: Option<NodeId>,
    /// Its index.
    pub to: u16,
}

/// A kind of piece.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// The name, with the owner's number.
    pub name: String,
    /// Its name without the player's number.
    pub kind: String,
    /// The owner: 0 for nobody, players + 1 for all.
    pub owner: u8,
    /// The two states that a flip exchanges.
    pub flips: [u8; 2],
    /// The direction that it faces, in sixteenths of a turn from north.
    pub facing: Option<usize>,
    /// Its moves, and the same moves as they count for threats.
    pub moves: [Option<NodeId>; 2],
}

/// A cartridge under construction.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The name of the game.
    pub name: String,
    /// The number of players.
    pub players: u8,
    /// The number of sites of the board.
    pub board: usize,
    /// The number of all sites, including hands.
    pub sites: usize,
    /// The flags in the cartridge's header.
    pub flags: u16,
    /// The maximum height of a stack.
    pub stack: u8,
    /// The maximum number of turns of each player.
    pub most_turns: u16,
    /// The maximum number of moves in a game.
    pub most_moves: u16,
    /// For each way and site of the board, the next site.
    pub steps: Vec<Vec<usize>>,
    /// The pieces; the first stands for no piece.
    pub pieces: Vec<Piece>,
    /// The phases of the game.
    pub phases: Vec<Phase>,
    /// The phase in which each player starts.
    pub first_phases: Vec<u8>,
    /// The root node of the set-up, if there is one.
    pub set_up: Option<NodeId>,
    /// The root node of the rules of the end.
    pub end: Option<NodeId>,
    choices: Vec<Vec<u32>>,
    sets: Vec<Vec<usize>>,
    tables: Vec<i16>,
    table_places: HashMap<Vec<i16>, u16>,
    words: Vec<u16>,
    known: HashMap<Vec<u16>, NodeId>,
    noted: u16,
}

/// Why a program cannot become a cartridge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// The program has this many words, which is too many.
    #[error("the rules take {0} words of a program, and 4096 is the maximum")]
    Program(usize),
    /// The cartridge has this many bytes, which is too many.
    #[error("the cartridge would have {0} bytes, and 65535 is the maximum")]
    Bytes(usize),
    /// The core refuses the cartridge.
    #[error("the core refuses the cartridge: {0:?}")]
    Refused(firmware_core::cartridge::Refused),
}

impl Program {
    /// An empty program for a board with these ways.
    pub fn new(name: &str, players: u8, steps: Vec<Vec<usize>>, sites: usize) -> Program {
        Program {
            name: name.to_owned(),
            players,
            board: sites,
            sites,
            steps,
            pieces: vec![Piece::default()],
            ..Program::default()
        }
    }

    /// Adds a node, or returns an equal one that already exists.
    pub fn node(&mut self, op: Op, extra: u8, takes: &[u16]) -> NodeId {
        let mut words = vec![u16::from_le_bytes([op as u8, extra])];
        words.extend_from_slice(takes);
        if let Some(node) = self.known.get(&words) {
            return *node;
        }
        let at = self.words.len().min(usize::from(NOTHING)) as u16;
        self.words.extend_from_slice(&words);
        self.known.insert(words, at);
        at
    }

    /// True if a node has this operation.
    fn has(&self, op: Op) -> bool {
        let does = |words: &Vec<u16>| words.first().is_some_and(|word| *word as u8 == op as u8);
        self.known.keys().any(does)
    }

    /// Adds a node with a variable number of operands.
    pub fn each(&mut self, op: Op, first: &[u16], each: &[NodeId]) -> NodeId {
        let takes: Vec<u16> = first.iter().chain(each).copied().collect();
        self.node(op, each.len() as u8, &takes)
    }

    /// Adds the node of a number.
    pub fn constant(&mut self, number: i64) -> NodeId {
        let number = number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        self.node(Op::Constant, 0, &[number.cast_unsigned()])
    }

    /// Wraps a condition that is asked for many sites, so that its result is stored for
    /// each site. A condition that depends on anything besides the site is not wrapped.
    pub fn everywhere(&mut self, truth: NodeId, site: NotedSite) -> NodeId {
        if truth == NOTHING || self.op(truth) == Some(Op::Everywhere) {
            return truth;
        }
        if !self.depends_on(truth, site.op()) {
            return truth;
        }
        let place = self.noted;
        self.noted += 1;
        self.node(Op::Everywhere, site as u8, &[place, truth])
    }

    /// True if a node depends on nothing but one site.
    fn depends_on(&self, node: NodeId, looked_at: Op) -> bool {
        use firmware_core::cartridge::op::{NodeKind, OperandKind};
        let Some(op) = self.op(node) else {
            return false;
        };
        let others = [
            Op::From,
            Op::To,
            Op::Between,
            Op::Site,
            Op::Player,
            Op::Value,
        ];
        if op == looked_at {
            return true;
        }
        if others.contains(&op) || matches!(op, Op::Everywhere | Op::IsStuck | Op::Chance) {
            return false;
        }
        if matches!(op.gives(), NodeKind::Moves | NodeKind::End) {
            return false;
        }
        if matches!(
            op,
            Op::NoMoves
                | Op::CanMove
                | Op::IsThreatened
                | Op::Reached
                | Op::Filter
                | Op::AllSites
                | Op::Around
                | Op::Along
                | Op::Groups
                | Op::GroupSize
                | Op::Group
                | Op::IsLine
                | Op::IsLineAny
                | Op::TrackFirst
        ) {
            return false;
        }
        let [_, extra] = self.words[usize::from(node)].to_le_bytes();
        op.operands(extra).all(|(place, takes)| {
            let is_node = match takes {
                OperandKind::Node(_) => true,
                OperandKind::Maybe(_) => self.operand(node, place) != NOTHING,
                _ => false,
            };
            !is_node || self.depends_on(self.operand(node, place), looked_at)
        })
    }

    /// Sorts conditions by cost. They have no effects, so their order does not change the
    /// result.
    pub fn cheap_first(&self, mut truths: Vec<NodeId>) -> Vec<NodeId> {
        truths.sort_by_key(|truth| self.cost(*truth));
        truths
    }

    /// The approximate cost of evaluating a node.
    fn cost(&self, node: NodeId) -> u64 {
        use firmware_core::cartridge::op::{NodeKind, OperandKind};
        let Some(op) = self.op(node) else { return 0 };
        let [_, extra] = self.words[usize::from(node)].to_le_bytes();
        let below: u64 = op
            .operands(extra)
            .map(|(place, takes)| match takes {
                OperandKind::Node(_) | OperandKind::Maybe(_) => match self.operand(node, place) {
                    NOTHING => 0,
                    below => self.cost(below),
                },
                _ => 0,
            })
            .sum();
        let many = match op {
            Op::Filter | Op::AllSites | Op::Groups => 64,
            Op::ForEachPiece | Op::ForEachSite => 64,
            _ => 1,
        };
        let own = match op {
            Op::Distance | Op::IsConnected | Op::Group | Op::GroupSize | Op::IsLoop => 200,
            Op::IsLine | Op::IsPattern | Op::Around | Op::Along => 20,
            Op::NoMoves | Op::IsThreatened | Op::CanMove => 2_000,
            Op::WithPiece | Op::WithState | Op::WithNumber => 20,
            _ if matches!(op.gives(), NodeKind::Moves) => 50,
            _ => 1,
        };
        own + many * below
    }

    /// The value of a node, if it is constant.
    pub fn constant_of(&self, node: NodeId) -> Option<i64> {
        let is_one = self.op(node) == Some(Op::Constant);
        is_one.then(|| {
            let value = self.operand(node, slot::Constant::VALUE);
            value.cast_signed().into()
        })
    }

    /// The operation of a node.
    pub fn op(&self, node: NodeId) -> Option<Op> {
        let [number, _] = self.words.get(usize::from(node))?.to_le_bytes();
        Op::of(number)
    }

    /// The operand of a node in this slot.
    pub fn operand(&self, node: NodeId, slot: OperandSlot) -> u16 {
        let word = self
            .words
            .get(usize::from(node) + usize::from(slot.words()));
        word.copied().unwrap_or(NOTHING)
    }

    /// Adds a set to the pool. Returns its index.
    pub fn set(&mut self, sites: impl IntoIterator<Item = usize>) -> u16 {
        let mut sites: Vec<usize> = sites.into_iter().collect();
        sites.sort_unstable();
        sites.dedup();
        let place = self.sets.iter().position(|set| *set == sites);
        place.unwrap_or_else(|| {
            self.sets.push(sites);
            self.sets.len() - 1
        }) as u16
    }

    /// Adds consecutive sets to the pool. Returns the index of the first.
    pub fn sets_in_order(&mut self, sets: Vec<Vec<usize>>) -> u16 {
        let known = self
            .sets
            .windows(sets.len().max(1))
            .position(|window| window == sets);
        let first = self.sets.len();
        if known.is_none() {
            self.sets.extend(sets);
        }
        known.unwrap_or(first) as u16
    }

    /// The sites of a set of the pool.
    pub fn set_of(&self, set: u16) -> &[usize] {
        &self.sets[usize::from(set)]
    }

    /// A node for a constant set.
    pub fn fixed(&mut self, sites: impl IntoIterator<Item = usize>) -> NodeId {
        let set = self.set(sites);
        self.node(Op::Fixed, 0, &[set])
    }

    /// The sites of a node, if they are constant.
    pub fn fixed_of(&self, node: NodeId) -> Option<Vec<usize>> {
        let is_one = self.op(node) == Some(Op::Fixed);
        is_one.then(|| self.set_of(self.operand(node, slot::Fixed::SET)).to_vec())
    }

    /// Adds a table to the pool. Returns the index of its first entry.
    pub fn table(&mut self, numbers: Vec<i16>) -> u16 {
        if let Some(place) = self.table_places.get(&numbers) {
            return *place;
        }
        let place = self.tables.len() as u16;
        self.tables.push(numbers.len() as i16);
        self.tables.extend_from_slice(&numbers);
        self.table_places.insert(numbers, place);
        place
    }

    /// Adds a choice of ways, one for each owner.
    pub fn choice(&mut self, ways: Vec<u32>) -> u16 {
        let place = self.choices.iter().position(|choice| *choice == ways);
        place.unwrap_or_else(|| {
            self.choices.push(ways);
            self.choices.len() - 1
        }) as u16
    }

    /// The ways of a choice.
    pub fn choice_of(&self, choice: u16) -> &[u32] {
        &self.choices[usize::from(choice)]
    }

    /// The first word of a node.
    pub(super) fn word(&self, node: NodeId) -> u16 {
        self.words
            .get(usize::from(node))
            .copied()
            .unwrap_or(NOTHING)
    }

    /// The nodes at which the machine starts.
    pub(super) fn roots(&mut self) -> impl Iterator<Item = &mut NodeId> {
        let phases = self.phases.iter_mut().flat_map(|phase| {
            let next = phase.next.iter_mut();
            let next = next.flat_map(|next| std::iter::once(&mut next.who).chain(&mut next.when));
            let play = phase.play.iter_mut().flatten();
            play.chain(&mut phase.end).chain(next)
        });
        let pieces = self.pieces.iter_mut();
        let moves = pieces.flat_map(|piece| piece.moves.iter_mut().flatten());
        let own = self.set_up.iter_mut().chain(&mut self.end);
        phases.chain(moves).chain(own)
    }

    /// Takes the words out of the program.
    pub(super) fn take_words(&mut self) -> Vec<u16> {
        self.known.clear();
        std::mem::take(&mut self.words)
    }

    /// Replaces the pool of sets.
    pub(super) fn replace_sets(&mut self, sets: Vec<Vec<usize>>) {
        self.sets = sets;
    }

    /// The number of words in the program.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    fn parts(&self) -> [Vec<u8>; SECTIONS] {
        let words = |words: &[u16]| -> Vec<u8> {
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        };
        let place = |node: Option<NodeId>| node.unwrap_or(NOTHING);
        let steps = self.steps.iter().flatten().map(|site| *site as u8);
        let choices = self.choices.iter().flatten();
        let pieces = self.pieces.iter().flat_map(|piece| {
            let [a, b] = piece.moves.map(|node| place(node).to_le_bytes());
            let [one, other] = piece.flips;
            [piece.owner, one, other, 0, a[0], a[1], b[0], b[1]]
        });
        let sets = self.sets.iter().flat_map(|set| {
            let mut bytes = vec![0_u8; self.sites.div_ceil(8)];
            for site in set {
                bytes[site / 8] |= 1 << (site % 8);
            }
            bytes
        });
        let tables = self.tables.iter().flat_map(|number| number.to_le_bytes());
        let phases = self.phases.iter().flat_map(|phase| {
            let mut row = vec![place(phase.play[0]), place(phase.play[1]), place(phase.end)];
            for NextPhase { who, when, to } in phase.next.iter().take(NEXT_PHASES) {
                row.extend([*who, place(*when), *to]);
            }
            row.resize(PHASE_WORDS, NOTHING);
            words(&row)
        });
        let names = self.pieces.iter().map(|piece| &piece.name);
        let texts = std::iter::once(&self.name).chain(names).flat_map(|text| {
            let mut end = text.len().min(255);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let bytes = text.as_bytes()[..end].to_vec();
            std::iter::once(end as u8).chain(bytes).collect::<Vec<u8>>()
        });
        [
            steps.collect(),
            choices.flat_map(|ways| ways.to_le_bytes()).collect(),
            pieces.collect(),
            sets.collect(),
            tables.collect(),
            words(&self.words),
            phases.collect(),
            words(&[place(self.set_up), place(self.end)]),
            texts.collect(),
        ]
    }

    /// The bytes of the cartridge.
    ///
    /// # Errors
    /// The limit that is exceeded, or why the core refuses the cartridge.
    pub fn bytes(&self) -> Result<Vec<u8>, TooLarge> {
        let parts = self.parts();
        let length: usize = parts.iter().map(Vec::len).sum();
        let length = HEAD_BYTES + SECTIONS * SECTION_BYTES + length + 4;
        if self.words.len() > firmware_core::cartridge::bytes::PROGRAM_WORDS {
            return Err(TooLarge::Program(self.words.len()));
        }
        if length > firmware_core::cartridge::bytes::MOST_BYTES {
            return Err(TooLarge::Bytes(length));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.players]);
        bytes.extend((self.board as u16).to_le_bytes());
        bytes.extend((self.sites as u16).to_le_bytes());
        let asks = [
            (Op::SetScore, flag::SCORES),
            (Op::IsRepeated, flag::REPEATS),
        ];
        let asked = asks.into_iter().filter(|(op, _)| self.has(*op));
        let flags = asked.fold(self.flags, |all, (_, flag)| all | flag);
        let [low, high] = flags.to_le_bytes();
        bytes.extend([low, self.stack, self.steps.len() as u8, high]);
        bytes.extend(self.most_turns.to_le_bytes());
        bytes.extend(self.most_moves.to_le_bytes());
        bytes.extend(self.first_phases.iter().take(4));
        bytes.resize(HEAD_BYTES, 0);
        let mut at = HEAD_BYTES + SECTIONS * SECTION_BYTES;
        for part in &parts {
            bytes.extend((at as u16).to_le_bytes());
            bytes.extend((part.len() as u16).to_le_bytes());
            at += part.len();
        }
        bytes.extend(parts.into_iter().flatten());
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        Ok(bytes)
    }
}
