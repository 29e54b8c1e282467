//! Compiles a tree to a cartridge.
//!
//! The first construct that cannot be compiled is reported as an [`Unknown`] with its
//! place in the text; nothing is ignored. Constants are computed here: names of pieces
//! and sites become numbers, directions become ways, and regions become sets.
//! Floating-point numbers remain only in the board's picture.

mod arguments;
mod board;
mod ends;
mod equipment;
mod moves;
mod numbers;
mod phases;
mod playable;
mod program;
mod rules;
mod sites;
mod sweep;
mod targets;
mod tracks;
mod truths;
mod ways;

use std::collections::{BTreeSet, HashMap};

use firmware_core::cartridge::layout_game::Room;
use firmware_core::cartridge::op::{NOTHING, Op, bit};
use firmware_core::cartridge::{Scratch, verify};

use crate::layout::{Direction, SiteType, Sites};
use crate::text::{self, Problem, Reading};
use crate::tree::{Kind, Node};

use arguments::{Arguments, nearest};
pub use arguments::{CompileResult, Unknown};
pub use playable::Unplayable;
pub use program::TooLarge;
use program::{NodeId, Program};
use ways::Ways;

/// A compiled game and what a host needs to show it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The bytes of the cartridge.
    pub bytes: Vec<u8>,
    /// The number of words in the program.
    pub words: usize,
    /// The number of sites, including those of hands.
    pub sites: usize,
    /// The names of the pieces; the first stands for no piece.
    pub pieces: Vec<String>,
    /// The number of players; 0 if the game plays by itself.
    pub players: u8,
    /// The sites of the board.
    pub board: Sites,
    /// The stack that the rules may need, in bytes on a microcontroller.
    pub stack_bytes: usize,
    /// Which boards have this much stack: all, or hosts only; `None` if none has.
    pub room: Option<Room>,
    /// The maximum height of a stack of pieces, if the text limits it.
    pub levels: Option<u8>,
    /// The rules of the end.
    pub endings: Vec<EndRule>,
    /// The regions that players have to connect, such as the two sides of each player in
    /// Hex, if they are constant: the player and the sites.
    pub joins: Vec<(u8, Vec<usize>)>,
}

/// A rule of the end, in the text and in the program.
#[derive(Clone, Debug, PartialEq)]
pub struct EndRule {
    /// The rule in the text.
    pub rule: Node,
    /// The rule's node in the program, which [`Machine::ended_at`] returns.
    ///
    /// [`Machine::ended_at`]: firmware_core::cartridge::Machine::ended_at
    pub at: u16,
    /// The alternative conditions, if there are several: each in the text, and its node
    /// in the program.
    pub any_of: Vec<(Node, u16)>,
}

/// Why a game cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A construct is not supported.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// The program is too large for a cartridge.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

impl CompileError {
    /// The error with its place in the text that was read.
    #[must_use]
    pub fn of(self, reading: &Reading) -> text::TextError {
        match self {
            CompileError::Unknown(Unknown {
                span,
                undefined: Some(name),
                ..
            }) => {
                let near = reading.near_macro(&name);
                let problem = Problem::UnknownMacro { name, near };
                text::TextError { span, problem }
            }
            CompileError::Unknown(Unknown { span, what, .. }) => {
                let problem = Problem::NotCompiled(what);
                text::TextError { span, problem }
            }
            CompileError::TooLarge(what) => text::TextError {
                span: reading.game.span,
                problem: Problem::NotCompiled(what.to_string()),
            },
        }
    }
}

/// Compiles the tree of a game.
///
/// # Errors
/// The first construct that is not supported, or the limit that is exceeded.
pub fn compile(game: &Node) -> Result<Compiled, CompileError> {
    let mut compiler = rules::game(game)?;
    compiler.sweep();
    let program = compiler.program;
    let bytes = program.bytes()?;
    let mut scratch = Box::new(Scratch::new());
    verify(&bytes, &mut scratch).map_err(TooLarge::Refused)?;
    Ok(Compiled {
        words: program.words(),
        sites: program.sites,
        players: program.players,
        board: compiler.sites,
        stack_bytes: scratch.stack_bytes(),
        room: Room::of(&scratch, program.sites),
        levels: compiler.levels,
        pieces: program
            .pieces
            .iter()
            .map(|piece| piece.name.clone())
            .collect(),
        endings: compiler.endings,
        joins: compiler.joins,
        bytes,
    })
}

