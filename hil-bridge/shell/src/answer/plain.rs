//! An answer for a person: the events, then the result.

use core::fmt::Write;

use firmware_core::games;
use protocol::{Event, Layout, Refusal, Settings, StampedEvent, Status};
use touchboard_host::signals::{SignalReading, values_in_words};
use touchboard_host::touches::{Touches, service_name};
use touchboard_host::wrap::wrapped;
use touchboard_host::{event_words, standing as words_of, words};

use super::board::board;
use super::extra::{Extra, HeardEvent, SignalGroup};
use super::help::{HELP_COLUMNS, help};
use super::scene::{AnswerColours, Scene, digest_name, picked, point_list, rules, score};

/// An answer for a person: the events, with one line for each tick that has any, then the
/// result. Every line ends with a line break.
#[must_use]
pub fn plain(
    events: &[HeardEvent],
    scene: &Scene<'_>,
    extra: &Extra,
    paint: AnswerColours,
) -> String {
    let happened = happenings(events, &scene.status.settings, scene.layout);
    let mut text = String::new();
    for line in happened.lines() {
        text += &told_under_its_moment(&paint.words(line), scene.columns);
    }
    match extra {
        Extra::None => {}
        Extra::AsBefore => {
            let settings = event_words::settings(&scene.status.settings, scene.layout);
            let _ = writeln!(text, "{:>8}  {settings}, as before", scene.tick);
        }
        Extra::Board(pieces) => text += &board(scene, pieces.as_ref(), paint),
        Extra::Legal(touches) => text += &legal(scene, touches),
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
        Extra::Signals(all) => text += &signals(scene, all, paint),
        Extra::SignalNames(groups) => {
            for SignalGroup { name, count, first } in groups {
                let _ = match count {
                    1 => writeln!(text, "{name}"),
                    count => writeln!(text, "{name:10} {count:4}, such as {first}"),
                };
            }
        }
        Extra::Stopped { signals, after_ms } => {
            let when = match after_ms {
                0 => "already".to_owned(),
                ms => format!("after {ms} ms"),
            };
            let line = format!(
                "{:8}  stopped {when}: {}",
                scene.tick,
                values_in_words(signals)
            );
            let _ = writeln!(text, "{}", scene.for_a_person(line.trim_end(), paint));
        }
        Extra::Faults(faults) => {
            let _ = writeln!(text, "faults: {faults}");
        }
        Extra::Help(one) => text += &help(*one, scene.columns.unwrap_or(HELP_COLUMNS)),
    }
    text
}

/// The points that are moves, then a line for each service.
fn legal(scene: &Scene<'_>, touches: &Touches) -> String {
    let mut text = point_list(&touches.moves, scene.layout);
    if let Some(picked) = picked(scene, &touches.moves) {
        let _ = write!(text, "; {picked} puts the piece down");
    }
    text.push('\n');
    for (service, points) in &touches.services {
        let points = point_list(points, scene.layout);
        let _ = writeln!(text, "{}: {points}", service_name(*service));
    }
    text
}

/// A line for each signal, with the values aligned.
fn signals(scene: &Scene<'_>, all: &[SignalReading], paint: AnswerColours) -> String {
    let width = all.iter().map(|signal| signal.name.len()).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for SignalReading { name, value } in all {
        let line = format!("{name:width$}  {value}");
        let _ = writeln!(text, "{}", scene.for_a_person(line.trim_end(), paint));
    }
    text
}

/// A line of events, wrapped at the terminal's width and indented to the first word after
/// the tick.
fn told_under_its_moment(line: &str, columns: Option<usize>) -> String {
    /// The width of the tick and the gap after it.
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

/// `tick  what; what` for each tick with events. Consecutive beeps are written once with
/// their number.
fn happenings(events: &[HeardEvent], settings: &Settings, layout: Layout) -> String {
    let mut text = String::new();
    let mut last = None;
    let mut rest = events
        .iter()
        .filter(|heard| heard.event.event.is_for_people());
    let mut rest = rest.by_ref().peekable();
    while let Some(HeardEvent { event, did }) = rest.next() {
        let StampedEvent { tick, event, .. } = event;
        // A new game first reports its own settings, then those that were named.
        if is_settings(event)
            && rest
                .peek()
                .is_some_and(|next| next.event.tick == *tick && is_settings(&next.event.event))
        {
            continue;
        }
        let words = match event {
            Event::Part { side, .. } | Event::Move { side, .. } if let Some(did) = did => {
                event_words::touch(*side, did)
            }
            Event::Bleep(pitch_hz) => {
                let mut times = 1;
                while rest.next_if(|next| next.event.event == *event).is_some() {
                    times += 1;
                }
                words::bleeps(*pitch_hz, times)
            }
            event => match event_words::event(event, settings, layout) {
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

fn is_settings(event: &Event) -> bool {
    matches!(event, Event::Settings(_))
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
