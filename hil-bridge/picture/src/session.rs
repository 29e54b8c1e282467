//! Pictures of a recorded session: of a moment, and a film of a span.
//!
//! The session is replayed on a board in this process. Times are session times, in ms.
//!
//! Invariants: a lamp that was dead at a moment is dark in its picture; a film has at most
//! [`MOST_PICTURES`] pictures.

use std::ops::RangeInclusive;

use protocol::Tick;
use touchboard_host::session::RecordedFaults;
use touchboard_host::{CoreDriver, Driver, DriverError, RecordingDriver, Session};

use crate::{BoardFilm, BoardPicture, HUNDREDTHS_A_PICTURE, PictureError};

/// The maximum number of pictures drawn for a film.
pub const MOST_PICTURES: u64 = 20_000;
/// How much longer the last picture of a film is shown, in hundredths of a second.
const LAST_STAYS: u16 = 150;
const MS_IN_A_HUNDREDTH: f64 = 10.0;

/// A session that is replayed to draw its board.
pub struct SessionPictures {
    board: RecordingDriver<CoreDriver>,
    begins_ms: Tick,
    ends_ms: Tick,
    /// The recorded faults of the board, and since when it has had them.
    faults: Vec<RecordedFaults>,
}

impl SessionPictures {
    /// Begins at the start of a session.
    ///
    /// # Errors
    /// When the session cannot be replayed in this process.
    pub fn begin(session: Session) -> Result<SessionPictures, DriverError> {
        let header = &session.header;
        let board = CoreDriver::with_games(*header.layout, header.roster, header.seed)?;
        let faults = session.recorded_faults();
        let ends_ms = session.times().last().copied().unwrap_or(0);
        let mut board = RecordingDriver::replaying(board, session)?;
        board.do_due()?;
        Ok(SessionPictures {
            begins_ms: board.time(),
            ends_ms: ends_ms.max(board.time()),
            board,
            faults,
        })
    }

    /// From when to when there is a board, in ms.
    #[must_use]
    pub fn span(&self) -> RangeInclusive<Tick> {
        self.begins_ms..=self.ends_ms
    }

    /// The picture of the board at a time.
    ///
    /// # Errors
    /// [`PictureError::Nothing`], if the time is outside the session, or if the board cannot
    /// be brought there or drawn.
    pub fn picture(&mut self, time: Tick) -> Result<BoardPicture, PictureError> {
        if !self.span().contains(&time) {
            return Err(self.nothing_at(time));
        }
        self.board.go_to(time)?;
        let board = self.board.inner();
        let mut frame = board.frame().clone();
        let mut until_then = self.faults.iter().rev();
        if let Some(known) = until_then.find(|known| known.since_ms <= time) {
            known.faults.board.darken(board.layout(), &mut frame);
        }
        BoardPicture::of(board.layout(), &frame, board.tick())
    }

    fn nothing_at(&self, ms: Tick) -> PictureError {
        PictureError::Nothing {
            ms,
            begins_ms: self.begins_ms,
            ends_ms: self.ends_ms,
        }
    }
}

/// What a film shows of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmSpan {
    /// The time of its first picture, in ms.
    pub from: Tick,
    /// The time up to which there are pictures, in ms.
    pub until: Tick,
    /// The time between two pictures, in ms: 1 at least.
    pub every_ms: Tick,
    /// The speed of the film, relative to the board's time.
    pub speed: f64,
}

/// A film of a session that is being drawn, picture by picture.
pub struct SpanFilm {
    pictures: SessionPictures,
    span: FilmSpan,
    /// For how long a picture is shown, in hundredths of a second.
    stays: u16,
    next: Tick,
    film: Option<BoardFilm>,
}

impl SpanFilm {
    /// A film without pictures yet.
    ///
    /// # Errors
    /// [`PictureError::TooMany`] or [`PictureError::TooShort`].
    pub fn new(pictures: SessionPictures, span: FilmSpan) -> Result<SpanFilm, PictureError> {
        let count = span.until.saturating_sub(span.from) / span.every_ms + 1;
        if count > MOST_PICTURES {
            let most = MOST_PICTURES;
            return Err(PictureError::TooMany { count, most });
        }
        let hundredths = span.every_ms as f64 / MS_IN_A_HUNDREDTH / span.speed;
        if hundredths < f64::from(HUNDREDTHS_A_PICTURE) {
            return Err(PictureError::TooShort(10 * HUNDREDTHS_A_PICTURE));
        }
        Ok(SpanFilm {
            pictures,
            span,
            stays: hundredths.round().min(f64::from(u16::MAX / 2)) as u16,
            next: span.from,
            film: None,
        })
    }

    /// Draws the next picture. Returns the bytes of the GIF once there are no more.
    ///
    /// # Errors
    /// If a picture cannot be drawn, or the layout of the board changes.
    pub fn draw(&mut self) -> Result<Option<Vec<u8>>, PictureError> {
        let FilmSpan {
            until, every_ms, ..
        } = self.span;
        if self.next > until {
            let film = self.film.take();
            let film = film.ok_or_else(|| self.pictures.nothing_at(self.span.from))?;
            return film.finish().map(Some);
        }
        let picture = self.pictures.picture(self.next)?;
        let film = match &mut self.film {
            Some(film) => film,
            none => none.insert(BoardFilm::new(picture.size())?),
        };
        let is_last = until - self.next < every_ms;
        let last = if is_last { LAST_STAYS } else { 0 };
        film.show(&picture, self.stays + last)?;
        self.next += every_ms;
        Ok(None)
    }

    /// The share of the pictures that is drawn, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f32 {
        let FilmSpan { from, until, .. } = self.span;
        let done = self.next.saturating_sub(from) as f32;
        (done / (until.saturating_sub(from) + 1) as f32).min(1.0)
    }
}
