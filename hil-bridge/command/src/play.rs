//! Plays on a board with a grid controller as its keys and lamps, without a window.
//!
//! Board time follows real time, in steps, so any [`Driver`] can be played on. Events are
//! printed in words, one line each; buttons for which the panel has no key are typed.
//!
//! Invariants: no finger stays on the board when the panel is unplugged or the game ends;
//! a board that cannot be reached is tried again until it answers.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use firmware_core::Seen;
use protocol::{Button, Input, Layout, Settings, Tick};
use touchboard_host::{Driver, DriverError, event_words};
use touchboard_panel_ports::{OwnedPanel, PanelChoice, PortNews};

/// The interval between steps of the board.
const STEP_EVERY: Duration = Duration::from_millis(10);
/// The maximum real time that one step makes up for.
const MOST_CATCH_UP: Duration = Duration::from_secs(1);
/// How often a board that does not answer is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// A message that wakes the loop of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayMessage {
    /// The panel has news: a key, or it was plugged in or unplugged.
    Panel,
    /// A person typed this line.
    Typed(String),
    /// The game should end.
    End,
}

/// A game on a panel.
pub struct PanelGame<'a> {
    driver: &'a mut dyn Driver,
    panel: OwnedPanel,
    messages: Receiver<PlayMessage>,
    /// Called with each sentence for the user.
    tell: &'a mut dyn FnMut(&str),
    settings: Settings,
    shown: Option<(Layout, Seen)>,
    /// The inputs to release at the next step.
    due: Vec<Input>,
    is_in_trouble: bool,
}

/// A channel for the messages to a game.
#[must_use]
pub fn messages() -> (Sender<PlayMessage>, Receiver<PlayMessage>) {
    channel()
}

impl<'a> PanelGame<'a> {
    /// Connects to the panel, which reports its news over the same channel.
    ///
    /// # Errors
    /// When no thread can be created.
    pub fn begin(
        driver: &'a mut dyn Driver,
        choice: PanelChoice,
        sender: Sender<PlayMessage>,
        messages: Receiver<PlayMessage>,
        tell: &'a mut dyn FnMut(&str),
    ) -> io::Result<PanelGame<'a>> {
        let wake = move || {
            // After the end, news has no receiver.
            let _ = sender.send(PlayMessage::Panel);
        };
        Ok(PanelGame {
            driver,
            panel: OwnedPanel::plug_in(choice, wake)?,
            messages,
            tell,
            settings: Settings::default(),
            shown: None,
            due: Vec::new(),
            is_in_trouble: false,
        })
    }

    /// Plays until the end, and then turns the lamps off.
    pub fn run(mut self) {
        let mut last = Instant::now();
        let mut part = Duration::ZERO;
        self.update_panel();
        loop {
            let mut inputs = std::mem::take(&mut self.due);
            let wait = if self.is_in_trouble {
                RETRY_AFTER
            } else {
                STEP_EVERY
            };
            match self.messages.recv_timeout(wait) {
                Ok(PlayMessage::Panel) | Err(RecvTimeoutError::Timeout) => {}
                Ok(PlayMessage::Typed(line)) => self.type_in(&line, &mut inputs),
                Ok(PlayMessage::End) | Err(RecvTimeoutError::Disconnected) => break,
            }
            self.take_inputs(&mut inputs);
            part += last.elapsed().min(MOST_CATCH_UP);
            last = Instant::now();
            let ticks = part.as_millis() as Tick;
            part -= Duration::from_millis(ticks);
            self.step(&inputs, ticks);
        }
        self.let_go();
    }

    /// Collects the inputs of the panel's keys.
    fn take_inputs(&mut self, inputs: &mut Vec<Input>) {
        for news in self.panel.take_news() {
            match news {
                PortNews::Finger(input) => inputs.push(input),
                PortNews::Say(sentence) => (self.tell)(&sentence),
            }
        }
    }

    /// Carries out a typed word: a button, or `pass`.
    fn type_in(&mut self, line: &str, inputs: &mut Vec<Input>) {
        let word = line.trim();
        match Button::from_name(word) {
            Some(button) => {
                inputs.push(Input::Press(button));
                self.due.push(Input::Lift(button));
            }
            None if word.eq_ignore_ascii_case("pass") => inputs.push(Input::Pass),
            None if word.is_empty() => {}
            None => {
                let names = Button::ALL.map(Button::name).join(", ");
                (self.tell)(&format!("`{word}` is not a button: type {names} or pass"));
            }
        }
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) {
        let done = if self.is_in_trouble {
            self.driver.status().map(|_| ())
        } else {
            self.driver.step(inputs, ticks)
        };
        match done {
            Ok(()) => {
                self.is_in_trouble = false;
                self.update_panel();
            }
            Err(error) => self.be_in_trouble(&error),
        }
    }

    /// Reports once that the board does not answer.
    fn be_in_trouble(&mut self, error: &DriverError) {
        if !self.is_in_trouble {
            self.is_in_trouble = true;
            (self.tell)(&error.to_string());
        }
    }

    /// Shows the board on the panel, and prints its events.
    fn update_panel(&mut self) {
        let layout = self.driver.layout();
        let seen = Seen::of(self.driver.frame(), self.driver.tick());
        if self.shown.as_ref() != Some(&(layout, seen.clone())) {
            self.panel.show(layout, &seen);
            self.shown = Some((layout, seen));
        }
        for remark in self.driver.take_remarks() {
            (self.tell)(&remark);
        }
        for stamped in self.driver.take_events() {
            if let protocol::Event::Settings(settings) | protocol::Event::Started(settings) =
                stamped.event
            {
                self.settings = settings;
            }
            if let Some(words) = event_words::event(&stamped.event, &self.settings, layout) {
                (self.tell)(&words);
            }
        }
    }

    /// Lifts the fingers from the board, which may continue elsewhere.
    fn let_go(self) {
        let PanelGame {
            driver, panel, due, ..
        } = self;
        // Keys that are held are released when the panel ends.
        let up = panel.end().into_iter().filter_map(|news| match news {
            PortNews::Finger(input) => Some(input),
            PortNews::Say(_) => None,
        });
        let up: Vec<Input> = due.into_iter().chain(up).collect();
        if !up.is_empty() {
            // A lost board has no fingers on it.
            let _ = driver.step(&up, 0);
        }
    }
}
