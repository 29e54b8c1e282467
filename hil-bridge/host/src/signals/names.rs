//! The names of signals and events.

use std::fmt::Write as _;

use firmware_core::AnyBoard;
use firmware_core::faults::LineDirection;
use protocol::{Button, Event, Layout, Point, PointError, Side};

use crate::state_fields::fields_of;

/// A kind of event, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EventKind {
    /// The settings changed: [`Event::Settings`].
    Settings,
    /// An input was carried out: [`Event::Taken`].
    Input,
    /// A game started: [`Event::Started`].
    Started,
    /// A game stopped: [`Event::Stopped`].
    Stopped,
    /// [`Event::Paused`]: a pause begins or ends.
    Paused,
    /// A side moved: [`Event::Move`].
    Move,
    /// A side touched a part of a move: [`Event::Part`].
    Part,
    /// A touch was illegal: [`Event::Illegal`].
    Illegal,
    /// A side passed: [`Event::Passed`].
    Passed,
    /// A side ran out of time: [`Event::TimedOut`].
    TimedOut,
    /// A move was taken back: [`Event::TakenBack`].
    TakenBack,
    /// A game ended: [`Event::Over`].
    Over,
    /// The beeper sounded: [`Event::Bleep`].
    Bleep,
}

impl EventKind {
    /// All of them, in the order of their declaration.
    pub const ALL: [EventKind; 13] = [
        EventKind::Settings,
        EventKind::Input,
        EventKind::Started,
        EventKind::Stopped,
        EventKind::Paused,
        EventKind::Move,
        EventKind::Part,
        EventKind::Illegal,
        EventKind::Passed,
        EventKind::TimedOut,
        EventKind::TakenBack,
        EventKind::Over,
        EventKind::Bleep,
    ];

    /// The kind of an event; `None` for one that another signal shows better.
    #[must_use]
    pub fn of(event: &Event) -> Option<EventKind> {
        Some(match event {
            Event::Settings(_) => EventKind::Settings,
            Event::Taken(_) => EventKind::Input,
            Event::Started(_) => EventKind::Started,
            Event::Stopped(_) => EventKind::Stopped,
            Event::Paused(_) => EventKind::Paused,
            Event::Move { .. } => EventKind::Move,
            Event::Part { .. } => EventKind::Part,
            Event::Illegal { .. } => EventKind::Illegal,
            Event::Passed { .. } => EventKind::Passed,
            Event::TimedOut { .. } => EventKind::TimedOut,
            Event::TakenBack { .. } => EventKind::TakenBack,
            Event::Over(_) => EventKind::Over,
            Event::Bleep(_) => EventKind::Bleep,
            Event::Contact(_)
            | Event::Digest(_)
            | Event::Turn(_)
            | Event::Score(_)
            | Event::Best { .. } => return None,
        })
    }

    /// Its name, as in `event.timed-out`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EventKind::Settings => "settings",
            EventKind::Input => "input",
            EventKind::Started => "started",
            EventKind::Stopped => "stopped",
            EventKind::Paused => "paused",
            EventKind::Move => "move",
            EventKind::Part => "part",
            EventKind::Illegal => "illegal",
            EventKind::Passed => "passed",
            EventKind::TimedOut => "timed-out",
            EventKind::TakenBack => "taken-back",
            EventKind::Over => "over",
            EventKind::Bleep => "bleep",
        }
    }
}

