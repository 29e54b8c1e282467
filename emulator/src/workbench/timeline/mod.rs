//! The timeline below the board: the whole session as a strip, with the waveforms of
//! signals below it.
//!
//! Nothing is recorded for it. A [`SignalReplayer`] repeats the session on its own board,
//! for a few milliseconds per picture. So any signal can be added at any time, and a
//! board at the end of a line has the same signals.
//!
//! Invariants: the timeline shows the whole session, including what lies ahead of the
//! current moment; a signal that is added has its waveform from the beginning.

mod axis;

mod finder;
mod found;
mod menu;
mod panel;
mod rows;
mod signs;
mod track_list;
mod tracks;
mod wave;

use std::collections::HashMap;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use protocol::{Settings, Tick};
use touchboard_host::session::Session;
use touchboard_host::signals::{
    LineWaves, Measurement, Signal, SignalReplayer, Waveform, Waveforms, select,
};

use self::axis::Axis;
use self::finder::{Finder, FinderKind};
use self::found::Names;
use self::menu::Menu;
use self::signs::{Sign, SignShape};
use super::dock::{Dock, Pane};
use crate::source::{
    AtLine, BoardTime, ContactReports, Shown, ShownBoard, SourceSet, WindowCommand,
};

pub(super) use panel::{show, show_over};
pub use track_list::TrackList;
pub(super) use tracks::{branch_name, branch_words};

/// The maximum time per picture for computing waveforms.
const LONGEST_WORK: Duration = Duration::from_millis(6);
/// The number of samples of the board between two looks at the clock.
const LOOKS: usize = 64;
/// The interval between two reads of a session whose waveforms are complete.
const EVERY: Duration = Duration::from_millis(200);

/// The timeline: its waveforms and signs, and the visible part.
#[derive(Resource)]
pub struct TimelineView {
    axis: Axis,
    /// The signals whose waveforms are drawn.
    chosen: TrackList,
    replayer: Option<SignalReplayer>,
    /// True if the board is at the end of a line.
    has_line: bool,
    /// The bytes on that line, if a signal of them is drawn.
    line: Option<LineWaves>,
    /// The index of each signal's waveform in the replayer.
    wave_of: HashMap<String, usize>,
    signs: Vec<Sign>,
    /// The number of the replayer's events that have a sign already.
    signed: usize,
    /// The recorder's restarts when these signs were begun.
    signed_restarts: u32,
    /// The settings at the beginning of the session, and at the last sign.
    first_settings: Settings,
    settings: Settings,
    /// The signs of entries that are no events: marks, restarts, faults and losses.
    entries: Vec<Sign>,
    /// True until the session has been followed to its end.
    is_behind: bool,
    asked_at: Option<Instant>,
    /// Two moments whose distance is shown, in session time.
    cursors: [Option<Tick>; 2],
    /// The open list of signals or of stop conditions.
    finder: Option<Finder>,
    /// The open menu of a signal.
    menu: Option<Menu>,
    /// The line that is being dragged.
    dragged: Option<rows::Dragged>,
}

impl Default for TimelineView {
    fn default() -> TimelineView {
        TimelineView {
            axis: Axis::default(),
            chosen: TrackList::of(["turn", "score.green", "score.red", "beeper"]),
            replayer: None,
            has_line: false,
            line: None,
            wave_of: HashMap::new(),
            signs: Vec::new(),
            signed: 0,
            signed_restarts: 0,
            first_settings: Settings::default(),
            settings: Settings::default(),
            entries: Vec::new(),
            is_behind: false,
            asked_at: None,
            cursors: [None; 2],
            finder: None,
            menu: None,
            dragged: None,
        }
    }
}

/// What the pane of the timeline and its list and menu show and change.
#[derive(SystemParam)]
pub(super) struct Timeline<'w> {
    view: ResMut<'w, TimelineView>,
    shown: Res<'w, Shown>,
    now: Res<'w, BoardTime>,
    commands: MessageWriter<'w, WindowCommand>,
}

