//! The name of a message, and its contents in a few words.

use std::fmt::{self, Write};

use super::LineMessage;
use crate::{event_words, words};
use postcard_schema::Schema;
use postcard_schema::schema::DataModelType;
use protocol::{
    Command, Deed, Done, Event, FrameDelta, Input, KnownLayout, Layout, Pace, Refusal, Reply,
    Settings, Severity, Tick, ToDevice, ToHost,
};

/// The name of a message: `request step`, `event move`, `frame`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageName {
    /// The kind of the message, such as `request`.
    pub kind: String,
    /// The variant within the kind, if there are several.
    pub what: Option<String>,
}

impl fmt::Display for MessageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        self.what.iter().try_for_each(|what| write!(f, " {what}"))
    }
}

impl MessageName {
    /// The name of a message.
    #[must_use]
    pub fn of(said: &LineMessage) -> MessageName {
        let (kind, what) = match said {
            LineMessage::ToDevice(message) => {
                let what = match message {
                    ToDevice::Request(request) => Some(variant(&request.command)),
                    ToDevice::Hello { .. } => None,
                };
                (variant(message), what)
            }
            LineMessage::ToHost(message) => {
                let what = match message {
                    ToHost::Reply(reply) => Some(match &reply.result {
                        Ok(done) => variant(done),
                        Err(refusal) => variant(refusal),
                    }),
                    ToHost::Event(event) => Some(variant(&event.event)),
                    _ => None,
                };
                (variant(message), what)
            }
        };
        MessageName { kind, what }
    }
}

