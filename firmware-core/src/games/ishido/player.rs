//! How the board plays Ishido: it rates each square on which the stone in hand fits;
//! level 4 plays games to their end from the best of them.
//!
//! | level | one player | two players |
//! | --- | --- | --- |
//! | 1 | most points now, like the help | any square |
//! | 2 | most neighbours | most neighbours |
//! | 3 | what the stones left still fit | most points now, but one stone in three as at level 2 |
//! | 4 | as level 3, wasting no square; the best three are tried | most points, less half of those of the best answer |
//!
//! The player knows which stones are left, as everybody can, but not their order. A trial
//! draws them in an order of its own, which is the same for each square that is tried.
//!
//! Invariants: a slice examines at most [`RATED`] squares; a decision is checked against
//! the game before it is carried out.

use core::cmp::Reverse;

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use super::field::{Field, PLACES, is_at_edge, point_of};
use super::outlook::{CLOSE, Outlook, WIDE};
use super::pouch::{Pouch, RemainingStones};
use super::scoring::FOUR;
use super::stone::{Kinds, Stone};
use super::{Ishido, Players, Rule, START};
use crate::game::{BoardTurn, Context, Player};
use crate::ground::Ground;
use crate::minds::pace::{Due, ThinkingTime};
use crate::rng::Rng;
#[cfg(feature = "host")]
use crate::thought::{Thought, Worth};
use crate::word::Word;

/// The maximum number of squares that are rated in a slice.
pub const RATED: usize = 3;
/// The number of squares that are examined by trials.
pub const TRIED: usize = 3;
/// The maximum thinking time of level 4, in milliseconds.
pub const THINK_MS: Tick = 2_800;
/// The number of rounds without a loss after which the trials end.
const ROUNDS: u8 = 4;
/// One stone in this many is placed as the level below would.
const SLIPS: u32 = 3;
/// Any place that is not at the edge.
const INSIDE: u8 = START[START.len() - 1];
/// The cost of a trial that does not reach the end, in addition to one for each stone
/// left.
const LOSS: u16 = 20;

/// The criteria by which a player values a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// A random legal square.
    Chance,
    /// The square that scores the most now.
    Points,
    /// The square with the most neighbouring stones.
    Neighbours,
    /// The square that leaves the most room for the stones left ([`WIDE`]).
    Wide,
    /// As `Wide`, but without wasting squares ([`CLOSE`]).
    Close,
    /// The points scored now, less half of those that the best answer scores on average.
    Lead,
}

impl Policy {
    /// Every policy, in the order of the enum.
    pub const ALL: [Policy; 6] = [
        Policy::Chance,
        Policy::Points,
        Policy::Neighbours,
        Policy::Wide,
        Policy::Close,
        Policy::Lead,
    ];

    /// The name of the policy in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Policy::Chance => "chance",
            Policy::Points => "points",
            Policy::Neighbours => "neighbours",
            Policy::Wide => "wide",
            Policy::Close => "close",
            Policy::Lead => "lead",
        }
    }

    /// The policy of a level.
    #[must_use]
    pub fn of(level: u8, players: Players) -> Policy {
        match (players, level) {
            (Players::One, ..=1) => Policy::Points,
            (_, 2) => Policy::Neighbours,
            (Players::One, 3) => Policy::Wide,
            (Players::One, _) => Policy::Close,
            (Players::Two, ..=1) => Policy::Chance,
            (Players::Two, 3) => Policy::Points,
            (Players::Two, _) => Policy::Lead,
        }
    }

    /// The number of squares that are rated in a slice.
    fn in_a_slice(self) -> usize {
        match self {
            // This policy examines the whole board for each square.
            Policy::Lead => 1,
            _ => RATED,
        }
    }

    /// Rates a square on which the stone in hand fits; more is better. The choice among
    /// equal ones is random.
    #[must_use]
    pub fn rate(self, place: u8, seen: &PolicyView<'_>, chance: &mut Rng) -> i32 {
        let PolicyView {
            outlook,
            stone,
            left,
            rule,
            made,
        } = *seen;
        let neighbours = outlook.field().neighbours(place);
        let points = |made: u8| {
            let points = rule.scoring.of_stone(place, neighbours, made);
            i32::try_from(points).unwrap_or(i32::MAX)
        };
        let worth = match self {
            Policy::Chance => 0,
            Policy::Points => points(made[0]).min(1 << 22),
            Policy::Neighbours => neighbours as i32,
            Policy::Wide => outlook.worth(place, stone, left, &WIDE),
            Policy::Close => outlook.worth(place, stone, left, &CLOSE),
            Policy::Lead => {
                let own = points(made[0]).min(1 << 16);
                // Half, because a square that the opponent cannot use is left for this
                // player.
                16 * own - lead_of_answer(place, seen) / 2
            }
        };
        worth.saturating_mul(256) + chance.below(256) as i32
    }
}

