//! Prints nested lists.
//!
//! What fits on a line stays on it. Otherwise a call keeps its head and the plain words
//! after it on the first line, and everything else is on lines of its own.
use super::{Bracket, Chunk, Entry, Group, Part, WIDTH};

const INDENT: usize = 4;
/// The maximum length of a set of calls on one line.
const LIST: usize = 50;
/// The maximum length of an element that shares a line with others in a long set.
const SHORT: usize = 12;

/// Prints the whole text.
pub(super) fn print(entries: &[Entry]) -> String {
    let mut printer = Printer { out: String::new() };
    for (place, entry) in entries.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| &entries[before]);
        if before.is_some_and(|before| is_apart(before, entry)) {
            printer.out.push('\n');
        }
        printer.entry(entry, 0);
        printer.out.push('\n');
    }
    printer.out
}

/// True if an empty line separates two entries at the outermost level.
fn is_apart(before: &Entry, entry: &Entry) -> bool {
    let one_line = |chunk: &Chunk| flat_chunk(chunk).is_some_and(|flat| width(&flat) <= WIDTH);
    match (before, entry) {
        (Entry::Comment { .. }, _) => blank_before(entry),
        (Entry::Chunk(before), Entry::Chunk(chunk)) if one_line(before) && one_line(chunk) => {
            chunk.blank_before
        }
        _ => true,
    }
}

