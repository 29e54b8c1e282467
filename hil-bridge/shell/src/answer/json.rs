//! Answers for programs: one line of JSON each.

use protocol::{Layout, Outcome, Rhythm, Side, Tick};
use serde::Serialize;
use serde_json::{Map, Value};
use touchboard_host::pieces::Pieces;
use touchboard_host::signals::{SignalReading, SignalValue};
use touchboard_host::touches::{Touches, service_name};
use touchboard_host::{standing as words_of, words};

use super::extra::{Extra, SignalGroup};
use super::help::{entries, own_forms};
use super::scene::{Scene, blinking, digest_name, is_boards_turn, names, picked, rules};
use crate::command::HelpEntry;

/// One line of `--json`. The fields of every answer come first, always complete and in
/// this order.
#[derive(Default, Serialize)]
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

/// An answer as a JSON object on one line, without a line break. `remarks` are about the
/// line to the board.
#[must_use]
pub fn json(
    cmd: &str,
    scene: &Scene<'_>,
    extra: &Extra,
    remarks: &[String],
    error: Option<&str>,
) -> String {
    let Scene { status, frame, .. } = scene;
    let mut line = Line {
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
        turn: status.turn.map(Side::name),
        score: status.score.unwrap_or_default(),
        score_of: (!words_of::is_score_of_points(&status.settings))
            .then(|| words_of::score_of(&status.settings)),
        display: &frame.display,
        beep: frame.beep_hz,
        over: status.outcome.is_some(),
        winner: status.outcome.map(Outcome::name),
        remarks,
        error,
        ..Line::default()
    };
    line.add(extra, scene);
    // Writing strings, numbers and lists of them cannot fail.
    serde_json::to_string(&line).unwrap_or_default()
}

impl<'a> Line<'a> {
    /// Adds the fields for the result of the command.
    fn add(&mut self, extra: &'a Extra, scene: &Scene<'_>) {
        let Scene { layout, status, .. } = *scene;
        match extra {
            Extra::None | Extra::AsBefore | Extra::Board(None) | Extra::Score => {}
            Extra::Board(Some(pieces)) => {
                self.pieces = named(pieces, layout);
                self.open = &pieces.open;
            }
            Extra::Legal(touches) => {
                self.points = Some(names(&touches.moves, layout));
                self.services = services(touches, layout);
                self.puts_down = picked(scene, &touches.moves);
                self.boards_turn = Some(is_boards_turn(status));
            }
            Extra::Best => self.best = status.best.map(words::best),
            Extra::Rules => self.rules = Some(rules(status, layout)),
            Extra::Digest(digest) => self.digest = Some(digest_name(*digest)),
            Extra::Position(position) => self.position = Some(position),
            Extra::Signals(signals) => self.signals = signals.iter().map(json_signal).collect(),
            Extra::SignalNames(groups) => {
                let count = |group: &SignalGroup| (group.name.clone(), group.count.into());
                self.signals = groups.iter().map(count).collect();
            }
            Extra::Stopped { signals, after_ms } => {
                self.signals = signals.iter().map(json_signal).collect();
                self.after_ms = Some(*after_ms);
            }
            Extra::Faults(faults) => self.faults = Some(faults),
            Extra::Help(one) => {
                let line = |entry: &HelpEntry| format!("{}: {}", entry.usage, entry.about);
                let forms = own_forms(*one).map(str::to_owned);
                self.help = Some(entries(*one).map(line).chain(forms).collect());
            }
        }
    }
}

/// A signal by its name.
fn json_signal(SignalReading { name, value }: &SignalReading) -> (String, Value) {
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
