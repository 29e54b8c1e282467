//! The events of a story, which belong together, and the words for them.

use protocol::{Audience, Event, Layout, Outcome, Point, Roster, Settings, Side, Tick};

use super::Subject;
use crate::games::{self, how_to};
use crate::malaka::tale::Tale;
use crate::places::Places;
use crate::{standing, written};

/// The maximum distance of a point from where it is expected, in pitches.
const NEAR: f32 = 0.05;

/// The events of a story so far.
#[derive(Default)]
pub(super) struct StoryEvents {
    /// The tick of the story.
    pub(super) tick: Tick,
    /// The settings of a game that this story started.
    pub(super) started: Option<Settings>,
    /// The score after the story.
    pub(super) score: Option<[u32; 2]>,
    /// The outcome, if the game ended.
    pub(super) over: Option<Outcome>,
    /// The side whose time ran out.
    timed_out: Option<Side>,
    /// The sides that passed or were passed over.
    passed: Vec<Side>,
    moved: Option<MoveMade>,
    /// The side that took back a move, and the point of the move.
    taken_back: Option<(Side, Point)>,
    /// The parts of a move, including those touched before this story.
    parts: Vec<Point>,
    /// The side that touched a part in this story.
    parted: Option<Side>,
    /// The side to move afterwards.
    turn: Option<Side>,
}

/// The parts of an incomplete move.
#[derive(Default)]
pub(super) struct Touched {
    parts: Vec<Point>,
    /// The side whose time ran out meanwhile.
    timed_out: Option<Side>,
}

/// A move of the story.
#[derive(Clone, Copy)]
struct MoveMade {
    side: Side,
    /// The point that completed the move.
    point: Point,
    /// The number of other points that changed.
    changed: u16,
}

/// A story in words.
pub(super) struct StoryWords {
    /// What they are about.
    pub(super) about: Subject,
    /// The side whose story it was, if any.
    pub(super) side: Option<Side>,
    /// What happened.
    pub(super) what: String,
}

impl StoryWords {
    fn new(about: Subject, side: Option<Side>, what: String) -> StoryWords {
        StoryWords { about, side, what }
    }
}

impl StoryEvents {
    /// Completes the story: adds the parts touched earlier, and keeps those of this story
    /// for the next one unless the turn ends. True if the turn ends.
    pub(super) fn begin_with(&mut self, touched: &mut Touched) -> bool {
        let is_of_the_turn = self.moved.is_some() || self.parted.is_some();
        let ends_it = self.moved.is_some()
            || self.started.is_some()
            || self.turn.is_some()
            || self.over.is_some()
            || !is_of_the_turn && (self.timed_out.is_some() || !self.passed.is_empty());
        if is_of_the_turn {
            let here = std::mem::take(&mut self.parts);
            self.parts = std::mem::take(&mut touched.parts);
            self.parts.extend(here);
            self.timed_out = self.timed_out.or(touched.timed_out);
        }
        if ends_it {
            *touched = Touched::default();
        } else if is_of_the_turn {
            touched.parts.clone_from(&self.parts);
            touched.timed_out = self.timed_out;
        }
        ends_it
    }

    /// True if this event may belong to the same story.
    ///
    /// The order is: a time-out, a side that is passed over, the move; then score, turn
    /// and end.
    pub(super) fn goes_on_with(&self, tick: Tick, event: &Event) -> bool {
        let is_settled = self.score.is_some() || self.turn.is_some() || self.over.is_some();
        let is_made = self.moved.is_some() || self.taken_back.is_some();
        let is_done = is_settled || is_made || self.started.is_some();
        match event {
            _ if tick != self.tick => false,
            Event::Move { .. } | Event::Part { .. } | Event::TakenBack { .. } => !is_done,
            Event::Passed { .. } => !is_done || self.started.is_some() && !is_settled,
            Event::Score(_) => self.score.is_none() && self.turn.is_none() && self.over.is_none(),
            Event::Turn(_) | Event::Over(_) => self.turn.is_none() && self.over.is_none(),
            event => event.audience() != Audience::Everybody,
        }
    }