/// The state of a compilation.
struct Compiler {
    program: Program,
    players: u8,
    /// The direction in which each player faces, in sixteenths of a turn from north.
    facing: Vec<Option<usize>>,
    sites: Sites,
    used: SiteType,
    /// The number of cells of the board, even if it is played on other sites.
    cells: usize,
    ways: Ways,
    /// The sites of each player's hand.
    hands: Vec<Vec<usize>>,
    /// The regions by name and owner; players + 1 stands for all.
    regions: Vec<Region>,
    /// The maps by name, as tables.
    maps: Vec<(String, Vec<i16>)>,
    /// The names of variables and events.
    variables: Vec<String>,
    events: Vec<String>,
    /// The names under which values are remembered.
    memories: Vec<String>,
    /// All names under which the text remembers values; an empty one for values without a
    /// name.
    remembered_names: BTreeSet<String>,
    tracks: Vec<tracks::Track>,
    /// True while moves are compiled as they count for threats, within which nothing is
    /// threatened.
    in_sight: bool,
    /// The pieces whose moves are being compiled.
    moving: Vec<usize>,
    /// True while the set-up is compiled, the only place for random placement.
    in_set_up: bool,
    /// The sites on which each piece starts.
    started: HashMap<u8, Vec<usize>>,
    phases: Vec<String>,
    /// The number of sites of each hand that the set-up occupies.
    in_hands: Vec<usize>,
    endings: Vec<EndRule>,
    /// The groups of regions to connect; see [`Compiled::joins`].
    joins: Vec<(u8, Vec<usize>)>,
    /// The maximum height of a stack after each move that adds a piece; `None` if the
    /// text does not limit it.
    heights: Vec<Option<i64>>,
    /// The maximum height after any move, in a game of stacks.
    levels: Option<u8>,
    /// The parts of each `(or ...)`, in the text's order.
    any_of: HashMap<NodeId, Vec<(Node, NodeId)>>,
    /// A construct that games with stacks do not support, if the text uses one. Whether
    /// the game has stacks is known at the end.
    of_no_stacks: Option<Unknown>,
}

/// A region of the equipment.
#[derive(Clone, Debug)]
struct Region {
    name: String,
    owner: Option<u8>,
    parts: Vec<NodeId>,
}

impl Compiler {
    /// Removes nodes that are never run.
    fn sweep(&mut self) {
        let nodes = |ending: &EndRule| -> Vec<NodeId> {
            let any_of = ending.any_of.iter().map(|(_, at)| *at);
            any_of.chain([ending.at]).collect()
        };
        let told: Vec<NodeId> = self.endings.iter().flat_map(nodes).collect();
        let moved = self.program.sweep(&told);
        for ending in &mut self.endings {
            ending.at = moved.to(ending.at);
            for (_, at) in &mut ending.any_of {
                *at = moved.to(*at);
            }
        }
    }

    fn node(&mut self, op: Op, extra: u8, takes: &[u16]) -> NodeId {
        self.program.node(op, extra, takes)
    }

    fn constant(&mut self, number: i64) -> NodeId {
        self.program.constant(number)
    }

    fn optional<T>(
        &mut self,
        node: Option<&Node>,
        of: impl FnOnce(&mut Self, &Node) -> CompileResult<T>,
    ) -> CompileResult<Option<T>> {
        node.map(|node| of(self, node)).transpose()
    }

    fn maybe(node: Option<NodeId>) -> u16 {
        node.unwrap_or(NOTHING)
    }

    /// Takes the type of site, if one is named. It has to be the board's, or cells for a
    /// hand.
    fn site_type(&self, arguments: &mut Arguments<'_>) -> CompileResult<()> {
        let named =
            arguments.next_if(|node| matches!(node.word(), Some("Cell" | "Vertex" | "Edge")));
        let Some(node) = named else { return Ok(()) };
        let is_used = match self.used {
            SiteType::Cell => node.word() == Some("Cell"),
            SiteType::Vertex => node.word() == Some("Vertex"),
            SiteType::Edge => node.word() == Some("Edge"),
        };
        if is_used || (node.word() == Some("Cell") && !self.hands.is_empty()) {
            return Ok(());
        }
        let what = "only the sites that the board is played on can be named here";
        Err(Unknown::at(node, what))
    }