/// A position from the point of view of a policy.
#[derive(Clone, Copy)]
pub struct PolicyView<'a> {
    /// The stones on the board, and the outlook.
    pub outlook: &'a Outlook,
    /// The stone to be placed.
    pub stone: Stone,
    /// The stones that come after it.
    pub left: RemainingStones,
    /// The rules of the mode.
    pub rule: Rule,
    /// The four-ways made by the player who places the stone, and by the opponent.
    pub made: [u8; 2],
}

impl PolicyView<'_> {
    /// The square with the best rating of a policy.
    #[must_use]
    pub fn best(&self, policy: Policy, chance: &mut Rng) -> Option<u8> {
        let places = self.outlook.places_for(self.stone);
        places.max_by_key(|place| (policy.rate(*place, self, chance), Reverse(*place)))
    }
}

/// Sixteen times the average points of the next stone if it is placed where it scores the
/// most.
fn lead_of_answer(place: u8, seen: &PolicyView<'_>) -> i32 {
    let mut outlook = seen.outlook.clone();
    outlook.put(place, seen.stone);
    // Inside of the edge, the points of a stone depend only on its neighbours.
    let mut fit = [Kinds::NONE; FOUR];
    for other in outlook
        .field()
        .frontier()
        .filter(|place| !is_at_edge(*place))
    {
        let neighbours = outlook.field().neighbours(other);
        if let Some(fit) = neighbours.checked_sub(1).and_then(|n| fit.get_mut(n)) {
            *fit = fit.or(outlook.takes(other));
        }
    }
    let mut rest = seen.left.kinds();
    let mut sum = 0_u32;
    for (n, fit) in fit.into_iter().enumerate().rev() {
        let points = seen.rule.scoring.of_stone(INSIDE, n + 1, seen.made[1]);
        let best = rest.and(fit);
        let stones: u32 = best.map(|stone| u32::from(seen.left.of(stone))).sum();
        sum += stones * points.min(1 << 16);
        rest = rest.without(fit);
    }
    (16 * sum / u32::from(seen.left.len()).max(1)) as i32
}

/// A square and its rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
struct Rated {
    place: u8,
    worth: i32,
}

/// The squares for a stone that have been rated so far, the best ones first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
struct Rating {
    /// The first place that has not been rated yet.
    next: u8,
    best: [Option<Rated>; TRIED],
}

impl Rating {
    /// Rates the next few squares.
    fn go_on(&mut self, policy: Policy, look: &PolicyView<'_>, chance: &mut Rng) {
        for _ in 0..policy.in_a_slice() {
            let mut rest = self.next..PLACES;
            let place = rest.find(|place| look.outlook.fits(*place, look.stone));
            self.next = place.map_or(PLACES, |place| place + 1);
            let Some(place) = place else { return };
            let worth = policy.rate(place, look, chance);
            self.keep(Rated { place, worth });
        }
    }

    fn keep(&mut self, new: Rated) {
        let mut new = Some(new);
        for kept in &mut self.best {
            let is_better = match (&new, &kept) {
                (Some(new), Some(kept)) => new.worth > kept.worth,
                (new, _) => new.is_some(),
            };
            if is_better {
                core::mem::swap(kept, &mut new);
            }
        }
    }

    fn is_done(&self) -> bool {
        self.next >= PLACES
    }

