//! An entry as one line of JSON: `tick`, and one more key for the kind of item.

use firmware_core::SNAPSHOT_BYTES;
use firmware_core::board::origin_of_snapshot;
use protocol::{
    Button, Deed, Input, KnownLayout, Layout, LayoutTextError, Point, PointError, Settings, Tick,
};
use serde_json::{Map, Value, json};

use crate::hex::{self, hex_of};
use crate::position::{self, PositionValueError};

use super::{Header, LAST_TICK, SessionEntry, SessionItem};

/// Why the value of a key in a line of a session is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The value of this key is not an object.
    #[error("{0:?} has to be a JSON object")]
    NotAnObject(&'static str),
    /// The value of this key is missing, or not a whole number from 0 on.
    #[error("{0:?} has to be there and a whole number from 0 on")]
    NotANumber(&'static str),
    /// The value of this key is missing, or not a text.
    #[error("{0:?} has to be there and a text")]
    NotAText(&'static str),
    /// The number is larger than a setting can be.
    #[error("{key:?} is too large: {value}")]
    TooLarge {
        /// The key.
        key: &'static str,
        /// Its value.
        value: u64,
    },
    /// The value of this key is not the hexadecimal digits of a state, or too long.
    #[error("{0:?} has to be a state in hexadecimal digits")]
    NotAState(&'static str),
    /// The text is not a layout.
    #[error(transparent)]
    Layout(#[from] LayoutTextError),
}

/// Why a line is not an entry of a session.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// A line follows the end of the session.
    #[error("the session has ended already: nothing may follow")]
    Ended,
    /// The line is not JSON.
    #[error("this is not JSON ({0}): the file is damaged")]
    NotJson(serde_json::Error),
    /// The line is JSON, but not an object.
    #[error("this is not a JSON object: an entry looks like {{\"tick\":700,\"touch\":\"d3\"}}")]
    NotAnObject,
    /// The tick is later than [`LAST_TICK`].
    #[error("tick {0} is past the end of all sessions, {LAST_TICK}")]
    TooLate(Tick),
    /// The tick is earlier than that of the entry before.
    #[error("tick {tick} comes after tick {before}: ticks go back only in a reset or a load")]
    Earlier {
        /// The tick of the line.
        tick: Tick,
        /// The tick of the entry before.
        before: Tick,
    },
    /// Beside the tick there is no key, or more than one.
    #[error("an entry has a tick and one deed")]
    NotOneDeed,
    /// This key is not a kind of item.
    #[error(
        "{0:?} is not a deed: write touch, release, press, lift, pass, choose, settings, position, reset, load, digest, note, closed, opened or end"
    )]
    NotADeed(String),
    /// A deed needs this game, whose number is too large.
    #[error("there is no game {0}")]
    NoSuchGame(u64),
    /// No button has this name.
    #[error(
        "there is no button {0:?}: write one of {names}",
        names = Button::ALL.map(Button::name).join(", ")
    )]
    NoSuchButton(String),
    /// The board has no point of this name.
    #[error("{name:?}: {error}")]
    NoSuchPoint {
        /// The name.
        name: String,
        /// The points of the board.
        error: PointError,
    },
    /// The text is not a digest.
    #[error("a digest has 16 hexadecimal digits")]
    NotADigest,
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] PositionValueError),
    /// The value of a key is missing or wrong.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// Reads entries. It keeps the current layout, which names points, and the last tick.
pub struct EntryReader {
    /// The version of the format.
    format: u64,
    layout: KnownLayout,
    tick: Tick,
    ended: bool,
}

impl EntryReader {
    pub fn new(header: &Header, format: u64) -> EntryReader {
        EntryReader {
            format,
            layout: layout_at_start(header),
            // A loaded state has its own tick, which only the core can read.
            tick: 0,
            ended: false,
        }
    }