    /// The number of the player with this role, as a node. `Each` and `All` are refused.
    fn role(&mut self, node: &Node) -> CompileResult<NodeId> {
        let Some(role) = node.word() else {
            if node.head() == Some("player") {
                let mut arguments = Arguments::of(node)?;
                let of = match arguments.next() {
                    Some(index) => self.number(index)?,
                    None => self.node(Op::Player, 0, &[]),
                };
                arguments.finish()?;
                return Ok(of);
            }
            return self.number(node);
        };
        if let Some(player) = self.player_of(role) {
            return Ok(self.constant(player.into()));
        }
        match role {
            word if numbers::WORDS.contains(&word) => self.number(node),
            "Mover" => Ok(self.node(Op::Mover, 0, &[])),
            "Next" => Ok(self.node(Op::Next, 0, &[])),
            "Prev" => Ok(self.node(Op::Previous, 0, &[])),
            "Player" => Ok(self.node(Op::Player, 0, &[])),
            "Enemy" | "NonMover" if self.players == 2 => {
                let three = self.constant(3);
                let mover = self.node(Op::Mover, 0, &[]);
                Ok(self.node(Op::Minus, 0, &[three, mover]))
            }
            _ => {
                let near = nearest(role, &["Mover", "Next", "Prev", "P1", "P2", "Neutral"]);
                Err(Unknown::at(
                    node,
                    format!("`{role}` is not a player here{near}"),
                ))
            }
        }
    }

    /// [`Compiler::role`] for a role that has to be a player.
    fn player(&mut self, node: &Node) -> CompileResult<NodeId> {
        let player = self.role(node)?;
        let most = i64::from(self.players) + 1;
        match self.program.constant_of(player) {
            Some(number) if !(0..=most).contains(&number) => {
                Err(Unknown::at(node, format!("there is no player {number}")))
            }
            _ => Ok(player),
        }
    }

    /// The number of the player with this role, if it is constant.
    fn player_of(&self, role: &str) -> Option<u8> {
        match role {
            "Neutral" => Some(0),
            "Shared" => Some(self.players + 1),
            _ => {
                let number: u8 = role.strip_prefix('P')?.parse().ok()?;
                (1..=self.players).contains(&number).then_some(number)
            }
        }
    }

    /// The pieces with this name: of one owner if it ends with a number, otherwise of all
    /// owners.
    fn pieces_named(&self, name: &str) -> Vec<u8> {
        let pieces = self.program.pieces.iter().enumerate().skip(1);
        let exactly: Vec<u8> = pieces
            .clone()
            .filter(|(_, piece)| piece.name == name)
            .map(|(index, _)| index as u8)
            .collect();
        if !exactly.is_empty() {
            return exactly;
        }
        pieces
            .filter(|(_, piece)| piece.kind == name)
            .map(|(index, _)| index as u8)
            .collect()
    }

    /// The error that no piece has this name.
    fn no_piece(&self, at: &Node, name: &str) -> Unknown {
        let pieces = self.program.pieces.iter().skip(1);
        let names: Vec<&str> = pieces.map(|piece| piece.name.as_str()).collect();
        let near = match text::near(name, names.iter().copied()) {
            Some(near) => format!("; did you mean \"{near}\"?"),
            None if names.is_empty() => String::new(),
            None => format!(": there is \"{}\"", names.join("\", \"")),
        };
        Unknown::at(at, format!("no piece is called \"{name}\"{near}"))
    }

    /// The number of one piece: `(id "King" Mover)`, `(piece "King")`.
    fn piece_of(&mut self, name: &Node, role: Option<&Node>) -> CompileResult<NodeId> {
        let Some(kind) = name.text() else {
            return self.number(name);
        };
        let pieces = self.pieces_named(kind);
        let first = *pieces.first().ok_or_else(|| self.no_piece(name, kind))?;
        if pieces.len() == 1 && role.is_none() {
            return Ok(self.constant(first.into()));
        }
        let Some(role) = role else {
            // Without a player's name, the mover's piece.
            let mover = self.node(Op::Mover, 0, &[]);
            return Ok(self.piece_by_owner(&pieces, mover));
        };
        let owner = self.role(role)?;
        if let Some(owner) = self.program.constant_of(owner) {
            let is_owned =
                |piece: &&u8| i64::from(self.program.pieces[usize::from(**piece)].owner) == owner;
            let piece = pieces.iter().find(is_owned).copied();
            let piece = piece.ok_or_else(|| self.no_piece(name, kind))?;
            return Ok(self.constant(piece.into()));
        }
        Ok(self.piece_by_owner(&pieces, owner))
    }

