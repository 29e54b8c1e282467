//! What a board answers, for people and for programs.

use core::fmt::Write;
use std::borrow::Cow;

use firmware_core::games::{self, malaka};
use protocol::{
    Colour, Event, Frame, Layout, Outcome, Point, Refusal, Rhythm, Settings, Side, StampedEvent,
    Status, Tick,
};
use serde::Serialize;
use serde_json::{Map, Value};
use touchboard_host::malaka::tale::Did;
use touchboard_host::palette::{Palette, sign_of};
use touchboard_host::pieces::{LineKind, Piece, Pieces};
use touchboard_host::places::{self, NameSide, Places};
use touchboard_host::signals::SignalValue;
use touchboard_host::touches::{Touches, service_name};
use touchboard_host::wrap::wrapped;
use touchboard_host::{Driver, position, standing as words_of, told, words, written};

use super::command::{ENTRIES, HelpEntry};

/// What a command has to say besides what happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Extra {
    /// Nothing.
    #[default]
    None,
    /// A `set` that changed nothing: the settings are these already.
    AsBefore,
    /// The whole board, with what lies on it where lights do not tell all of that.
    Board(Option<Pieces>),
    /// The points that are moves now, and services besides.
    Legal(Touches),
    /// The score.
    Score,
    /// The best scores.
    Best,
    /// How the chosen game and mode are played.
    Rules,
    /// The digest.
    Digest(u64),
    /// The position, as it is written.
    Position(String),
    /// What signals are now, by their names.
    Signals(Vec<(String, SignalValue)>),
    /// The groups of signals, how many are in each, and the name of the first.
    SignalNames(Vec<(String, usize, String)>),
    /// The board stopped where this signal is so.
    Stopped {
        /// Its name and value.
        signal: (String, SignalValue),
        /// After how many ms.
        after_ms: Tick,
    },
    /// What is wrong with the board.
    Faults(String),
    /// All commands, or one.
    Help(Option<&'static HelpEntry>),
}

/// What is said of a board that was not started.
pub const NO_GAME: &str = "no game is on the board: press Start (`start`)";
/// What is said where points are asked for that a person could touch.
pub const BOARDS_TURN: &str =
    "it is the board's own turn, no touch is a move: `wait` until it has moved";

/// True while the board has to move and nobody else may. Where both sides play
/// at once it is nobody's turn.
#[must_use]
pub fn is_boards_turn(status: &Status) -> bool {
    status.thinking && status.turn.is_some()
}

/// A board at one moment, for whoever writes an answer.
pub struct Scene<'a> {
    layout: Layout,
    tick: Tick,
    frame: &'a Frame,
    status: &'a Status,
    /// Columns of the terminal that it is shown on, if it is one.
    columns: Option<usize>,
}

impl<'a> Scene<'a> {
    /// What this board shows now, with the status that it last told.
    #[must_use]
    pub fn new(driver: &'a dyn Driver, status: &'a Status) -> Scene<'a> {
        Scene {
            layout: driver.layout(),
            tick: driver.tick(),
            frame: driver.frame(),
            status,
            columns: None,
        }
    }

    /// The same on a terminal of this width.
    #[must_use]
    pub fn on(self, columns: Option<usize>) -> Scene<'a> {
        Scene { columns, ..self }
    }

    /// A sentence as a person reads it: its colours called as they look, and broken at
    /// words where its lines end.
    #[must_use]
    pub fn for_a_person<'t>(&self, sentence: &'t str, paint: AnswerColours) -> Cow<'t, str> {
        let said = paint.words(sentence);
        match self.columns {
            Some(columns) if said.chars().count() > columns => {
                Cow::Owned(wrapped(&said, columns).join("\n"))
            }
            _ => said,
        }
    }

    fn rows(&self) -> Vec<String> {
        words::letters(&self.frame.points_seen(self.tick), self.layout)
    }
}

/// One line of `--json`. The fields of every answer come first, always all of
/// them and in this order.
#[derive(Serialize)]
struct Line<'a> {
    cmd: &'a str,
    ok: bool,
    tick: Tick,
    rows: Vec<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    blinking: Map<String, Value>,
    turn: Option<&'static str>,
    score: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    score_of: Option<[String; 2]>,
    display: &'a str,
    beep: u16,
    over: bool,
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    services: Map<String, Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pieces: Map<String, Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    signals: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after_ms: Option<Tick>,
    #[serde(skip_serializing_if = "str::is_empty")]
    open: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    puts_down: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    boards_turn: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<String>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// An answer as one JSON object in one line, without the line break. `remarks`
