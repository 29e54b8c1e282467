//! A wire frame with its decoded message and its marks.

use protocol::Tick;
use serde_json::{Value, json};

use super::follow::Marks;
use super::split::understood;
use super::words::ms;
use super::{LineDirection, LineMessage, MessageName, NoMessage, TouchPath, way_sign, way_word};
use crate::hex::hex_of;

/// A wire frame with its decoded message and its marks.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFrame {
    /// The time of its last byte, in microseconds since the record began.
    pub at_us: u64,
    /// The direction of the frame.
    pub direction: LineDirection,
    /// The bytes on the line, including the zeros around the frame.
    pub bytes: Box<[u8]>,
    /// The name of its message, or why it has none.
    pub name: Result<MessageName, NoMessage>,
    /// The number of the message, if it has one.
    pub number: Option<u32>,
    /// The board's tick in the message, if it contains one.
    pub tick: Option<Tick>,
    /// The contents of the message, in words.
    pub words: String,
    /// The marks that follow from the conversation.
    pub marks: Marks,
    /// True if the board refuses something, warns, or reports a panic.
    pub is_bad_news: bool,
}

impl LineFrame {
    /// The message, if it has one.
    #[must_use]
    pub fn message(&self) -> Option<LineMessage> {
        self.name
            .is_ok()
            .then(|| understood(self.direction, &self.bytes))?
    }

    /// True if something went wrong: the frame is not a message, was repeated, follows a
    /// gap, or reports an error.
    #[must_use]
    pub fn is_trouble(&self) -> bool {
        let marks = &self.marks;
        self.name.is_err() || self.is_bad_news || marks.is_repeat || marks.missing > 0
    }

    /// The marks in words; usually empty.
    #[must_use]
    pub fn remarks(&self) -> String {
        let marks = &self.marks;
        let remarks = [
            marks.is_repeat.then(|| "again".to_owned()),
            marks.is_late.then(|| "was missing".to_owned()),
            (marks.missing > 0).then(|| format!("{} missing before it", marks.missing)),
            marks
                .round_trip
                .map(|took| format!("after {} ms", ms(took.us))),
            marks
                .light
                .map(|(_, took)| format!("touch to light {} ms", ms(took.us))),
        ];
        let said: Vec<String> = remarks.into_iter().flatten().collect();
        said.join(", ")
    }
}

impl LineFrame {
    /// Time, direction, name and number, in columns.
    #[must_use]
    pub fn head(&self) -> String {
        let name = match &self.name {
            Ok(name) => name.to_string(),
            Err(why) => why.word().to_owned(),
        };
        let number = self.number.map(|number| number.to_string());
        format!(
            "{:>12.3} {} {name:<24} {:>10}  ",
            self.at_us as f64 / 1_000.0,
            way_sign(self.direction),
            number.unwrap_or_default()
        )
    }

    /// The contents and the marks, in words.
    #[must_use]
    pub fn text(&self) -> String {
        let remarks = self.remarks();
        match remarks.is_empty() {
            true => self.words.clone(),
            false => format!("{} ({remarks})", self.words),
        }
    }

    /// Its bytes in hexadecimal, separated by spaces.
    #[must_use]
    pub fn spaced_bytes(&self) -> String {
        let each: Vec<String> = self.bytes.iter().map(|byte| hex_of(&[*byte])).collect();
        each.join(" ")
    }
}

/// A frame as a JSON object.
#[must_use]
pub fn in_json(frame: &LineFrame) -> Value {
    let mut object = json!({
        "us": frame.at_us,
        "direction": way_word(frame.direction),
    });
    match &frame.name {
        Ok(name) => {
            object["kind"] = json!(name.kind);
            if let Some(what) = &name.what {
                object["what"] = json!(what);
            }
        }
        Err(why) => {
            object["kind"] = json!(why.word());
            object["error"] = json!(why.to_string());
        }
    }
    let marks = &frame.marks;
    let light = |path| marks.light.filter(|(own, _)| *own == path);
    let optional = [
        ("number", frame.number.map(u64::from)),
        ("tick", frame.tick),
        (
            "missing_before",
            Some(u64::from(marks.missing)).filter(|count| *count > 0),
        ),
        ("round_trip_us", marks.round_trip.map(|took| took.us)),
        (
            "light_by_message_us",
            light(TouchPath::Message).map(|(_, took)| took.us),
        ),
        (
            "light_by_sensors_us",
            light(TouchPath::Sensors).map(|(_, took)| took.us),
        ),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            object[name] = json!(value);
        }
    }
    for (name, is_so) in [("repeated", marks.is_repeat), ("late", marks.is_late)] {
        if is_so {
            object[name] = json!(true);
        }
    }
    if !frame.words.is_empty() && frame.name.is_ok() {
        object["words"] = json!(frame.words);
    }
    object["bytes"] = json!(hex_of(&frame.bytes));
    if let Some(said) = frame.message() {
        object["message"] = match &said {
            LineMessage::ToDevice(message) => json!(message),
            LineMessage::ToHost(message) => json!(message),
        };
    }
    object
}
