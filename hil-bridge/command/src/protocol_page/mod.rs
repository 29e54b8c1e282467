//! The page of the protocol and its schema, for authors of programs in other languages,
//! and a dissector for Wireshark. All are generated from the types.
//!
//! Invariants: numbers of variants, limits and bytes of examples are those of this build;
//! a test compares the files in the repository with the output of this module.

mod dissector;
mod examples;
mod prose;
mod schema;

use std::fmt::Write;

use firmware_core::device::EVENTS;
use protocol::wire::{TO_DEVICE_BYTES, TO_HOST_BYTES};
use protocol::{
    CHUNK_BYTES, Colour, DISPLAY_CHARACTERS, MAX_POINTS, PROTOCOL_VERSION, Rhythm, SCHEMA_HASH,
};
use serde_json::{Value, json};
use touchboard_host::hex::hex_of;
use touchboard_links::at::BAUD;

pub use dissector::dissector;

/// The schema file: types, limits and examples, as JSON.
#[must_use]
pub fn schema() -> Value {
    let examples: Vec<Value> = examples::all().iter().map(|one| one.json()).collect();
    json!({
        "protocol_version": PROTOCOL_VERSION,
        "schema_hash": format!("{SCHEMA_HASH:016x}"),
        "baud": BAUD,
        "limits": {
            "frame_to_device_bytes": TO_DEVICE_BYTES,
            "frame_to_host_bytes": TO_HOST_BYTES,
            "chunk_bytes": CHUNK_BYTES,
            "points": MAX_POINTS,
            "display_characters": DISPLAY_CHARACTERS,
            "events_kept": EVENTS,
        },
        "colours": Colour::all().map(Colour::name).collect::<Vec<_>>(),
        "rhythms": Rhythm::ALL.map(Rhythm::name),
        "types": schema::types(),
        "examples": examples,
    })
}

/// The schema file, with a line break at its end.
#[must_use]
pub fn schema_text() -> String {
    let text = serde_json::to_string_pretty(&schema());
    text.unwrap_or_default() + "\n"
}

/// Generates the page as Markdown.
#[must_use]
pub fn text() -> String {
    let mut page = prose::text();
    let _ = writeln!(
        page,
        "\nColours: {}.\n\nRhythms: {}.\n",
        numbered(Colour::all().map(Colour::name)),
        numbered(Rhythm::ALL.into_iter().map(Rhythm::name))
    );
    page += "## Types\n\nFields are encoded in the listed order. A variant is encoded as the number before its name.\n\n";
    types(&mut page);
    page += "## Examples\n\n";
    for example in examples::all() {
        let _ = writeln!(
            page,
            "{} (`{}`):\n\n```text\nvalue    {}\npayload  {}\nframe    {}\n```\n",
            example.name,
            example.kind,
            example.value,
            hex_of(&example.payload),
            hex_of(&example.frame)
        );
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn numbered<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = (0..)
        .zip(names)
        .map(|(number, name): (u32, _)| format!("{number} {name}"))
        .collect();
    names.join(", ")
}

/// Adds a list of all types with fields or variants.
fn types(page: &mut String) {
    let all = schema::types();
    let all = all.as_object().into_iter().flatten();
    for (name, told) in all {
        let _ = writeln!(page, "### {name}\n");
        if let Some(fields) = told["struct"].as_array() {
            for field in fields {
                let _ = writeln!(page, "- `{}`: {}", word(&field[0]), of(&field[1]));
            }
        }
        let variants = told["enum"].as_array().into_iter().flatten();
        for (number, variant) in variants.enumerate() {
            let what = variant.get(1).map(|what| format!(": {}", of(what)));
            let _ = writeln!(
                page,
                "- {number} `{}`{}",
                word(&variant[0]),
                what.unwrap_or_default()
            );
        }
        page.push('\n');
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The description of a type where it is used.
fn of(told: &Value) -> String {
    if let Some(name) = told.as_str() {
        return format!("`{name}`");
    }
    let list =
        |value: &Value| -> Vec<String> { value.as_array().into_iter().flatten().map(of).collect() };
    let pairs = |value: &Value| -> Vec<String> {
        let pairs = value.as_array().into_iter().flatten();
        pairs
            .map(|pair| format!("`{}`: {}", word(&pair[0]), of(&pair[1])))
            .collect()
    };
    match told.as_object().and_then(|object| object.iter().next()) {
        Some((kind, value)) => match kind.as_str() {
            "list" => format!("list of {}", of(value)),
            "option" => format!("option of {}", of(value)),
            "tuple" => format!("({})", list(value).join(", ")),
            "struct" => pairs(value).join(", "),
            "enum" => {
                let variants = value.as_array().into_iter().flatten().enumerate();
                let variants = variants.map(|(number, variant)| {
                    let what = variant.get(1).map(of).unwrap_or_default();
                    format!("{number} `{}` {what}", word(&variant[0]))
                });
                variants.collect::<Vec<_>>().join(" or ")
            }
            _ => kind.clone(),
        },
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use firmware_core::cartridge::bytes::VERSION as CARTRIDGE_VERSION;

    use super::*;

    fn file(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(name)
    }

    #[test]
    fn page_schema_and_dissector_are_up_to_date() {
        for (name, made) in [
            ("protocol/PROTOCOL.md", text()),
            ("protocol/schema.json", schema_text()),
            ("tools/wireshark/touchboard.lua", dissector()),
        ] {
            let path = file(name);
            let found = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                found == made,
                "{} is not that of this build: run `cargo xtask protocol`",
                path.display()
            );
        }
    }

    #[test]
    fn every_type_in_a_message_is_described() {
        assert!(!schema_text().contains("unknown"));
        assert!(
            schema()["types"]["Refusal"]["enum"]
                .as_array()
                .unwrap()
                .len()
                > 8
        );
    }

    /// The game in the bytes of a drawing is where the page says.
    #[test]
    fn the_game_of_a_drawing_is_where_the_page_says() {
        let page = text();
        for words in [
            "128 is added to the number of ways",
            "site of each point",
            "points of each site",
            "`LUDE`",
            "it is game E",
        ] {
            assert!(page.contains(words), "{words}");
        }
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../ludemes/games");
        let layout = touchboard_links::games::layout(&format!("{games}/hex.lud")).unwrap();
        let bytes = layout.drawing().unwrap().as_drawing().bytes();
        let (points, ways) = (usize::from(bytes[0]) + 1, bytes[1]);
        assert!(ways >= 128 && points == 121);
        let (head, rest) = bytes.split_at(4 + points * (2 + usize::from(ways - 128)));
        let place = |point: usize| (head[4 + 2 * point], head[5 + 2 * point]);
        assert!((1..points).all(|point| {
            let (before, this) = (place(point - 1), place(point));
            (before.1, before.0) < (this.1, this.0)
        }));
        let length = usize::from(u16::from_le_bytes([rest[0], rest[1]]));
        let game = &rest[2..];
        assert_eq!(game.len(), length);
        let (sites, rest) = game.split_at(points);
        let (of_sites, cartridge) = rest.split_at(points);
        for (point, site) in sites.iter().enumerate() {
            assert_eq!(usize::from(of_sites[usize::from(*site)]), point);
        }
        assert_eq!(&cartridge[..4], b"LUDE");
        assert_eq!(cartridge[4], CARTRIDGE_VERSION);
        let (held, sum) = cartridge.split_at(cartridge.len() - 4);
        let fnv = held.iter().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
        });
        assert_eq!(sum, fnv.to_le_bytes());
    }
}
