//! The commands of the language, and the table of them, which `help` prints.

use firmware_core::Fault;
use protocol::{
    Button, Colour, Layout, Light, Outcome, Packed, Point, Position, Rhythm, Side, Tick,
};
use touchboard_host::signals::SignalCondition;

use super::parse_error::ParseError;
use super::words::Words;

pub use touchboard_host::scenario::HOLD_MS;

/// What a `fault` line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultRequest {
    /// Lists the current faults.
    List,
    /// Clears all faults.
    Clear,
    /// Injects one more fault.
    Inject(Fault),
}

/// A parsed line of the language.
#[derive(Clone, Debug, PartialEq)]
pub enum ShellCommand {
    /// Changes some settings.
    Set(SettingsChange),
    /// Presses a button for this many ms of board time, and lifts it.
    Press(Button, Tick),
    /// Presses a button and holds it.
    Down(Button),
    /// Releases a button.
    Up(Button),
    /// Touches a point for [`HOLD_MS`], and releases it.
    Tap(Point),
    /// Puts a finger on a point.
    Touch(Point),
    /// Lifts the finger from a point.
    Release(Point),
    /// Lets board time pass, in milliseconds.
    Wait(Tick),
    /// Lets board time pass until a condition is met, for at most this many ms.
    RunUntil(Box<SignalCondition>, Tick),
    /// Reports the signals with this name, or lists the names.
    Signal(Option<String>),
    /// Passes the turn.
    Pass,
    /// Shows the board.
    Show,
    /// Names the legal points.
    Legal,
    /// Reports the score.
    Score,
    /// Reports the best scores of the chosen game and mode.
    Best,
    /// Deletes the best scores of all games.
    ClearBest,
    /// Prints the rules of the chosen game and mode.
    Rules,
    /// Reports the digest of the whole state, called `hash` in the language.
    Hash,
    /// Sets up a position.
    Position(Box<Position>),
    /// Reports the position on the board.
    TellPosition,
    /// Writes the whole state to a file.
    Save(String),
    /// Loads a state from a file.
    Load(String),
    /// Resets the board with this seed.
    Seed(u64),
    /// Resets the board with the same seed, and with a different layout if one is given.
    Reset(Option<LayoutArgument>),
    /// Injects a fault, clears all faults, or lists them.
    Fault(FaultRequest),
    /// Compares the board with an expectation.
    Expect(Expectation),
    /// Compares the board with the picture of this name.
    Picture(String),
    /// Lists the commands, or explains one.
    Help(Option<&'static HelpEntry>),
    /// Ends the session.
    Quit,
}

impl ShellCommand {
    /// True for commands that only ask, compare, or let board time pass.
    #[must_use]
    pub fn only_looks(&self) -> bool {
        matches!(
            self,
            ShellCommand::Wait(_)
                | ShellCommand::RunUntil(..)
                | ShellCommand::Signal(_)
                | ShellCommand::Show
                | ShellCommand::Legal
                | ShellCommand::Score
                | ShellCommand::Best
                | ShellCommand::Rules
                | ShellCommand::Hash
                | ShellCommand::TellPosition
                | ShellCommand::Fault(FaultRequest::List)
                | ShellCommand::Expect(_)
                | ShellCommand::Picture(_)
                | ShellCommand::Help(_)
                | ShellCommand::Quit
        )
    }
}

/// The settings that a `set` line names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SettingsChange {
    /// The number of the game to choose.
    pub game: Option<u8>,
    /// The bundled text that is to be the board's game, by the name of its file.
    pub text: Option<&'static str>,
    /// The mode to choose, if any.
    pub mode: Option<u8>,
    /// The level to choose, 0-4.
    pub level: Option<u8>,
    /// The Time setting to choose, 0-9.
    pub time: Option<u8>,
    /// The Speed setting to choose, 0-9.
    pub speed: Option<u8>,
}

