//! Sessions in words, one line for each move.
//!
//! ```text
//! golden: Reversi, mode 0
//! 9x9, seed 0: Reversi mode=0 level=0 time=5 speed=5
//!
//!       0:00.000  Reversi: Classic, for two, 2 : 2
//!    1  0:00.000  green d7, 1 turned, 4 : 1
//!    2  0:00.700  red e7, 1 turned, 3 : 3
//! ```
//!
//! A digest shows that a rule has changed; a transcript shows how. So a transcript stands
//! next to every session whose changes are reviewed. Invariants: it depends on the
//! session and the rules only, and uses the words of [`story`](crate::story).

use protocol::{Deed, KnownLayout, Settings, StampedEvent, Tick};

use crate::driver::{CoreDriver, Driver, DriverError};
use crate::session::{Replay, Session, SessionEntry, SessionItem};
use crate::story::{StoryItem, Subject, story_of};
use crate::{event_words, position, standing, words};

/// The session in words, line by line, and the board's frame at the end.
///
/// # Errors
/// When the session's initial state is invalid.
pub fn lines(session: &Session) -> Result<Vec<String>, DriverError> {
    let header = &session.header;
    let mut board = CoreDriver::with_games(*header.layout, header.roster, header.seed)?;
    let mut writer = TranscriptWriter::begin(Replay::begin(&mut board, header)?)?;
    let settings = event_words::settings(&writer.chapter.settings, *writer.chapter.layout);
    let (layout, seed) = (writer.chapter.layout.layout(), header.seed);
    writer.lines = vec![
        on_one_line(&header.note),
        format!("{layout}, seed {seed}: {settings}"),
        String::new(),
    ];
    for entry in &session.entries {
        writer.follow(entry)?;
    }
    writer.replay.advance(0)?;
    writer.take_events();
    writer.end_chapter();
    let mut lines = writer.lines;
    lines.push(String::new());
    lines.extend(words::letters(
        &board.frame().points_seen(board.tick()),
        board.layout(),
    ));
    lines.push(standing::state(&board.status()?, board.frame()));
    Ok(lines)
}

/// A part of the transcript during which ticks count on: from the start, a restart or a
/// loaded state.
struct Chapter {
    layout: KnownLayout,
    settings: Settings,
    told: Vec<(Tick, TranscriptItem)>,
}

enum TranscriptItem {
    Event(StampedEvent),
    Said(String),
}

struct TranscriptWriter<'a> {
    replay: Replay<'a>,
    chapter: Chapter,
    lines: Vec<String>,
    /// The number of moves in the lines so far.
    moves: u32,
    /// True while the digests agree with the recorded ones.
    agrees: bool,
}

