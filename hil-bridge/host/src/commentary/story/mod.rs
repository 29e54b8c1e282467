//! The events on a board as a story, with one line for each move.
//!
//! A board reports a move in several events: the move, the score, the side to move, a
//! side passed over. A story joins events that belong together into one sentence, joins
//! settings that were changed together, and adds a running score to the last line, unless
//! it only counts pieces, which decide nothing. Invariants: each move has exactly one line,
//! which names every point touched for it; an incomplete move has a line with its parts
//! until it is complete.

mod events;

use protocol::{Audience, Event, Layout, Outcome, Settings, Side, Stop, Tick};

use crate::malaka::tale::Tale;
use crate::{event_words, games, standing};
use events::{StoryEvents, StoryWords, Touched};

/// Settings that change again within this time, in ms, count as one change. A held button
/// repeats faster.
const ONE_GO_MS: Tick = 1_500;

/// An item of a story.
#[derive(Clone, Copy, Debug)]
pub enum StoryItem<'a> {
    /// An event on the board.
    Event(Event),
    /// A sentence about the board or its line.
    Sentence(&'a str),
}

/// The subject of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A move that a side made.
    Move,
    /// The parts of a move that is not complete yet.
    Part,
    /// A move that was taken back.
    Back,
    /// A turn without a move.
    Turn,
    /// A touch that was not a move.
    Refused,
    /// A score that changes by itself.
    Count,
    /// The start of a game.
    Begin,
    /// A game was paused, or continues.
    Hold,
    /// The end of a game.
    End,
    /// A change of the settings.
    Settings,
    /// Settings that were changed during a game, which ended it.
    Left,
    /// A sentence about the board or its line.
    Alarm,
}

/// A line of the story.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryLine {
    /// The tick of the line.
    pub tick: Tick,
    /// The subject of the line.
    pub about: Subject,
    /// The side that acted, if any.
    pub side: Option<Side>,
    /// What happened, in words.
    pub what: String,
    /// The score after it, in words.
    pub score: Option<String>,
    /// True if a time-out caused it.
    pub is_late: bool,
    /// How many times it happened in a row.
    pub times: u32,
}

impl StoryLine {
    /// The whole line as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = match self.about {
            Subject::Left if self.what.is_empty() => "the game ends".to_owned(),
            Subject::Left => format!("the game ends; now set: {}", self.what),
            _ => self.what.clone(),
        };
        if self.times > 1 {
            text += &format!(" ({} times)", self.times);
        }
        match &self.score {
            Some(score) => format!("{text}, {score}"),
            None => text,
        }
    }
}

/// The story of these items, which are in order. `before` are the settings before the
/// first item, and `game` those of a game that started before it.
pub fn story_of<'a>(
    told: impl IntoIterator<Item = (Tick, StoryItem<'a>)>,
    layout: Layout,
    before: Settings,
    game: Settings,
) -> Vec<StoryLine> {
    let mut teller = Teller {
        layout,
        game,
        settings: before,
        score: None,
        to_move: None,
        before_the_go: before,
        lines: Vec::new(),
        events: StoryEvents::default(),
        touched: Touched::default(),
        tale: Tale::new(layout, &game),
        tale_of_turn: Tale::new(layout, &game),
    };
    for (tick, told) in told {
        teller.add_item(tick, told);
    }
    teller.close();
    teller.lines
}

/// The last move, taken-back move or turn in the current game. Sentences about the board
/// or its line do not end a game: rebuilt firmware continues it, and a restored game is
/// the same one.
#[must_use]
pub fn last_deed(lines: &[StoryLine]) -> Option<&StoryLine> {
    let is_of_another_game =
        |line: &&StoryLine| matches!(line.about, Subject::Begin | Subject::Left);
    let deeds = lines
        .iter()
        .rev()
        .take_while(|line| !is_of_another_game(line));
    deeds
        .into_iter()
        .find(|line| matches!(line.about, Subject::Move | Subject::Back | Subject::Turn))
}

struct Teller {
    layout: Layout,
    /// The settings of the current game, as far as they are known.
    game: Settings,
    /// The settings as they are now.
    settings: Settings,
    score: Option<[u32; 2]>,
    /// The side that was reported to be to move, until it moves.
    to_move: Option<Side>,
    /// The settings before a change that is still going on.
    before_the_go: Settings,
    lines: Vec<StoryLine>,
    /// The story whose line is not written yet.
    events: StoryEvents,
    /// The parts of an incomplete move.
    touched: Touched,
    /// Malaka's game as it is now, and as it was when the turn began.
    tale: Tale,
    tale_of_turn: Tale,
}

impl Teller {
    fn add_item(&mut self, tick: Tick, told: StoryItem<'_>) {
        let event = match told {
            StoryItem::Event(event) => event,
            StoryItem::Sentence(sentence) => {
                self.close();
                return self.add(tick, Subject::Alarm, None, sentence.to_owned());
            }
        };
        if !self.events.goes_on_with(tick, &event) {
            self.close();
        }
        self.tale.follow(&event);
        match event {
            // These are shown by lights, heard, or only for programs.
            event if event.audience() != Audience::Everybody => {}
            Event::Settings(settings) => self.settings(tick, settings),
            Event::Stopped(why) => self.stopped(tick, why),
            Event::Paused(held) => {
                let what = if held { "paused" } else { "resumed" };
                self.add(tick, Subject::Hold, None, what.to_owned());
            }
            Event::Illegal { .. } => {
                let what = event_words::event(&event, &self.game, self.layout).unwrap_or_default();
                self.add(tick, Subject::Refused, None, what);
            }
            Event::Best { .. } => {
                let what = event_words::event(&event, &self.game, self.layout).unwrap_or_default();
                self.add(tick, Subject::End, None, what);
            }
            event => self.events.take(tick, event),
        }
    }