    /// Adds an event that belongs to this story.
    pub(super) fn take(&mut self, tick: Tick, event: Event) {
        self.tick = tick;
        match event {
            Event::Started(settings) => self.started = Some(settings),
            Event::TimedOut { side } => self.timed_out = Some(side),
            Event::Passed { side } => self.passed.push(side),
            Event::Move {
                side,
                point,
                changed,
            } => {
                self.moved = Some(MoveMade {
                    side,
                    point,
                    changed,
                });
            }
            Event::Part { side, point } => {
                self.parted = Some(side);
                self.parts.push(point);
            }
            Event::TakenBack { side, point } => self.taken_back = Some((side, point)),
            Event::Score(score) => self.score = Some(score),
            Event::Turn(side) => self.turn = Some(side),
            Event::Over(outcome) => self.over = Some(outcome),
            _ => {}
        }
    }

    /// The side to move, if the story contains nothing but its turn.
    pub(super) fn mere_turn(&self) -> Option<Side> {
        let is_more = self.moved.is_some()
            || self.parted.is_some()
            || self.started.is_some()
            || self.taken_back.is_some()
            || self.timed_out.is_some()
            || self.over.is_some()
            || !self.passed.is_empty();
        self.turn.filter(|_| !is_more)
    }

    /// The side to move after the story, if it was `before` until then: nobody between a
    /// move and the next turn.
    pub(super) fn to_move(&self, before: Option<Side>) -> Option<Side> {
        self.turn.or(before.filter(|_| self.moved.is_none()))
    }

    /// True if a time-out caused it.
    pub(super) fn is_late(&self) -> bool {
        self.timed_out.is_some()
    }

    /// The story in words. `before` are the score and the side to move before the story,
    /// and `tale` follows Malaka up to the beginning of the turn.
    pub(super) fn words(
        &self,
        game: &Settings,
        (before, to_move): (Option<[u32; 2]>, Option<Side>),
        tale: &Tale,
        layout: Layout,
    ) -> Option<StoryWords> {
        self.began(layout)
            .or_else(|| self.was_taken_back(game, layout))
            .or_else(|| self.was_moved(game, before, tale, layout))
            .or_else(|| self.was_part(game, tale, layout))
            .or_else(|| self.was_out_of_time(game, layout))
            // The side that is passed over is reported before the side that passes.
            .or_else(|| self.was_passed(game, to_move))
            .or_else(|| {
                let side = self.turn?;
                let what = format!("{}'s turn", side.name());
                Some(StoryWords::new(Subject::Turn, Some(side), what))
            })
            .or_else(|| {
                let is_score = !standing::is_count_of_pieces(game, layout);
                let so_far = "so far".to_owned();
                let score = self.score.filter(|_| is_score);
                score.map(|_| StoryWords::new(Subject::Count, None, so_far))
            })
    }

    fn began(&self, layout: Layout) -> Option<StoryWords> {
        let settings = self.started?;
        let what = format!(
            "{}: {}",
            written::game_name(settings.game, layout),
            standing::kind(&settings, layout)
        );
        let what = self.and_who_cannot_move(what, None);
        Some(StoryWords::new(Subject::Begin, None, what))
    }

    fn was_taken_back(&self, game: &Settings, layout: Layout) -> Option<StoryWords> {
        let (side, point) = self.taken_back?;
        let what = match standing::is_alone(game, layout) {
            true => format!("{} is taken back", layout.name(point)),
            false => format!("{} takes {} back", side.name(), layout.name(point)),
        };
        Some(StoryWords::new(Subject::Back, Some(side), what))
    }