fn blank_before(entry: &Entry) -> bool {
    match entry {
        Entry::Chunk(chunk) => chunk.blank_before,
        Entry::Comment { blank_before, .. } => *blank_before,
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// A chunk on one line; `None` if a comment or a text with line breaks prevents that.
fn flat_chunk(chunk: &Chunk) -> Option<String> {
    chunk.parts.iter().map(flat_part).collect()
}

fn flat_part(part: &Part) -> Option<String> {
    match part {
        Part::Atom(atom) => (!atom.contains('\n')).then(|| atom.clone()),
        Part::Group(group) => flat_group(group),
    }
}

fn flat_group(group: &Group) -> Option<String> {
    if is_frame(group) {
        return None;
    }
    let flat = |entry: &Entry| match entry {
        Entry::Chunk(chunk) if chunk.comment.is_none() => flat_chunk(chunk),
        _ => None,
    };
    let inner: Option<Vec<String>> = group.entries.iter().map(flat).collect();
    let (open, close) = (group.bracket.open(), group.bracket.close());
    let flat = format!("{open}{}{close}", inner?.join(" "));
    let is_list = group.bracket == Bracket::Curly && group.entries.len() > 1 && !is_fill(group);
    (!is_list || width(&flat) <= LIST).then_some(flat)
}

/// True for the calls that structure a game, which are always printed over several lines.
fn is_frame(group: &Group) -> bool {
    let atom = |place: usize| match group.entries.get(place) {
        Some(Entry::Chunk(chunk)) => match chunk.parts.as_slice() {
            [Part::Atom(atom)] => Some(atom.as_str()),
            _ => None,
        },
        _ => None,
    };
    match atom(0) {
        Some("game" | "equipment" | "rules") => true,
        Some("phase") => atom(1).is_some_and(|name| name.starts_with('"')),
        _ => false,
    }
}

fn is_plain(chunk: &Chunk) -> bool {
    chunk.parts.iter().all(|part| matches!(part, Part::Atom(_))) && flat_chunk(chunk).is_some()
}

struct Printer {
    out: String,
}

impl Printer {
    fn column(&self) -> usize {
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        width(line)
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn entry(&mut self, entry: &Entry, indent: usize) {
        match entry {
            Entry::Comment { text, .. } => self.out.push_str(text),
            Entry::Chunk(chunk) => self.chunk(chunk, indent),
        }
    }

    fn chunk(&mut self, chunk: &Chunk, indent: usize) {
        match flat_chunk(chunk) {
            Some(flat) if self.column() + width(&flat) <= WIDTH => self.out.push_str(&flat),
            _ => chunk.parts.iter().for_each(|part| self.part(part, indent)),
        }
        if let Some(comment) = &chunk.comment {
            self.out.push(' ');
            self.out.push_str(comment);
        }
    }

    fn part(&mut self, part: &Part, indent: usize) {
        match part {
            Part::Atom(atom) => self.out.push_str(atom),
            Part::Group(group) => match flat_group(group) {
                Some(flat) if self.column() + width(&flat) <= WIDTH => self.out.push_str(&flat),
                _ => self.broken(group, indent),
            },
        }
    }

    /// Prints a group over several lines.
    fn broken(&mut self, group: &Group, indent: usize) {
        self.out.push(group.bracket.open());
        let (first, rest) = group.entries.split_at(first_line(group, self.column()));
        for (place, entry) in first.iter().enumerate() {
            if place > 0 {
                self.out.push(' ');
            }
            self.entry(entry, indent);
        }
        if let Some(set) = only_set(group, rest) {
            self.out.push(' ');
            self.broken(set, indent);
            self.out.push(group.bracket.close());
            return;
        }
        if is_fill(group) {
            self.fill(rest, indent + INDENT);
        } else {
            for (place, entry) in rest.iter().enumerate() {
                if place > 0 && blank_before(entry) {
                    self.out.push('\n');
                }
                self.line(indent + INDENT);
                self.entry(entry, indent + INDENT);
            }
        }
        self.line(indent);
        self.out.push(group.bracket.close());
    }

    /// Prints short elements, as many on a line as fit and as the text has.
    fn fill(&mut self, entries: &[Entry], indent: usize) {
        for (place, entry) in entries.iter().enumerate() {
            let Entry::Chunk(chunk) = entry else { continue };
            let flat = flat_chunk(chunk).unwrap_or_default();
            let fits = self.column() + 1 + width(&flat) <= WIDTH;
            if place == 0 || chunk.line_before || !fits {
                self.line(indent);
            } else {
                self.out.push(' ');
            }
            self.out.push_str(&flat);
        }
    }
}

/// The number of entries that stay on the line of the opening bracket.
fn first_line(group: &Group, column: usize) -> usize {
    if group.bracket != Bracket::Round {
        return 0;
    }
    let mut column = column;
    let mut head = "";
    for (place, entry) in group.entries.iter().enumerate() {
        let Entry::Chunk(chunk) = entry else {
            return place;
        };
        let Some(flat) = flat_chunk(chunk) else {
            return place;
        };
        if let (0, Some(Part::Atom(atom))) = (place, chunk.parts.first()) {
            head = atom;
        }
        // A condition stays with its `if`, and the iterated set with its `forEach`.
        let belongs = matches!(head, "if" | "forEach") && place + 1 < group.entries.len();
        let stays = place == 0 || is_plain(chunk) || belongs;
        column += 1 + width(&flat);
        if !stays || column > WIDTH && place > 0 {
            return place;
        }
        if chunk.comment.is_some() || !is_plain(chunk) && place > 0 {
            return place + 1;
        }
    }
    group.entries.len()
}

/// If the rest of a call is a single set, returns it: its brackets open and close with
/// those of the call.
fn only_set<'a>(group: &Group, rest: &'a [Entry]) -> Option<&'a Group> {
    let [
        Entry::Chunk(Chunk {
            parts,
            comment: None,
            ..
        }),
    ] = rest
    else {
        return None;
    };
    match parts.as_slice() {
        [Part::Group(set)]
            if group.bracket == Bracket::Round
                && set.bracket == Bracket::Curly
                && group.entries.len() > 1 =>
        {
            let before = &group.entries[group.entries.len() - 2];
            let commented = matches!(
                before,
                Entry::Comment { .. }
                    | Entry::Chunk(Chunk {
                        comment: Some(_),
                        ..
                    })
            );
            (!commented).then_some(set)
        }
        _ => None,
    }
}

/// Whether all elements of a set are short.
fn is_fill(group: &Group) -> bool {
    let is_short = |entry: &Entry| match entry {
        Entry::Chunk(chunk) if chunk.comment.is_none() => {
            flat_chunk(chunk).is_some_and(|flat| width(&flat) <= SHORT && !flat.starts_with('('))
        }
        _ => false,
    };
    group.bracket == Bracket::Curly && group.entries.iter().all(is_short)
}