/// The name of a variant in options and files: `NotGreeted` is `not-greeted`.
fn word_of(variant: &str) -> String {
    let mut word = String::new();
    for letter in variant.chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

/// Every word that a [`MessageName`] can contain: kinds and variants.
fn message_words() -> Vec<String> {
    let told_apart = [
        ToDevice::SCHEMA,
        ToHost::SCHEMA,
        Command::SCHEMA,
        Done::SCHEMA,
        Refusal::SCHEMA,
        Event::SCHEMA,
    ];
    let mut words: Vec<String> = Vec::new();
    for named in told_apart {
        let DataModelType::Enum(variants) = named.ty else {
            continue;
        };
        for word in variants.iter().map(|variant| word_of(variant.name)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

/// The error for a word that no [`MessageName`] contains.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no message is called {0:?}: write one of {words}", words = message_words().join(", "))]
pub struct NoSuchMessage(pub String);

/// Parses a word of a [`MessageName`].
///
/// # Errors
/// [`NoSuchMessage`] if no message has it in its name.
pub fn message_word(word: &str) -> Result<String, NoSuchMessage> {
    match message_words().iter().any(|known| known == word) {
        true => Ok(word.to_owned()),
        false => Err(NoSuchMessage(word.to_owned())),
    }
}

/// The name of a value's variant.
fn variant(value: &impl fmt::Debug) -> String {
    /// Collects a name up to its end, and ignores the rest.
    struct Name(String);
    impl Write for Name {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let rest = text.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
            self.0 += &text[..text.len() - rest.len()];
            match rest {
                "" => Ok(()),
                _ => Err(fmt::Error),
            }
        }
    }
    let mut name = Name(String::new());
    // An error ends the writing after the name.
    let _ = write!(name, "{value:?}");
    word_of(&name.0)
}

/// Microseconds in milliseconds, with a suitable number of digits.
#[must_use]
pub fn ms(us: u64) -> String {
    let ms = us as f64 / 1_000.0;
    match us {
        0..10_000 => format!("{ms:.2}"),
        _ => format!("{ms:.1}"),
    }
}

/// What is known about the board whose messages are put in words.
#[derive(Default)]
pub struct Context {
    layout: Option<KnownLayout>,
    settings: Settings,
}

impl Context {
    fn layout(&self) -> Layout {
        self.layout.as_ref().map_or(Layout::MALDOO, |known| **known)
    }

    /// Updates the context from a message.
    pub fn learn(&mut self, said: &LineMessage) {
        match said {
            LineMessage::ToHost(ToHost::Hello(hello)) => self.layout = Some(hello.layout.into()),
            LineMessage::ToHost(ToHost::Event(event)) => {
                if let Event::Settings(new) | Event::Started(new) = event.event {
                    self.settings = new;
                }
            }
            _ => {}
        }
    }

    /// The contents of a message in words, without its name and number.
    pub fn words(&self, said: &LineMessage) -> String {
        match said {
            LineMessage::ToDevice(ToDevice::Hello { version, host, .. }) => {
                format!("host {host:08x} speaks version {version}")
            }
            LineMessage::ToDevice(ToDevice::Request(request)) => self.command(&request.command),
            LineMessage::ToHost(message) => self.of_board(message),
        }
    }

    fn inputs(&self, inputs: &[Input]) -> String {
        let each = inputs.iter();
        let words: Vec<String> = each.map(|one| words::input(*one, self.layout())).collect();
        words.join(", ")
    }

    fn command(&self, command: &Command) -> String {
        match command {
            Command::Fingers(fingers) if fingers.is_empty() => "no fingers".to_owned(),
            Command::Fingers(fingers) => self.inputs(fingers),
            Command::Step { inputs, ticks, .. } if inputs.is_empty() => format!("{ticks} ms"),
            Command::Step {
                inputs, ticks: 0, ..
            } => self.inputs(inputs),
            Command::Step { inputs, ticks, .. } => {
                format!("{}, {ticks} ms", self.inputs(inputs))
            }
            Command::Do(deed) => self.deed(deed),
            Command::Pace(Pace::Lockstep) => "lockstep".to_owned(),
            Command::Pace(Pace::Free { permille }) => format!("free at {permille} per mille"),
            Command::Read { offset } | Command::Drawing { offset } => format!("from byte {offset}"),
            Command::Write { offset, bytes } => format!("{} bytes at {offset}", bytes.len()),
            Command::Load { length } | Command::Break { length } => format!("{length} bytes"),
            Command::CountBest(counts) => (if *counts { "yes" } else { "no" }).to_owned(),
            Command::Ping
            | Command::Frame
            | Command::Digest
            | Command::Legal
            | Command::Status
            | Command::Resend
            | Command::ClearBest
            | Command::Crash
            | Command::Faults => String::new(),
        }
    }

    fn deed(&self, deed: &Deed) -> String {
        match deed {
            Deed::Input(input) => self.inputs(&[*input]),
            Deed::Choose(game) => format!("choose {}", words::game_name(*game)),
            Deed::Settings(settings) => event_words::settings(settings, self.layout()),
            Deed::Position(_) => "a position".to_owned(),
            Deed::Reset { seed, layout } => format!("reset to {layout}, seed {seed}"),
        }
    }

    fn of_board(&self, message: &ToHost) -> String {
        match message {
            ToHost::Hello(hello) => format!(
                "{}, layout {}, boot {}, tick {}",
                hello.board, hello.layout, hello.boot, hello.tick
            ),
            ToHost::Reply(reply) => reply_words(reply),
            ToHost::Event(event) => {
                let layout = self.layout();
                let words = match &event.event {
                    Event::Taken(input) => words::input(*input, layout),
                    Event::Contact(contact) => words::contact(*contact, layout),
                    Event::Digest(digest) => format!("{digest:016x}"),
                    other => event_words::event(other, &self.settings, layout).unwrap_or_default(),
                };
                at_tick(&words, event.tick)
            }
            ToHost::Frame { tick, .. } => at_tick("all lights", *tick),
            ToHost::Delta { tick, delta, .. } => at_tick(&delta_words(delta), *tick),
            ToHost::Log { severity, text } => format!("{severity}{text}"),
            ToHost::Panic(text) => text.to_string(),
            ToHost::Busy(who) => format!("{who} has the board"),
        }
    }
}

fn at_tick(words: &str, tick: Tick) -> String {
    format!("{words}; tick {tick}")
}

fn reply_words(reply: &Reply) -> String {
    let words = match &reply.result {
        Err(refusal) => format!("refused: {refusal}"),
        Ok(Done::Stepped { inputs, ticks, .. }) => match inputs {
            0 => format!("{ticks} ms"),
            1 => format!("1 input, {ticks} ms"),
            _ => format!("{inputs} inputs, {ticks} ms"),
        },
        Ok(Done::Digest(digest)) => format!("{digest:016x}"),
        Ok(Done::Chunk { total, bytes, .. }) => format!("{} of {total} bytes", bytes.len()),
        Ok(Done::Legal(bits)) => {
            let points: u32 = bits.iter().map(|byte| byte.count_ones()).sum();
            format!("{points} points")
        }
        Ok(Done::Done | Done::Status(_)) => return format!("tick {}", reply.tick),
    };
    at_tick(&words, reply.tick)
}

fn delta_words(delta: &FrameDelta) -> String {
    let mut words = match delta.lit.len() {
        0 => "no light".to_owned(),
        1 => "1 light".to_owned(),
        lights => format!("{lights} lights"),
    };
    if let Some(display) = &delta.display {
        let _ = write!(words, ", display {display:?}");
    }
    if delta.beep_hz > 0 {
        let _ = write!(words, ", beeper {} Hz", delta.beep_hz);
    }
    words
}

/// True for messages that report trouble.
pub fn is_trouble(said: &LineMessage) -> bool {
    match said {
        LineMessage::ToHost(ToHost::Reply(reply)) => reply.result.is_err(),
        LineMessage::ToHost(ToHost::Log { severity, .. }) => *severity != Severity::Information,
        LineMessage::ToHost(ToHost::Panic(_) | ToHost::Busy(_)) => true,
        LineMessage::ToHost(_) | LineMessage::ToDevice(_) => false,
    }
}

/// The number of a message and its tick, if it has them.
pub fn number_and_tick(said: &LineMessage) -> (Option<u32>, Option<Tick>) {
    match said {
        LineMessage::ToDevice(ToDevice::Request(request)) => (Some(request.number), None),
        LineMessage::ToDevice(ToDevice::Hello { .. }) => (None, None),
        LineMessage::ToHost(message) => match message {
            ToHost::Hello(hello) => (None, Some(hello.tick)),
            ToHost::Reply(reply) => (Some(reply.number), Some(reply.tick)),
            ToHost::Event(event) => (Some(event.number), Some(event.tick)),
            ToHost::Frame { number, tick, .. } | ToHost::Delta { number, tick, .. } => {
                (Some(*number), Some(*tick))
            }
            ToHost::Log { .. } | ToHost::Panic(_) | ToHost::Busy(_) => (None, None),
        },
    }
}
