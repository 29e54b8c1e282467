//! The board's player in a layout's own game, which knows nothing but the moves of the
//! game and its end.
//!
//! It repeatedly plays the game to its end at random, and builds a tree of the first
//! moves with which that went well (upper confidence bounds for trees: Kocsis and
//! Szepesvári, 2006). A call of [`Player::wake`] takes a bounded number of the machine's
//! steps, but makes at least one move; a random game that takes longer is stored and
//! continued in the next tick.
//!
//! Invariants: the same seed gives the same move on every machine.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point, Tick};
use serde::{Deserialize, Serialize};

use super::random_game::{DrawProgress, MOST_REFUSED, wander};
use super::{Written, machine, steps_of_a_call};
use crate::cartridge::candidates::{Draw, FORCED, Number, RandomChoice, Seek, Stretch};
use crate::cartridge::{Action, LayoutGame, Machine, State, Unended};
use crate::game::{BoardTurn, Context, Game, Player};
use crate::ground::Ground;
use crate::minds::arena::{Arena, Linked, NODES, TreePath, WHOLE};
use crate::minds::at_level;
use crate::minds::pace::{Due, ThinkingTime};
use crate::minds::tree::log2_256ths;
use crate::rng::Rng;
use crate::state_reader::StateReader;
#[cfg(feature = "host")]
use crate::thought::{Thought, Worth};
use crate::word::Word;

/// The largest lead in pieces that counts in a game that was cut off.
const LEAD: i32 = 5;
/// The number of moves after which a random game is cut off.
const LONGEST: u16 = 240;
/// A random game is cut off after this many moves if one side leads by [`CLEAR`] pieces,
/// which is more than an exchange in progress could explain. A game without captures
/// continues.
const LONG: u16 = 30;
/// The lead in pieces that counts as clear; see [`LONG`].
const CLEAR: i32 = 2;
/// The minimum cost of half a move, in steps: of making it, or of evaluating its end.
const STEPS_AT_LEAST: u32 = 10;
/// The maximum thinking time of each level, in ticks; Time 0 leaves 5,000 ms.
const THINK_MS: [Tick; 4] = [300, 900, 2_000, 4_400];
/// The number of visits from which on a node gets branches.
const VISITS_TO_BRANCH: u16 = 2;
/// The weight of rarely visited moves, in 16ths of the root of `log2(visits) /
/// visits`.
const CURIOSITY: u32 = 11;

/// Takes the place of the person in a node whose move turned out to be illegal.
const REFUSED: u8 = 3;

/// The number of random games that each level plays before it moves, if there is time.
const PLAYOUTS: [u16; 4] = [12, 60, 300, 4_000];

/// A move in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
struct NumberedNode {
    /// The number of the move among the candidates; unused for the root.
    number: Number,
    /// The number of games through the node.
    visits: u16,
    /// The sum of the games' values for the person who made the move.
    worth: u16,
    /// The person who made the move, numbered as at the start; [`REFUSED`] if the move
    /// turned out to be illegal.
    person: u8,
    /// True once all moves that follow are nodes.
    is_whole: bool,
    /// The index of the newest child; 0 if there is none.
    child: u8,
    /// The index of the next older sibling; 0 if there is none.
    sibling: u8,
}

impl Linked for NumberedNode {
    #[inline]
    fn child(&mut self) -> &mut u8 {
        &mut self.child
    }

    #[inline]
    fn sibling(&mut self) -> &mut u8 {
        &mut self.sibling
    }
}

/// A random game that was not finished in one tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
struct RunningGame<W: Word> {
    state: State<W>,
    moves: u16,
    path: TreePath,
    /// True while the game is still in the tree.
    descends: bool,
    lots: DrawProgress,
}

impl<W: Word> RunningGame<W> {
    /// A path that starts at a position.
    fn with(state: State<W>) -> Self {
        RunningGame {
            state,
            moves: 0,
            path: TreePath::default(),
            descends: true,
            lots: DrawProgress::default(),
        }
    }
}

/// The board's own player of written games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Explorer<W: Word> {
    pace: ThinkingTime,
    rng: Option<Rng>,
    playouts: u16,
    nodes: Arena<NumberedNode>,
    going: Option<RunningGame<W>>,
    /// The move that the player has chosen.
    choice: Option<Number>,
    /// The point that it touches next to make that move.
    aim: Option<Point>,
}

/// A search for any move that continues the picked parts.
struct Any<'a, 'g, W: Word> {
    game: &'a Written<W>,
    layout: &'a LayoutGame<'g>,
    found: Option<Number>,
}

