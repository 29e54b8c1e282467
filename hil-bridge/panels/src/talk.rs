//! The conversation with a panel: its identity, its keys, its lamps, and its end.
//!
//! The owner of the line reports that the panel was plugged in or unplugged, passes on
//! received bytes and the time, and sends what [`PanelTalk::take_bytes`] returns.
//!
//! Invariants: nothing is lit before the panel has identified itself; all lamps are sent
//! again when it identifies itself again; after [`PanelTalk::end`] all lamps are off;
//! while the panel is unplugged no key is down; each sentence is reported once each time
//! it is plugged in.

use std::fmt;

use firmware_core::Seen;
use protocol::{Input, Layout};

use crate::choice::PanelKind;
use crate::desk::{NoRoom, PanelDesk};
use crate::form::{KeySpot, PanelForm, PanelPicture};
use crate::launchpad::{self, LaunchpadHeard, LaunchpadModel, LaunchpadReader};
use crate::monome::{self, MonomeHeard, MonomeReader};

/// How often a panel is asked for its identity until it answers, in milliseconds.
const ASK_EVERY_MS: u64 = 500;
/// The time without an answer after which the user is informed, in milliseconds.
const PATIENCE_MS: u64 = 3_000;
/// The bytes of a message follow each other at once. After a pause of this length, in
/// milliseconds, a new message starts.
const BROKEN_OFF_MS: u64 = 100;

/// News of a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanelNews {
    /// An input of the board, from a key.
    Finger(Input),
    /// A sentence for the user.
    Say(PanelSentence),
}

/// A sentence for the user about a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanelSentence {
    /// The panel was found and is ready.
    Ready {
        /// The maker's name of the device.
        name: String,
        /// The port at which it is plugged in.
        at: String,
    },
    /// The panel does not identify itself.
    Silent {
        /// The kind of panel that is expected.
        kind: PanelKind,
        /// The port at which it is expected.
        at: String,
    },
    /// The panel was unplugged.
    Unplugged {
        /// The port at which it was plugged in.
        at: String,
    },
    /// The panel sends bytes that are not messages of its protocol.
    Strange {
        /// The port at which it is plugged in.
        at: String,
    },
    /// The panel has no room for the board.
    NoRoom(NoRoom),
}

impl fmt::Display for PanelSentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PanelSentence::Ready { name, at } => write!(f, "the panel is a {name} at {at}"),
            PanelSentence::Silent { kind, at } => {
                let (who, what) = match kind {
                    PanelKind::Launchpad => (
                        "no Launchpad Mini MK3, X or Pro MK3",
                        "its port is the one that is called MIDI, not DAW or DIN",
                    ),
                    PanelKind::Monome => (
                        "no monome grid",
                        "end serialosc and other programs that have it",
                    ),
                };
                write!(f, "{who} answers at {at}: {what}")
            }
            PanelSentence::Unplugged { at } => write!(
                f,
                "the panel at {at} is gone: plug it in again, the game goes on"
            ),
            PanelSentence::Strange { at } => write!(
                f,
                "the panel at {at} sends messages that its protocol does not have: they are ignored"
            ),
            PanelSentence::NoRoom(NoRoom::TooLarge { board, panel }) => write!(
                f,
                "a board of {}x{} points does not fit on a grid of {}x{} keys: choose a smaller one, like --layout {}x{}",
                board.columns,
                board.rows,
                panel.columns,
                panel.rows,
                panel.columns,
                panel.rows
            ),
            PanelSentence::NoRoom(NoRoom::Unknown) => f.write_str(
                "the positions of this board's points are not known: name its drawing with --layout FILE",
            ),
        }
    }
}

/// The reader of the panel's messages.
enum Reader {
    Launchpad(LaunchpadReader),
    Monome(MonomeReader),
}

/// A message of a panel of any kind.
enum PanelMessage {
    Who(Who),
    Key(KeySpot, bool),
    Strange,
}

/// The identity of the panel, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Launchpad(LaunchpadModel),
    Monome { columns: u8, rows: u8 },
}

impl Who {
    fn form(self) -> PanelForm {
        match self {
            Who::Launchpad(_) => PanelForm::Launchpad,
            Who::Monome { columns, rows } => monome::form(columns, rows),
        }
    }

    fn name(self) -> String {
        match self {
            Who::Launchpad(model) => model.name().to_owned(),
            Who::Monome { columns, rows } => format!("monome grid of {columns}x{rows} keys"),
        }
    }

