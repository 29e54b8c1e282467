//! An entry as one line of JSON: `tick`, and one more key for the kind of item.

use firmware_core::SNAPSHOT_BYTES;
use firmware_core::board::origin_of_snapshot;
use protocol::{Button, Deed, Input, KnownLayout, Layout, LayoutTextError, Point, Settings, Tick};
use serde_json::{Map, Value, json};

use crate::hex::{self, hex_of};
use crate::position;

use super::{Header, LAST_TICK, SessionEntry, SessionItem};

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

    /// Reads the entry of a line, or returns a sentence about what is wrong.
    pub fn read(&mut self, line: &[u8]) -> Result<SessionEntry, String> {
        if self.ended {
            return Err("the session has ended already: nothing may follow".into());
        }
        let value = serde_json::from_slice(line)
            .map_err(|error| format!("this is not JSON ({error}): the file is damaged"))?;
        let Value::Object(map) = value else {
            return Err(
                "this is not a JSON object: an entry looks like {\"tick\":700,\"touch\":\"d3\"}"
                    .into(),
            );
        };
        let tick = number(map.get("tick"), "tick")?;
        if tick > LAST_TICK {
            return Err(format!(
                "tick {tick} is past the end of all sessions, {LAST_TICK}"
            ));
        }
        let mut others = map.iter().filter(|(key, _)| *key != "tick");
        let (Some((what, value)), None) = (others.next(), others.next()) else {
            return Err("an entry has a tick and one deed".into());
        };
        let item = self.item(what, value)?;
        // After a restart or a load, ticks start again.
        let anew = item.jumps();
        if tick < self.tick && !anew {
            return Err(format!(
                "tick {tick} comes after tick {}: ticks go back only in a reset or a load",
                self.tick
            ));
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

    fn item(&mut self, what: &str, value: &Value) -> Result<SessionItem, String> {
        Ok(match what {
            "touch" => SessionItem::Do(Deed::Input(Input::Touch(self.point(value)?))),
            "release" => SessionItem::Do(Deed::Input(Input::Release(self.point(value)?))),
            "press" => SessionItem::Do(Deed::Input(Input::Press(button(value)?))),
            "lift" => SessionItem::Do(Deed::Input(Input::Lift(button(value)?))),
            "pass" => SessionItem::Do(Deed::Input(Input::Pass)),
            "choose" => {
                let game = number(Some(value), "choose")?;
                let game = u8::try_from(game).map_err(|_| format!("there is no game {game}"))?;
                SessionItem::Do(Deed::Choose(game))
            }
            "settings" => SessionItem::Do(Deed::Settings(settings_of(value)?)),
            "position" => {
                let position = position::of_value(value, *self.layout);
                SessionItem::Do(Deed::Position(position.map_err(|error| error.to_string())?))
            }
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
                SessionItem::Digest(digest.ok_or("a digest has 16 hexadecimal digits")?)
            }
            "note" => SessionItem::Note(text(Some(value), "note")?.into()),
            "closed" => SessionItem::Contact(self.contact(value)?),
            "opened" => SessionItem::Contact(self.contact(value)?.reverse()),
            "end" => SessionItem::End,
            _ => {
                return Err(format!(
                    "{what:?} is not a deed: write touch, release, press, lift, pass, choose, settings, position, reset, load, digest, note, closed, opened or end"
                ));
            }
        })
    }

    /// The contact of this name, as the input of a finger on it.
    fn contact(&self, value: &Value) -> Result<Input, String> {
        let button = value.as_str().and_then(Button::from_name);
        match button {
            Some(button) => Ok(Input::Press(button)),
            None => self.point(value).map(Input::Touch),
        }
    }

    fn point(&self, value: &Value) -> Result<Point, String> {
        let name = text(Some(value), "the point")?;
        let point = match self.format {
            1 => self.layout.point_by_rows(name),
            _ => self.layout.point(name),
        };
        point.map_err(|error| format!("{name:?}: {error}"))
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

fn object<'a>(value: &'a Value, key: &str) -> Result<&'a Map<String, Value>, String> {
    value
        .as_object()
        .ok_or_else(|| format!("{key:?} has to be a JSON object"))
}

pub fn number(value: Option<&Value>, key: &str) -> Result<u64, String> {
    let number = value.and_then(Value::as_u64);
    number.ok_or_else(|| format!("{key:?} has to be there and a whole number from 0 on"))
}

pub fn text<'a>(value: Option<&'a Value>, key: &str) -> Result<&'a str, String> {
    let text = value.and_then(Value::as_str);
    text.ok_or_else(|| format!("{key:?} has to be there and a text"))
}

/// The layout of the board that has this state.
pub fn layout_of_state(state: &[u8]) -> Option<Layout> {
    origin_of_snapshot(state).map(|(layout, _)| layout)
}

pub fn layout_of(value: Option<&Value>) -> Result<KnownLayout, String> {
    let layout = text(value, "layout")?.parse();
    layout.map_err(|error: LayoutTextError| error.to_string())
}

fn button(value: &Value) -> Result<Button, String> {
    let name = text(Some(value), "the button")?;
    Button::from_name(name).ok_or_else(|| {
        let names = Button::ALL.map(Button::name).join(", ");
        format!("there is no button {name:?}: write one of {names}")
    })
}

pub fn settings_of(value: &Value) -> Result<Settings, String> {
    let map = object(value, "settings")?;
    let setting = |key: &str| {
        let value = number(map.get(key), key)?;
        u8::try_from(value).map_err(|_| format!("{key:?} is too large: {value}"))
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

pub fn bytes_of(value: &Value, key: &str) -> Result<Vec<u8>, String> {
    let digits = text(Some(value), key)?;
    let bytes = hex::bytes_of(digits).filter(|bytes| bytes.len() <= SNAPSHOT_BYTES);
    bytes.ok_or_else(|| format!("{key:?} has to be a state in hexadecimal digits"))
}
