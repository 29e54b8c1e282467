//! `picture`: what a session's board shows at a moment, or over a span.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use protocol::Tick;
use touchboard_completions::{decimal, number};
use touchboard_host::session::LAST_TICK;
use touchboard_picture::{FilmSpan, SessionPictures, SpanFilm};

use super::{CommandEnd, out};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The session file
    file: PathBuf,
    /// The file to write: a picture if it ends in .png, a film if it ends in .gif
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The moment of the picture, in ms of the session; by default its end
    #[arg(long, value_name = "MS", conflicts_with_all = ["from", "until", "speed", "every"], value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    at: Option<Tick>,
    /// The beginning of the film, in ms of the session; by default that of the session
    #[arg(long, value_name = "MS", value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    from: Option<Tick>,
    /// The end of the film; by default that of the session
    #[arg(long, value_name = "MS", value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    until: Option<Tick>,
    /// The speed of the film, relative to the board's time
    #[arg(long, value_name = "TIMES", value_parser = decimal(0.01, 1_000.0))]
    speed: Option<f64>,
    /// Board time between two pictures of the film, in ms; by default 100
    #[arg(long, value_name = "MS", value_parser = number(1, 60_000_u64), allow_negative_numbers = true)]
    every: Option<Tick>,
}

pub fn run(options: &Options) -> CommandEnd {
    let is = |ending: &str| {
        let extension = options.out.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
    };
    let film = [
        options.from.map(|_| "--from"),
        options.until.map(|_| "--until"),
        options.speed.map(|_| "--speed"),
        options.every.map(|_| "--every"),
    ];
    let cannot = || format!("the session {} cannot be replayed", options.file.display());
    let session = super::session(&options.file)?;
    let mut pictures = SessionPictures::begin(session).with_context(cannot)?;
    let bytes = if is("png") {
        let of_film = film.into_iter().flatten().next();
        ensure!(
            of_film.is_none(),
            "{} is about a film: write --at for a picture, or let {} end in .gif",
            of_film.unwrap_or_default(),
            options.out.display()
        );
        let ends_ms = *pictures.span().end();
        let picture = pictures.picture(options.at.unwrap_or(ends_ms));
        picture.and_then(|picture| picture.to_png())?
    } else {
        ensure!(
            is("gif"),
            "{} is neither a picture nor a film: let it end in .png or .gif",
            options.out.display()
        );
        ensure!(
            options.at.is_none(),
            "--at is about a picture: write --from and --until for a film, or let {} end in .png",
            options.out.display()
        );
        film_of(pictures, options)?
    };
    out(&options.file, Some(&options.out), &bytes)
}

/// The film as the bytes of a GIF.
fn film_of(pictures: SessionPictures, options: &Options) -> anyhow::Result<Vec<u8>> {
    let (begins_ms, ends_ms) = pictures.span().into_inner();
    let asked = options.from.unwrap_or(0);
    super::check_span(asked, options.until, begins_ms..=ends_ms)?;
    let span = FilmSpan {
        from: asked.max(begins_ms),
        until: options.until.unwrap_or(ends_ms).min(ends_ms),
        every_ms: options.every.unwrap_or(100),
        speed: options.speed.unwrap_or(1.0),
    };
    let mut film = SpanFilm::new(pictures, span)?;
    loop {
        if let Some(bytes) = film.draw()? {
            return Ok(bytes);
        }
    }
}
