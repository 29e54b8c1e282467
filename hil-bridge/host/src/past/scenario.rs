//! Converts a session to a scenario in the shell's language, which a person can read and
//! edit.
//!
//! Invariants: at each tick the scenario does the same as the session. It ends by
//! comparing the digest, so it succeeds exactly if the session replays.

use protocol::{Button, Deed, Input, Layout, Roster, Settings, Side, Tick};

use crate::driver::{CoreDriver, Driver, DriverError};
use crate::session::{Header, Session, SessionItem};
use crate::{position, words};

/// How long `tap`, `press` and `start` hold, in ms: a quick finger, but longer than
/// debouncing takes.
pub const HOLD_MS: Tick = 20;

/// Why a session cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The session does not begin with a freshly switched-on board.
    #[error("the session begins in the middle of a game, but a scenario begins with a fresh board")]
    InTheMidst,
    /// A state was loaded in it.
    #[error("a state is loaded at tick {0}, which a scenario cannot do: cut the session before it")]
    Load(Tick),
    /// The session's layout is a drawing.
    #[error(
        "the session has a drawn layout: a scenario would have to name its file, which a session does not know"
    )]
    Drawn,
    /// The session cannot be repeated on a local board.
    #[error(transparent)]
    Driver(#[from] DriverError),
}

/// The lines of a scenario that repeats a session.
///
/// # Errors
///
/// A [`ScenarioError`].
pub fn lines(session: &Session) -> Result<Vec<String>, ScenarioError> {
    let header = &session.header;
    let mut writer = ScenarioWriter::begin(header)?;
    let acts = session
        .entries
        .iter()
        .filter(|entry| entry.item.is_done() || is_word(&entry.item));
    let mut acts = acts.peekable();
    while let Some(entry) = acts.next() {
        writer.wait_until(entry.tick)?;
        let up = match &entry.item {
            SessionItem::Do(Deed::Input(input @ (Input::Touch(_) | Input::Press(_)))) => {
                let lifts = SessionItem::from(input.reverse());
                acts.next_if(|next| next.item == lifts && next.tick > entry.tick)
            }
            _ => None,
        };
        match (&entry.item, up) {
            (SessionItem::Do(Deed::Input(input)), Some(up)) => {
                writer.hold(*input, up.tick - entry.tick)?;
            }
            (SessionItem::Do(deed), _) => writer.deed(deed)?,
            (SessionItem::Load(_), _) => return Err(ScenarioError::Load(entry.tick)),
            (SessionItem::Note(words), _) => {
                writer
                    .lines
                    .extend(words.lines().map(|line| format!("# {line}")));
            }
            (SessionItem::Digest(_) | SessionItem::Contact(_) | SessionItem::End, _) => {}
        }
    }
    writer.end()
}

/// True for items that are only compared or read.
fn is_word(item: &SessionItem) -> bool {
    matches!(item, SessionItem::Note(_) | SessionItem::End)
}

/// Writes lines, and carries them out on its own board.
struct ScenarioWriter {
    board: CoreDriver,
    lines: Vec<String>,
}

impl ScenarioWriter {
    fn begin(header: &Header) -> Result<ScenarioWriter, ScenarioError> {
        let layout = *header.layout;
        let mut board = CoreDriver::with_games(layout, header.roster, header.seed)?;
        if let Some(state) = &header.state
            && board.save()? != *state
        {
            return Err(ScenarioError::InTheMidst);
        }
        header.begin(&mut board)?;
        let mut writer = ScenarioWriter {
            board,
            lines: Vec::new(),
        };
        writer.note(&header.note);
        writer.fresh(layout, header.seed)?;
        writer.lines.extend(header.settings.map(set));
        Ok(writer)
    }

    fn note(&mut self, words: &str) {
        let lines = words.lines().filter(|line| !line.is_empty());
        self.lines.extend(lines.map(|line| format!("# {line}")));
    }

    fn fresh(&mut self, layout: Layout, seed: u64) -> Result<(), ScenarioError> {
        if layout.sides().is_none() {
            return Err(ScenarioError::Drawn);
        }
        self.lines.push(format!("reset {layout}"));
        self.lines.push(format!("seed {seed}"));
        Ok(())
    }

    fn wait_until(&mut self, tick: Tick) -> Result<(), ScenarioError> {
        let ticks = tick.saturating_sub(self.board.tick());
        if ticks > 0 {
            self.lines.push(format!("wait {ticks}"));
            self.board.step(&[], ticks)?;
        }
        Ok(())
    }

    /// Writes a finger that is held for a while during which nothing else happens.
    fn hold(&mut self, down: Input, ms: Tick) -> Result<(), ScenarioError> {
        let layout = self.board.layout();
        let line = match (down, ms) {
            (Input::Touch(point), HOLD_MS) => format!("tap {}", layout.name(point)),
            (Input::Touch(point), ms) => {
                let name = layout.name(point);
                self.lines.push(format!("touch {name}"));
                self.lines.push(format!("wait {ms}"));
                format!("release {name}")
            }
            (Input::Press(Button::Start), HOLD_MS) => "start".to_owned(),
            (Input::Press(button), HOLD_MS) => format!("press {}", button.name()),
            (Input::Press(button), ms) => format!("press {} {ms}", button.name()),
            (other, _) => words::input(other, layout),
        };
        self.lines.push(line);
        self.board.step(&[down], ms)?;
        self.board.step(&[down.reverse()], 0)?;
        Ok(())
    }

    fn deed(&mut self, deed: &Deed) -> Result<(), ScenarioError> {
        let layout = self.board.layout();
        match deed {
            Deed::Input(Input::Press(button)) => self.lines.push(format!("down {}", button.name())),
            Deed::Input(Input::Lift(button)) => self.lines.push(format!("up {}", button.name())),
            Deed::Input(input) => self.lines.push(words::input(*input, layout)),
            Deed::Choose(game) => self
                .lines
                .push(format!("set game={}", Roster::letter(*game))),
            Deed::Settings(settings) => self.lines.push(set(*settings)),
            Deed::Position(position) => {
                let text = position::written_out(position, layout);
                self.lines.push(format!("position {text}"));
            }
            Deed::Reset { seed, layout } => self.fresh(*layout, *seed)?,
        }
        match self.board.carry_out(deed) {
            // The board also refused this command when it was recorded.
            Err(DriverError::Refused(_)) => {
                let refused = self.lines.pop().unwrap_or_default();
                self.lines.push(format!("expect refused {refused}"));
                Ok(())
            }
            done => Ok(done?),
        }
    }

    /// Writes the expectations about the final state.
    fn end(mut self) -> Result<Vec<String>, ScenarioError> {
        let status = self.board.status()?;
        if let Some([green, red]) = status.score {
            self.lines.push(format!("expect score {green} {red}"));
        }
        let turn = status.turn.map_or("none", Side::name);
        self.lines.push(format!("expect turn {turn}"));
        if let Some(outcome) = status.outcome {
            self.lines.push(format!("expect winner {}", outcome.name()));
        }
        self.lines
            .push(format!("expect hash {:016x}", self.board.digest()?));
        Ok(self.lines)
    }
}

/// The command that sets all five settings.
fn set(settings: Settings) -> String {
    format!(
        "set game={} mode={} level={} time={} speed={}",
        Roster::letter(settings.game),
        settings.mode,
        settings.level,
        settings.time,
        settings.speed
    )
}