impl Timeline<'_> {
    /// Opens the list of all signals, or closes it if it is open.
    pub(super) fn toggle_signals(&mut self) {
        self.view.toggle_signals(self.shown.hardware.contacts);
    }

    /// Opens the list of stop conditions, or closes it if it is open.
    pub(super) fn toggle_stops(&mut self) {
        self.view.toggle_stops(self.shown.hardware.contacts);
    }

    /// Zooms to the part between the cursors, if both are set.
    pub(super) fn see_cursors(&mut self) {
        self.view.see_cursors();
    }

    /// Goes to the moment at which a branch was left. The current continuation becomes a
    /// branch.
    pub(super) fn go_to_branch(&mut self, branch: usize) {
        if let Some(tick) = self.shown.past.branches.get(branch).map(|found| found.from) {
            let back = WindowCommand::GoToBranch { branch, tick };
            self.commands.write(back);
            self.view.asked_at = None;
        }
    }
}

/// Updates the timeline.
pub struct TimelinePlugin;

impl Plugin for TimelinePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TimelineView>()
            .add_systems(Update, follow.after(SourceSet::Exchange));
    }
}

/// Follows the session while the timeline is open.
fn follow(
    board: Option<Res<ShownBoard>>,
    clock: Res<BoardTime>,
    shown: Res<Shown>,
    dock: Res<Dock>,
    mut view: ResMut<TimelineView>,
) {
    let Some(board) = board.filter(|_| dock.is_seen(Pane::Timeline)) else {
        return;
    };
    let is_due = view.asked_at.is_none_or(|asked| asked.elapsed() >= EVERY);
    let is_news = shown.is_changed() || clock.is_changed();
    if !(view.is_behind || is_due && is_news) {
        return;
    }
    view.asked_at = Some(Instant::now());
    if let Ok(session) = board.0.whole_session() {
        view.take_in(&session);
    }
    if is_due {
        view.take_in_line(board.0.at_line().and_then(AtLine::line_waves));
    }
}

impl TimelineView {
    /// A timeline with waveforms of these signals; the usual ones if there are
    /// none.
    #[must_use]
    pub fn of(names: Vec<String>) -> TimelineView {
        let mut view = TimelineView::default();
        if !names.is_empty() {
            view.chosen = TrackList::of(names.iter().map(String::as_str));
        }
        view
    }

    /// The signals that are drawn, as an arrangement saves them.
    #[must_use]
    pub fn chosen(&self) -> &TrackList {
        &self.chosen
    }

    /// The names of the signals that have a waveform, from the top.
    #[must_use]
    pub fn drawn(&self) -> Vec<String> {
        let names = self.chosen.names();
        names
            .filter(|name| self.wave(name).is_some())
            .map(str::to_owned)
            .collect()
    }

    /// Draws these signals from now on.
    pub fn choose(&mut self, chosen: TrackList) {
        self.chosen = chosen;
        self.chosen_anew();
    }