/// tell of the line to the board.
#[must_use]
pub fn json(
    cmd: &str,
    scene: &Scene<'_>,
    extra: &Extra,
    remarks: &[String],
    error: Option<&str>,
) -> String {
    let line = Line {
        cmd,
        ok: error.is_none(),
        tick: scene.tick,
        rows: scene.rows(),
        blinking: Rhythm::ALL
            .into_iter()
            .skip(1)
            .map(|rhythm| (rhythm, blinking(scene, rhythm)))
            .filter(|(_, names)| !names.is_empty())
            .map(|(rhythm, names)| (rhythm.name().to_owned(), names.into()))
            .collect(),
        turn: scene.status.turn.map(Side::name),
        score: scene.status.score.unwrap_or_default(),
        score_of: (!words_of::is_score_of_points(&scene.status.settings))
            .then(|| words_of::score_of(&scene.status.settings)),
        display: &scene.frame.display,
        beep: scene.frame.beep_hz,
        over: scene.status.outcome.is_some(),
        winner: scene.status.outcome.map(Outcome::name),
        points: match extra {
            Extra::Legal(touches) => Some(names(&touches.moves, scene.layout)),
            _ => None,
        },
        services: match extra {
            Extra::Legal(touches) => services(touches, scene.layout),
            _ => Map::new(),
        },
        pieces: match extra {
            Extra::Board(Some(pieces)) => named(pieces, scene.layout),
            _ => Map::new(),
        },
        open: match extra {
            Extra::Board(Some(pieces)) => &pieces.open,
            _ => "",
        },
        puts_down: match extra {
            Extra::Legal(touches) => picked(scene, &touches.moves),
            _ => None,
        },
        boards_turn: matches!(extra, Extra::Legal(_)).then(|| is_boards_turn(scene.status)),
        best: match extra {
            Extra::Best => scene.status.best.map(words::best),
            _ => None,
        },
        digest: match extra {
            Extra::Digest(digest) => Some(digest_name(*digest)),
            _ => None,
        },
        position: match extra {
            Extra::Position(position) => Some(position),
            _ => None,
        },
        signals: match extra {
            Extra::Signals(signals) => signals.iter().map(json_signal).collect(),
            Extra::SignalNames(groups) => groups
                .iter()
                .map(|(name, count, _)| (name.clone(), (*count).into()))
                .collect(),
            Extra::Stopped { signal, .. } => [json_signal(signal)].into_iter().collect(),
            _ => Map::new(),
        },
        after_ms: match extra {
            Extra::Stopped { after_ms, .. } => Some(*after_ms),
            _ => None,
        },
        faults: match extra {
            Extra::Faults(faults) => Some(faults),
            _ => None,
        },
        help: match extra {
            Extra::Help(one) => {
                let line = |entry: &HelpEntry| format!("{}: {}", entry.usage, entry.about);
                let forms = own_forms(*one).map(str::to_owned);
                Some(entries(*one).map(line).chain(forms).collect())
            }
            _ => None,
        },
        rules: match extra {
            Extra::Rules => Some(rules(scene.status, scene.layout)),
            _ => None,
        },
        remarks,
        error,
    };
    // Strings, numbers and lists of them can always be written.
    serde_json::to_string(&line).unwrap_or_default()
}

/// A signal by its name.
fn json_signal((name, value): &(String, SignalValue)) -> (String, Value) {
    let value = match value {
        SignalValue::Bit(bit) => (*bit).into(),
        SignalValue::Number(number) => (*number).into(),
        SignalValue::Word(word) => word.as_str().into(),
    };
    (name.clone(), value)
}

/// The points of each service by its name.
fn services(touches: &Touches, layout: Layout) -> Map<String, Value> {
    let each = touches.services.iter();
    each.map(|(service, points)| {
        let key = service_name(*service).replace(' ', "_");
        (key, names(points, layout).into())
    })
    .collect()
}

