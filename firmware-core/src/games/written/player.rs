//! Who plays red in a game of the layout's own: it knows nothing of the game but
//! its moves and its end.
//!
//! It plays the game to its end at random, again and again, and grows a tree of
//! the first moves in which that went well (upper confidence bounds for trees:
//! Kocsis and Szepesvári, 2006). A call of [`Player::wake`] does a bounded number
//! of the machine's steps, and at least a move; a random game that takes longer
//! is kept and played on in the next tick.
//!
//! What always holds: at most [`NODES`] nodes; a node is younger than its parent
//! and its next sibling; the same seed gives the same move on every machine.

use core::ops::ControlFlow;

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point, Tick};
use serde::{Deserialize, Serialize};

use super::{Written, machine};
use crate::cartridge::{Draft, LayoutGame, Machine, State};
use crate::game::{Act, Context, Player};
use crate::ground::Ground;
use crate::minds::at_level;
use crate::minds::pace::{Due, Pace};
use crate::minds::tree::log2_256ths;
use crate::points::Points;
use crate::rng::Rng;
use crate::source::Source;
use crate::word::{Wide, Word};

/// Nodes of the tree, the root among them.
pub const NODES: usize = 256;
/// Moves deep.
const DEPTH: usize = 12;
/// What a game is worth at most; a draw is half of it.
const WHOLE: u16 = 16;
/// How many pieces more than the other's a game that was cut off is worth at most.
const LEAD: i32 = 5;
/// Moves after which a random game is cut off.
const LONGEST: u16 = 240;
/// Moves after which it is cut off where one has clearly more pieces than the other:
/// so many that no exchange is under way. A game without captures is played on.
const LONG: u16 = 30;
/// How many pieces that is.
const CLEAR: i32 = 2;
/// The steps of the machine in one call, after which it is left for the next.
const STEPS_PER_WAKE: u32 = 150;
/// A move counts as so many of them, at least: it is made, and the end is asked.
const STEPS_AT_LEAST: u32 = 20;
/// It thinks so long at most: Time 0 leaves 5,000 ms.
const THINK_MS: [Tick; 4] = [300, 900, 2_000, 4_400];
/// A node has branches for its moves from so many visits on.
const VISITS_TO_BRANCH: u16 = 2;
/// How much what was seldom looked at is preferred, in 16ths of the root of
/// `log2(visits) / visits`.
const CURIOSITY: u32 = 11;

/// How many random games it plays before it moves, if there is time.
const PLAYOUTS: [u16; 4] = [12, 60, 300, 4_000];

/// A move that was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
struct Node {
    /// Its number among the legal moves; of the root, nothing.
    number: u16,
    /// Games that went through it.
    visits: u16,
    /// What they were worth to the person who moved here, in all.
    worth: u16,
    /// Who moved here: the player that this person began as.
    person: u8,
    /// True once each move that follows is a node.
    is_whole: bool,
    /// The newest of the moves that follow, 0 if there is none.
    child: u16,
    /// The next older move beside this one, 0 if there is none.
    sibling: u16,
}

/// A random game that was not finished in one tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
struct Going<W: Word> {
    state: State<W>,
    moves: u16,
    path: List<u16, DEPTH>,
    /// True while it is in the tree.
    descends: bool,
}

/// The board's own player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Explorer<W: Word> {
    pace: Pace,
    rng: Option<Rng>,
    playouts: u16,
    nodes: List<Node, NODES>,
    going: Option<Going<W>>,
    /// The move that it makes.
    choice: Option<u16>,
}

impl<W: Word> Explorer<W> {
    fn node(&self, index: u16) -> Node {
        let node = self.nodes.get(usize::from(index));
        node.copied().unwrap_or_default()
    }

    fn children(&self, of: u16) -> impl Iterator<Item = (u16, Node)> {
        let mut next = self.node(of).child;
        core::iter::from_fn(move || {
            let index = next;
            let node = self.node(index);
            next = node.sibling;
            (index != 0).then_some((index, node))
        })
    }

    /// Takes the machine one move down the tree, which may be a new node; false once
    /// it is at the end of the tree.
    fn descend(
        &mut self,
        path: &mut List<u16, DEPTH>,
        game: &Written<W>,
        machine: &mut Machine<'_, W>,
        layout: &LayoutGame<'_>,
        rng: &mut Rng,
    ) -> bool {
        let at = path.last().copied().unwrap_or_default();
        let node = self.node(at);
        if path.is_full() || (at != 0 && node.visits < VISITS_TO_BRANCH) {
            return false;
        }
        let is_new = !node.is_whole && self.branch(at, game, machine, layout, rng);
        let next = if is_new {
            self.node(at).child
        } else {
            self.best_child(at)
        };
        if next == 0 {
            return false;
        }
        if !is_new {
            machine.play_nth(self.node(next).number.into());
        }
        let _ = path.push(next);
        !is_new
    }