    fn lights(self, picture: &PanelPicture, now_ms: u64) -> Vec<u8> {
        match self {
            Who::Launchpad(model) => launchpad::lights(model, picture),
            Who::Monome { .. } => monome::lights(picture, now_ms),
        }
    }

    /// The bytes to send at the end: they turn the lamps off and set the keys to normal
    /// use.
    fn end(self) -> Vec<u8> {
        match self {
            Who::Launchpad(model) => {
                let dark = launchpad::lights(model, &PanelPicture::dark(self.form()));
                [dark, launchpad::leave(model)].concat()
            }
            Who::Monome { .. } => monome::dark(),
        }
    }
}

impl Reader {
    fn new(kind: PanelKind) -> Reader {
        match kind {
            PanelKind::Launchpad => Reader::Launchpad(LaunchpadReader::default()),
            PanelKind::Monome => Reader::Monome(MonomeReader::default()),
        }
    }

    fn take(&mut self, byte: u8) -> Option<PanelMessage> {
        Some(match self {
            Reader::Launchpad(reader) => match reader.take(byte)? {
                LaunchpadHeard::Is(model) => PanelMessage::Who(Who::Launchpad(model)),
                LaunchpadHeard::Key(spot, is_down) => PanelMessage::Key(spot, is_down),
                LaunchpadHeard::Strange => PanelMessage::Strange,
            },
            Reader::Monome(reader) => match reader.take(byte)? {
                MonomeHeard::Size(columns, rows) => {
                    PanelMessage::Who(Who::Monome { columns, rows })
                }
                MonomeHeard::Key(spot, is_down) => PanelMessage::Key(spot, is_down),
                MonomeHeard::Strange => PanelMessage::Strange,
            },
        })
    }

    /// Handles a pause between bytes.
    fn pause(&mut self) {
        if let Reader::Monome(reader) = self {
            reader.restart();
        }
    }
}

/// A panel while it is plugged in.
struct Plugged {
    reader: Reader,
    who: Option<Who>,
    since_ms: u64,
    asked_ms: Option<u64>,
    heard_ms: u64,
    said_silent: bool,
    said_strange: bool,
    /// The lamp bytes that were last sent.
    told: Vec<u8>,
}

/// The conversation with a panel.
pub struct PanelTalk {
    kind: PanelKind,
    at: String,
    plugged: Option<Plugged>,
    /// The frame to show.
    seen: Option<(Layout, Seen)>,
    desk: Option<PanelDesk>,
    bytes: Vec<u8>,
    news: Vec<PanelNews>,
}

impl PanelTalk {
    /// A conversation with a panel that is not plugged in yet.
    #[must_use]
    pub fn new(kind: PanelKind) -> PanelTalk {
        PanelTalk {
            kind,
            at: String::new(),
            plugged: None,
            seen: None,
            desk: None,
            bytes: Vec::new(),
            news: Vec::new(),
        }
    }

    /// Begins to talk to a panel that was plugged in at this port.
    pub fn plug_in(&mut self, at: &str, now_ms: u64) {
        at.clone_into(&mut self.at);
        self.plugged = Some(Plugged {
            reader: Reader::new(self.kind),
            who: None,
            since_ms: now_ms,
            asked_ms: None,
            heard_ms: now_ms,
            said_silent: false,
            said_strange: false,
            told: Vec::new(),
        });
        self.pass(now_ms);
    }

    /// The panel was unplugged.
    pub fn unplug(&mut self) {
        self.bytes.clear();
        self.let_go();
        // Users are not told about a panel that never identified itself.
        if self.is_met() {
            let at = self.at.clone();
            self.report(PanelSentence::Unplugged { at });
        }
        self.plugged = None;
        self.desk = None;
    }

