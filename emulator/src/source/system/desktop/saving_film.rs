//! Saves a film of the board over a span of the session, or a picture of its end, with the
//! code of `hil-bridge picture`.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use protocol::Tick;
use touchboard_host::session::Session;
use touchboard_picture::{FilmSpan, SessionPictures, SpanFilm};

use super::saving::{SessionFolder, free_name};
use super::saving_error::SavingError;
use super::writing::{Beginner, Writing, WritingStep, absolute};
use crate::source::ShownBoard;

/// The length of a film for which no span was named, in ms.
const FILM_MS: Tick = 10_000;
/// The board time between two pictures of a film, in ms.
const EVERY_MS: Tick = 100;
/// The most pictures of a film. A longer span becomes a time lapse.
const MOST_PICTURES: Tick = 600;

/// A request to save what the board showed; an existing file is replaced.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct SaveFilm {
    /// The path: a film if it ends in `.gif`, a picture of the end of the span if it ends in
    /// `.png`. Without one, a film with a free name in the [`SessionFolder`].
    pub file: Option<PathBuf>,
    /// From when to when, in session time; without it, the last ten seconds.
    pub span: Option<[Tick; 2]>,
}

/// The span of a film up to this moment for which none was named.
#[must_use]
pub fn last_seconds(now: Tick) -> [Tick; 2] {
    [now.saturating_sub(FILM_MS), now]
}

/// True if this file has a format of pictures or films.
#[must_use]
pub fn is_picture_file(file: &Path) -> bool {
    is_film_file(file) || ends_in(file, "png")
}

/// True if this file has a format of films.
#[must_use]
pub fn is_film_file(file: &Path) -> bool {
    ends_in(file, "gif")
}

fn ends_in(file: &Path, extension: &str) -> bool {
    let own = file.extension();
    own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// Begins to draw the film that was asked for last.
pub(super) fn begin(
    board: Res<ShownBoard>,
    folder: Res<SessionFolder>,
    mut wishes: MessageReader<SaveFilm>,
    mut beginner: Beginner,
) {
    if let Some(wish) = wishes.read().last() {
        let span = wish.span.unwrap_or_else(|| last_seconds(beginner.now()));
        let file = wish.file.clone();
        let file = file.unwrap_or_else(|| free_name(&folder.0, "touchboard", "gif"));
        let session = board.0.whole_session().map_err(SavingError::from);
        beginner.go_on_with(session.and_then(|session| writing(session, absolute(&file), span)));
    }
}

fn writing(
    session: Session,
    file: PathBuf,
    [one, other]: [Tick; 2],
) -> Result<Writing, SavingError> {
    let mut pictures = SessionPictures::begin(session)?;
    let (begins_ms, ends_ms) = pictures.span().into_inner();
    let from = one.min(other).clamp(begins_ms, ends_ms);
    let until = one.max(other).clamp(begins_ms, ends_ms);
    if ends_in(&file, "png") {
        return Writing::begin(file, move || {
            let bytes = pictures.picture(until)?.to_png()?;
            Ok(WritingStep::Done(bytes))
        });
    }
    if !is_film_file(&file) {
        return Err(SavingError::Ending(".gif or .png"));
    }
    let every_ms = EVERY_MS.max((until - from).div_ceil(MOST_PICTURES));
    let span = FilmSpan {
        from,
        until,
        every_ms,
        // Each picture is shown for as long as in a film without time lapse.
        speed: every_ms as f64 / EVERY_MS as f64,
    };
    let mut film = SpanFilm::new(pictures, span)?;
    Writing::begin(file, move || {
        Ok(match film.draw()? {
            Some(bytes) => WritingStep::Done(bytes),
            None => WritingStep::Share(film.share()),
        })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, Instant};

    use protocol::{Button, Input, Layout};
    use tempfile::tempdir;
    use touchboard_host::{CoreDriver, Driver};

    use super::super::Saved;
    use super::*;
    use crate::source::core::InProcess;
    use crate::source::{BoardTime, SourcePlugin};

    /// Saves what is asked for from a board that was started, in this folder.
    fn saved(folder: &Path, wish: SaveFilm) -> Saved {
        let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut board = InProcess::new(driver).unwrap();
        board.step(&[Input::Press(Button::Start)], 20).unwrap();
        board.step(&[Input::Lift(Button::Start)], 3_000).unwrap();
        let mut app = App::new();
        app.insert_resource(BoardTime(board.tick()))
            .insert_resource(ShownBoard(Box::new(board)))
            .init_resource::<Time<Real>>()
            .add_plugins(SourcePlugin)
            .insert_resource(SessionFolder(folder.to_owned()));
        app.world_mut().write_message(wish);
        let began = Instant::now();
        loop {
            app.update();
            let saved = app.world().resource::<Saved>();
            if *saved != Saved::Nothing {
                return saved.clone();
            }
            assert!(began.elapsed() < Duration::from_secs(60));
        }
    }

    #[test]
    fn a_film_and_a_picture_are_saved_under_their_names() {
        let folder = tempdir().unwrap();
        let film = SaveFilm {
            file: None,
            span: None,
        };
        let gif = folder.path().join("touchboard-1.gif");
        assert_eq!(saved(folder.path(), film), Saved::In(gif.clone()));
        assert!(fs::read(&gif).unwrap().starts_with(b"GIF89a"));
        let png = folder.path().join("end.png");
        let picture = SaveFilm {
            file: Some(png.clone()),
            span: Some([2_000, 500]),
        };
        assert_eq!(saved(folder.path(), picture), Saved::In(png.clone()));
        assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
        let other = SaveFilm {
            file: Some(folder.path().join("end.mp4")),
            span: None,
        };
        let refused = saved(folder.path(), other);
        assert!(matches!(refused, Saved::Failed(words) if words.contains(".gif")));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
