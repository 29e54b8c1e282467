//! Reads a text as nested lists with comments.

use super::{Bracket, Chunk, Entry, Group, Part};
use crate::text::{DEEPEST, Problem, TextError, closes, escapes, is_typographic};
use crate::tree::TextSpan;

/// Reads a whole text.
pub(super) fn read(text: &str) -> Result<Vec<Entry>, TextError> {
    let mut reader = Reader {
        text,
        at: 0,
        open: Vec::new(),
    };
    let entries = reader.entries()?;
    match reader.peek() {
        None => Ok(entries),
        Some(stray) => Err(reader.trouble(reader.at, Problem::StrayBracket(stray))),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The open brackets, and their places.
    open: Vec<(Bracket, usize)>,
}

/// The white space between two chunks.
#[derive(Default)]
struct Gap {
    lines: usize,
    any: bool,
}

impl Reader<'_> {
    fn trouble(&self, at: usize, problem: Problem) -> TextError {
        let end = at + self.text[at..].chars().next().map_or(0, char::len_utf8);
        TextError {
            span: TextSpan {
                start: at as u32,
                end: end as u32,
            },
            problem,
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn gap(&mut self) -> Gap {
        let mut gap = Gap::default();
        while let Some(c) = self
            .peek()
            .filter(|c| c.is_whitespace() || *c == '\u{FEFF}')
        {
            gap.lines += usize::from(c == '\n');
            gap.any = true;
            self.at += c.len_utf8();
        }
        gap
    }

    /// Reads entries up to the closing bracket, or to the end.
    fn entries(&mut self) -> Result<Vec<Entry>, TextError> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let gap = self.gap();
            if self.text[self.at..].starts_with("//") {
                self.comment(&gap, &mut entries);
                continue;
            }
            let Some(next) = self.peek().filter(|next| !self.is_closing(*next)) else {
                return Ok(entries);
            };
            let part = self.part(next, is_item(&entries))?;
            let is_group = |part: &Part| matches!(part, Part::Group(_));
            match entries.last_mut() {
                Some(Entry::Chunk(chunk))
                    if !gap.any
                        && chunk.comment.is_none()
                        && !self.stand_apart(chunk, is_group(&part)) =>
                {
                    chunk.parts.push(part);
                }
                _ => entries.push(Entry::Chunk(Chunk {
                    parts: vec![part],
                    line_before: gap.lines > 0,
                    blank_before: gap.lines > 1,
                    comment: None,
                })),
            }
        }
    }

    /// True if white space before these brackets does not change their meaning.
    fn stand_apart(&self, chunk: &Chunk, is_group: bool) -> bool {
        let ended = match chunk.parts.last() {
            Some(Part::Group(_)) => true,
            Some(Part::Atom(atom)) => atom.ends_with('"'),
            None => false,
        };
        ended && is_group
    }

    fn comment(&mut self, gap: &Gap, entries: &mut Vec<Entry>) {
        let line = self.text[self.at..].lines().next().unwrap_or_default();
        self.at += line.len();
        let text = line.trim_end().to_owned();
        match entries.last_mut() {
            Some(Entry::Chunk(chunk)) if gap.lines == 0 && chunk.comment.is_none() => {
                chunk.comment = Some(text);
            }
            _ => entries.push(Entry::Comment {
                text,
                blank_before: gap.lines > 1,
            }),
        }
    }

    fn is_closing(&self, next: char) -> bool {
        let angle = matches!(self.open.last(), Some((Bracket::Angle, _)));
        matches!(next, ')' | '}') || angle && next == '>'
    }

    fn part(&mut self, next: char, in_item: bool) -> Result<Part, TextError> {
        let in_item = in_item && matches!(self.open.last(), Some((Bracket::Round, _)));
        let bracket = match next {
            '(' => Bracket::Round,
            '{' => Bracket::Curly,
            '<' if in_item => Bracket::Angle,
            _ => return self.atom(next).map(Part::Atom),
        };
        if self.open.len() > DEEPEST {
            return Err(self.trouble(self.at, Problem::TooDeep(DEEPEST)));
        }
        let start = self.at;
        self.open.push((bracket, start));
        self.at += 1;
        let entries = self.entries()?;
        match self.peek() {
            Some(close) if close == bracket.close() => self.at += 1,
            Some(stray) => return Err(self.trouble(self.at, Problem::StrayBracket(stray))),
            None => return Err(self.trouble(start, Problem::OpenBracket(bracket.close()))),
        }
        self.open.pop();
        Ok(Part::Group(Group { bracket, entries }))
    }

    fn atom(&mut self, next: char) -> Result<String, TextError> {
        if next == '"' || is_typographic(next) {
            return self.quoted(next);
        }
        let start = self.at;
        let within_angle = matches!(self.open.last(), Some((Bracket::Angle, _)));
        let mut tag = false;
        while let Some(c) = self.peek() {
            let ends =
                c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | '"') || is_typographic(c);
            if ends || self.text[self.at..].starts_with("//") && self.at > start {
                break;
            }
            if within_angle && c == '>' && !tag {
                break;
            }
            if within_angle {
                tag = c == '<' || tag && c != '>';
            }
            self.at += c.len_utf8();
        }
        Ok(self.text[start..self.at].to_owned())
    }

    /// Reads a quoted text, and gives it straight quotes.
    fn quoted(&mut self, open: char) -> Result<String, TextError> {
        let start = self.at;
        self.at += open.len_utf8();
        let inner = self.at;
        while let Some(c) = self.peek() {
            if closes(open, c) {
                let text = format!("\"{}\"", &self.text[inner..self.at]);
                self.at += c.len_utf8();
                return Ok(text);
            }
            self.at += c.len_utf8();
            if let Some(mark) = self.peek().filter(|next| escapes(open, c, *next)) {
                self.at += mark.len_utf8();
            }
        }
        Err(self.trouble(start, Problem::OpenQuote))
    }
}

/// True for an item of an option, whose values are in `< >`.
fn is_item(entries: &[Entry]) -> bool {
    matches!(entries.first(), Some(Entry::Chunk(chunk))
        if matches!(chunk.parts.as_slice(), [Part::Atom(atom)] if atom == "item"))
}