/// The letters of each piece by the name of its point.
fn named(pieces: &Pieces, layout: Layout) -> Map<String, Value> {
    let each = pieces.on.iter();
    each.map(|(at, piece)| (layout.name(*at).to_string(), piece.letters().into()))
        .collect()
}

fn names(points: &[Point], layout: Layout) -> Vec<String> {
    points
        .iter()
        .map(|point| layout.name(*point).to_string())
        .collect()
}

/// The one of these points on which what is picked up is put down again.
fn picked(scene: &Scene<'_>, points: &[Point]) -> Option<String> {
    let is_malaka = scene.status.settings.game == games::number::MALAKA;
    let mut picked = points
        .iter()
        .filter(|point| is_malaka && scene.frame.light(**point).rhythm() == malaka::PICKED);
    picked
        .next()
        .map(|point| scene.layout.name(*point).to_string())
}

/// Points for a person: their names, or `none`.
#[must_use]
pub fn point_list(points: &[Point], layout: Layout) -> String {
    if points.is_empty() {
        return "none".to_owned();
    }
    names(points, layout).join(" ")
}

fn digest_name(digest: u64) -> String {
    format!("{digest:016x}")
}

fn entries(one: Option<&'static HelpEntry>) -> impl Iterator<Item = &'static HelpEntry> {
    ENTRIES
        .iter()
        .filter(move |entry| one.is_none_or(|one| one == *entry))
}

/// How positions are written of the games that have a form of their own, where it is
/// asked how positions are.
fn own_forms(one: Option<&'static HelpEntry>) -> impl Iterator<Item = &'static str> {
    let is_asked = one.is_some_and(|entry| entry.word == "position");
    position::usages().filter(move |_| is_asked)
}

/// How a person's answers are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerColours {
    /// With the colours of a terminal, in this palette.
    Ansi(Palette),
    /// With letters, for a file or a pipe.
    #[default]
    Letters,
}

impl AnswerColours {
    /// A sentence with its colours called as they are painted.
    #[must_use]
    pub fn words(self, sentence: &str) -> Cow<'_, str> {
        match self {
            AnswerColours::Ansi(palette) => palette.words(sentence),
            AnswerColours::Letters => Cow::Borrowed(sentence),
        }
    }
}

/// An event, and what the touch in it did, if that is known.
#[derive(Clone, Debug)]
pub struct Heard {
    /// What the board told.
    pub event: StampedEvent,
    /// What the touch did.
    pub did: Option<Did>,
}

/// An answer for a person: what happened, a line for each tick at which
/// something did, then what was asked for. Every line ends with a line break.
#[must_use]
pub fn plain(events: &[Heard], scene: &Scene<'_>, extra: &Extra, paint: AnswerColours) -> String {
    let happened = happenings(events, &scene.status.settings, scene.layout);
    let mut text = String::new();
    for line in happened.lines() {
        text += &told_under_its_moment(&paint.words(line), scene.columns);
    }
    match extra {
        Extra::None => {}
        Extra::AsBefore => {
            let settings = told::settings(&scene.status.settings, scene.layout);
            let _ = writeln!(text, "{:>8}  {settings}, as before", scene.tick);
        }
        Extra::Board(pieces) => text += &board(scene, pieces.as_ref(), paint),
        Extra::Legal(touches) => {
            text += &point_list(&touches.moves, scene.layout);
            if let Some(picked) = picked(scene, &touches.moves) {
                let _ = write!(text, "; {picked} puts the piece down");
            }
            text.push('\n');
            for (service, points) in &touches.services {
                let points = point_list(points, scene.layout);
                let _ = writeln!(text, "{}: {points}", service_name(*service));
            }
        }
        Extra::Score => text += &(paint.words(&score(scene.status)).into_owned() + "\n"),
        Extra::Best => text += &(best(scene.status) + "\n"),
        Extra::Rules => {
            for line in rules(scene.status, scene.layout) {
                text += &scene.for_a_person(&line, paint);
                text.push('\n');
            }
        }
        Extra::Digest(digest) => text += &(digest_name(*digest) + "\n"),
        Extra::Position(position) => text += &format!("position {position}\n"),
        Extra::Signals(signals) => {
            let width = signals
                .iter()
                .map(|(name, _)| name.len())
                .max()
                .unwrap_or_default();
            for (name, value) in signals {
                let line = format!("{name:width$}  {value}");
                let _ = writeln!(text, "{}", scene.for_a_person(line.trim_end(), paint));
            }
        }
        Extra::SignalNames(groups) => {
            for (group, count, first) in groups {
                let _ = match count {
                    1 => writeln!(text, "{group}"),
                    count => writeln!(text, "{group:10} {count:4}, such as {first}"),
                };
            }
        }
        Extra::Stopped {
            signal: (name, value),
            after_ms,
        } => {
            let when = match after_ms {
                0 => "already".to_owned(),
                ms => format!("after {ms} ms"),
            };
            let line = format!("{:8}  stopped {when}: {name} is {value}", scene.tick);
            let _ = writeln!(text, "{}", scene.for_a_person(line.trim_end(), paint));
        }
        Extra::Faults(faults) => {
            let _ = writeln!(text, "faults: {faults}");
        }
        Extra::Help(one) => text += &help(*one, scene.columns.unwrap_or(HELP_COLUMNS)),
    }
    text
}