    /// Reads the entry of a line.
    pub fn read(&mut self, line: &[u8]) -> Result<SessionEntry, EntryError> {
        if self.ended {
            return Err(EntryError::Ended);
        }
        let value = serde_json::from_slice(line).map_err(EntryError::NotJson)?;
        let Value::Object(map) = value else {
            return Err(EntryError::NotAnObject);
        };
        let tick = number(map.get("tick"), "tick")?;
        if tick > LAST_TICK {
            return Err(EntryError::TooLate(tick));
        }
        let mut others = map.iter().filter(|(key, _)| *key != "tick");
        let (Some((what, value)), None) = (others.next(), others.next()) else {
            return Err(EntryError::NotOneDeed);
        };
        let item = self.item(what, value)?;
        // After a restart or a load, ticks start again.
        let anew = item.jumps();
        if tick < self.tick && !anew {
            let before = self.tick;
            return Err(EntryError::Earlier { tick, before });
        }
        self.tick = tick;
        match &item {
            SessionItem::Do(Deed::Reset { .. }) => self.tick = 0,
            SessionItem::Load(state) => {
                if let Some(layout) = layout_of_state(state) {
                    self.layout = layout.into();
                }
                self.tick = 0;
            }
            SessionItem::End => self.ended = true,
            _ => {}
        }
        Ok(SessionEntry { tick, item })
    }

    fn item(&mut self, what: &str, value: &Value) -> Result<SessionItem, EntryError> {
        Ok(match what {
            "touch" => SessionItem::Do(Deed::Input(Input::Touch(self.point(value)?))),
            "release" => SessionItem::Do(Deed::Input(Input::Release(self.point(value)?))),
            "press" => SessionItem::Do(Deed::Input(Input::Press(button(value)?))),
            "lift" => SessionItem::Do(Deed::Input(Input::Lift(button(value)?))),
            "pass" => SessionItem::Do(Deed::Input(Input::Pass)),
            "choose" => {
                let game = number(Some(value), "choose")?;
                let game = u8::try_from(game).map_err(|_| EntryError::NoSuchGame(game))?;
                SessionItem::Do(Deed::Choose(game))
            }
            "settings" => SessionItem::Do(Deed::Settings(settings_of(value)?)),
            "position" => SessionItem::Do(Deed::Position(position::of_value(value, *self.layout)?)),
            "reset" => {
                let map = object(value, "reset")?;
                let seed = number(map.get("seed"), "seed")?;
                self.layout = layout_of(map.get("layout"))?;
                let layout = self.layout.layout();
                SessionItem::Do(Deed::Reset { seed, layout })
            }
            "load" => SessionItem::Load(bytes_of(value, "load")?),
            "digest" => {
                let digits = text(Some(value), "digest")?;
                let digest = u64::from_str_radix(digits, 16).ok();
                let digest = digest.filter(|_| digits.len() == 16 && !digits.starts_with('+'));
                SessionItem::Digest(digest.ok_or(EntryError::NotADigest)?)
            }
            "note" => SessionItem::Note(text(Some(value), "note")?.into()),
            "closed" => SessionItem::Contact(self.contact(value)?),
            "opened" => SessionItem::Contact(self.contact(value)?.reverse()),
            "end" => SessionItem::End,
            _ => return Err(EntryError::NotADeed(what.to_owned())),
        })
    }

    /// The contact of this name, as the input of a finger on it.
    fn contact(&self, value: &Value) -> Result<Input, EntryError> {
        let button = value.as_str().and_then(Button::from_name);
        match button {
            Some(button) => Ok(Input::Press(button)),
            None => self.point(value).map(Input::Touch),
        }
    }

    fn point(&self, value: &Value) -> Result<Point, EntryError> {
        let name = text(Some(value), "the point")?;
        let point = match self.format {
            1 => self.layout.point_by_rows(name),
            _ => self.layout.point(name),
        };
        point.map_err(|error| EntryError::NoSuchPoint {
            name: name.to_owned(),
            error,
        })
    }
}

/// True if this is the beginning of valid JSON whose rest is missing.
pub fn is_cut(line: &[u8]) -> bool {
    let read = serde_json::from_slice::<Value>(line);
    !line.ends_with(b"\n") && read.is_err_and(|error| error.is_eof())
}

/// Writes entries. It keeps the current layout, which names points.
pub struct EntryWriter {
    layout: KnownLayout,
}

impl EntryWriter {
    /// A writer for the lines after this header.
    #[must_use]
    pub fn new(header: &Header) -> EntryWriter {
        let layout = layout_at_start(header);
        EntryWriter { layout }
    }

