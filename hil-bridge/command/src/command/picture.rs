//! `picture`: what a session's board shows at a moment, or over a span.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use firmware_core::Faults;
use protocol::Tick;
use touchboard_completions::number;
use touchboard_host::session::LAST_TICK;
use touchboard_host::{CoreDriver, Driver, RecordingDriver};
use touchboard_picture::{BoardFilm, BoardPicture, HUNDREDTHS_A_PICTURE};

use super::{Done, out};

/// The maximum number of pictures drawn for a film.
const MOST_PICTURES: u64 = 20_000;
/// How much longer the last picture of a film is shown, in hundredths of a second.
const LAST_STAYS: u16 = 150;
const MS_IN_A_HUNDREDTH: f64 = 10.0;

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
    #[arg(long, value_name = "TIMES", value_parser = speed)]
    speed: Option<f64>,
    /// Board time between two pictures of the film, in ms; by default 100
    #[arg(long, value_name = "MS", value_parser = number(1, 60_000_u64), allow_negative_numbers = true)]
    every: Option<Tick>,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    match (0.01..=1_000.0).contains(&speed) {
        true => Ok(speed),
        false => Err("choose 0.01 to 1000".to_owned()),
    }
}

pub fn run(options: &Options) -> Done {
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
    let mut player = SessionReplay::begin(&options.file)?;
    let bytes = if is("png") {
        let of_film = film.into_iter().flatten().next();
        ensure!(
            of_film.is_none(),
            "{} is about a film: write --at for a picture, or let {} end in .gif",
            of_film.unwrap_or_default(),
            options.out.display()
        );
        player
            .picture(options.at.unwrap_or(player.ends_ms))?
            .to_png()
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
        film_of(&mut player, options)
    };
    out(
        &options.file,
        Some(&options.out),
        &bytes.map_err(|sentence| anyhow!(sentence))?,
    )
}

/// The film as the bytes of a GIF.
fn film_of(player: &mut SessionReplay, options: &Options) -> Result<Vec<u8>, String> {
    let from = options
        .from
        .unwrap_or(player.begins_ms)
        .max(player.begins_ms);
    let until = options.until.unwrap_or(player.ends_ms).min(player.ends_ms);
    let asked = options.from.unwrap_or(0);
    super::check_span(asked, options.until, player.begins_ms..=player.ends_ms)
        .map_err(|error| error.to_string())?;
    let every = options.every.unwrap_or(100);
    let pictures = (until - from) / every + 1;
    if pictures > MOST_PICTURES {
        return Err(format!(
            "these are {pictures} pictures, and a film has at most {MOST_PICTURES}: choose a shorter span, or a larger --every"
        ));
    }
    let hundredths = every as f64 / MS_IN_A_HUNDREDTH / options.speed.unwrap_or(1.0);
    if hundredths < f64::from(HUNDREDTHS_A_PICTURE) {
        return Err(format!(
            "a picture would stay for less than {} ms, which browsers do not show: choose a larger --every, or a lower --speed",
            10 * HUNDREDTHS_A_PICTURE
        ));
    }
    let mut film = None;
    for time in (from..=until).step_by(usize::try_from(every).unwrap_or(1)) {
        let picture = player.picture(time).map_err(|error| format!("{error:#}"))?;
        let film = match &mut film {
            Some(film) => film,
            none => none.insert(BoardFilm::new(picture.size())?),
        };
        let last = if until - time < every { LAST_STAYS } else { 0 };
        film.show(
            &picture,
            hundredths.round().min(f64::from(u16::MAX / 2)) as u16 + last,
        )?;
    }
    film.map_or_else(|| Err(player.nothing_at(from)), BoardFilm::finish)
}

/// Replays a session on a board in this process.
struct SessionReplay {
    board: RecordingDriver<CoreDriver>,
    begins_ms: Tick,
    ends_ms: Tick,
    /// The recorded faults of the board, and since when it has had them.
    faults: Vec<(Tick, Faults)>,
}

impl SessionReplay {
    fn begin(file: &Path) -> anyhow::Result<SessionReplay> {
        let cannot = || format!("the session {} cannot be replayed", file.display());
        let session = super::session(file)?;
        let header = &session.header;
        let board = CoreDriver::with_games(*header.layout, header.roster, header.seed)
            .with_context(cannot)?;
        let faults = session.recorded_faults();
        let ends_ms = session.times().last().copied().unwrap_or(0);
        let mut board = RecordingDriver::replaying(board, session).with_context(cannot)?;
        board.do_due().with_context(cannot)?;
        Ok(SessionReplay {
            begins_ms: board.time(),
            ends_ms: ends_ms.max(board.time()),
            board,
            faults,
        })
    }

    fn nothing_at(&self, ms: Tick) -> String {
        format!(
            "there is nothing at {ms} ms: the session lasts from {} to {} ms",
            self.begins_ms, self.ends_ms
        )
    }

    /// The picture of the board at this session time.
    fn picture(&mut self, time: Tick) -> anyhow::Result<BoardPicture> {
        let span = self.begins_ms..=self.ends_ms;
        ensure!(span.contains(&time), "{}", self.nothing_at(time));
        self.board.go_to(time)?;
        let board = self.board.inner();
        let mut frame = board.frame().clone();
        let mut until_then = self.faults.iter().rev();
        if let Some((_, faults)) = until_then.find(|(since, _)| *since <= time) {
            faults.board.darken(board.layout(), &mut frame);
        }
        let picture = BoardPicture::of(board.layout(), &frame, board.tick());
        picture.map_err(|sentence| anyhow!(sentence))
    }
}
