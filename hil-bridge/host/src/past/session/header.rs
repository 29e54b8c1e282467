//! The first line of a session.

use protocol::{Roster, RosterError, Settings};
use serde_json::{Map, Value, json};

use super::line::{FieldError, bytes_of, layout_of, number, settings_of, settings_value, text};
use super::{FORMAT, Header};
use crate::hex::hex_of;

/// The beginning of the first line.
const MAGIC: &str = "touchboard";
const KIND: &str = "session";

/// The roster of a session that names none: it was recorded when the manual's ten games
/// were the only ones.
const MANUAL: Roster = Roster::of(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

/// Why a line is not the header of a session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// The line is not JSON, or does not begin a session.
    #[error("this is not a touchboard session: its first line is not a header")]
    NoSession,
    /// The version of the format is 0, or newer than [`FORMAT`].
    #[error("this session has format {0}, and this program reads up to {FORMAT}: use a newer one")]
    Format(u64),
    /// The value of a key is missing or wrong.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The games of the board are wrong.
    #[error(transparent)]
    Games(#[from] RosterError),
}

fn roster_of(value: &Value) -> Result<Roster, HeaderError> {
    Ok(text(Some(value), "games")?.parse()?)
}

pub fn write(header: &Header) -> String {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| map.insert(key.into(), value);
    put(MAGIC, json!(KIND));
    put("format", json!(FORMAT));
    put("firmware", json!(header.firmware));
    put("layout", json!(header.layout.to_text()));
    put("games", json!(header.roster.to_string()));
    put("seed", json!(header.seed));
    if let Some(settings) = header.settings {
        put("settings", settings_value(settings));
    }
    if let Some(state) = &header.state {
        put("state", json!(hex_of(state)));
    }
    if !header.note.is_empty() {
        put("note", json!(header.note));
    }
    Value::Object(map).to_string()
}

/// Reads the first line: the header, and the version of the format.
pub fn read(line: &[u8]) -> Result<(Header, u64), HeaderError> {
    let Ok(Value::Object(map)) = serde_json::from_slice(line) else {
        return Err(HeaderError::NoSession);
    };
    if map.get(MAGIC).and_then(Value::as_str) != Some(KIND) {
        return Err(HeaderError::NoSession);
    }
    let format = number(map.get("format"), "format")?;
    if format == 0 || format > FORMAT {
        return Err(HeaderError::Format(format));
    }
    let optional = |key: &str| map.get(key).filter(|value| !value.is_null());
    let layout = layout_of(map.get("layout"))?;
    let settings: Option<Settings> = optional("settings").map(settings_of).transpose()?;
    let roster = optional("games").map_or(Ok(MANUAL), roster_of)?;
    let state = optional("state").map(|value| bytes_of(value, "state"));
    let header = Header {
        firmware: text(map.get("firmware"), "firmware")?.into(),
        layout,
        roster,
        seed: number(map.get("seed"), "seed")?,
        settings,
        state: state.transpose()?,
        note: optional("note")
            .map_or(Ok(""), |note| text(Some(note), "note"))?
            .into(),
    };
    Ok((header, format))
}