    /// Ends the current story and writes its line.
    fn close(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        let ends_turn = events.begin_with(&mut self.touched);
        let tick = events.tick;
        if let Some(settings) = events.started {
            self.game = settings;
            self.settings = settings;
            self.score = Some([0; 2]);
        }
        let before = (self.score, self.to_move);
        self.score = events.score.or(self.score);
        self.to_move = events.to_move(self.to_move);
        let words = events.words(&self.game, before, &self.tale_of_turn, self.layout);
        if ends_turn {
            self.tale_of_turn = self.tale.clone();
        }
        let words = words.filter(|words| words.about != Subject::Turn || !self.follows(&events));
        let words = words.map(|words| match self.moves_again(&events) {
            Some(side) => StoryWords {
                what: format!("{} moves again", side.name()),
                ..words
            },
            None => words,
        });
        if let Some(StoryWords { about, side, what }) = words {
            self.add(tick, about, side, what);
            if let Some(line) = self.lines.last_mut() {
                line.is_late = events.is_late();
            }
        }
        if let Some(outcome) = events.over {
            self.end(tick, outcome, events.is_late());
        }
    }

    /// True if the story only adds whose turn it is to the last line: some games find
    /// that out some ticks after a move.
    fn follows(&self, events: &StoryEvents) -> bool {
        let is_late = games::guide(self.game.game).finds_turn_late();
        let Some(turn) = events.mere_turn().filter(|_| is_late) else {
            return false;
        };
        self.lines.last().is_some_and(|line| match line.about {
            Subject::Begin => true,
            Subject::Move | Subject::Back => line.side == Some(turn.other()),
            _ => false,
        })
    }

    /// The side whose turn it still is after its move, such as one that closed a mill.
    fn moves_again(&self, events: &StoryEvents) -> Option<Side> {
        let last = self.lines.last()?;
        let is_same = |turn: &Side| last.about == Subject::Move && last.side == Some(*turn);
        events.mere_turn().filter(is_same)
    }

    /// Adds the end of the game, which a time-out may have decided.
    fn end(&mut self, tick: Tick, outcome: Outcome, is_late: bool) {
        let is_late = is_late && standing::is_lost_by_time(&self.game);
        let what = match outcome {
            Outcome::Won(side) if is_late => standing::end_by_time(side),
            outcome => standing::end(&self.game, outcome, self.score),
        };
        let side = match outcome {
            Outcome::Won(side) => Some(side),
            Outcome::Draw => None,
        };
        self.add(tick, Subject::End, side, what);
        if let Some(line) = self.lines.last_mut() {
            line.is_late = is_late;
        }
    }

    fn settings(&mut self, tick: Tick, new: Settings) {
        let last = self.lines.last();
        let last = last.map(|line| (line.about, tick.saturating_sub(line.tick)));
        let about = match last {
            Some((about @ (Subject::Settings | Subject::Left), ..=ONE_GO_MS)) => {
                self.lines.pop();
                about
            }
            // A board reports its settings when it is switched on, too.
            _ if new == self.settings => return,
            _ => {
                self.before_the_go = self.settings;
                Subject::Settings
            }
        };
        self.settings = new;
        let what = events::changed(self.before_the_go, new, self.layout);
        self.add(tick, about, None, what);
    }

    fn stopped(&mut self, tick: Tick, why: Stop) {
        self.score = None;
        match why {
            // The line before has the settings that ended the game.
            Stop::Settings => match self.lines.last_mut() {
                Some(line) if line.about == Subject::Settings && line.tick == tick => {
                    line.about = Subject::Left;
                }
                _ => self.add(tick, Subject::Left, None, String::new()),
            },
            // The line about the new game is enough.
            Stop::Restart => {}
            Stop::Impossible => {
                let what = event_words::event(&Event::Stopped(why), &self.game, self.layout)
                    .unwrap_or_default();
                self.add(tick, Subject::Alarm, None, what);
            }
        }
    }

    fn last_about(&self) -> Option<Subject> {
        self.lines.last().map(|line| line.about)
    }

    fn add(&mut self, tick: Tick, about: Subject, side: Option<Side>, what: String) {
        let has_score = match about {
            Subject::Move | Subject::Back | Subject::Turn | Subject::Count => true,
            // A game for one always begins with 0.
            Subject::Begin => standing::is_for_two(&self.game) || self.score != Some([0; 2]),
            _ => false,
        };
        let is_score = !standing::is_count_of_pieces(&self.game, self.layout);
        let score = (has_score && is_score)
            .then_some(self.score)
            .flatten()
            .map(|score| standing::score(&self.game, score));
        // Once in a game the numbers say what they count.
        let score = match about {
            Subject::Begin => score.map(|score| score + standing::score_unit(&self.game)),
            _ => score,
        };
        // A running score appears in later lines, and parts appear in the line of the
        // next touch.
        let goes_on = matches!(about, Subject::Move | Subject::Part);
        if let Some(Subject::Count) = self.last_about() {
            self.lines.pop();
        } else if let (Some(Subject::Part), true) = (self.last_about(), goes_on) {
            self.lines.pop();
        }
        match self.lines.last_mut() {
            Some(last) if about == Subject::Refused && last.about == about && last.what == what => {
                last.tick = tick;
                last.times += 1;
            }
            _ => self.lines.push(StoryLine {
                tick,
                about,
                side,
                what,
                score,
                is_late: false,
                times: 1,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