impl<W: Word> Seek<W> for Any<'_, '_, W> {
    fn wants(&self, ends: [i16; 2]) -> bool {
        self.found.is_none() && self.game.goes_on_with(ends, self.layout)
    }

    fn is_enough(&self) -> bool {
        self.found.is_some()
    }

    fn found(&mut self, number: Number, _: [i16; 2], _: Option<Action>) {
        self.found = Some(number);
    }
}

/// The result of a step down the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Descent {
    /// A move in the tree was made.
    Down,
    /// The drawn move is not legal, so none was made.
    Refused,
    /// The descent has left the tree.
    Beyond,
    /// A move is still being drawn.
    Draws,
}

/// What a move is drawn at random with.
struct Drawing<'d> {
    /// The progress of the draw.
    draw: &'d mut Draw,
    /// The steps that are left for it in this tick.
    steps: u32,
    rng: &'d mut Rng,
}

impl<W: Word> Explorer<W> {
    /// The legal moves among those that were tried at a node.
    fn legal_children(&self, of: u8) -> impl Iterator<Item = (u8, NumberedNode)> {
        self.nodes
            .children(of)
            .filter(|(_, node)| node.person != REFUSED)
    }

    /// Makes one move down the tree, which may be a new node.
    fn descend(
        &mut self,
        path: &mut TreePath,
        game: &Written<W>,
        machine: &mut Machine<'_, W>,
        layout: &LayoutGame<'_>,
        drawing: Drawing<'_>,
    ) -> Descent {
        let at = path.last().copied().unwrap_or_default();
        let node = self.nodes.node(at);
        if path.is_full() || (at != 0 && node.visits < VISITS_TO_BRANCH) {
            return Descent::Beyond;
        }
        if !node.is_whole && !self.nodes.is_full() {
            match self.branch(at, game, machine, layout, drawing) {
                Some(Descent::Beyond) => {
                    let _ = path.push(self.nodes.node(at).child);
                    return Descent::Beyond;
                }
                Some(descent) => return descent,
                None => {}
            }
        }
        let next = self.best_child(at);
        if next == 0 {
            return Descent::Beyond;
        }
        machine.play_number(self.nodes.node(next).number);
        let _ = path.push(next);
        Descent::Down
    }

    /// Draws one of the moves that are not yet nodes, plays it if it is legal, and
    /// makes it a node; continues drawing while there are steps left. `None` if there
    /// is no such move.
    fn branch(
        &mut self,
        at: u8,
        game: &Written<W>,
        machine: &mut Machine<'_, W>,
        layout: &LayoutGame<'_>,
        drawing: Drawing<'_>,
    ) -> Option<Descent> {
        let person = person(&machine.state, machine.state.mover);
        let mut known: List<Number, NODES> = List::default();
        for (_, node) in self.nodes.children(at) {
            let _ = known.push(node.number);
        }
        let goes_on = |ends: [i16; 2]| game.goes_on_with(ends, layout);
        let wants: Option<&dyn Fn([i16; 2]) -> bool> = match at {
            0 if !game.picked.is_empty() => Some(&goes_on),
            _ => None,
        };
        let Drawing { draw, steps, rng } = drawing;
        let drawn = machine.play_unknown(draw, steps, &known, wants, rng);
        let (number, person, is_last) = match drawn {
            RandomChoice::GoesOn => return Some(Descent::Draws),
            RandomChoice::Played { number, is_last } => (number, person, is_last),
            RandomChoice::Refused { number, is_last } => (number, REFUSED, is_last),
            RandomChoice::None if self.legal_children(at).next().is_none() => {
                machine.play_number(FORCED);
                (FORCED, person, true)
            }
            RandomChoice::None => {
                self.set_whole(at, true);
                return None;
            }
        };
        let is_last = is_last && (person != REFUSED || self.legal_children(at).next().is_some());
        let node = NumberedNode {
            number,
            person,
            ..NumberedNode::default()
        };
        self.nodes.add(at, node);
        self.set_whole(at, is_last);
        Some(match person {
            REFUSED => Descent::Refused,
            _ => Descent::Beyond,
        })
    }

