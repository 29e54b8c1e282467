//! The board's player in a layout's own game, which knows nothing but the moves of the
//! game and its end.
//!
//! It repeatedly plays the game to its end at random, and builds a tree of the first
//! moves with which that went well (upper confidence bounds for trees: Kocsis and
//! Szepesvári, 2006). Before that it tries each of its moves, and afterwards each answer
//! to its choice, so that no level overlooks the end of the game. A call of
//! [`Player::wake`] takes a bounded number of the machine's steps; what takes longer is
//! stored and continued in the next tick.
//!
//! - `glance`: which moves win or lose at once;
//! - `games`: the random games and the tree.
//!
//! Invariants: the same seed gives the same move on every machine; a move that wins at
//! once is made, and one to which an answer wins at once only if there is no other move
//! or the time is up.

mod games;
mod glance;

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Tick};
use serde::{Deserialize, Serialize};

use super::random_game::{DrawProgress, MOST_REFUSED};
use super::{Written, machine};
use crate::cartridge::candidates::{Number, Seek, Stretch};
use crate::cartridge::{Action, LayoutGame, State};
use crate::game::{BoardTurn, Context, Game, Player};
use crate::ground::Ground;
use crate::minds::arena::{Arena, Linked, TreePath, WHOLE};
use crate::minds::at_level;
use crate::minds::pace::{Due, ThinkingTime};
use crate::rng::Rng;
use crate::state_reader::StateReader;
#[cfg(feature = "host")]
use crate::thought::{Thought, Worth};
use crate::word::Word;

use glance::{Glance, GlanceStage};

/// The number of moves after which a random game is cut off.
const LONGEST: u16 = 240;
/// The minimum cost of half a move, in steps: of making it, or of evaluating its end.
const STEPS_AT_LEAST: u32 = 10;
/// The maximum time for random games at each level, in ticks.
const THINK_MS: [Tick; 4] = [300, 900, 2_000, 3_000];
/// The time after which no random game begins, in ticks after the turn began: the answers
/// to the favourite are still to be tried.
const GAMES_UNTIL_MS: Tick = 3_400;
/// The maximum thinking time, in ticks. Time 0 leaves 5,000 ms, in which a move of several
/// touches has to be made as well.
const MOST_THINK_MS: Tick = 4_400;

/// Takes the place of the person in a node whose move turned out to be illegal.
const REFUSED: u8 = 3;
/// Takes the place of the person in a node of a move to which an answer wins at once.
const LOSING: u8 = 4;

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
    /// turned out to be illegal, [`LOSING`] if it loses at once.
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

/// A random game that was not finished in one tick; after the random games, the position
/// after the move whose answers are tried.
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
        let mut path = TreePath::default();
        let _ = path.push(0);
        RunningGame {
            state,
            moves: 0,
            path,
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
    glance: Glance,
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

impl<W: Word> Explorer<W> {
    /// The legal moves among those that were tried at a node.
    fn legal_children(&self, of: u8) -> impl Iterator<Item = (u8, NumberedNode)> {
        self.nodes
            .children(of)
            .filter(|(_, node)| node.person != REFUSED)
    }

    /// The best move in the tree: one that does not lose at once, and then the one with
    /// the most games through it.
    fn best_move(&self) -> Option<NumberedNode> {
        let best = self
            .legal_children(0)
            .max_by_key(|(_, node)| (node.person != LOSING, node.visits, node.worth));
        best.map(|(_, node)| node)
    }

    /// Thinks for one tick.
    fn think(
        &mut self,
        game: &Written<W>,
        level: u8,
        layout: &LayoutGame<'_>,
        ground: &Ground<W>,
        now: Tick,
    ) {
        match self.glance.stage {
            GlanceStage::Wins => self.look_for_a_win(game, layout, ground, now),
            GlanceStage::Games => {
                let is_enough = self.playouts >= *at_level(&PLAYOUTS, level);
                let thought_ms = now.saturating_sub(self.glance.games_began);
                let is_late = thought_ms >= *at_level(&THINK_MS, level)
                    || self.pace.thought_ms(now) >= GAMES_UNTIL_MS;
                match is_enough || is_late {
                    true => self.end_games(layout),
                    false => self.play_games(game, layout, ground),
                }
            }
            GlanceStage::Answers => self.look_for_a_loss(game, layout, ground),
            GlanceStage::Over => {}
        }
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
        let favourite = || self.best_move().map(|node| node.number);
        self.choice = self.choice.or_else(favourite).or_else(any);
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

impl<W: Word> Player<W, Written<W>> for Explorer<W> {
    #[cfg(feature = "host")]
    fn thought(&self, game: &Written<W>, ground: &Ground<W>) -> Thought {
        let choice = self.choice;
        let chosen = choice.and_then(|number| {
            let mut moves = self.legal_children(0);
            moves.find_map(|(_, node)| (node.number == number).then_some(node))
        });
        let best = choice.map_or_else(|| self.best_move(), |_| chosen);
        let worth = best.map(|node| {
            let most = u32::from(node.visits.max(1)) * u32::from(WHOLE);
            Worth::WonPermille((u32::from(node.worth) * 1_000 / most) as u16)
        });
        let number = choice.or(best.map(|node| node.number));
        Thought {
            best: number.and_then(|number| touch_of(number, game, ground)),
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
        let knows = self.choice.is_some() || self.glance.stage == GlanceStage::Over;
        match self.pace.due(context.now, knows, MOST_THINK_MS) {
            Due::Rest => BoardTurn::Wait,
            Due::Think => {
                self.think(game, level, &layout, ground, context.now);
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
            glance,
            choice,
            aim,
        } = self;
        source.read(pace)?;
        source.read(rng)?;
        source.read(playouts)?;
        source.read(nodes)?;
        source.read(going)?;
        source.read(glance)?;
        source.read(choice)?;
        source.read(aim)
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let Some(game) = ground.game() else {
            return false;
        };
        let filled = self.nodes.iter().all(|node| {
            u32::from(node.worth) <= u32::from(node.visits) * u32::from(WHOLE)
                && node.person <= LOSING
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