/// Something that has a value at each tick.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// `contact.d4`: whether the contact under it is closed, bouncing and ghosts included,
    /// where a board tells of its contacts.
    Contact(Point),
    /// `contact.start`: the same of a button.
    ButtonContact(Button),
    /// `point.d4`: whether a finger is on it, once it is debounced.
    Point(Point),
    /// `button.start`: whether it is down, once it is debounced.
    Button(Button),
    /// `light.d4`: colour, and rhythm if it blinks: `green`, `amber slow`, `off`.
    Light(Point),
    /// `lit.d4`: whether it is lit at this tick. A light that blinks goes on and off here.
    Lit(Point),
    /// `lamp.green`: whether the turn light of this side is on, blinking or not.
    Lamp(Side),
    /// `display`: the text on it.
    Display,
    /// `beeper`: its pitch in hertz, 0 while it is silent.
    Beeper,
    /// `turn`: `green`, `red` or `none`.
    Turn,
    /// `winner`: `green`, `red`, `draw`, or `none` until the game is over.
    Winner,
    /// `score.green`: 0 without a game.
    Score(Side),
    /// `legal`: how many points may be touched.
    Legal,
    /// `game`: the number of the game.
    Game,
    /// `mode`: the number of the mode.
    Mode,
    /// `level`: the level, 0 to 4.
    Level,
    /// `paused`: whether the game is paused.
    Paused,
    /// `thinking`: whether the board is searching for its move.
    Thinking,
    /// `event.move`: how many such events there were so far.
    Event(EventKind),
    /// `hash`: the digest of the state and the frame, in 16 hexadecimal digits.
    Hash,
    /// `state.referee.turn_time_ms`: a field of the state, by its path.
    State(String),
    /// `line.to-board`: how many bytes passed on the line in this ms. It belongs to a line,
    /// not to the board: no session has it (see [`LineWaves`](super::LineWaves)).
    Line(LineDirection),
}

/// Why there is no such signal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignalError {
    /// No group of signals has this name.
    #[error("`{0}` is not a signal: choose one of {GROUPS}")]
    Unknown(String),
    /// The board has no such point.
    #[error("`{name}`: {error}")]
    Point {
        /// The name that was asked for.
        name: String,
        /// The points of the layout.
        error: PointError,
    },
    /// The group has no such signal.
    #[error("`{name}` is not a signal: after `{group}.` comes one of {choices}")]
    Part {
        /// The name that was asked for.
        name: String,
        /// The first word of the name.
        group: &'static str,
        /// What may follow.
        choices: String,
    },
    /// The board tells nothing of its contacts.
    #[error(
        "`{0}`: this board does not report its contacts. Contacts are simulated in the window, on a virtual board that runs on its own timer, and on a board with contact faults (`fault bounce-ms 3`); elsewhere inputs go directly to the board"
    )]
    NoContacts(String),
    /// The bytes on a line are not a part of a session.
    #[error(
        "`{0}`: a board does not know the bytes on its line. The timeline draws them for a board at the end of a line, and `hil-bridge signals line.log` reads them from a wire log"
    )]
    NoLine(String),
    /// The state has no such path.
    #[error("the state has no `{path}`{hint}")]
    Path {
        /// The path that was asked for.
        path: String,
        /// Existing paths, as the end of the sentence.
        hint: String,
    },
}

/// The groups of signals, for sentences.
const GROUPS: &str = "contact, point, button, light, lit, lamp, display, beeper, turn, winner, score, \
     legal, game, mode, level, paused, thinking, event, hash, state, line";

/// The groups of one signal.
const SINGLE: [(&str, Signal); 11] = [
    ("display", Signal::Display),
    ("beeper", Signal::Beeper),
    ("turn", Signal::Turn),
    ("winner", Signal::Winner),
    ("legal", Signal::Legal),
    ("game", Signal::Game),
    ("mode", Signal::Mode),
    ("level", Signal::Level),
    ("paused", Signal::Paused),
    ("thinking", Signal::Thinking),
    ("hash", Signal::Hash),
];

/// The directions of a line, in the order of their signals.
const LINE: [LineDirection; 2] = [LineDirection::ToBoard, LineDirection::FromBoard];

/// A direction in the name of a signal.
const fn line_part(direction: LineDirection) -> &'static str {
    match direction {
        LineDirection::ToBoard => "to-board",
        LineDirection::FromBoard => "from-board",
    }
}