    /// Records whether all moves that follow are nodes.
    fn set_whole(&mut self, at: u8, is_whole: bool) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.is_whole = is_whole;
        }
    }

    /// The child to continue with; 0 if there is none.
    fn best_child(&self, of: u8) -> u8 {
        let log = log2_256ths(u32::from(self.nodes.node(of).visits)) << 16;
        let promise = |node: NumberedNode| {
            let visits = u32::from(node.visits).max(1);
            let mean = u32::from(node.worth) * (65_536 / u32::from(WHOLE)) / visits;
            mean + (log / visits).isqrt() * CURIOSITY
        };
        self.legal_children(of)
            .max_by_key(|(_, node)| promise(*node))
            .map_or(0, |(index, _)| index)
    }

    /// Plays random games for one tick.
    #[inline(never)]
    fn think(&mut self, game: &Written<W>, layout: &LayoutGame<'_>, ground: &Ground<W>) {
        let Some(mut rng) = self.rng.clone() else {
            return;
        };
        let mut machine = machine(layout, ground);
        let mut path = TreePath::default();
        let _ = path.push(0);
        let (mut moves, mut descends, mut lots) = (0, true, DrawProgress::default());
        if let Some(going) = &self.going {
            machine.resume(&going.state, &game.known);
            path.clone_from(&going.path);
            (moves, descends) = (going.moves, going.descends);
            lots = going.lots;
        } else {
            machine.resume(&game.state, &game.known);
        }
        let mut steps: u32 = 0;
        loop {
            let is_clear = moves >= LONG && lead(&machine.state, 1).abs() >= CLEAR;
            let is_ended = machine.state.unended == Unended::Nothing;
            let is_enough = machine.state.over || machine.gave_up() || moves >= LONGEST || is_clear;
            let is_finished = is_ended && is_enough;
            if is_finished {
                self.learn(&path, &machine);
                self.playouts = self.playouts.saturating_add(1);
                self.going = None;
                break;
            }
            if steps >= steps_of_a_call::<W>() {
                // The new state is stored in place of the previous one.
                let going = match &mut self.going {
                    Some(going) => {
                        machine.leave(&mut going.state);
                        going
                    }
                    None => self.going.insert(RunningGame::with(machine.left())),
                };
                (going.path, going.moves, going.descends) = (path, moves, descends);
                going.lots = lots;
                break;
            }
            let left = steps_of_a_call::<W>() - steps;
            if !is_ended {
                machine.end_move(left);
            } else if descends {
                let drawing = Drawing {
                    draw: &mut lots.draw,
                    steps: left,
                    rng: &mut rng,
                };
                let descent = self.descend(&mut path, game, &mut machine, layout, drawing);
                descends = descent != Descent::Beyond;
            } else if wander(&mut machine, &mut lots, left, &mut rng) {
                moves += 1;
            }
            steps = steps.saturating_add(machine.steps_taken().max(STEPS_AT_LEAST));
        }
        self.rng = Some(rng);
    }

    fn learn(&mut self, path: &TreePath, machine: &Machine<'_, W>) {
        for index in path.iter() {
            if let Some(node) = self.nodes.get_mut(*index) {
                node.visits = node.visits.saturating_add(1);
                let worth = worth(&machine.state, node.person);
                node.worth = node.worth.saturating_add(worth);
            }
        }
        // Sums that might overflow are halved, so that newer results count more.
        if self.nodes.node(0).visits > u16::MAX / (2 * WHOLE) {
            for node in self.nodes.iter_mut() {
                node.visits /= 2;
                node.worth = (node.worth / 2).min(node.visits * WHOLE);
            }
        }
    }

    /// The best move: the one with the most games through it.
    fn favourite(&self) -> Option<Number> {
        let best = self
            .legal_children(0)
            .max_by_key(|(_, node)| (node.visits, node.worth));
        best.map(|(_, node)| node.number)
    }

    /// The next touch of the chosen move.
    fn act(&self, game: &Written<W>, layout: &LayoutGame<'_>, ground: &Ground<W>) -> BoardTurn {
        let Some(choice) = self.choice else {
            return BoardTurn::Wait;
        };
        let mut machine = machine(layout, ground);
        machine.resume(&game.state, &game.known);
        match game.touch_for(choice, &mut machine, layout) {
            // The point that the player wants to touch has not been found yet.
            Some(point) if !game.legal(ground).has(point) && game.looks.is_some() => {
                BoardTurn::Wait
            }
            Some(point) => BoardTurn::Touch(point),
            None => BoardTurn::Pass,
        }
    }

    /// Chooses a move, whatever the player knows; without any results, the first possible
    /// one.
    fn choose(&mut self, game: &Written<W>, layout: &LayoutGame<'_>, ground: &Ground<W>) {
        let any = || {
            let mut machine = machine(layout, ground);
            machine.resume(&game.state, &game.known);
            let mut any = Any {
                game,
                layout,
                found: None,
            };
            let stretch = Stretch {
                asks: true,
                ..Stretch::UNASKED
            };
            machine.seek(stretch, &mut any);
            any.found
        };
        self.choice = self.choice.or_else(|| self.favourite()).or_else(any);
    }
}

