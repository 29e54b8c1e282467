//! The page of the protocol and its schema, for authors of programs in other languages, and a
//! dissector for Wireshark. All are generated from the types.
//!
//! Invariants: numbers of variants, limits and bytes of examples are those of this build; a test
//! compares the files in the repository with the output of this module.

mod dissector;
mod examples;
mod schema;

use std::fmt::Write;

use firmware_core::cartridge::bytes::VERSION as CARTRIDGE_VERSION;
use firmware_core::device::{EVENTS, EVENTS_AT_ONCE};
use firmware_core::games::LAYOUTS_OWN;
use protocol::wire::{MAX_FRAME_BYTES, TO_DEVICE_BYTES, TO_HOST_BYTES};
use protocol::{
    CHUNK_BYTES, Colour, DISPLAY_CHARACTERS, GAME_BYTES, MAX_POINTS, MAX_WAYS, PROTOCOL_VERSION,
    Rhythm, SCHEMA_HASH,
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
    let mut page = format!(
        "# The protocol of a touch board

A host and a board speak over any line that carries bytes both ways: a serial port at {BAUD} baud (8N1, no flow control), a pseudo-terminal, a TCP socket. This page and `schema.json` beside it are made from the types by `hil-bridge protocol` and checked by a test; they describe version {PROTOCOL_VERSION} with the schema hash `{SCHEMA_HASH:016x}`.

"
    );
    page += FRAMES;
    let _ = write!(
        page,
        "
The longest frame to a board has {TO_DEVICE_BYTES} bytes, the longest to a host {TO_HOST_BYTES}; a buffer of {MAX_FRAME_BYTES} always serves. What is longer is no frame: everything up to the next zero is dropped.

"
    );
    page += VALUES;
    page += CONVERSATION;
    page += &unseen_events();
    page += &drawn_layouts();
    page += LIGHT;
    let _ = writeln!(
        page,
        "\nColours: {}.\n\nRhythms: {}.\n",
        numbered(Colour::all().map(Colour::name)),
        numbered(Rhythm::ALL.into_iter().map(Rhythm::name))
    );
    page += "## Types\n\nFields are written in this order; the number before a variant is what is written for it.\n\n";
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

/// What becomes of events that no host has seen, and of states.
fn unseen_events() -> String {
    format!(
        "
A board keeps the last {EVENTS} events that were not seen. In lockstep it takes nothing that might tell more than there is room for ({EVENTS_AT_ONCE} at a time): a step ends early and says how far it came, other commands are refused (`Unseen`). On its own timer it goes on, and the oldest are dropped: the gap in the numbers tells. Events that nobody saw are sent again after 250 ms, then more and more seldom, every 4 s at last.

The points of `Legal` are bits: bit `n` of byte `n / 8`, the lowest first, stands for point `n`; bytes of zero at the end are left out. They are the points whose touch means something now: a move, a part of one, or a service that is no move (in Ishido the stone that gives help, or that can be taken back).

A state is read and written in pieces of at most {CHUNK_BYTES} bytes. `Read` with offset 0 takes the state as it is at that moment; later pieces go on with that one. To load a state, `Write` all of it and then `Load` its length; what was damaged, or is of other firmware, is refused, and nothing is changed.

"
    )
}

fn drawn_layouts() -> String {
    format!(
        "## Layouts that are drawn

A layout is a rectangle (`Grid`) or has a drawing (`Drawn`): its points, and the number of the drawing. Points are numbered row by row from the top, each row from the left. A drawing has at most {MAX_WAYS} ways from each point and is these bytes, each a number of its own:

```text
points - 1, ways, straight ways (two bytes, the low one first)
x, y                for each point, in its order, from 0 to 254
point of each way   for each point; the point itself where there is none
```

A layout may bring its game with it: 128 is added to the number of its ways then, and behind these bytes stand the length of the game (two bytes, the low one first; 1 to {GAME_BYTES}) and the game:

```text
site of each point     for each point, in its order, a byte
points of each site    for each site, a byte; where pieces are put on each other and the
                       board is seen from its side, one for each level, the lowest first
cartridge              to the end
```

A cartridge is the rules of a game as a program, on sites of its own; `ludemes compile` makes one, and `firmware-core/src/cartridge` says what its bytes mean. Its sites and the points of the layout are each other's: each point is named once in the second table, and the first one says the site that it is named for. Sites that are no points, those of hands, come behind them and are in neither table. A cartridge begins with `LUDE` and its version, {CARTRIDGE_VERSION}, and ends with a checksum, the FNV-1a of all bytes before it in four bytes, the low one first. A board looks a game through before it becomes the layout, and refuses one that it cannot play (`LayoutGame`). It plays it as game {LAYOUTS_OWN:X}.

The number of a drawing is the CRC-32C of all its bytes, with those of the game. A `Reset` to a drawn layout that is not the board's own takes the drawing from the beginning of the buffer: `Write` all of it first; otherwise it is refused with `NotDrawn`. `Drawing` reads that of the board in pieces, as `Read` does a state, with its number as the digest.

"
    )
}

const FRAMES: &str = "## Frames

A message is encoded (see Values), its CRC-32C follows (Castagnoli polynomial, reflected, initial value and final exclusive-or all ones; the value of `123456789` is `e3069283`), low byte first, and COBS takes the zeros out of both. A zero byte stands before and after:

```text
00  COBS( payload  crc, 4 bytes )  00
```

Between two frames one zero is enough, and any number does no harm. A frame whose COBS, CRC or payload is wrong is dropped without an answer: whoever waits asks again.
";

const VALUES: &str = "## Values

The encoding is postcard's. `bool` is one byte, 0 or 1. `u8` is one byte. `u16`, `u32` and `u64` are varints: seven bits a byte, low bits first, the high bit set in all but the last. `text` is its length in bytes (a varint) and its UTF-8; a list is its length and its elements. An option is a byte, 0 for nothing or 1, and what is there. A struct or tuple is its fields, one after the other. An enum is the number of the variant (a varint) and what the variant holds. There is one spelling of each value: a number that is longer than it need be, or anything after the last field, makes the whole message wrong.

Points are numbered row by row from the top, from 0; point `p` of a grid is in column `p % columns` and row `p / columns`. A tick is one millisecond of board time.

## Conversation

";

const CONVERSATION: &str = "1. The host sends `Hello` with the version, the schema hash and a number that it chose by chance when it began. The board answers with `Hello`, always, and says who it is. If version or hash differ the two do not understand each other, and nothing else is carried out (`NotGreeted`). A board also says hello once when it is switched on.
2. The host sends one `Request` at a time, numbered from anything, one more each time. The board answers with a `Reply` of that number. If none comes, the host sends the same request again, with the same number: it is carried out once, however often it comes. A number that was passed already is refused (`Stale`, with the next one).
3. Before a reply the board sends every event that happened before it, and the frame as it is then, if it changed. Events are numbered from 0 at each reset; `seen` in a request is the number of the next event that the host has not seen. `Resend` asks for those again. A frame or delta has a number too; a delta only counts on top of the one before it, and `Frame` asks for a whole one.
4. A board begins on its own timer, at true speed, and keeps its pace across a reset. `Pace` chooses how its time goes; in lockstep only `Step` makes ticks, and its own sensors are not listened to. A step may end early: ask for the rest. While a board is on its own timer, a `Step` of 0 ticks puts fingers on its sensors if these are simulated: they are felt as any finger is, and `Taken` says when; any other board refuses it (`NotInLockstep`).
5. On a silent line the host sends `Ping` once a second, so that each end knows the other is alive. A board on a socket serves one host; another one is told `Busy`.
6. A board whose firmware panics says why (`Panic`), restarts, and says hello; `boot` in its hello is then another number. What was on it is gone.
7. A board that keeps best scores tells those of the chosen game and mode in its `Status` (`best`), and a score that enters by an event (`Best`). They stay over a reset, and over its power-off where it has flash; `ClearBest` forgets them. A game that was set up, or became another state by `Load`, does not enter; a host that tests a board says `CountBest` with false first, so that none does. The two numbers of a score are the points of green and red; in Malaka how far each has to go, in Life's mode 0 the generations of each, in Symmetry what is right and what is wrong, in Ishido's modes 0 and 1 the points and the four-ways of whoever plays. Such a board also keeps the layout that brings its game and that it last became by a `Reset`: it comes up with it, and says so in its `Hello`; a `Reset` to a layout without a game takes it out. After `CountBest` with false neither does. A `Clock` with `waits` stands at its full time: nobody has touched anything in this game yet that means something, nor passed; it runs from then on.
";

const LIGHT: &str = "## Light

`points` of a frame has one colour for each point, two points to a byte: the even point has the low four bits. Zeros at the end are left out, so a dark board is the one byte 00. `rhythms` has the rhythm of each point in the same way. A `Light` of a delta has the colour in its low and the rhythm in its high four bits.

A light blinks by itself: what is seen at a tick follows from its rhythm and from how long ago, in whole rounds of 1000 ms, the `beat` was: `(tick - beat) mod 1000`. Slow: lit for 500 ms of each 1000; medium: 250 of 500; fast: 125 of 250; double: at 0-100 and 200-300; pulse: at 0-100; wink: dark at 0-250; marked: amber for 125 of 250, then its own colour.
";

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

    use super::*;

    fn file(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(name)
    }

    #[test]
    fn the_page_the_schema_and_the_dissector_in_the_tree_are_those_of_this_build() {
        for (name, made) in [
            ("protocol/PROTOCOL.md", text()),
            ("protocol/schema.json", schema_text()),
            ("tools/wireshark/touchboard.lua", dissector()),
        ] {
            let path = file(name);
            let found = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                found == made,
                "{} is not that of this build: `cargo xtask protocol` makes it anew",
                path.display()
            );
        }
    }

    #[test]
    fn every_type_of_a_message_is_one_that_is_described() {
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
    fn the_game_behind_a_drawing_is_where_the_page_says() {
        let page = text();
        for words in [
            "128 is added to the number of its ways",
            "site of each point",
            "points of each site",
            "`LUDE`",
            "as game E",
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