impl Signal {
    /// The signal of this name on a board of this layout. A path of the state is not
    /// checked: fields come and go with games.
    ///
    /// # Errors
    /// A [`SignalError`] that says what there is.
    pub fn parse(name: &str, layout: Layout) -> Result<Signal, SignalError> {
        let (group, part) = name.split_once('.').unwrap_or((name, ""));
        let point = || {
            layout.point(part).map_err(|error| SignalError::Point {
                name: name.to_owned(),
                error,
            })
        };
        Ok(match group {
            "contact" => match Button::from_name(part) {
                Some(button) => Signal::ButtonContact(button),
                None => Signal::Contact(point()?),
            },
            "point" => Signal::Point(point()?),
            "light" => Signal::Light(point()?),
            "lit" => Signal::Lit(point()?),
            "button" => Signal::Button(one_of(name, "button", part, Button::ALL, Button::name)?),
            "lamp" => Signal::Lamp(one_of(name, "lamp", part, Side::BOTH, Side::name)?),
            "score" => Signal::Score(one_of(name, "score", part, Side::BOTH, Side::name)?),
            "event" => Signal::Event(one_of(
                name,
                "event",
                part,
                EventKind::ALL,
                EventKind::name,
            )?),
            "line" => Signal::Line(one_of(name, "line", part, LINE, line_part)?),
            "state" if !part.is_empty() => Signal::State(part.to_owned()),
            _ => {
                let known = SINGLE.into_iter().find(|(single, _)| *single == name);
                let unknown = || SignalError::Unknown(name.to_owned());
                known.map(|(_, signal)| signal).ok_or_else(unknown)?
            }
        })
    }

    /// Its name on a board of this layout; [`Signal::parse`] reads it.
    #[must_use]
    pub fn name(&self, layout: Layout) -> String {
        match self {
            Signal::Contact(point) => format!("contact.{}", layout.name(*point)),
            Signal::ButtonContact(button) => format!("contact.{}", button.name()),
            Signal::Point(point) => format!("point.{}", layout.name(*point)),
            Signal::Light(point) => format!("light.{}", layout.name(*point)),
            Signal::Lit(point) => format!("lit.{}", layout.name(*point)),
            Signal::Button(button) => format!("button.{}", button.name()),
            Signal::Lamp(side) => format!("lamp.{}", side.name()),
            Signal::Score(side) => format!("score.{}", side.name()),
            Signal::Event(kind) => format!("event.{}", kind.name()),
            Signal::Line(direction) => format!("line.{}", line_part(*direction)),
            Signal::State(path) => format!("state.{path}"),
            single => {
                let named = SINGLE.iter().find(|(_, signal)| signal == single);
                named.map_or(String::new(), |(name, _)| (*name).to_owned())
            }
        }
    }

    /// The contacts of a board of this layout, which only some boards tell of.
    #[must_use]
    pub fn contacts(layout: Layout) -> Vec<Signal> {
        let points = layout.iter().map(Signal::Contact);
        points
            .chain(Button::ALL.map(Signal::ButtonContact))
            .collect()
    }

    /// True for contacts.
    #[must_use]
    pub fn is_contact(&self) -> bool {
        matches!(self, Signal::Contact(_) | Signal::ButtonContact(_))
    }

    /// True for the name of a group, such as `event`, and for a signal that is alone in its
    /// own, such as `turn`.
    #[must_use]
    pub fn is_group(name: &str) -> bool {
        GROUPS.split(", ").any(|group| group == name)
    }

    /// The signals of a line.
    #[must_use]
    pub fn of_line() -> [Signal; 2] {
        LINE.map(Signal::Line)
    }

    /// True for the bytes on a line.
    #[must_use]
    pub fn is_of_line(&self) -> bool {
        matches!(self, Signal::Line(_))
    }

    /// All signals that every board of this layout has, except the fields of its state.
    #[must_use]
    pub fn all(layout: Layout) -> Vec<Signal> {
        let buttons = Button::ALL.map(Signal::Button);
        let points = |of: fn(Point) -> Signal| layout.iter().map(of);
        let single = SINGLE.map(|(_, signal)| signal);
        let of_sides = Side::BOTH.into_iter();
        points(Signal::Point)
            .chain(buttons)
            .chain(points(Signal::Light))
            .chain(points(Signal::Lit))
            .chain(of_sides.clone().map(Signal::Lamp))
            .chain(of_sides.map(Signal::Score))
            .chain(single)
            .chain(EventKind::ALL.map(Signal::Event))
            .collect()
    }