/// The next touch of the move with this number.
#[cfg(feature = "host")]
fn touch_of<W: Word>(number: Number, game: &Written<W>, ground: &Ground<W>) -> Option<Point> {
    let layout = ground.game()?;
    let mut machine = machine(&layout, ground);
    machine.resume(&game.state, &game.known);
    game.touch_for(number, &mut machine, &layout)
}

/// Converts between players and persons, 1 and 2. They differ once the players have
/// exchanged their colours.
fn person<W: Word>(state: &State<W>, player: u8) -> u8 {
    match player {
        1 | 2 if state.swapped => 3 - player,
        _ => player,
    }
}

/// The value of a game for a person: determined by the winner, or by the pieces if the
/// game was cut off.
fn worth<W: Word>(state: &State<W>, whose: u8) -> u16 {
    if state.over {
        return match state.winner {
            0 => WHOLE / 2,
            winner if person(state, winner) == whose => WHOLE,
            _ => 0,
        };
    }
    (i32::from(WHOLE / 2) + lead(state, person(state, whose)).clamp(-LEAD, LEAD)) as u16
}

/// The number of pieces by which a player leads.
fn lead<W: Word>(state: &State<W>, player: u8) -> i32 {
    let own = state.owned(player.into()).len() as i32;
    own - state.owned(3 - i32::from(player)).len() as i32
}

impl<W: Word> Player<W, Written<W>> for Explorer<W> {
    #[cfg(feature = "host")]
    fn thought(&self, game: &Written<W>, ground: &Ground<W>) -> Thought {
        let best = self
            .legal_children(0)
            .max_by_key(|(_, node)| (node.visits, node.worth));
        let worth = best.map(|(_, node)| {
            let most = u32::from(node.visits.max(1)) * u32::from(WHOLE);
            Worth::WonPermille((u32::from(node.worth) * 1_000 / most) as u16)
        });
        Thought {
            best: best.and_then(|(_, node)| touch_of(node.number, game, ground)),
            worth,
            playouts: self.playouts.into(),
            began: self.pace.began(),
            ..Thought::default()
        }
    }

    fn wakes_at(&self) -> Tick {
        self.pace.wakes_at()
    }

    fn wake(&mut self, game: &Written<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let ground = context.ground;
        let Some(layout) = ground.game() else {
            return BoardTurn::Wait;
        };
        if game.is_between_moves() {
            return BoardTurn::Wait;
        }
        if self.pace.begins(context.now) {
            self.rng = Some(context.rng.split());
            self.nodes.plant();
        }
        let knows = self.choice.is_some() || self.playouts >= *at_level(&PLAYOUTS, level);
        match self
            .pace
            .due(context.now, knows, *at_level(&THINK_MS, level))
        {
            Due::Rest => BoardTurn::Wait,
            Due::Think => {
                self.think(game, &layout, ground);
                BoardTurn::Wait
            }
            Due::Answer => {
                if let Some(point) = self.aim.take()
                    && game.legal(ground).has(point)
                {
                    return BoardTurn::Touch(point);
                }
                self.choose(game, &layout, ground);
                let act = self.act(game, &layout, ground);
                // Finding out where to touch is enough work for a tick, and so is the
                // touch.
                if let BoardTurn::Touch(point) = act {
                    self.aim = Some(point);
                    return BoardTurn::Wait;
                }
                act
            }
        }
    }

    fn hurry(&mut self, game: &Written<W>, _level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let ground = context.ground;
        let Some(layout) = ground.game() else {
            return BoardTurn::Wait;
        };
        self.choose(game, &layout, ground);
        self.act(game, &layout, ground)
    }

    fn read(&mut self, source: &mut StateReader<'_>) -> Option<()> {
        let Explorer {
            pace,
            rng,
            playouts,
            nodes,
            going,
            choice,
            aim,
        } = self;
        source.read(pace)?;
        source.read(rng)?;
        source.read(playouts)?;
        source.read(nodes)?;
        source.read(going)?;
        source.read(choice)?;
        source.read(aim)
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let Some(game) = ground.game() else {
            return false;
        };
        let filled = self.nodes.iter().all(|node| {
            u32::from(node.worth) <= u32::from(node.visits) * u32::from(WHOLE)
                && node.person <= REFUSED
        });
        let goes = self.going.as_ref().is_none_or(|going| {
            going.state.is_sound(&game.cartridge)
                && !going.path.is_empty()
                && self.nodes.has_path(&going.path)
                && going.moves <= LONGEST
                && going.lots.refused <= MOST_REFUSED
        });
        let aims = self.aim.is_none_or(|aim| ground.layout().has(aim));
        filled && self.nodes.is_linked() && goes && aims
    }
}
