//! The timeline below the board: the whole session as a strip, with the waveforms of signals
//! under it.
//!
//! Nothing is recorded for it. A [`SignalRecorder`] repeats the session on a board of its own,
//! for a few milliseconds in each picture. So any signal can be added at any time, and a
//! board at the end of a line has the same signals.
//!
//! Invariants: the timeline shows the whole session, including what lies ahead of the current
//! moment; a signal that is added has its waveform from the beginning.

mod axis;
mod panel;
mod signs;
mod tracks;
mod wave;

use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use protocol::{Settings, Tick};
use touchboard_host::session::{Session, SessionItem};
use touchboard_host::signals::{Signal, SignalRecorder, Waveforms, select};

use self::axis::Axis;
use self::signs::{Look, Sign};
use super::dock::{Dock, Pane};
use crate::source::{BoardTime, Shown, ShownBoard, SourceSet};

pub(super) use panel::show;

/// Time in each picture for computing waveforms.
const LONGEST_WORK: Duration = Duration::from_millis(6);
/// Looks at the board between two looks at the clock.
const LOOKS: usize = 64;
/// How often the session is read while nothing of it is missing.
const EVERY: Duration = Duration::from_millis(200);

/// The timeline: its waveforms and signs, and what part of them is visible.
#[derive(Resource)]
pub struct Scope {
    axis: Axis,
    /// The names of the signals whose waveforms are drawn.
    names: Vec<String>,
    recorder: Option<SignalRecorder>,
    signs: Vec<Sign>,
    /// How many of the recorder's events have a sign already.
    signed: usize,
    settings: Settings,
    marks: Vec<(Tick, String)>,
    /// The session was not followed to its end yet.
    is_behind: bool,
    asked_at: Option<Instant>,
    /// Two moments whose distance is shown.
    cursors: [Option<Tick>; 2],
    typed: panel::Typed,
}

impl Default for Scope {
    fn default() -> Scope {
        Scope {
            axis: Axis::default(),
            names: ["turn", "score.green", "score.red", "beeper"]
                .map(str::to_owned)
                .into(),
            recorder: None,
            signs: Vec::new(),
            signed: 0,
            settings: Settings::default(),
            marks: Vec::new(),
            is_behind: false,
            asked_at: None,
            cursors: [None; 2],
            typed: panel::Typed::default(),
        }
    }
}

/// Keeps the timeline up to date.
pub struct ScopePlugin;

impl Plugin for ScopePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Scope>()
            .add_systems(Update, follow.after(SourceSet::Exchange));
    }
}

/// Follows the session while the timeline is open.
fn follow(
    board: Option<Res<ShownBoard>>,
    clock: Res<BoardTime>,
    shown: Res<Shown>,
    dock: Res<Dock>,
    mut scope: ResMut<Scope>,
) {
    let Some(board) = board.filter(|_| dock.is_seen(Pane::Timeline)) else {
        return;
    };
    let is_due = scope.asked_at.is_none_or(|asked| asked.elapsed() >= EVERY);
    let is_news = shown.is_changed() || clock.is_changed();
    if !(scope.is_behind || is_due && is_news) {
        return;
    }
    scope.asked_at = Some(Instant::now());
    if let Ok(session) = board.0.whole_session() {
        scope.take_in(&session);
    }
}

impl Scope {
    /// A timeline with waveforms of these signals; the usual ones if there are none.
    #[must_use]
    pub fn of(names: Vec<String>) -> Scope {
        let usual = Scope::default();
        Scope {
            names: if names.is_empty() { usual.names } else { names },
            ..usual
        }
    }

    /// Follows this session for a while; true once its end is reached.
    pub(crate) fn take_in(&mut self, session: &Session) -> bool {
        let began = Instant::now();
        if self.recorder.is_none() {
            self.recorder = self.begin(session);
        }
        let Some(recorder) = &mut self.recorder else {
            return true;
        };
        self.is_behind = true;
        while self.is_behind && began.elapsed() < LONGEST_WORK {
            match recorder.follow(session, LOOKS) {
                Ok(is_done) => self.is_behind = !is_done,
                Err(_) => {
                    // This session cannot be repeated here; the next one may be.
                    self.recorder = None;
                    self.is_behind = false;
                    return true;
                }
            }
        }
        let note = |item: &SessionItem| match item {
            SessionItem::Note(words) => Some(words.clone()),
            _ => None,
        };
        let entries = session.entries.iter().zip(session.times());
        self.marks = entries
            .filter_map(|(entry, time)| Some((time, note(&entry.item)?)))
            .collect();
        self.sign();
        !self.is_behind
    }

    /// A recorder of the signals that are drawn.
    fn begin(&mut self, session: &Session) -> Option<SignalRecorder> {
        (self.signs, self.signed) = (Vec::new(), 0);
        let recorder = SignalRecorder::new(&session.header, Vec::new()).ok()?;
        let board = recorder.board().board();
        let layout = board.layout();
        self.settings = board.settings();
        let signals = self.names.iter().flat_map(|name| {
            let known = select([name.as_str()], board);
            // A field of the state may come only with a game.
            known
                .or_else(|_| Signal::parse(name, layout).map(|signal| vec![signal]))
                .unwrap_or_default()
        });
        SignalRecorder::new(&session.header, signals.collect()).ok()
    }

    /// Makes a sign for each new event.
    fn sign(&mut self) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        let events = recorder.events();
        if events.len() < self.signed {
            // The recorder was restarted.
            (self.signs, self.signed) = (Vec::new(), 0);
        }
        let layout = *recorder.found().layout;
        for event in &events[self.signed..] {
            if let protocol::Event::Settings(settings) | protocol::Event::Started(settings) =
                event.event
            {
                self.settings = settings;
            }
            self.signs.extend(Sign::of(event, &self.settings, layout));
        }
        self.signed = events.len();
    }

    /// The waveforms of the signals that are drawn.
    pub(crate) fn waves(&self) -> Option<&Waveforms> {
        self.recorder.as_ref().map(SignalRecorder::found)
    }

    /// Draws this signal too.
    pub(super) fn add(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            let mut names = self.names.clone();
            names.push(name.to_owned());
            self.draw_signals(names);
        }
    }

    /// Draws these signals from now on.
    fn draw_signals(&mut self, names: Vec<String>) {
        self.names = names;
        self.recorder = None;
        self.asked_at = None;
        // Also while time is frozen, and nothing else is new.
        self.is_behind = true;
    }

    /// The nearest sign of a kind before or after this tick.
    fn nearest(
        &self,
        now: Tick,
        direction: Direction,
        is_meant: fn(&Look) -> bool,
    ) -> Option<Tick> {
        let mut meant = self
            .signs
            .iter()
            .filter(|sign| is_meant(&sign.look))
            .map(|sign| sign.tick);
        match direction {
            Direction::Back => meant.take_while(|tick| *tick < now).last(),
            Direction::On => meant.find(|tick| *tick > now),
        }
    }
}

/// A direction on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Back,
    On,
}

/// True for signs of moves.
fn is_move(look: &Look) -> bool {
    matches!(look, Look::Move { .. })
}

/// True for signs of inputs.
fn is_input(look: &Look) -> bool {
    *look == Look::Input
}

/// True for events of the board.
fn is_event(look: &Look) -> bool {
    !is_input(look)
}
