//! A game that was left in the middle: by closing the window, which the next window offers
//! to continue, or by choosing another game, which taking back brings back.
//!
//! Invariants: the game can be continued until that is answered, or until another game
//! begins; the continued board has the layout, the games, the state and the past that it
//! had, and the log says what it said, for the newest [`KEPT_GAMES`] games of that board.

use bevy::prelude::*;
use firmware_core::board::origin_of_snapshot;
use protocol::{Event, Status};
use touchboard_host::kept_game::{KeptGame, KeptLine, NoGame};
use touchboard_host::pieces::board_of_state;
use touchboard_host::recorder::KeptPast;
use touchboard_host::standing::phase;
use touchboard_host::written::{Choice, game_name};

use super::open_board::open;
use super::reports::Reports;
use super::system::Where;
use super::{At, BoardPace, Log, LogEntry, Opened, Shown, Source, SourceError, WindowCommand};

/// The number of games in the past of an unfinished one, with that one.
const KEPT_GAMES: usize = 3;

/// A game that was not finished.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedGame {
    /// The name of the game.
    pub name: String,
    /// How the user is told of it.
    pub comes_back: ComesBack,
    kept: KeptGame,
}

/// How an [`UnfinishedGame`] can be continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComesBack {
    /// A notice offers it, because the window was closed in the meantime.
    OnOffer,
    /// By taking back, because another game was chosen just now.
    ByTakingBack,
}

/// The answer to the offer of an [`UnfinishedGame`].
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfinishedAnswer {
    /// Continue the game in this process, instead of the current board.
    Continue,
    /// Forget the game.
    Forget,
}

/// True if a game is on in which something was played.
#[must_use]
pub fn is_unfinished(status: &Status) -> bool {
    phase(status).is_on() && status.last_move.is_some()
}

impl UnfinishedGame {
    /// The maximum size of [`UnfinishedGame::to_bytes`].
    pub const MOST_BYTES: usize = KeptGame::MOST_BYTES;

    /// Reads what [`UnfinishedGame::to_bytes`] wrote, or a snapshot, which is what earlier
    /// versions kept: the game then continues without its past.
    ///
    /// # Errors
    /// Why the game cannot be continued.
    pub fn of_bytes(bytes: Vec<u8>) -> Result<UnfinishedGame, NoGame> {
        let kept = match KeptGame::of_bytes(&bytes) {
            Err(NoGame::Foreign) => {
                let past = KeptPast::of_state(bytes).ok_or(NoGame::Foreign)?;
                KeptGame::without_log(past)
            }
            kept => kept?,
        };
        let board = board_of_state(kept.past.present()).ok_or(NoGame::Damaged)?;
        if !is_unfinished(&board.status()) {
            return Err(NoGame::Unsound("no game is on in it".to_owned()));
        }
        Ok(UnfinishedGame {
            name: game_name(board.settings().game, board.layout()),
            comes_back: ComesBack::OnOffer,
            kept,
        })
    }

    /// The game on this board; `None` if none is on, or its past is not known here.
    ///
    /// # Errors
    /// [`SourceError::NotKept`].
    pub fn on_board(
        source: &mut dyn Source,
        shown: &Shown,
        log: &Log,
        text: Option<&Choice>,
    ) -> Result<Option<UnfinishedGame>, SourceError> {
        if !is_unfinished(&shown.status) {
            return Ok(None);
        }
        let kept = source.kept_past(log.begin_of_newest(KEPT_GAMES));
        let kept = kept.map_err(|why| SourceError::NotKept(Box::new(why)))?;
        let Some(past) = kept else {
            return Ok(None);
        };
        let line = |line: &super::LogLine| {
            let tick = past.time_of(line.tick)?;
            let what = match &line.what {
                LogEntry::Event(event) => KeptLine::Event(*event),
                LogEntry::Said(sentence) => KeptLine::Said(sentence.clone()),
            };
            Some((tick, what))
        };
        let lines = log.iter().filter(|line| !line.is_ahead);
        Ok(Some(UnfinishedGame {
            name: game_name(shown.status.settings.game, shown.layout),
            comes_back: ComesBack::ByTakingBack,
            kept: KeptGame {
                lines: lines.filter_map(line).collect(),
                dropped: log.dropped(),
                text: text.cloned(),
                past,
            },
        }))
    }