impl<'a> TranscriptWriter<'a> {
    fn begin(mut replay: Replay<'a>) -> Result<TranscriptWriter<'a>, DriverError> {
        Ok(TranscriptWriter {
            chapter: chapter(replay.board())?,
            replay,
            lines: Vec::new(),
            moves: 0,
            agrees: true,
        })
    }

    fn follow(&mut self, SessionEntry { tick, item }: &SessionEntry) -> Result<(), DriverError> {
        match item {
            // Inputs and digests are passed on without a line of their own.
            SessionItem::Do(Deed::Input(_)) => {
                self.replay.act(*tick, item)?;
            }
            SessionItem::Digest(recorded) => {
                let found = self.replay.act(*tick, item)?;
                self.take_events();
                if self.agrees && found != Some(*recorded) {
                    self.agrees = false;
                    self.add_sentence("from here on, the game differs from the recorded one");
                }
            }
            SessionItem::Contact(_) => {}
            SessionItem::Note(note) => {
                self.catch_up(*tick)?;
                self.add_sentence(&on_one_line(note));
            }
            SessionItem::Do(Deed::Position(position)) => {
                self.catch_up(*tick)?;
                self.add_sentence(&position::sentence(position, *self.chapter.layout));
                self.replay.act(*tick, item)?;
                self.take_events();
            }
            SessionItem::Do(Deed::Reset { seed, .. }) => {
                self.begin_chapter(*tick, item)?;
                let layout = self.chapter.layout.layout();
                self.add_sentence(&format!("the board restarts: {layout}, seed {seed}"));
            }
            SessionItem::Load(_) => {
                self.begin_chapter(*tick, item)?;
                let settings = event_words::settings(&self.chapter.settings, *self.chapter.layout);
                let layout = self.chapter.layout.layout();
                self.add_sentence(&format!("another state is loaded: {layout}, {settings}"));
            }
            SessionItem::Do(Deed::Settings(_) | Deed::Choose(_)) | SessionItem::End => {
                self.replay.act(*tick, item)?;
                self.take_events();
            }
        }
        Ok(())
    }

    /// Advances the board to a tick, and collects its events.
    fn catch_up(&mut self, tick: Tick) -> Result<(), DriverError> {
        self.replay.advance(tick)?;
        self.take_events();
        Ok(())
    }

    fn take_events(&mut self) {
        let events = self.replay.board().take_events().into_iter();
        let told = events.map(|event| (event.tick, TranscriptItem::Event(event)));
        self.chapter.told.extend(told);
    }

    fn add_sentence(&mut self, sentence: &str) {
        let said = TranscriptItem::Said(sentence.to_owned());
        self.chapter.told.push((self.replay.tick(), said));
    }

    /// Begins a new chapter after a deed that replaces the board.
    fn begin_chapter(&mut self, tick: Tick, item: &SessionItem) -> Result<(), DriverError> {
        self.catch_up(tick)?;
        self.end_chapter();
        self.replay.act(tick, item)?;
        self.chapter = chapter(self.replay.board())?;
        Ok(())
    }

    /// Writes the lines of the current chapter.
    fn end_chapter(&mut self) {
        let told = std::mem::take(&mut self.chapter.told);
        let told = told.iter().map(|(tick, what)| match what {
            TranscriptItem::Event(event) => (*tick, StoryItem::Event(event.event)),
            TranscriptItem::Said(sentence) => (*tick, StoryItem::Sentence(sentence)),
        });
        let settings = self.chapter.settings;
        for line in story_of(told, *self.chapter.layout, settings, settings) {
            let is_move = line.about == Subject::Move;
            self.moves += u32::from(is_move);
            let number = if is_move {
                self.moves.to_string()
            } else {
                String::new()
            };
            let text = format!("{number:>4} {:>9}  {}", clock(line.tick), line.text());
            self.lines.push(text);
        }
    }
}

/// A chapter that begins with the board as it is; the caller writes why.
fn chapter(board: &mut dyn Driver) -> Result<Chapter, DriverError> {
    board.take_events();
    Ok(Chapter {
        layout: board.layout().into(),
        settings: board.status()?.settings,
        told: Vec::new(),
    })
}

/// A tick as minutes, seconds and thousandths.
fn clock(tick: Tick) -> String {
    let (seconds, ms) = (tick / 1_000, tick % 1_000);
    format!("{}:{:02}.{ms:03}", seconds / 60, seconds % 60)
}

/// Puts text from outside, which may contain line breaks, on one line.
fn on_one_line(words: &str) -> String {
    words.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use protocol::{Button, Input, Layout};

    use super::*;
    use crate::session::Header;

    fn session(items: &[(Tick, SessionItem)]) -> Session {
        let mut header = Header::new(Layout::MALDOO, 7, "two\nlines");
        header.settings = Some(Settings {
            time: 5,
            ..Settings::default()
        });
        let mut session = Session::new(header);
        for (tick, item) in items {
            session.push(*tick, item.clone());
        }
        session
    }

    fn touch(tick: Tick, name: &str) -> [(Tick, SessionItem); 2] {
        let point = Layout::MALDOO.point(name).expect("it is on the board");
        [Input::Touch(point), Input::Release(point)].map(|input| (tick, input.into()))
    }

    fn start() -> [(Tick, SessionItem); 2] {
        [Input::Press(Button::Start), Input::Lift(Button::Start)].map(|input| (0, input.into()))
    }

    #[test]
    fn a_transcript_has_numbered_timed_moves_and_the_final_board() {
        let items = [
            &start()[..],
            &touch(700, "d7"),
            &touch(900, "a9"),
            &touch(61_234, "e7"),
            &[(61_234, SessionItem::End)],
        ];
        insta::assert_snapshot!(lines(&session(&items.concat())).unwrap().join("\n"));
    }

    #[test]
    fn changing_the_board_begins_a_chapter_of_the_transcript() {
        let other = Layout::grid(4, 4).unwrap();
        let mut board = CoreDriver::new(other, 5).unwrap();
        board.step(&[Input::Press(Button::Start)], 12_000).unwrap();
        let state = board.save().unwrap();
        let items = [
            (5, SessionItem::Digest(0)),
            (9, SessionItem::Digest(0)),
            (
                10,
                SessionItem::Note("the line\u{1b}[2J was lost".to_owned()),
            ),
            (
                20,
                SessionItem::Do(Deed::Reset {
                    seed: 3,
                    layout: other,
                }),
            ),
            (30, SessionItem::Load(state)),
            (13_000, SessionItem::End),
        ];
        insta::assert_snapshot!(lines(&session(&items)).unwrap().join("\n"));
    }
}
