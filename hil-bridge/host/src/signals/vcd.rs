//! Waveforms as VCD (Value Change Dump, IEEE 1364), which GTKWave and PulseView open, and
//! touches from such a file.
//!
//! A signal whose values are all bits becomes a wire, one whose values are all numbers a
//! vector, and any other a string. Strings are an extension that GTKWave shows and sigrok
//! cannot read. They have no blanks, so `green slow` becomes `green_slow`.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use protocol::{Deed, Input, Layout, Tick};
use vcd::{Command, IdCode, Parser, ScopeItem, TimescaleUnit, Value, VarType};

use super::{Signal, SignalValue, Waveform, Waveforms};
use crate::session::{Header, Session, SessionItem};

/// How a signal is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Wire,
    /// A vector with this many bits.
    Vector(u32),
    Text,
}

impl Shape {
    fn of(wave: &Waveform) -> Shape {
        if wave.is_bits() {
            return Shape::Wire;
        }
        let mut numbers = wave.changes.iter().map(|(_, value)| value.as_number());
        let most = numbers.try_fold(0, |most, number| Some(number?.max(most)));
        match most {
            Some(most) => Shape::Vector((u64::BITS - most.leading_zeros()).max(1)),
            None => Shape::Text,
        }
    }
}

/// How the names of signals are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VcdNames {
    /// Each dot opens a scope, which GTKWave shows as a tree.
    Scoped,
    /// In one piece, for readers that ignore scopes, as sigrok does.
    Whole,
}

/// Writes waveforms as a VCD file, with a time scale of 1 ms.
///
/// # Errors
/// When the output cannot be written.
pub fn write_vcd(waves: &Waveforms, names: VcdNames, output: impl Write) -> io::Result<()> {
    let mut file = vcd::Writer::new(output);
    file.version(concat!("touchboard ", env!("CARGO_PKG_VERSION")))?;
    file.comment("1 ms of board time is 1 ms here")?;
    file.timescale(1, TimescaleUnit::MS)?;
    let declared = declare(waves, names, &mut file)?;
    file.enddefinitions()?;
    let mut last = None;
    for (ms, index, value) in waves.in_order() {
        if last != Some(ms) {
            file.timestamp(ms)?;
            last = Some(ms);
        }
        let (id, shape) = declared[index];
        change(&mut file, id, shape, value)?;
    }
    if last != Some(waves.until) {
        file.timestamp(waves.until)?;
    }
    file.flush()
}

/// Declares each signal in the scopes of its name; returns them in the order of the
/// waveforms.
fn declare<W: Write>(
    waves: &Waveforms,
    names: VcdNames,
    file: &mut vcd::Writer<W>,
) -> io::Result<Vec<(IdCode, Shape)>> {
    let layout = *waves.layout;
    // Sorted, so that no scope is opened twice: some readers cannot merge its parts.
    let mut by_name: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (index, wave) in waves.waves.iter().enumerate() {
        let name = wave.signal.name(layout);
        let parts = match names {
            VcdNames::Scoped => name.split('.').map(str::to_owned).collect(),
            VcdNames::Whole => vec![name],
        };
        by_name.insert(parts, index);
    }
    let mut declared = vec![(IdCode::FIRST, Shape::Wire); waves.waves.len()];
    let mut open: Vec<String> = Vec::new();
    file.add_module("board")?;
    for (name, index) in by_name {
        let Some((own, scopes)) = name.split_last() else {
            continue;
        };
        let same = open.iter().zip(scopes).take_while(|(a, b)| a == b).count();
        for _ in same..open.len() {
            file.upscope()?;
        }
        open.truncate(same);
        for scope in &scopes[same..] {
            file.add_module(scope)?;
            open.push(scope.clone());
        }
        let shape = Shape::of(&waves.waves[index]);
        let (kind, width) = match shape {
            Shape::Wire => (VarType::Wire, 1),
            Shape::Vector(width) => (VarType::Reg, width),
            Shape::Text => (VarType::String, 1),
        };
        declared[index] = (file.add_var(kind, width, own, None)?, shape);
    }
    for _ in 0..=open.len() {
        file.upscope()?;
    }
    Ok(declared)
}

fn change<W: Write>(
    file: &mut vcd::Writer<W>,
    id: IdCode,
    shape: Shape,
    value: &SignalValue,
) -> io::Result<()> {
    match (shape, value.as_number()) {
        (Shape::Wire, Some(bit)) => file.change_scalar(id, bit != 0),
        (Shape::Vector(width), Some(number)) => {
            let bits = (0..width)
                .rev()
                .map(|bit| Value::from(number >> bit & 1 == 1));
            file.change_vector(id, bits)
        }
        _ => {
            let word = value.to_string().trim().replace(char::is_whitespace, "_");
            // Some readers take an empty string for the end of the line.
            file.change_string(id, if word.is_empty() { "-" } else { &word })
        }
    }
}

/// Why nothing could be read from a VCD file.
#[derive(Debug, thiserror::Error)]
pub enum VcdError {
    /// The file is not a VCD file, or its head is broken.
    #[error("this is not a VCD file, or its head is broken: {0}")]
    Head(String),
    /// The file does not give the duration of a step of its time.
    #[error("the file has no `$timescale`: add one, such as `$timescale 1 us $end`")]
    NoTimescale,
    /// None of its wires has the name of a contact of the board.
    #[error(
        "no wire of the file is called like a point of the board or a button (there are {wires} of one bit): \
         name them `d4`, `start` or `point.d4`, `button.start`"
    )]
    NoTouches {
        /// How many wires of one bit there are.
        wires: usize,
    },
}