    /// The bytes that [`UnfinishedGame::of_bytes`] reads.
    ///
    /// # Errors
    /// If they cannot be written, in words.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        self.kept.to_bytes().map_err(|error| error.to_string())
    }

    /// The text that the game was read from, if it was.
    #[must_use]
    pub fn text(&self) -> Option<&Choice> {
        self.kept.text.as_ref()
    }

    /// True if its past was too long to be kept from its beginning on.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.kept.past.is_cut()
    }

    /// A board with this game and its past, and with the best scores of this place. Its
    /// time is frozen, so that no clock runs before somebody has looked at the position.
    pub(super) fn resume(&self, place: &Where) -> Result<Opened, SourceError> {
        let past = &self.kept.past;
        let (layout, roster) = origin_of_snapshot(past.present()).ok_or(SourceError::Damaged)?;
        let place = Where {
            at: At::Core,
            layout: Some(layout.into()),
            games: Some(roster),
            ..place.clone()
        };
        let mut source = open(place.clone())?;
        source.resume(past.clone())?;
        source.obey(&WindowCommand::Pace(BoardPace {
            frozen: true,
            ..BoardPace::default()
        }))?;
        Ok((source, place))
    }

    /// The lines of the log.
    pub(super) fn fill_log(&self, log: &mut Log) {
        let line = |(tick, what): &(protocol::Tick, KeptLine)| {
            let what = match what {
                KeptLine::Event(event) => LogEntry::Event(*event),
                KeptLine::Said(sentence) => LogEntry::Said(sentence.clone()),
            };
            (*tick, what)
        };
        log.continue_with(self.kept.lines.iter().map(line), self.kept.dropped);
    }

    /// The events in the log, with their times.
    pub(super) fn events(&self) -> impl Iterator<Item = (protocol::Tick, Event)> {
        self.kept
            .lines
            .iter()
            .filter_map(|(tick, what)| match what {
                KeptLine::Event(event) => Some((*tick, *event)),
                KeptLine::Said(_) => None,
            })
    }
}

/// Makes a game that was left the unfinished one; the log says why one cannot be kept.
pub(super) fn leave(
    left: Result<Option<UnfinishedGame>, SourceError>,
    reports: &mut Reports,
    commands: &mut Commands,
) {
    match left {
        Ok(Some(left)) => commands.insert_resource(left),
        Ok(None) => {}
        Err(why) => reports.log.add_sentence(reports.clock.0, why.to_string()),
    }
}