    fn piece_by_owner(&mut self, pieces: &[u8], owner: NodeId) -> NodeId {
        let mut table = vec![-1; usize::from(self.players) + 2];
        for piece in pieces.iter().rev() {
            let owner = self.program.pieces[usize::from(*piece)].owner;
            table[usize::from(owner)] = i16::from(*piece);
        }
        let table = self.program.table(table);
        self.node(Op::Entry, 0, &[table, owner])
    }

    /// Directions from a site, as ways; `usual` if none are named.
    fn directions(&mut self, node: Option<&Node>, usual: Direction) -> CompileResult<NodeId> {
        let Some(node) = node else {
            return Ok(self.relation(usual));
        };
        if node.head() == Some("directions") {
            let mut arguments = Arguments::of(node)?;
            let relation = arguments.named("of").and_then(Node::word);
            let relation = relation.and_then(|word| word.parse().ok());
            let relation = relation.unwrap_or(Direction::Adjacent);
            self.site_type(&mut arguments)?;
            let inner = arguments.need("a direction")?;
            let ways = self.directions_in(inner, relation)?;
            arguments.finish()?;
            return Ok(ways);
        }
        if node.head() == Some("if") {
            let mut arguments = Arguments::of(node)?;
            let truth = self.truth(arguments.need("a condition")?)?;
            let one = self.directions(arguments.next(), usual)?;
            let other = self.directions(arguments.next(), usual)?;
            arguments.finish()?;
            return Ok(self.node(Op::IfWays, 0, &[truth, one, other]));
        }
        self.directions_in(node, Direction::Adjacent)
    }

    fn directions_in(&mut self, node: &Node, relation: Direction) -> CompileResult<NodeId> {
        let mut all = Vec::new();
        let mut rows = vec![0_u32; usize::from(self.players) + 2];
        for name in node.elements() {
            let unknown = || {
                let near = name
                    .word()
                    .map(|word| nearest(word, crate::constructs::WORDS));
                let near = near.unwrap_or_default();
                Unknown::at(name, format!("this direction is not supported{near}"))
            };
            let named = name.word().ok_or_else(unknown)?;
            if matches!(named, "SameDirection" | "OppositeDirection") {
                let choice = self.choice_of(Direction::All);
                let extra = u8::from(named == "OppositeDirection") * bit::OPPOSITE;
                all.push(self.node(Op::LastWay, extra, &[choice]));
                continue;
            }
            if let Ok(direction) = named.parse::<Direction>() {
                let ways = self.ways.called(direction);
                rows.iter_mut().for_each(|row| *row |= ways);
                continue;
            }
            for (owner, row) in rows.iter_mut().enumerate() {
                let facing = self.facing_of(owner);
                let ways = self.relative(named, facing, relation);
                *row |= ways.ok_or_else(unknown)?;
            }
        }
        if rows.iter().any(|row| *row != 0) || all.is_empty() {
            let choice = self.program.choice(rows);
            all.push(self.node(Op::Choice, 0, &[choice]));
        }
        Ok(match all[..] {
            [one] => one,
            _ => self.program.each(Op::AnyWay, &[], &all),
        })
    }

    /// The direction in which an owner's pieces face: that of the piece whose moves are
    /// compiled, or of another piece, or of the player, or north.
    fn facing_of(&self, owner: usize) -> usize {
        let moving = self.moving.iter();
        let moving = moving.map(|piece| &self.program.pieces[*piece]);
        let pieces = moving.chain(self.program.pieces.iter().skip(1));
        let mut own = pieces.filter(|piece| usize::from(piece.owner) == owner);
        let by_piece = own.find_map(|piece| piece.facing);
        let by_player = self.facing.get(owner).copied().flatten();
        by_piece.or(by_player).unwrap_or(0)
    }