    /// True if the panel is plugged in and has identified itself.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.plugged
            .as_ref()
            .is_some_and(|plugged| plugged.who.is_some())
    }

    fn let_go(&mut self) {
        let held = self
            .desk
            .as_mut()
            .map(PanelDesk::let_go)
            .unwrap_or_default();
        self.news.extend(held.into_iter().map(PanelNews::Finger));
    }

    fn report(&mut self, sentence: PanelSentence) {
        self.news.push(PanelNews::Say(sentence));
    }

    /// Shows this frame.
    pub fn show(&mut self, layout: Layout, seen: &Seen, now_ms: u64) {
        let is_other = self
            .desk
            .as_ref()
            .is_some_and(|desk| desk.layout() != layout);
        if is_other {
            // The held points belong to a board that no longer exists.
            self.let_go();
        }
        let had_room = self.seen.as_ref().is_some_and(|(old, _)| *old == layout);
        self.seen = Some((layout, seen.clone()));
        if !had_room {
            self.lay_out();
        }
        self.pass(now_ms);
    }

    /// Places the board on the panel, if both are known.
    fn lay_out(&mut self) {
        let who = self.plugged.as_ref().and_then(|plugged| plugged.who);
        let layout = self.seen.as_ref().map(|(layout, _)| *layout);
        self.desk = None;
        let (Some(who), Some(layout)) = (who, layout) else {
            return;
        };
        match PanelDesk::new(who.form(), layout) {
            Ok(desk) => self.desk = Some(desk),
            Err(no_room) => self.report(PanelSentence::NoRoom(no_room)),
        }
    }

    /// Handles bytes that the panel sent.
    pub fn receive(&mut self, bytes: &[u8], now_ms: u64) {
        for byte in bytes {
            let Some(plugged) = &mut self.plugged else {
                return;
            };
            if now_ms.saturating_sub(plugged.heard_ms) > BROKEN_OFF_MS {
                plugged.reader.pause();
            }
            plugged.heard_ms = now_ms;
            match plugged.reader.take(*byte) {
                Some(PanelMessage::Who(who)) => self.meet(who),
                Some(PanelMessage::Key(spot, is_down)) => self.key(spot, is_down),
                Some(PanelMessage::Strange) => self.wonder(),
                None => {}
            }
        }
        self.pass(now_ms);
    }

    fn meet(&mut self, who: Who) {
        let Some(plugged) = &mut self.plugged else {
            return;
        };
        if let Some(known) = plugged.who {
            // A plugged-in panel cannot change its identity.
            if known != who {
                self.wonder();
            }
            return;
        }
        plugged.who = Some(who);
        if let Who::Launchpad(model) = who {
            self.bytes.extend(launchpad::enter(model));
        }
        self.report(PanelSentence::Ready {
            name: who.name(),
            at: self.at.clone(),
        });
        self.lay_out();
    }

    fn key(&mut self, spot: KeySpot, is_down: bool) {
        let who = self.plugged.as_ref().and_then(|plugged| plugged.who);
        if who.is_some_and(|who| !who.form().has(spot)) {
            self.wonder();
            return;
        }
        let desk = self.desk.as_mut();
        let felt = desk.and_then(|desk| desk.finger(spot, is_down));
        self.news.extend(felt.map(PanelNews::Finger));
    }

    /// Reports once that the panel sends unexpected bytes.
    fn wonder(&mut self) {
        let at = self.at.clone();
        if let Some(plugged) = &mut self.plugged
            && !plugged.said_strange
        {
            plugged.said_strange = true;
            self.report(PanelSentence::Strange { at });
        }
    }

    /// Lets time pass: repeats the request for the identity, and updates the lamps.
    pub fn pass(&mut self, now_ms: u64) {
        let Some(plugged) = &mut self.plugged else {
            return;
        };
        let Some(who) = plugged.who else {
            let asked = plugged.asked_ms;
            if asked.is_none_or(|asked| now_ms.saturating_sub(asked) >= ASK_EVERY_MS) {
                plugged.asked_ms = Some(now_ms);
                self.bytes.extend(match self.kind {
                    PanelKind::Launchpad => launchpad::inquiry(),
                    PanelKind::Monome => monome::inquiry(),
                });
            }
            if now_ms.saturating_sub(plugged.since_ms) >= PATIENCE_MS && !plugged.said_silent {
                plugged.said_silent = true;
                let (kind, at) = (self.kind, self.at.clone());
                self.report(PanelSentence::Silent { kind, at });
            }
            return;
        };
        let shown = self.desk.as_ref().zip(self.seen.as_ref());
        let picture = match shown {
            Some((desk, (_, seen))) => desk.picture(seen),
            None => PanelPicture::dark(who.form()),
        };
        let lights = who.lights(&picture, now_ms);
        if lights != plugged.told {
            self.bytes.extend(&lights);
            plugged.told = lights;
        }
    }

    /// Ends the conversation, because the panel is no longer needed.
    pub fn end(&mut self) {
        self.let_go();
        let plugged = self.plugged.take();
        if let Some(who) = plugged.and_then(|plugged| plugged.who) {
            self.bytes.extend(who.end());
        }
    }

    /// Takes the bytes to send to the panel.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Takes the news since the last call, in order.
    pub fn take_news(&mut self) -> Vec<PanelNews> {
        std::mem::take(&mut self.news)
    }
}

#[cfg(test)]
mod tests;
