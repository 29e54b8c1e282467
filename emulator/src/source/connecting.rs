//! Puts another board into the window: one at another place, the same one reopened, or a
//! board in this process that continues from the last state of a lost one, from a session,
//! or from a game that was left.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use firmware_core::games;
use protocol::{Deed, Layout, Roster, Settings, StampedEvent};
use touchboard_host::session::Session;
use touchboard_host::{CoreDriver, Driver, DriverError};

use super::open_board::open;
use super::reports::Reports;
use super::system::{At, Where};
use super::written::OpenText;
use super::{
    BoardPlaces, Bring, Connect, LastState, NextBoard, OpenSession, Opened, PlayOn, Rebuilt,
    RequestKind, Shown, ShownBoard, Source, SourceError, UnfinishedAnswer, UnfinishedGame,
    WindowCommand, core, unfinished,
};

/// A board in this process, in this state.
fn play_on(kept: &LastState) -> Result<Box<dyn Source>, DriverError> {
    let mut driver = CoreDriver::new(Layout::MALDOO, 0)?;
    driver.load(&kept.state)?;
    Ok(Box::new(core::InProcess::new(driver)?))
}

/// A board in this process that replays this session.
fn replay(session: Session) -> Result<Opened, SourceError> {
    let header = &session.header;
    let place = Where {
        layout: Some(header.layout.clone()),
        games: Some(header.roster),
        seed: Some(header.seed),
        ..Where::new(At::Core)
    };
    let driver = CoreDriver::with_games(*header.layout, header.roster, header.seed);
    let source = driver.and_then(|driver| core::InProcess::play(driver, session));
    Ok((Box::new(source?), place))
}

/// A board at the same place, with this game. Settings that are shared by all
/// games are copied from `now`, the settings of the current board.
fn bring(places: &BoardPlaces, what: Bring, now: Settings) -> Result<Opened, SourceError> {
    let settings = match what {
        Bring::Game(game) => now.for_game(game, 0),
        Bring::Settings(settings) => settings,
    };
    let Settings { game, mode, .. } = settings;
    let mut place = places.current.clone();
    let games = place.roster().iter().chain([game]);
    place.games = Some(Roster::of(&games.collect::<Vec<u8>>()));
    let made_for = games::about(game).map(|about| (about.made_for)(mode));
    place.layout = Some(made_for.map_or(Layout::MALDOO, Layout::Grid).into());
    let mut source = open(place.clone())?;
    source.obey(&WindowCommand::Do(Deed::Settings(settings)))?;
    Ok((source, place))
}

/// The requests to change or save the board.
#[derive(SystemParam)]
pub(super) struct Wishes<'w, 's> {
    connect: MessageReader<'w, 's, Connect>,
    play_on: MessageReader<'w, 's, PlayOn>,
    bring: MessageReader<'w, 's, Bring>,
    session: MessageReader<'w, 's, OpenSession>,
    answers: MessageReader<'w, 's, UnfinishedAnswer>,
    unfinished: Option<Res<'w, UnfinishedGame>>,
    next: ResMut<'w, NextBoard>,
}

impl Wishes<'_, '_> {
    /// The unfinished game, if it is to be continued.
    fn continued(&mut self) -> Option<UnfinishedGame> {
        let is_asked = self.answers.read().last() == Some(&UnfinishedAnswer::Continue);
        let game = self.unfinished.as_deref();
        game.filter(|_| is_asked).cloned()
    }

    /// The board that was requested, and its place; `None` if the current board
    /// stays.
    fn board(
        &mut self,
        board: &ShownBoard,
        places: &BoardPlaces,
        shown: &Shown,
        continued: Option<&UnfinishedGame>,
    ) -> Option<Result<Opened, SourceError>> {
        let plays_on = self.play_on.read().count() > 0;
        if let Some(source) = self.next.bypass_change_detection().0.take() {
            return Some(Ok((source, Where::new(At::Core))));
        }
        if let Some(what) = self.bring.read().last().copied() {
            return Some(bring(places, what, shown.status.settings));
        }
        if let Some(OpenSession(session)) = self.session.read().last() {
            return Some(replay(session.clone()));
        }
        if let Some(game) = continued {
            return Some(game.resume(&places.current));
        }
        if let Some(Connect(at)) = self.connect.read().last() {
            let mut place = Where {
                at: at.clone(),
                ..places.current.clone()
            };
            // A board at the end of its own line keeps its own layout and games.
            place.layout = place.begins_here().then(|| shown.layout.into());
            place.games = place.games.filter(|_| place.begins_here());
            return Some(open(place.clone()).map(|source| (source, place)));
        }
        let kept = board.0.at_line()?.kept().filter(|_| plays_on)?;
        let source = play_on(kept);
        let place = Where {
            at: At::Core,
            layout: None,
            ..places.current.clone()
        };
        Some(
            source
                .map(|source| (source, place))
                .map_err(SourceError::from),
        )
    }
}