/// Withdraws the offer once it was answered, or another game is on.
pub(super) fn withdraw(
    shown: Res<Shown>,
    mut answers: MessageReader<UnfinishedAnswer>,
    mut commands: Commands,
) {
    let is_answered = answers.read().count() > 0;
    if is_answered || phase(&shown.status).is_on() {
        commands.remove_resource::<UnfinishedGame>();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use firmware_core::games::number;
    use protocol::{Button, Deed, Input, Layout, Roster, Settings, StampedEvent, Tick};
    use touchboard_host::CoreDriver;

    use super::*;
    use crate::source::core::InProcess;

    /// A board in the window, what it shows, and its log.
    struct Window {
        source: InProcess,
        shown: Shown,
        log: Log,
    }

    impl Window {
        /// A game that begins.
        fn begun(layout: Layout, game: u8) -> Window {
            let roster = Roster::of(&[game]);
            let board = CoreDriver::with_games(layout, roster, 5).unwrap();
            let mut window = Window {
                source: InProcess::new(board).unwrap(),
                shown: Shown::default(),
                log: Log::default(),
            };
            let settings = Settings {
                game,
                level: 0,
                ..Settings::default()
            };
            window.act(Deed::Settings(settings), 10);
            window.act(Deed::Input(Input::Press(Button::Start)), 300);
            window.act(Deed::Input(Input::Lift(Button::Start)), 300);
            window
        }

        fn act(&mut self, deed: Deed, ms: u64) {
            self.source.obey(&WindowCommand::Do(deed)).unwrap();
            let Window { source, shown, log } = self;
            for _ in 0..ms.div_ceil(10) {
                let mut note = |tick: Tick, event: Event| {
                    let number = 0;
                    log.note(StampedEvent {
                        number,
                        tick,
                        event,
                    });
                };
                source
                    .update(Duration::from_millis(10), shown, &mut note)
                    .unwrap();
            }
        }

        /// Touches the first legal point.
        fn touch(&mut self) {
            let point = self.shown.legal[0];
            self.act(Deed::Input(Input::Touch(point)), 100);
            self.act(Deed::Input(Input::Release(point)), 600);
        }

        fn game(&mut self) -> Option<UnfinishedGame> {
            UnfinishedGame::on_board(&mut self.source, &self.shown, &self.log, None).unwrap()
        }
    }

    #[test]
    fn only_a_game_with_a_move_is_offered() {
        let mut window = Window::begun(Layout::MALDOO, number::REVERSI);
        assert_eq!(window.game(), None);
        assert_eq!(
            UnfinishedGame::of_bytes(Vec::new()).unwrap_err(),
            NoGame::Foreign
        );
        window.touch();
        let bytes = window.game().unwrap().to_bytes().unwrap();
        assert_eq!(UnfinishedGame::of_bytes(bytes).unwrap().name, "Reversi");
    }

    #[test]
    fn a_game_continues_with_its_past_on_the_board_it_was_on() {
        for (layout, game) in [
            (Layout::MALDOO, number::REVERSI),
            (Layout::grid(12, 8).unwrap(), number::ISHIDO),
        ] {
            let mut window = Window::begun(layout, game);
            (0..4).for_each(|_| window.touch());
            let bytes = window.game().unwrap().to_bytes().unwrap();
            let unfinished = UnfinishedGame::of_bytes(bytes).unwrap();
            let (mut source, place) = unfinished.resume(&Where::new(At::Core)).unwrap();
            assert_eq!(place.layout(), Some(layout));
            let digest = |source: &mut dyn Source| source.copy().unwrap().digest();
            assert_eq!(digest(&mut *source), digest(&mut window.source));
            let mut log = Log::default();
            unfinished.fill_log(&mut log);
            assert!(log.iter().eq(window.log.iter()));
            let mut shown = Shown::default();
            source.preview(&mut shown);
            assert!(phase(&shown.status).is_on());
            assert_eq!(shown.legal, window.shown.legal);
            // The past reaches back to before the game.
            let begin = shown.past.earliest.unwrap();
            source.obey(&WindowCommand::GoTo(begin)).unwrap();
            source.preview(&mut shown);
            assert!(!phase(&shown.status).is_on());
            assert!(shown.past.latest > begin + 2_000);
        }
    }

    #[test]
    fn a_snapshot_of_an_earlier_version_is_still_continued() {
        let mut window = Window::begun(Layout::MALDOO, number::REVERSI);
        let before = window.source.driver().board().clone();
        window.touch();
        let [none, snapshot] = [&before, window.source.driver().board()].map(|board| {
            let mut buffer = vec![0; firmware_core::SNAPSHOT_BYTES];
            board.save(&mut buffer).unwrap().to_vec()
        });
        let game = UnfinishedGame::of_bytes(snapshot.clone()).unwrap();
        assert_eq!(game.name, "Reversi");
        assert!(game.resume(&Where::new(At::Core)).is_ok());
        let mut damaged = snapshot;
        damaged[20] ^= 1;
        assert!(UnfinishedGame::of_bytes(damaged).is_err());
        assert!(UnfinishedGame::of_bytes(none).is_err());
    }
}
