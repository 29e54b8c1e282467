//! Waveforms as tables: CSV for spreadsheets, JSON Lines for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::{SignalValue, Waveforms};

/// Writes a row for each ms at which something changes: the time, then a column for each
/// signal. The first row names the columns.
///
/// # Errors
/// When the output cannot be written.
pub fn write_csv(waves: &Waveforms, mut output: impl Write) -> io::Result<()> {
    let layout = *waves.layout;
    let names = waves.waves.iter().map(|wave| wave.signal.name(layout));
    write_row(&mut output, std::iter::once("ms".to_owned()).chain(names))?;
    let mut row = vec![String::new(); waves.waves.len()];
    let mut changes = waves.in_order().into_iter().peekable();
    while let Some((ms, index, value)) = changes.next() {
        row[index] = value.to_string();
        if changes.peek().is_none_or(|(next, ..)| *next > ms) {
            let cells = row.iter().cloned();
            write_row(&mut output, std::iter::once(ms.to_string()).chain(cells))?;
        }
    }
    output.flush()
}

/// Writes a row, whose cells are quoted where they have to be.
fn write_row(output: &mut impl Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    let mut writer = csv_core::Writer::new();
    // Every byte of a cell may have to be doubled, between two quotes.
    let mut room = Vec::new();
    for (index, cell) in cells.enumerate() {
        room.resize(2 * cell.len() + 4, 0);
        let mut used = match index {
            0 => 0,
            _ => writer.delimiter(&mut room).1,
        };
        used += writer.field(cell.as_bytes(), &mut room[used..]).2;
        output.write_all(&room[..used])?;
    }
    room.resize(2, 0);
    let used = writer.terminator(&mut room).1;
    output.write_all(&room[..used])
}

/// One change, as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    ms: u64,
    signal: &'a str,
    value: JsonValue<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonValue<'a> {
    Bit(bool),
    Number(u64),
    Word(&'a str),
}

/// Writes a line for each change, in the order of time:
/// `{"ms":20,"signal":"turn","value":"green"}`.
///
/// # Errors
/// When the output cannot be written.
pub fn write_json_lines(waves: &Waveforms, mut output: impl Write) -> io::Result<()> {
    let layout = *waves.layout;
    let names: Vec<String> = waves
        .waves
        .iter()
        .map(|wave| wave.signal.name(layout))
        .collect();
    for (ms, index, value) in waves.in_order() {
        let line = Line {
            ms,
            signal: &names[index],
            value: match value {
                SignalValue::Bit(bit) => JsonValue::Bit(*bit),
                SignalValue::Number(number) => JsonValue::Number(*number),
                SignalValue::Word(word) => JsonValue::Word(word),
            },
        };
        serde_json::to_writer(&mut output, &line)?;
        output.write_all(b"\n")?;
    }
    output.flush()
}