    /// The fields of the state of this board.
    #[must_use]
    pub fn of_state(board: &AnyBoard) -> Vec<Signal> {
        let fields = fields_of(board, board.layout()).into_iter();
        let has_moment = |path: &String| path != "tick";
        fields
            .map(|field| field.path)
            .filter(has_moment)
            .map(Signal::State)
            .collect()
    }

    /// True for signals that are expensive to read, which are left out unless asked for.
    #[must_use]
    pub fn is_dear(&self) -> bool {
        matches!(self, Signal::Hash | Signal::State(_) | Signal::Lit(_))
    }
}

/// The element of `all` whose name is `part`.
fn one_of<T: Copy>(
    name: &str,
    group: &'static str,
    part: &str,
    all: impl IntoIterator<Item = T> + Clone,
    name_of: impl Fn(T) -> &'static str,
) -> Result<T, SignalError> {
    let mut each = all.clone().into_iter();
    each.find(|one| name_of(*one) == part).ok_or_else(|| {
        let mut choices = String::new();
        for one in all {
            let comma = if choices.is_empty() { "" } else { ", " };
            let _ = write!(choices, "{comma}{}", name_of(one));
        }
        let name = name.to_owned();
        SignalError::Part {
            name,
            group,
            choices,
        }
    })
}

/// The signals that these names select on a board: `light` all lights, `state.referee` all
/// fields below it, `light.d4` that one.
///
/// # Errors
/// A [`SignalError`] for the first name that selects nothing.
pub fn select<'a>(
    names: impl IntoIterator<Item = &'a str>,
    board: &AnyBoard,
) -> Result<Vec<Signal>, SignalError> {
    let layout = board.layout();
    let mut selected = Vec::new();
    for name in names {
        let all = match name.split('.').next() {
            Some("state") => Signal::of_state(board),
            Some("contact") => Signal::contacts(layout),
            Some("line") => Signal::of_line().to_vec(),
            _ => Signal::all(layout),
        };
        let is_below = |signal: &Signal| {
            let full = signal.name(layout);
            full == name
                || full
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        let before = selected.len();
        selected.extend(all.into_iter().filter(is_below));
        if selected.len() > before {
            continue;
        }
        match name.strip_prefix("state.") {
            Some(path) => return Err(no_path(path, board)),
            None => selected.push(Signal::parse(name, layout)?),
        }
    }
    Ok(selected)
}

/// The error for a path that the state does not have, with those that it has.
pub(super) fn no_path(path: &str, board: &AnyBoard) -> SignalError {
    let layout = board.layout();
    let fields = fields_of(board, layout);
    // The longest beginning of the path that exists.
    let mut stem = path;
    let below = loop {
        stem = stem.rsplit_once('.').map_or("", |(stem, _)| stem);
        let begins = |path: &str| {
            stem.is_empty()
                || path
                    .strip_prefix(stem)
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        let below: Vec<&str> = fields
            .iter()
            .map(|field| field.path.as_str())
            .filter(|path| begins(path))
            .collect();
        if !below.is_empty() || stem.is_empty() {
            break below;
        }
    };
    let skip = if stem.is_empty() { 0 } else { stem.len() + 1 };
    let mut next: Vec<&str> = below
        .iter()
        .filter_map(|path| path.get(skip..)?.split('.').next())
        .collect();
    next.dedup();
    let hint = match (next.as_slice(), stem) {
        ([], _) => String::new(),
        (next, "") => format!(": it has {}", next.join(", ")),
        (next, stem) => format!(": `{stem}` has {}", next.join(", ")),
    };
    SignalError::Path {
        path: path.to_owned(),
        hint,
    }
}