    /// Plays a random one of the moves that are no node yet, and makes it one. False
    /// if there is none, or no room.
    fn branch(
        &mut self,
        at: u16,
        game: &Written<W>,
        machine: &mut Machine<'_, W>,
        layout: &LayoutGame<'_>,
        rng: &mut Rng,
    ) -> bool {
        if self.nodes.is_full() {
            return false;
        }
        let person = person(&machine.state, machine.state.mover);
        let (mut told, mut chosen) = (0, None);
        // Of most moves this set tells; of those beyond it the nodes do.
        let mut known: Points<Wide> = Points::NONE;
        for (_, node) in self.children(at) {
            if let Ok(number) = u8::try_from(node.number) {
                known.insert(Point(number));
            }
        }
        let is_node = |number: u16| match u8::try_from(number) {
            Ok(number) => known.has(Point(number)),
            Err(_) => self.children(at).any(|(_, node)| node.number == number),
        };
        let played = machine.play_which(&mut |number, draft: Draft| {
            let number = number as u16;
            if is_node(number) || (at == 0 && !game.goes_on_with(draft, layout)) {
                return false;
            }
            told += 1;
            let takes = rng.below(told) == 0;
            if takes {
                chosen = Some(number);
            }
            takes
        });
        let (Some(number), true) = (chosen, played) else {
            if let Some(node) = self.nodes.get_mut(usize::from(at)) {
                node.is_whole = true;
            }
            return false;
        };
        let index = self.nodes.len() as u16;
        let node = Node {
            number,
            person,
            sibling: self.node(at).child,
            ..Node::default()
        };
        let added = self.nodes.push(node).is_ok();
        if let Some(parent) = self.nodes.get_mut(usize::from(at)) {
            parent.child = index;
            parent.is_whole = told == 1;
        }
        added
    }

    /// The child to go on with; 0 if there is none.
    fn best_child(&self, of: u16) -> u16 {
        let log = log2_256ths(u32::from(self.node(of).visits)) << 16;
        let promise = |node: Node| {
            let visits = u32::from(node.visits).max(1);
            let mean = u32::from(node.worth) * (65_536 / u32::from(WHOLE)) / visits;
            mean + (log / visits).isqrt() * CURIOSITY
        };
        self.children(of)
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
        let (mut path, mut moves, mut descends);
        if let Some(going) = self.going.take() {
            machine.resume(&going.state, &game.known);
            (path, moves, descends) = (going.path, going.moves, going.descends);
        } else {
            machine.resume(&game.state, &game.known);
            (path, moves, descends) = (List::default(), 0, true);
            let _ = path.push(0);
        }
        let mut steps = 0;
        loop {
            let is_clear = moves >= LONG && lead(&machine.state, 1).abs() >= CLEAR;
            let is_finished =
                machine.state.over || machine.gave_up() || moves >= LONGEST || is_clear;
            if is_finished {
                self.learn(&path, &machine);
                self.playouts = self.playouts.saturating_add(1);
                break;
            }
            if steps >= STEPS_PER_WAKE {
                self.going = Some(Going {
                    state: machine.left(),
                    moves,
                    path: core::mem::take(&mut path),
                    descends,
                });
                break;
            }
            if descends {
                descends = self.descend(&mut path, game, &mut machine, layout, &mut rng);
            } else {
                machine.play_random(&mut rng);
                moves += 1;
            }
            steps = steps.saturating_add(machine.steps_taken().max(STEPS_AT_LEAST));
        }
        self.rng = Some(rng);
    }

    fn learn(&mut self, path: &List<u16, DEPTH>, machine: &Machine<'_, W>) {
        for index in path.iter() {
            if let Some(node) = self.nodes.get_mut(usize::from(*index)) {
                node.visits = node.visits.saturating_add(1);
                let worth = worth(&machine.state, node.person);
                node.worth = node.worth.saturating_add(worth);
            }
        }
        // Sums that could pass their bound are halved: what is new counts more.
        if self.node(0).visits > u16::MAX / (2 * WHOLE) {
            for node in self.nodes.iter_mut() {
                node.visits /= 2;
                node.worth = (node.worth / 2).min(node.visits * WHOLE);
            }
        }
    }