    fn was_moved(
        &self,
        game: &Settings,
        before: Option<[u32; 2]>,
        tale: &Tale,
        layout: Layout,
    ) -> Option<StoryWords> {
        let MoveMade {
            side,
            point,
            changed,
        } = self.moved?;
        let subject = self.touches(side, Some(point), tale, layout, game);
        let gained = before.zip(self.score).map(|(before, after)| {
            let more =
                |side: Side| i64::from(after[side.index()]) - i64::from(before[side.index()]);
            [more(side), more(side.other())]
        });
        let result = match is_helped(game, &self.parts) && self.timed_out.is_none() {
            true => Some("with help".to_owned()),
            false => self
                .hopped_over(point, changed, game, layout)
                .or_else(|| self.captured(point, changed, gained?, game, layout))
                .or_else(|| {
                    let guide = games::guide(game.game);
                    guide.result(side, changed, gained.unwrap_or_default())
                }),
        };
        let what = match result {
            Some(result) => with_result(&subject, &result, &layout.name(point).to_string()),
            None => subject,
        };
        let what = self.and_who_cannot_move(what, None);
        Some(StoryWords::new(Subject::Move, Some(side), what))
    }

    fn was_part(&self, game: &Settings, tale: &Tale, layout: Layout) -> Option<StoryWords> {
        let (Some(side), None) = (self.parted, self.turn) else {
            return None;
        };
        let what = match (
            games::guide(game.game).has_help(),
            is_helped(game, &self.parts),
        ) {
            (true, true) if standing::is_alone(game, layout) => "help is asked for".to_owned(),
            (true, true) => format!("{} asks for help", side.name()),
            (true, false) => "help is put away".to_owned(),
            (false, _) => self.touches(side, None, tale, layout, game) + " ...",
        };
        Some(StoryWords::new(Subject::Part, Some(side), what))
    }

    fn was_out_of_time(&self, game: &Settings, layout: Layout) -> Option<StoryWords> {
        let side = self.timed_out?;
        let name = side.name();
        let what = if self.passed.contains(&side) {
            format!("time up: {name} passes")
        } else if self.over == Some(Outcome::Won(side.other())) {
            format!("time up: {name} has lost")
        } else if standing::is_alone(game, layout) || games::guide(game.game).is_for_one(game) {
            "time up".to_owned()
        } else {
            format!("time up: {name}'s turn is lost")
        };
        let what = self.and_who_cannot_move(what, Some(side));
        Some(StoryWords::new(Subject::Turn, Some(side), what))
    }

    /// A side that may be passed over did not choose to pass if it was never reported to
    /// be to move.
    fn was_passed(&self, game: &Settings, to_move: Option<Side>) -> Option<StoryWords> {
        let side = self.passed.last().copied()?;
        let may_be_passed_over = games::guide(game.game).finds_turn_late();
        let is_passed_over = may_be_passed_over && to_move != Some(side);
        let what = match is_passed_over {
            true => format!("{} cannot move", side.name()),
            false => format!("{} passes", side.name()),
        };
        let what = self.and_who_cannot_move(what, Some(side));
        Some(StoryWords::new(Subject::Turn, Some(side), what))
    }

    /// The piece that a move to this point captured, in a text whose pieces capture what
    /// they hop over: the only other point that changed, if the move led straight over
    /// it.
    fn hopped_over(
        &self,
        to: Point,
        changed: u16,
        game: &Settings,
        layout: Layout,
    ) -> Option<String> {
        let is_hop = changed == 1 && written::takes(game.game, layout);
        let from = self.parts.last().copied().filter(|_| is_hop)?;
        let places = Places::new(layout);
        let [one, other] = [from, to].map(|point| places.spot(point));
        let between = [(one.x + other.x) / 2.0, (one.y + other.y) / 2.0];
        let is_there = |point: &Point| {
            let spot = places.spot(*point);
            (spot.x - between[0]).abs() + (spot.y - between[1]).abs() < NEAR
        };
        let over = layout.iter().find(is_there)?;
        Some(format!("takes {}", layout.name(over)))
    }