/// What an `expect` line claims.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// A point shows this colour at this tick.
    Point(Point, Colour),
    /// A point has this light: its colour and rhythm.
    Light(Point, Light),
    /// The colours of all points.
    Rows(Box<Packed>),
    /// The game is in this position.
    Position(Box<Position>),
    /// The side to move; `None` if neither is.
    Turn(Option<Side>),
    /// The display shows this text; each run of blanks counts as one.
    Display(String),
    /// The game ended with this outcome; `None` if it has not ended.
    Winner(Option<Outcome>),
    /// The score, `[green, red]`.
    Score([u32; 2]),
    /// Exactly these points are legal; they are in the order of the board.
    Legal(Vec<Point>),
    /// This many points show this colour.
    Count(Colour, usize),
    /// Exactly these turn lights are on at this tick, `[green, red]`, or with a rhythm,
    /// blink in it.
    Lights([bool; 2], Option<Rhythm>),
    /// The beeper's pitch in hertz, 0 while it is silent.
    Beep(u16),
    /// The hash of the whole state.
    Hash(u64),
    /// A signal satisfies a condition at this tick.
    Signal(Box<SignalCondition>),
    /// This line is invalid or refused.
    Refused(String),
    /// The board has restarted since the line before.
    Restart,
}

/// Parses what follows the first word of a line.
type LineParser = fn(&mut Words<'_>) -> Result<ShellCommand, ParseError>;

/// A command: its entry of `help`, and how it is parsed.
#[derive(Debug)]
pub struct HelpEntry {
    /// The first word of the command.
    pub word: &'static str,
    /// The syntax of the whole line.
    pub usage: &'static str,
    /// Its effect, and the board time that it takes, if any.
    pub about: &'static str,
    pub(super) parse: LineParser,
}

impl PartialEq for HelpEntry {
    fn eq(&self, other: &HelpEntry) -> bool {
        self.word == other.word
    }
}

impl Eq for HelpEntry {}

/// All commands, in the order of `help`.
pub const ENTRIES: &[HelpEntry] = &[
    entry(
        "set",
        "set game=reversi mode=2 level=0 time=5 speed=5",
        "change settings, any of them; a game brings its own mode and speed back, and one that is a text is inserted: `set game=lines of action`",
        |words| Ok(ShellCommand::Set(words.change()?)),
    ),
    entry("start", "start", "press Start (20 ms)", |_| {
        Ok(ShellCommand::Press(Button::Start, HOLD_MS))
    }),
    entry(
        "press",
        "press BUTTON [MS]",
        "press game, time, speed, level, mode, start or stop for 20 ms, or this long",
        |words| Ok(ShellCommand::Press(words.button()?, words.hold()?)),
    ),
    entry("down", "down start", "hold a button down", |words| {
        Ok(ShellCommand::Down(words.button()?))
    }),
    entry("up", "up start", "release it", |words| {
        Ok(ShellCommand::Up(words.button()?))
    }),
    entry(
        "tap",
        "tap d3",
        "touch a point and let it go (20 ms)",
        |words| Ok(ShellCommand::Tap(words.point()?)),
    ),
    entry("touch", "touch d3", "put a finger on a point", |words| {
        Ok(ShellCommand::Touch(words.point()?))
    }),
    entry("release", "release d3", "lift it", |words| {
        Ok(ShellCommand::Release(words.point()?))
    }),
    entry(
        "wait",
        "wait 700",
        "let this many ms of board time pass",
        |words| Ok(ShellCommand::Wait(words.ticks()?)),
    ),
    entry(
        "run",
        "run until turn = red [within 60000]",
        "let board time pass until the condition is met, for at most this many ms (default 60000); also: !=, <, <=, >, >=, changes, rises, falls, and at the end `for 500` if the condition has to hold that long, or `for < 500` for a shorter pulse; `and` joins conditions",
        |words| words.run_until(),
    ),
    entry(
        "signal",
        "signal [light.d4]",
        "print a signal's value, or all signals with this prefix (`signal state.panel`); without arguments, list the groups",
        |words| Ok(ShellCommand::Signal(words.signal())),
    ),
    entry("pass", "pass", "pass the turn", |_| Ok(ShellCommand::Pass)),
    entry("show", "show", "show the board", |_| Ok(ShellCommand::Show)),
    entry(
        "legal",
        "legal",
        "list the points that are legal moves",
        |_| Ok(ShellCommand::Legal),
    ),
    entry("score", "score", "print the score", |_| {
        Ok(ShellCommand::Score)
    }),
    entry(
        "best",
        "best [clear]",
        "print the best scores that the board keeps for the chosen game and mode, or delete those of all games",
        |words| words.best(),
    ),
    entry(
        "rules",
        "rules",
        "explain the rules of the chosen game and mode",
        |_| Ok(ShellCommand::Rules),
    ),
    entry(
        "hash",
        "hash",
        "print the digest, which is equal for boards in the same state",
        |_| Ok(ShellCommand::Hash),
    ),
    entry(
        "position",
        "position ROWS turn green",
        "set up rows of .gra, from the top, with / between them, and who moves; without arguments, print the current position in this form",
        |words| words.position_or_question(),
    ),
    entry(
        "save",
        "save FILE",
        "write the whole state to a file",
        |words| Ok(ShellCommand::Save(words.file()?)),
    ),
    entry("load", "load FILE", "read it back", |words| {
        Ok(ShellCommand::Load(words.file()?))
    }),
    entry(
        "seed",
        "seed N",
        "restart at tick 0, as if just switched on, with this seed",
        |words| Ok(ShellCommand::Seed(words.number("a seed", 0..=u64::MAX)?)),
    ),
    entry(
        "reset",
        "reset [8x8]",
        "restart at tick 0 with the same seed, optionally on another layout",
        |words| Ok(ShellCommand::Reset(words.layout()?)),
    ),
    entry(
        "insert",
        "insert hex.lud",
        "restart with the game in this file, on its own layout; `insert none` removes it",
        |words| Ok(ShellCommand::Reset(Some(words.cartridge()?))),
    ),
    entry(
        "fault",
        "fault stuck d4",
        "inject this fault into a simulated board or its line; `fault none` removes all faults; without arguments, list them",
        |words| Ok(ShellCommand::Fault(FaultRequest::parse(words.rest())?)),
    ),
    entry(
        "expect",
        "expect d4 green",
        "compare; also: rows ROWS, position ROWS turn green, count green 12, turn red, lights green|red|both|none, display TEXT, beep 880 (or none), hash 16 digits, winner green|red|draw|none, score G R, legal d3 c4 (or none), signal CONDITION, refused LINE, restart",
        |words| Ok(ShellCommand::Expect(words.expectation()?)),
    ),
    entry(
        "picture",
        "picture NAME",
        "compare what the board shows with the picture of this name next to the scenario; only in `hil-bridge test`; elsewhere nothing is compared, and a remark says so",
        |words| Ok(ShellCommand::Picture(words.picture()?)),
    ),
    entry("help", "help [COMMAND]", "this list", |words| {
        Ok(ShellCommand::Help(words.entry()?))
    }),
    entry("quit", "quit", "end", |_| Ok(ShellCommand::Quit)),
];

const fn entry(
    word: &'static str,
    usage: &'static str,
    about: &'static str,
    parse: LineParser,
) -> HelpEntry {
    HelpEntry {
        word,
        usage,
        about,
        parse,
    }
}

/// Former names of commands, which existing scripts may still use.
const FORMERLY: [(&str, &str); 1] = [("digest", "hash")];

/// The entry of a command, in any case.
#[must_use]
pub fn find(word: &str) -> Option<&'static HelpEntry> {
    let former = FORMERLY
        .iter()
        .find(|(old, _)| old.eq_ignore_ascii_case(word));
    let word = former.map_or(word, |(_, new)| new);
    ENTRIES
        .iter()
        .find(|entry| entry.word.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_former_name_is_still_understood() {
        for (former, now) in FORMERLY {
            assert_eq!(find(former).map(|entry| entry.word), Some(now));
            assert!(ENTRIES.iter().all(|entry| entry.word != former));
        }
    }

    #[test]
    fn every_usage_begins_with_its_unique_word() {
        for (index, entry) in ENTRIES.iter().enumerate() {
            assert_eq!(entry.usage.split(' ').next(), Some(entry.word));
            assert!(
                ENTRIES[..index]
                    .iter()
                    .all(|other| other.word != entry.word)
            );
        }
    }
}

/// A layout that is written out, or the file of its drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum LayoutArgument {
    /// A layout by its name.
    Layout(Layout),
    /// The name of the file.
    File(String),
    /// The layout that the first of the board's games is made for, without an inserted
    /// game.
    OfGames,
}