    /// The move that went best: the one that most games went through.
    fn favourite(&self) -> Option<u16> {
        let best = self
            .children(0)
            .max_by_key(|(_, node)| (node.visits, node.worth));
        best.map(|(_, node)| node.number)
    }

    /// The next touch of the move that it chose.
    fn act(&self, game: &Written<W>, layout: &LayoutGame<'_>, ground: &Ground<W>) -> Act {
        let Some(choice) = self.choice else {
            return Act::Wait;
        };
        let mut machine = machine(layout, ground);
        machine.resume(&game.state, &game.known);
        let touch = game.touch_for(choice, &mut machine, layout);
        touch.map_or(Act::Pass, Act::Touch)
    }

    /// A move, whatever it knows: the first one that it may make if nothing.
    fn choose(&mut self, game: &Written<W>, layout: &LayoutGame<'_>, ground: &Ground<W>) {
        let any = || {
            let mut machine = machine(layout, ground);
            machine.resume(&game.state, &game.known);
            let (mut at, mut found) = (0, None);
            let mut look = |_: &mut Machine<'_, W>, draft: Draft| {
                if game.goes_on_with(draft, layout) {
                    found = Some(at);
                    return ControlFlow::Break(());
                }
                at += 1;
                ControlFlow::Continue(())
            };
            let _ = machine.legal(&mut look);
            found
        };
        self.choice = self.choice.or_else(|| self.favourite()).or_else(any);
    }
}

/// Players 1 and 2 as persons, and persons as players: the other one, once they
/// have exchanged their colours.
fn person<W: Word>(state: &State<W>, player: u8) -> u8 {
    match player {
        1 | 2 if state.swapped => 3 - player,
        _ => player,
    }
}

/// What a game is worth to a person: by its winner, or by pieces where it was cut
/// off.
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

/// How many pieces a player has more than the other.
fn lead<W: Word>(state: &State<W>, player: u8) -> i32 {
    let own = state.owned(player.into()).len() as i32;
    own - state.owned(3 - i32::from(player)).len() as i32
}

impl<W: Word> Player<W, Written<W>> for Explorer<W> {
    fn wakes_at(&self) -> Tick {
        self.pace.wakes_at()
    }

    fn wake(&mut self, game: &Written<W>, level: u8, context: &mut Context<'_, W>) -> Act {
        let ground = context.ground;
        let Some(layout) = ground.game() else {
            return Act::Wait;
        };
        if self.pace.begins(context.now) {
            self.rng = Some(context.rng.split());
            self.nodes.clear();
            let _ = self.nodes.push(Node::default());
        }
        let knows = self.choice.is_some() || self.playouts >= *at_level(&PLAYOUTS, level);
        match self
            .pace
            .due(context.now, knows, *at_level(&THINK_MS, level))
        {
            Due::Rest => Act::Wait,
            Due::Think => {
                self.think(game, &layout, ground);
                Act::Wait
            }
            Due::Answer => {
                self.choose(game, &layout, ground);
                self.act(game, &layout, ground)
            }
        }
    }

    fn hurry(&mut self, game: &Written<W>, _level: u8, context: &mut Context<'_, W>) -> Act {
        let ground = context.ground;
        let Some(layout) = ground.game() else {
            return Act::Wait;
        };
        self.choose(game, &layout, ground);
        self.act(game, &layout, ground)
    }

    fn read(&mut self, source: &mut Source<'_>) -> Option<()> {
        let Explorer {
            pace,
            rng,
            playouts,
            nodes,
            going,
            choice,
        } = self;
        source.read(pace)?;
        source.read(rng)?;
        source.read(playouts)?;
        source.read(nodes)?;
        source.read(going)?;
        source.read(choice)
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let Some(game) = ground.game() else {
            return false;
        };
        let linked = self.nodes.iter().enumerate().all(|(index, node)| {
            let child = usize::from(node.child);
            (child == 0 || (index + 1..self.nodes.len()).contains(&child))
                && usize::from(node.sibling) <= index.saturating_sub(1)
                && u32::from(node.worth) <= u32::from(node.visits) * u32::from(WHOLE)
                && node.person <= 2
        });
        let goes = self.going.as_ref().is_none_or(|going| {
            let in_tree = |index: &u16| usize::from(*index) < self.nodes.len();
            going.state.is_sound(&game.cartridge)
                && !going.path.is_empty()
                && going.path.iter().all(in_tree)
                && going.moves <= LONGEST
        });
        linked && goes
    }
}