/// The contents of a VCD file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The touches as a session.
    pub session: Session,
    /// The signals that are neither a point nor a button of the board.
    pub ignored: Vec<String>,
    /// If the file could not be read to its end, a sentence that says why; what comes
    /// before is in the session.
    pub broken: Option<String>,
}

/// Reads the contacts in a VCD file as touches and presses, on a board that begins as
/// this header says. A rising wire is a finger that comes down. If the file has scopes
/// named `point` or `button`, only wires in them count; else every wire with the name of
/// a point or button does. Times are rounded down to whole ms.
///
/// # Errors
/// A [`VcdError`].
pub fn read_touches(header: Header, input: impl BufRead) -> Result<Imported, VcdError> {
    let layout = *header.layout;
    let mut parser = Parser::new(input);
    let head = parser
        .parse_header()
        .map_err(|error| VcdError::Head(error.to_string()))?;
    let (step, unit) = head.timescale.ok_or(VcdError::NoTimescale)?;
    let to_ms = Scale {
        step: u128::from(step),
        in_a_second: u128::from(unit.divisor()),
    };
    let mut variables = Vec::new();
    flatten(&head.items, &mut Vec::new(), &mut variables);
    let (contacts, ignored) = contacts(&variables, layout);
    if contacts.is_empty() {
        let wires = variables.iter().filter(|variable| variable.width == 1);
        return Err(VcdError::NoTouches {
            wires: wires.count(),
        });
    }
    let mut session = Session::new(header);
    let broken = touches(&mut parser, &contacts, &to_ms, &mut session);
    Ok(Imported {
        session,
        ignored,
        broken,
    })
}

/// How long a step of the file's time is.
struct Scale {
    step: u128,
    in_a_second: u128,
}

impl Scale {
    fn ms(&self, time: u64) -> Tick {
        let ms = u128::from(time) * self.step * 1_000 / self.in_a_second.max(1);
        Tick::try_from(ms).unwrap_or(Tick::MAX)
    }
}

/// A variable of the file.
struct Variable {
    scopes: Vec<String>,
    name: String,
    width: u32,
    id: IdCode,
}

fn flatten(items: &[ScopeItem], scopes: &mut Vec<String>, found: &mut Vec<Variable>) {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => {
                scopes.push(scope.identifier.clone());
                flatten(&scope.items, scopes, found);
                scopes.pop();
            }
            ScopeItem::Var(variable) => found.push(Variable {
                scopes: scopes.clone(),
                name: variable.reference.clone(),
                width: variable.size,
                id: variable.code,
            }),
            _ => {}
        }
    }
}

/// The variables that are contacts, with the input of a finger that comes down, and the
/// names of the others.
fn contacts(variables: &[Variable], layout: Layout) -> (BTreeMap<IdCode, Input>, Vec<String>) {
    let scoped = |variable: &Variable| {
        let name = variable.scopes.iter().chain([&variable.name]);
        let name = name.map(String::as_str).collect::<Vec<_>>().join(".");
        let mut parts = name.rsplitn(3, '.');
        let (last, group) = (parts.next()?, parts.next()?);
        pressed(&format!("{group}.{last}"), layout)
    };
    let bare = |variable: &Variable| {
        let name = &variable.name;
        let either = ["point", "button"].map(|group| format!("{group}.{name}"));
        either.iter().find_map(|name| pressed(name, layout))
    };
    let is_wire = |variable: &&Variable| variable.width == 1;
    let has_scopes = variables
        .iter()
        .filter(is_wire)
        .any(|wire| scoped(wire).is_some());
    let mut contacts = BTreeMap::new();
    let mut ignored = Vec::new();
    for variable in variables {
        let input = match has_scopes {
            true => scoped(variable),
            false => bare(variable),
        };
        match input.filter(|_| variable.width == 1) {
            Some(input) => {
                contacts.insert(variable.id, input);
            }
            None => {
                let name = variable.scopes.iter().chain([&variable.name]);
                ignored.push(name.map(String::as_str).collect::<Vec<_>>().join("."));
            }
        }
    }
    (contacts, ignored)
}

/// The input of a finger that comes down on this signal, if it is a contact.
fn pressed(name: &str, layout: Layout) -> Option<Input> {
    match Signal::parse(name, layout).ok()? {
        Signal::Point(point) => Some(Input::Touch(point)),
        Signal::Button(button) => Some(Input::Press(button)),
        _ => None,
    }
}

/// Reads all changes of contacts into the session. Returns why it ended early, if it did.
fn touches<R: BufRead>(
    parser: &mut Parser<R>,
    contacts: &BTreeMap<IdCode, Input>,
    scale: &Scale,
    session: &mut Session,
) -> Option<String> {
    let mut down: BTreeMap<IdCode, bool> = BTreeMap::new();
    let mut now = session.last_tick();
    let mut broken = None;
    while let Some(command) = parser.next() {
        match command {
            Ok(Command::Timestamp(time)) => {
                let ms = scale.ms(time);
                if ms < now {
                    broken = Some(format!(
                        "line {}: time goes back from {now} ms to {ms} ms: what follows is left out",
                        parser.line()
                    ));
                    break;
                }
                now = ms;
            }
            Ok(Command::ChangeScalar(id, value)) => {
                let Some(input) = contacts.get(&id) else {
                    continue;
                };
                // An unknown or floating wire is not a finger.
                let is_down = value == Value::V1;
                if down.insert(id, is_down).unwrap_or(false) != is_down {
                    let input = if is_down { *input } else { input.reverse() };
                    session.push(now, SessionItem::Do(Deed::Input(input)));
                }
            }
            Ok(_) => {}
            Err(error) => {
                broken = Some(format!("{error}: what follows is left out"));
                break;
            }
        }
    }
    session.push(now, SessionItem::End);
    broken
}