/// A line of what happened, broken at words where the terminal ends, under its words.
fn told_under_its_moment(line: &str, columns: Option<usize>) -> String {
    /// Of the tick and what is between it and the words.
    const MOMENT: usize = 10;
    match (columns, line.split_at_checked(MOMENT)) {
        (Some(columns), Some((moment, words))) if line.chars().count() > columns => {
            let width = columns.saturating_sub(MOMENT).max(MOMENT);
            let lines = wrapped(words, width);
            format!("{moment}{}\n", lines.join(&format!("\n{:MOMENT$}", "")))
        }
        _ => format!("{line}\n"),
    }
}

fn rules(status: &Status, layout: Layout) -> Vec<String> {
    let Settings { game, mode, .. } = status.settings;
    let text = written::how_to(game, layout);
    let lines = text.iter().flat_map(|text| text.lines(mode));
    lines.map(str::to_owned).collect()
}

/// `tick  what; what` for each tick at which something happened; of beeps that
/// follow one another, the first and how many there were.
fn happenings(events: &[Heard], settings: &Settings, layout: Layout) -> String {
    let mut text = String::new();
    let mut last = None;
    let mut rest = events.iter().filter(|heard| !is_silent(&heard.event));
    let mut rest = rest.by_ref().peekable();
    while let Some(Heard { event, did }) = rest.next() {
        let StampedEvent { tick, event, .. } = event;
        // Another game comes with its own settings before those that were named.
        if is_settings(event)
            && rest
                .peek()
                .is_some_and(|next| next.event.tick == *tick && is_settings(&next.event.event))
        {
            continue;
        }
        let words = match event {
            Event::Part { side, .. } | Event::Move { side, .. } if let Some(did) = did => {
                told::touch(*side, did)
            }
            Event::Bleep(pitch_hz) => {
                let mut times = 1;
                while rest.next_if(|next| next.event.event == *event).is_some() {
                    times += 1;
                }
                words::bleeps(*pitch_hz, times)
            }
            event => match told::event(event, settings, layout) {
                Some(words) => words,
                None => continue,
            },
        };
        if last == Some(*tick) {
            text += "; ";
        } else {
            text += if last.is_some() { "\n" } else { "" };
            let _ = write!(text, "{tick:>8}  ");
        }
        text += &words;
        last = Some(*tick);
    }
    if last.is_some() {
        text += "\n";
    }
    text
}

/// True for what only machines need to know.
fn is_silent(event: &StampedEvent) -> bool {
    matches!(event.event, Event::Taken(_) | Event::Digest(_))
}

fn is_settings(event: &Event) -> bool {
    matches!(event, Event::Settings(_))
}

fn score(status: &Status) -> String {
    let Some(score) = status.score else {
        return "no game on the board".to_owned();
    };
    let score = told::score(&status.settings, score);
    let end = status
        .outcome
        .map_or(String::new(), |end| format!(", {}", words::outcome(end)));
    format!("{score}{end}")
}

fn best(status: &Status) -> String {
    let Settings { game, mode, .. } = status.settings;
    let name = words::game_name(game);
    match words_of::best(status) {
        Some(best) => format!("{name} mode {mode}: {best}"),
        None if !games::keeps_best(game, mode) => {
            format!("{name} mode {mode} has no scores that are kept")
        }
        None if status.best.is_none() => Refusal::KeepsNoBest.to_string(),
        None => format!("{name} mode {mode}: no score yet"),
    }
}