    /// True if there are two squares at least.
    fn is_choice(&self) -> bool {
        matches!(self.best, [Some(_), Some(_), ..])
    }

    fn best(&self) -> Option<u8> {
        self.best.first()?.map(|rated| rated.place)
    }
}

/// Trials: games that are played to their end from each of the best squares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
struct Trials {
    /// The losses of each square so far.
    lost: [u16; TRIED],
    /// The index of the square that is being tried.
    at: u8,
    /// The number of finished rounds.
    rounds: u8,
    /// The pouch at the start of this round, which determines the order of the stones.
    order: Pouch,
    /// The pouch of the current trial.
    pouch: Pouch,
    field: Field,
    /// The stone in hand in the trial, and its rated squares.
    hand: Option<Stone>,
    rating: Rating,
}

/// The mind of the board's player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct IshidoMind {
    pace: ThinkingTime,
    /// The tick until which a stone may be taken back; until then there is nothing to
    /// think about.
    rests_until: Tick,
    /// True if level 3 of a game for two players places this stone as level 2 does.
    slips: bool,
    rating: Rating,
    trials: Option<Trials>,
}

impl Trials {
    /// Starts the first round of trials.
    fn begin(left: RemainingStones, chance: &mut Rng) -> Trials {
        let order = Pouch::new(left, chance.split());
        Trials {
            lost: [0; TRIED],
            at: 0,
            rounds: 0,
            pouch: order.clone(),
            order,
            field: Field::default(),
            hand: None,
            rating: Rating::default(),
        }
    }

    /// Places the stone on the square that is tried now.
    fn set_up(&mut self, rating: &Rating, stone: Stone, field: &Field) {
        self.field.clone_from(field);
        self.pouch.clone_from(&self.order);
        (self.hand, self.rating) = (None, Rating::default());
        if let Some(Some(first)) = rating.best.get(usize::from(self.at)) {
            self.field.put(first.place, Some(stone));
        }
    }

    /// Carries out a slice of a trial. Once the trial is over, returns the number of
    /// stones left.
    fn go_on(&mut self, rule: Rule, chance: &mut Rng) -> Option<u8> {
        let stone = match self.hand {
            Some(stone) => stone,
            None => match self.pouch.draw() {
                Some(stone) => stone,
                None => return Some(0),
            },
        };
        self.hand = Some(stone);
        let outlook = Outlook::of(&self.field, rule.four);
        let look = PolicyView {
            outlook: &outlook,
            stone,
            left: self.pouch.left(),
            rule,
            made: [0; 2],
        };
        self.rating.go_on(Policy::Close, &look, chance);
        if !self.rating.is_done() {
            return None;
        }
        let Some(place) = self.rating.best() else {
            return Some(self.pouch.left().len() + 1);
        };
        self.field.put(place, Some(stone));
        (self.hand, self.rating) = (None, Rating::default());
        None
    }

    /// Ends a trial with `left` stones left, and starts the next one.
    fn next(&mut self, left: u8, rating: &Rating, stone: Stone, field: &Field, chance: &mut Rng) {
        if let Some(lost) = self.lost.get_mut(usize::from(self.at)).filter(|_| left > 0) {
            *lost = lost.saturating_add(LOSS + u16::from(left));
        }
        self.at += 1;
        let kept = rating.best.iter().flatten().count();
        if usize::from(self.at) >= kept {
            (self.at, self.rounds) = (0, self.rounds.saturating_add(1));
            self.order = Pouch::new(self.order.left(), chance.split());
        }
        self.set_up(rating, stone, field);
    }

    /// The place with the smallest losses so far; among equals the one with the best
    /// rating.
    fn best(&self, rating: &Rating) -> Option<u8> {
        let rated = rating.best.iter().flatten().zip(self.lost);
        let least = rated.min_by_key(|(_, lost)| *lost)?;
        Some(least.0.place)
    }

    fn is_done(&self, rating: &Rating) -> bool {
        let kept = rating.best.iter().flatten().zip(self.lost);
        let is_safe = kept.map(|(_, lost)| lost).min() == Some(0);
        self.rounds >= ROUNDS && self.at == 0 && is_safe || self.rounds == u8::MAX
    }
}