    /// The line of an entry, without its line break.
    pub fn write(&mut self, entry: &SessionEntry) -> String {
        let name = |point: Point| json!(self.layout.name(point).to_string());
        let (what, value) = match &entry.item {
            SessionItem::Do(Deed::Input(Input::Touch(point))) => ("touch", name(*point)),
            SessionItem::Do(Deed::Input(Input::Release(point))) => ("release", name(*point)),
            SessionItem::Do(Deed::Input(Input::Press(button))) => ("press", json!(button.name())),
            SessionItem::Do(Deed::Input(Input::Lift(button))) => ("lift", json!(button.name())),
            SessionItem::Do(Deed::Input(Input::Pass)) => ("pass", json!(true)),
            SessionItem::Do(Deed::Choose(game)) => ("choose", json!(game)),
            SessionItem::Do(Deed::Settings(settings)) => ("settings", settings_value(*settings)),
            SessionItem::Do(Deed::Position(position)) => {
                ("position", position::value(position, *self.layout))
            }
            SessionItem::Do(Deed::Reset { seed, layout }) => {
                let value = json!({ "seed": seed, "layout": layout.to_text() });
                self.layout = (*layout).into();
                ("reset", value)
            }
            SessionItem::Load(state) => {
                if let Some(layout) = layout_of_state(state) {
                    self.layout = layout.into();
                }
                ("load", json!(hex_of(state)))
            }
            SessionItem::Digest(digest) => ("digest", json!(format!("{digest:016x}"))),
            SessionItem::Note(words) => ("note", json!(words)),
            SessionItem::Contact(Input::Touch(point)) => ("closed", name(*point)),
            SessionItem::Contact(Input::Release(point)) => ("opened", name(*point)),
            SessionItem::Contact(Input::Press(button)) => ("closed", json!(button.name())),
            SessionItem::Contact(Input::Lift(button)) => ("opened", json!(button.name())),
            // There is no contact for a pass.
            SessionItem::Contact(Input::Pass) => ("note", json!("")),
            SessionItem::End => ("end", json!(true)),
        };
        let mut map = Map::new();
        map.insert("tick".into(), json!(entry.tick));
        map.insert(what.into(), value);
        Value::Object(map).to_string()
    }
}

fn layout_at_start(header: &Header) -> KnownLayout {
    let state = header.state.as_deref().and_then(layout_of_state);
    state.map_or_else(|| header.layout.clone(), KnownLayout::from)
}

fn object<'a>(value: &'a Value, key: &'static str) -> Result<&'a Map<String, Value>, FieldError> {
    value.as_object().ok_or(FieldError::NotAnObject(key))
}

pub fn number(value: Option<&Value>, key: &'static str) -> Result<u64, FieldError> {
    let number = value.and_then(Value::as_u64);
    number.ok_or(FieldError::NotANumber(key))
}

pub fn text<'a>(value: Option<&'a Value>, key: &'static str) -> Result<&'a str, FieldError> {
    let text = value.and_then(Value::as_str);
    text.ok_or(FieldError::NotAText(key))
}

/// The layout of the board that has this state.
pub fn layout_of_state(state: &[u8]) -> Option<Layout> {
    origin_of_snapshot(state).map(|(layout, _)| layout)
}

pub fn layout_of(value: Option<&Value>) -> Result<KnownLayout, FieldError> {
    Ok(text(value, "layout")?.parse()?)
}

fn button(value: &Value) -> Result<Button, EntryError> {
    let name = text(Some(value), "the button")?;
    Button::from_name(name).ok_or_else(|| EntryError::NoSuchButton(name.to_owned()))
}

pub fn settings_of(value: &Value) -> Result<Settings, FieldError> {
    let map = object(value, "settings")?;
    let setting = |key| {
        let value = number(map.get(key), key)?;
        u8::try_from(value).map_err(|_| FieldError::TooLarge { key, value })
    };
    Ok(Settings {
        game: setting("game")?,
        time: setting("time")?,
        speed: setting("speed")?,
        level: setting("level")?,
        mode: setting("mode")?,
    })
}

pub fn settings_value(settings: Settings) -> Value {
    let Settings {
        game,
        time,
        speed,
        level,
        mode,
    } = settings;
    json!({ "game": game, "time": time, "speed": speed, "level": level, "mode": mode })
}

pub fn bytes_of(value: &Value, key: &'static str) -> Result<Vec<u8>, FieldError> {
    let digits = text(Some(value), key)?;
    let bytes = hex::bytes_of(digits).filter(|bytes| bytes.len() <= SNAPSHOT_BYTES);
    bytes.ok_or(FieldError::NotAState(key))
}