/// As wide as a terminal is at least.
const HELP_COLUMNS: usize = 80;
/// Columns of how commands are written, before what they do.
const USAGE_COLUMNS: usize = 24;

/// All commands, or one, in lines of at most `columns` characters.
fn help(one: Option<&'static HelpEntry>, columns: usize) -> String {
    // Beside what is narrower than this nothing is read with ease: it goes below.
    const LEAST: usize = 24;
    let most = columns.saturating_sub(LEAST + 2);
    let width = match one {
        Some(entry) => entry.usage.len().min(columns / 2).min(most),
        None => USAGE_COLUMNS.min(most),
    };
    let width = width.max(4);
    let mut text = String::new();
    for entry in entries(one) {
        let (usage, about) = (entry.usage, entry.about);
        let mut lines = wrapped(about, columns.saturating_sub(width + 2)).into_iter();
        if usage.len() > width {
            for line in wrapped(usage, columns) {
                let _ = writeln!(text, "{line}");
            }
        } else {
            let first = lines.next().unwrap_or_default();
            let _ = writeln!(text, "{usage:width$}  {first}");
        }
        for line in lines {
            let _ = writeln!(text, "{:width$}  {line}", "");
        }
    }
    for usage in own_forms(one) {
        for (n, line) in wrapped(usage, columns - 2).into_iter().enumerate() {
            let _ = writeln!(text, "{}{line}", if n == 0 { "" } else { "  " });
        }
    }
    text
}

/// The points with their names at the edge, then what the case shows.
///
/// Where pieces lie there is room for the two characters that each of them has; where
/// a game has signs for its points, they stand for the lights.
fn board(scene: &Scene<'_>, pieces: Option<&Pieces>, paint: AnswerColours) -> String {
    let layout = scene.layout;
    let laid = pieces.filter(|pieces| !pieces.on.is_empty());
    let pitch = if laid.is_some() { 3 } else { 2 };
    let cells = Places::new(layout).cells((pitch, 1));
    // A blank before each.
    let gap = |from: usize, to: u16| (usize::from(to) + 1).saturating_sub(from);
    let names = places::edge_names(layout);
    let mut text = String::new();
    for (points, letters) in layout.in_rows().zip(scene.rows()) {
        let beside = |edge| places::beside_row(&names, points.clone(), edge);
        let _ = write!(text, "{:>2} ", beside(NameSide::Left));
        let mut column = 0;
        for (at, letter) in points.clone().zip(letters.chars()) {
            let x = cells[at.index()].0;
            let piece = laid.and_then(|pieces| pieces.at(at));
            let sign = pieces.and_then(|pieces| pieces.sign(at));
            let (shown, width) = match (piece, sign) {
                (Some(piece), _) => (lying(piece, paint), piece.letters().len()),
                (None, Some(sign)) => (signed(sign, colour_of(letter), paint), 1),
                (None, None) => (point(letter, paint), 1),
            };
            let mut blanks = " ".repeat(gap(column, x));
            if pieces.is_some_and(|pieces| has_wall(pieces, at, layout)) {
                blanks.pop();
                blanks.push('|');
            }
            text += &blanks;
            text += &shown;
            column = usize::from(x) + 1 + width;
        }
        let letters = beside(NameSide::Right);
        if !letters.is_empty() {
            let _ = write!(text, " {letters}");
        }
        text.push('\n');
    }
    text += "   ";
    let mut column = 0;
    for name in places::below(&names, |point| cells[point.index()].0) {
        let x = cells[name.point.index()].0;
        let _ = write!(text, "{:1$}{2}", "", gap(column, x), name.text);
        column = usize::from(x) + 1 + name.text.len();
    }
    let [green, red] = scene.frame.turn_seen(scene.tick);
    let Frame {
        display, beep_hz, ..
    } = scene.frame;
    let light = |on: bool, colour: Colour| {
        point(
            if on {
                colour.letter()
            } else {
                Colour::OFF.letter()
            },
            paint,
        )
    };
    let _ = write!(
        text,
        "\n   {} [{display:<12}] {}  tick {}",
        light(green, Colour::GREEN),
        light(red, Colour::RED),
        scene.tick
    );
    if *beep_hz > 0 {
        let _ = write!(text, ", {beep_hz} Hz");
    }
    for rhythm in Rhythm::ALL.into_iter().skip(1) {
        let names = blinking(scene, rhythm);
        if !names.is_empty() {
            let meaning = words_of::meaning(&scene.status.settings, rhythm);
            let meaning = meaning.map_or(String::new(), |meaning| format!(" ({meaning})"));
            let meaning = paint.words(&meaning);
            let _ = write!(text, "\n   {}{meaning}: {}", rhythm.name(), names.join(" "));
        }
    }
    let standing = standing(scene.status, scene.layout);
    let _ = write!(text, "\n   {}", paint.words(&standing));
    if let Some(Pieces {
        note,
        open,
        legend: plain_legend,
        ..
    }) = pieces
    {
        let legend = match paint {
            AnswerColours::Ansi(palette) => pieces.map(|pieces| pieces.legend_in(palette)),
            AnswerColours::Letters => None,
        };
        let legend = legend.as_deref().unwrap_or(plain_legend);
        for (before, words) in [("; ", note.as_str()), ("; open: ", open), ("\n   ", legend)] {
            if !words.is_empty() {
                let _ = write!(text, "{before}{}", paint.words(words));
            }
        }
    }
    text.push('\n');
    text
}