impl IshidoMind {
    /// True once the player has thought enough.
    fn knows<W: Word>(&self, game: &Ishido<W>, level: u8) -> bool {
        let tries = level >= 4 && game.rule().players == Players::One;
        match &self.trials {
            Some(trials) => trials.is_done(&self.rating),
            None => self.rating.is_done() && !(tries && self.rating.is_choice()),
        }
    }

    /// Thinks for one slice.
    fn think<W: Word>(&mut self, game: &Ishido<W>, level: u8, chance: &mut Rng) {
        let Some(stone) = game.hand() else {
            return;
        };
        let rule = game.rule();
        if let Some(trials) = &mut self.trials {
            if let Some(left) = trials.go_on(rule, chance) {
                trials.next(left, &self.rating, stone, game.field(), chance);
            }
            return;
        }
        if self.rating.is_done() {
            let trials = Trials::begin(game.pouch(), chance);
            let trials = self.trials.insert(trials);
            trials.set_up(&self.rating, stone, game.field());
            return;
        }
        let outlook = Outlook::of(game.field(), rule.four);
        let own = game.turn.index();
        let look = PolicyView {
            outlook: &outlook,
            stone,
            left: game.pouch(),
            rule,
            made: [game.four_ways[own], game.four_ways[1 - own]],
        };
        let policy = match Policy::of(level, rule.players) {
            Policy::Points if self.slips && level == 3 => Policy::Neighbours,
            policy => policy,
        };
        self.rating.go_on(policy, &look, chance);
    }

    /// The decision at this moment, even if no square has been rated yet.
    fn act<W: Word>(&self, game: &Ishido<W>, ground: &Ground<W>) -> BoardTurn {
        let tried = self
            .trials
            .as_ref()
            .and_then(|trials| trials.best(&self.rating));
        let point = tried
            .or(self.rating.best())
            .and_then(|place| point_of(place, ground.grid().sides()));
        let point = point
            .filter(|point| game.open.has(*point))
            .or(game.open.first());
        point.map_or(BoardTurn::Wait, BoardTurn::Touch)
    }
}

impl<W: Word> Player<W, Ishido<W>> for IshidoMind {
    fn wakes_at(&self) -> Tick {
        self.pace.wakes_at().max(self.rests_until)
    }

    fn wake(&mut self, game: &Ishido<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        if let Some(at) = crate::game::Game::wakes_at(game) {
            self.rests_until = at;
            return BoardTurn::Wait;
        }
        if self.pace.begins(context.now) {
            self.slips = context.rng.below(SLIPS) == 0;
        }
        // A player does not think and answer in the same tick, because an answer also
        // takes time.
        match self
            .pace
            .due(context.now, self.knows(game, level), THINK_MS)
        {
            Due::Think => {
                self.think(game, level, context.rng);
                BoardTurn::Wait
            }
            Due::Rest => BoardTurn::Wait,
            Due::Answer => self.act(game, context.ground),
        }
    }

    #[cfg(feature = "host")]
    fn thought(&self, _game: &Ishido<W>, ground: &Ground<W>) -> Thought {
        let trials = self.trials.as_ref();
        let tried = trials.and_then(|trials| trials.best(&self.rating));
        let best = self.rating.best.first().copied().flatten();
        let place = tried.or(best.map(|best| best.place));
        Thought {
            best: place.and_then(|place| point_of(place, ground.grid().sides())),
            worth: best.map(|best| Worth::Value(best.worth)),
            playouts: trials.map_or(0, |trials| u32::from(trials.rounds) * TRIED as u32),
            began: self.pace.began(),
            ..Thought::default()
        }
    }

    fn hurry(&mut self, game: &Ishido<W>, _level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        self.act(game, context.ground)
    }

    fn is_sound(&self, _ground: &Ground<W>) -> bool {
        let trials = self.trials.as_ref();
        trials.is_none_or(|trials| {
            usize::from(trials.at) < TRIED
                && trials.field.is_sound()
                && trials.pouch.left().is_sound()
        })
    }
}