    /// True while a list or menu of the timeline is open over the board.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.finder.is_some() || self.menu.is_some()
    }

    /// True while a list of the timeline has the keyboard.
    #[must_use]
    pub fn is_searched(&self) -> bool {
        self.finder.is_some()
    }

    /// Closes the open list and menu.
    pub fn close(&mut self) {
        (self.finder, self.menu) = (None, None);
    }

    /// Opens the list of all signals, or closes it if it is open.
    pub fn toggle_signals(&mut self, contacts: ContactReports) {
        self.toggle(FinderKind::Signals, contacts);
    }

    /// Opens the list of stop conditions, or closes it if it is open.
    pub fn toggle_stops(&mut self, contacts: ContactReports) {
        self.toggle(FinderKind::Stops, contacts);
    }

    fn toggle(&mut self, of: FinderKind, contacts: ContactReports) {
        self.menu = None;
        self.finder = match self.finder.take() {
            Some(finder) if finder.of == of => None,
            _ => Some(Finder::new(of, self.names(contacts))),
        };
    }

    /// The names of the signals that can be drawn.
    fn names(&self, contacts: ContactReports) -> Names {
        let names = self
            .board()
            .map(|board| Names::of(board, contacts, self.has_line));
        names.unwrap_or_default()
    }

    /// Sets cursors A and B.
    #[cfg(test)]
    pub fn set_cursors(&mut self, [a, b]: [Tick; 2]) {
        self.cursors = [Some(a), Some(b)];
    }

    /// What the signs of entries say, in order.
    #[cfg(test)]
    pub fn told(&self) -> Vec<String> {
        self.entries.iter().map(|sign| sign.words.clone()).collect()
    }

    /// The span between the cursors, in session time, if both are set.
    #[must_use]
    pub fn between_cursors(&self) -> Option<[Tick; 2]> {
        let [one, other] = self.cursors;
        let (one, other) = one.zip(other)?;
        Some([one.min(other), one.max(other)])
    }

    /// Zooms to the part between the cursors, if both are set.
    fn see_cursors(&mut self) {
        let Some([from, until]) = self.between_cursors() else {
            return;
        };
        let [from, until] = [from as f64, until as f64];
        // A margin keeps the cursors themselves visible.
        let margin = (until - from).max(10.0) * 0.05;
        self.axis.see(from - margin, until + margin);
    }

    /// What the waveform of a signal is between the cursors, in words, if both are set.
    fn measured(&self, name: &str) -> Option<String> {
        let [from, until] = self.between_cursors()?;
        let found = Measurement::of(self.wave(name)?, from, until);
        Some(format!("A to B: {found}"))
    }

    /// The moment of a signal's change before this one, or after it.
    fn change(&self, name: &str, now: Tick, direction: Direction) -> Option<Tick> {
        // The first value is no change.
        let changes = self.wave(name)?.changes.get(1..)?;
        let mut times = changes.iter().map(|(tick, _)| *tick);
        match direction {
            Direction::Back => times.rfind(|tick| *tick < now),
            Direction::On => times.find(|tick| *tick > now),
        }
    }

    /// The replayer's board, which is at the end of the waveforms.
    fn board(&self) -> Option<&firmware_core::AnyBoard> {
        Some(self.replayer.as_ref()?.board().board())
    }

    /// The share of the session that has waveforms; `None` once all of it has.
    #[must_use]
    pub fn share_done(&self) -> Option<f32> {
        let replayer = self.replayer.as_ref().filter(|_| self.is_behind)?;
        let found = replayer.found();
        let [from, until] = self.axis.session;
        let done = found.until as f64 - from;
        Some((done / (until - from).max(1.0)).clamp(0.0, 1.0) as f32)
    }

    /// Follows this session for a few milliseconds. Returns true once its end is reached.
    pub(crate) fn take_in(&mut self, session: &Session) -> bool {
        let began = Instant::now();
        if self.replayer.is_none() {
            self.replayer = self.begin(session);
        }
        let Some(replayer) = &mut self.replayer else {
            return true;
        };
        self.is_behind = true;
        while self.is_behind && began.elapsed() < LONGEST_WORK {
            match replayer.follow(session, LOOKS) {
                Ok(is_done) => self.is_behind = !is_done,
                Err(_) => {
                    // This session cannot be replayed here; the next one may be.
                    self.replayer = None;
                    self.is_behind = false;
                    return true;
                }
            }
        }
        let entries = session.entries.iter().zip(session.times());
        self.entries = entries
            .filter_map(|(entry, time)| Sign::of_item(time, &entry.item))
            .collect();
        self.sign();
        !self.is_behind
    }

    /// Copies the bytes on the line, if a signal of them is drawn: there may be hundreds of
    /// thousands of changes.
    pub(crate) fn take_in_line(&mut self, line: Option<&LineWaves>) {
        self.has_line = line.is_some();
        let mut drawn = self.waves().into_iter().flat_map(|found| &found.waves);
        let is_drawn = drawn.any(|wave| wave.signal.is_of_line());
        self.line = line.filter(|_| is_drawn).cloned();
    }

    /// Creates a replayer of the signals that are drawn.
    fn begin(&mut self, session: &Session) -> Option<SignalReplayer> {
        let replayer = SignalReplayer::new(&session.header, Vec::new()).ok()?;
        let board = replayer.board().board();
        let layout = board.layout();
        self.first_settings = board.settings();
        self.begin_signs(replayer.restarts());
        let known = |name: &str| match select([name], board) {
            Ok(signals) => signals,
            // A field of the state may only exist once a game is on.
            Err(_) => Vec::from_iter(Signal::parse(name, layout)),
        };
        let names = |name: &str| -> Vec<String> {
            let signals = known(name);
            signals.iter().map(|signal| signal.name(layout)).collect()
        };
        self.chosen.expand(names);
        self.wave_of.clear();
        let mut signals = Vec::new();
        for name in self.chosen.names() {
            if let [signal] = &known(name)[..] {
                self.wave_of.insert(name.to_owned(), signals.len());
                signals.push(signal.clone());
            }
        }
        SignalReplayer::new(&session.header, signals).ok()
    }

    /// Drops all signs, to make them anew from the beginning of the session.
    fn begin_signs(&mut self, restarts: u32) {
        (self.signs, self.signed) = (Vec::new(), 0);
        self.signed_restarts = restarts;
        self.settings = self.first_settings;
    }

    /// Makes a sign for each new event.
    fn sign(&mut self) {
        let restarts = self.replayer.as_ref().map(SignalReplayer::restarts);
        if let Some(restarts) = restarts.filter(|restarts| *restarts != self.signed_restarts) {
            // The new branch may have as many events as the one that was left, or more.
            self.begin_signs(restarts);
        }
        let Some(replayer) = &self.replayer else {
            return;
        };
        let events = replayer.events();
        let layout = *replayer.found().layout;
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

    /// All signs, those of events first.
    fn all_signs(&self) -> impl Iterator<Item = &Sign> {
        self.signs.iter().chain(&self.entries)
    }

    /// The waveforms of the signals that are drawn.
    pub(crate) fn waves(&self) -> Option<&Waveforms> {
        self.replayer.as_ref().map(SignalReplayer::found)
    }

    /// The waveform of this signal, if it has one.
    fn wave(&self, name: &str) -> Option<&Waveform> {
        let computed = self.waves()?.waves.get(*self.wave_of.get(name)?)?;
        match computed.signal.is_of_line() {
            true => self.line.as_ref()?.wave(&computed.signal),
            false => Some(computed),
        }
    }

    /// Draws this signal too, or all signals that the name stands for.
    pub(super) fn add(&mut self, name: &str) {
        self.chosen.add([name], None);
        self.chosen_anew();
    }

    /// Restarts the replayer if a signal that is drawn has no waveform; all waveforms are
    /// then computed together.
    fn chosen_anew(&mut self) {
        if self
            .chosen
            .names()
            .all(|name| self.wave_of.contains_key(name))
        {
            return;
        }
        self.replayer = None;
        self.asked_at = None;
        // The replay starts even if time is frozen and nothing else changes.
        self.is_behind = true;
    }

    /// The tick of the nearest sign of a kind before or after this tick.
    fn nearest(
        &self,
        now: Tick,
        direction: Direction,
        is_meant: fn(&SignShape) -> bool,
    ) -> Option<Tick> {
        let meant = self.all_signs().filter(|sign| is_meant(&sign.look));
        let ticks = meant.map(|sign| sign.tick);
        match direction {
            Direction::Back => ticks.filter(|tick| *tick < now).max(),
            Direction::On => ticks.filter(|tick| *tick > now).min(),
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
fn is_move(look: &SignShape) -> bool {
    matches!(look, SignShape::Move { .. })
}

/// True for signs of inputs.
fn is_input(look: &SignShape) -> bool {
    *look == SignShape::Input
}

/// True for events of the board.
fn is_event(look: &SignShape) -> bool {
    !is_input(look)
}