    /// The ways of a direction that is relative to a piece's facing.
    fn relative(&self, name: &str, facing: usize, relation: Direction) -> Option<u32> {
        let supported: Vec<usize> = self
            .sites
            .directions(relation)
            .iter()
            .filter_map(|direction| direction.sector())
            .collect();
        let turned = |by: i32| (facing as i32 + by).rem_euclid(16) as usize;
        let ways = |sector: usize| self.ways.called(Direction::COMPASS[sector]);
        let exactly = |by: i32| {
            let sector = turned(by);
            if supported.contains(&sector) {
                ways(sector)
            } else {
                0
            }
        };
        // The `many`-th supported direction, when turning by `by` from `from`.
        let nth = |from: i32, by: i32, many: i32| {
            let mut sector = from;
            for _ in 0..many {
                sector += by;
                let mut turns = 0;
                while !supported.contains(&turned(sector)) && turns < 16 {
                    sector += by;
                    turns += 1;
                }
            }
            ways(turned(sector))
        };
        let range = |from: i32, to: i32| (from..=to).fold(0, |all, by| all | exactly(by));
        Some(match name {
            "Forward" => exactly(0),
            "Backward" => exactly(8),
            "Rightward" => exactly(4),
            "Leftward" => exactly(-4),
            "Forwards" => range(-3, 3),
            "Backwards" => range(5, 11),
            "Rightwards" => range(1, 7),
            "Leftwards" => range(-7, -1),
            "FR" => nth(0, 1, 1),
            "FRR" => nth(0, 1, 2),
            "FRRR" => nth(0, 1, 3),
            "FL" => nth(0, -1, 1),
            "FLL" => nth(0, -1, 2),
            "FLLL" => nth(0, -1, 3),
            "BR" => nth(8, -1, 1),
            "BRR" => nth(8, -1, 2),
            "BRRR" => nth(8, -1, 3),
            "BL" => nth(8, 1, 1),
            "BLL" => nth(8, 1, 2),
            "BLLL" => nth(8, 1, 3),
            _ => return None,
        })
    }

    /// The ways of a relation, for all owners.
    fn relation(&mut self, relation: Direction) -> NodeId {
        let choice = self.choice_of(relation);
        self.node(Op::Choice, 0, &[choice])
    }

    fn choice_of(&mut self, relation: Direction) -> u16 {
        let ways = self.ways.called(relation);
        self.program
            .choice(vec![ways; usize::from(self.players) + 2])
    }

    /// One of each pair of opposite ways of a relation.
    fn lines(&mut self, node: Option<&Node>, at: &Node) -> CompileResult<NodeId> {
        if !self.ways.has_opposites {
            let what =
                "lines of this board do not have exactly one opposite, which is not supported";
            return Err(Unknown::at(at, what));
        }
        let direction: Direction = match node {
            Some(node) => node
                .word()
                .and_then(|word| word.parse().ok())
                .ok_or_else(|| Unknown::at(node, "this is not a direction of lines"))?,
            None => Direction::Adjacent,
        };
        let half = self.ways.half(self.ways.called(direction));
        let rows = vec![half; usize::from(self.players) + 2];
        let choice = self.program.choice(rows);
        Ok(self.node(Op::Choice, 0, &[choice]))
    }

    /// The sites of the board.
    fn board(&mut self) -> NodeId {
        let all = 0..self.sites.len();
        self.program.fixed(all)
    }

    /// The index of a name in a list, added if it is new.
    fn place_of(list: &mut Vec<String>, name: &str) -> usize {
        let known = list.iter().position(|one| one == name);
        known.unwrap_or_else(|| {
            list.push(name.to_owned());
            list.len() - 1
        })
    }

    /// True if the node is a site or a number, not a set.
    fn is_number(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Number(_) => true,
            Kind::Text(_) => true,
            Kind::Word(word) => numbers::WORDS.contains(&word.as_str()),
            Kind::Call(_) => match node.head() {
                Some("if") => match &node.kind {
                    Kind::Call(arguments) => arguments
                        .get(2)
                        .is_some_and(|argument| self.is_number(&argument.node)),
                    _ => false,
                },
                Some(head) => {
                    numbers::HEADS.contains(&head) || numbers::FOREIGN_HEADS.contains(&head)
                }
                None => false,
            },
            _ => false,
        }
    }
}