    /// The capture by a move of a text whose score counts the pieces: the opponent lost
    /// pieces, and none of them changed sides. If nothing changed but where the piece
    /// came from and went to, or the touched point, it took what stood there.
    fn captured(
        &self,
        to: Point,
        changed: u16,
        [own, other]: [i64; 2],
        game: &Settings,
        layout: Layout,
    ) -> Option<String> {
        let counts_pieces = standing::is_count_of_pieces(game, layout);
        let placed = i64::from(self.parts.is_empty());
        // A move that only removes a piece, as after a mill, touches nothing else.
        let only_takes = (own, other, changed) == (0, -1, 0);
        match -other {
            taken @ 1.. if counts_pieces && (own == placed || only_takes) => {
                Some(match (taken, changed) {
                    (1, 0) => format!("takes {}", layout.name(to)),
                    (1, _) => "takes a piece".to_owned(),
                    _ => format!("takes {taken} pieces"),
                })
            }
            _ => None,
        }
    }

    /// Who touched what, in order. Two touches of the same point in a row mean that a
    /// piece was put back, or moved on from there, and neither is reported.
    fn touches(
        &self,
        side: Side,
        last: Option<Point>,
        tale: &Tale,
        layout: Layout,
        game: &Settings,
    ) -> String {
        let name = side.name();
        let mut told: Vec<Point> = Vec::new();
        let parts = match games::guide(game.game).has_help() {
            true => &[][..],
            false => &self.parts,
        };
        for point in parts.iter().copied().chain(last) {
            if told.last() == Some(&point) {
                told.pop();
            } else {
                told.push(point);
            }
        }
        let points = told.iter().map(|point| layout.name(*point).to_string());
        let points = points.collect::<Vec<String>>().join(" ");
        let steps = tale.words(side, self.parts.iter().copied().chain(last));
        let points = steps.unwrap_or(points);
        let is_alone = standing::is_alone(game, layout);
        match (self.timed_out, parts.last()) {
            (Some(_), _) if is_alone => format!("time up: the board plays {points}"),
            (Some(_), _) => format!("time up: the board plays {points} for {name}"),
            (None, Some(back)) if told.is_empty() => {
                format!("{name} puts {} back", layout.name(*back))
            }
            (None, _) if is_alone => points,
            (None, _) => format!("{name} {points}"),
        }
    }

    /// Adds the other side, if it was passed over.
    fn and_who_cannot_move(&self, mut what: String, besides: Option<Side>) -> String {
        for side in &self.passed {
            if Some(*side) != besides {
                what += &format!(", {} cannot move", side.name());
            }
        }
        what
    }
}

/// The touches of a move and its result. A piece that captures what stood on its goal names
/// the goal once: `green e4 takes d5`.
fn with_result(subject: &str, result: &str, goal: &str) -> String {
    match subject.strip_suffix(goal) {
        Some(before) if result == format!("takes {goal}") => format!("{before}{result}"),
        _ => format!("{subject}, {result}"),
    }
}

/// True if a good move is shown after these touches.
fn is_helped(game: &Settings, parts: &[Point]) -> bool {
    games::guide(game.game).has_help() && parts.len() % 2 == 1
}

/// The differences between old and new settings, in words.
pub(super) fn changed(old: Settings, new: Settings, layout: Layout) -> String {
    let differs = |what: fn(&Settings) -> u8| what(&old) != what(&new);
    let mut parts = Vec::new();
    let is_other_game = differs(|settings| settings.game);
    if is_other_game {
        parts.push(written::game_name(new.game, layout).to_string());
    }
    // A game has its own modes, and may use the speed or not.
    let has_modes = how_to(new.game).is_some_and(|text| text.modes.len() > 1);
    if is_other_game && has_modes || differs(|settings| settings.mode) {
        let mode = how_to(new.game).and_then(|text| text.modes.get(usize::from(new.mode)));
        let name = mode.map_or("", |mode| mode.name);
        parts.push(format!("mode {}, {name}", Roster::letter(new.mode)));
    }
    if differs(|settings| settings.level) {
        parts.push(match new.level {
            0 => "level 0, with people alone".to_owned(),
            level => format!("level {level}"),
        });
    }
    if differs(|settings| settings.time) {
        let time_s = standing::turn_time_of_s(new.time);
        parts.push(format!("{time_s} s a move"));
    }
    if differs(|settings| settings.speed) {
        parts.push(format!("speed {}", new.speed));
    }
    if parts.is_empty() {
        return "the settings are as before".to_owned();
    }
    parts.join(", ")
}