/// True if a wall stands at the left of this point.
fn has_wall(pieces: &Pieces, at: Point, layout: Layout) -> bool {
    layout.sides().is_some_and(|sides| {
        let (column, row) = (f32::from(sides.column(at)), f32::from(sides.row(at)));
        pieces.lines.iter().any(|line| {
            line.kind == LineKind::Wall
                && line.from.x == column - 0.5
                && (line.from.y..line.to.y).contains(&row)
        })
    })
}

/// What blinks so: points by their names, then the turn lights.
fn blinking(scene: &Scene<'_>, rhythm: Rhythm) -> Vec<String> {
    let Scene { layout, frame, .. } = scene;
    let lit = layout.iter().filter(|point| {
        let light = frame.light(*point);
        light.rhythm() == rhythm && light.colour() != Colour::OFF
    });
    let mut names: Vec<String> = lit.map(|point| layout.name(point).to_string()).collect();
    if frame.turn_rhythm == rhythm && frame.turn.contains(&true) {
        names.push("the turn light".to_owned());
    }
    names
}

/// How the game stands, in one line.
#[must_use]
pub fn standing(status: &Status, layout: Layout) -> String {
    let mut text = told::settings(&status.settings, layout);
    if status.score.is_some() {
        text += ": ";
        text += &score(status);
    }
    if let Some(side) = status.turn {
        let _ = write!(text, ", {} to move", side.name());
    }
    if status.held {
        text += ", paused";
    }
    if status.thinking {
        text += ", the board is thinking";
    }
    text
}

fn lying(piece: Piece, paint: AnswerColours) -> String {
    let letters = match paint {
        AnswerColours::Ansi(palette) => piece.letters_in(palette),
        AnswerColours::Letters => piece.letters(),
    };
    in_colour(&letters, piece.colour(), paint)
}

fn signed(sign: char, colour: Colour, paint: AnswerColours) -> String {
    let sign = match paint {
        AnswerColours::Ansi(palette) => palette.sign(sign),
        AnswerColours::Letters => sign,
    };
    in_colour(&sign.to_string(), colour, paint)
}

/// Letters in a colour, where there are colours.
fn in_colour(letters: &str, colour: Colour, paint: AnswerColours) -> String {
    let AnswerColours::Ansi(palette) = paint else {
        return letters.to_owned();
    };
    let shade = palette.shade(colour);
    format!("\x1b[38;5;{}m{letters}\x1b[0m", shade.terminal)
}

fn colour_of(letter: char) -> Colour {
    Colour::from_letter(letter).unwrap_or_default()
}

fn point(letter: char, paint: AnswerColours) -> String {
    let AnswerColours::Ansi(_) = paint else {
        return letter.to_string();
    };
    let colour = colour_of(letter);
    in_colour(&sign_of(colour).to_string(), colour, paint)
}