pub(super) fn connect(
    mut wishes: Wishes,
    mut board: ResMut<ShownBoard>,
    mut places: ResMut<BoardPlaces>,
    (shown, mut text): (Res<Shown>, ResMut<OpenText>),
    mut reports: Reports,
    mut commands: Commands,
) {
    let continued = wishes.continued();
    match wishes.board(&board, &places, &shown, continued.as_ref()) {
        Some(Ok((source, place))) => {
            let choice = text.of_layout(shown.layout);
            let left = UnfinishedGame::on_board(&mut *board.0, &shown, &reports.log, choice);
            let before = std::mem::replace(&mut board.0, source);
            board.0.come_after(before);
            reports.log.restart();
            unfinished::leave(left, &mut reports, &mut commands);
            if let (Some(game), Some(layout)) = (continued, place.layout()) {
                go_on_with(&mut reports, &game, layout, &mut text);
            }
            *reports.rebuilt = Rebuilt::default();
            reports.trouble.forget();
            reports.rate.restart();
            *places = BoardPlaces::at(place);
        }
        Some(Err(error)) => reports.trouble(RequestKind::Connect, Err(error)),
        None => {}
    }
}

/// Tells of a game that is continued on a board of this layout: log and text are as they
/// were when it was left.
fn go_on_with(reports: &mut Reports, game: &UnfinishedGame, layout: Layout, text: &mut OpenText) {
    game.fill_log(&mut reports.log);
    let stamped = |(tick, event)| StampedEvent {
        number: 0,
        tick,
        event,
    };
    let changed = text.resume(game.text(), layout, game.events().map(stamped));
    if let Some(sentence) = changed {
        let tick = reports.log.iter().next_back().map_or(0, |line| line.tick);
        reports.log.add_sentence(tick, sentence);
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::games::number;
    use protocol::Event;

    use super::*;
    use crate::source::places;

    /// The settings and layout of a board that replaces one with settings `now`.
    fn brought(what: Bring, now: Settings) -> (Settings, Layout) {
        let (mut source, place) = bring(&BoardPlaces::default(), what, now).unwrap();
        let mut shown = Shown::default();
        let mut tell = |_: protocol::Tick, _: Event| ();
        source
            .update(std::time::Duration::ZERO, &mut shown, &mut tell)
            .unwrap();
        assert_eq!(Some(shown.layout), place.layout());
        (shown.status.settings, shown.layout)
    }

    #[test]
    fn games_and_modes_bring_the_board_they_need() {
        let game = number::MALAKA;
        let now = Settings::default();
        let (settings, layout) = brought(Bring::Game(game), now);
        assert_eq!((settings.game, settings.mode), (game, 0));
        assert_eq!(layout, Layout::grid(9, 9).unwrap());
        let asked = Settings {
            game,
            mode: 12,
            level: 3,
            ..Settings::default()
        };
        let (settings, layout) = brought(Bring::Settings(asked), now);
        assert_eq!(settings, asked);
        assert_eq!(layout, Layout::grid(12, 12).unwrap());
    }

    #[test]
    fn another_game_keeps_level_and_time_but_not_speed_and_mode() {
        let now = Settings {
            game: 0,
            time: 3,
            speed: 8,
            level: 2,
            mode: 4,
        };
        let (settings, _) = brought(Bring::Game(number::MALAKA), now);
        let expected = Settings {
            game: number::MALAKA,
            speed: 5,
            mode: 0,
            ..now
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn the_mode_determines_which_boards_are_large_enough() {
        let [nine, twelve] = [9, 12].map(|side| Layout::grid(side, side).unwrap());
        let has_room = |layout, mode| places::has_room(layout, number::MALAKA, mode);
        assert!(has_room(nine, 7) && has_room(twelve, 7));
        assert!(!has_room(nine, 8) && has_room(twelve, 8));
    }
}
