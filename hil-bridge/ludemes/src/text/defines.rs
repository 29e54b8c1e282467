//! Macros: `(define "Name" ...)` once, then `"Name"` or `("Name" a b)` anywhere.
//!
//! In what is defined, `#1` is the first argument, and so on; an argument that is
//! `~` or missing leaves nothing. The macros of the text come first and as long as
//! one of them is named, then those of the library, and so on until none is named.
//! The word after `game`, `match` and `instance` is a name, never a macro.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::traced::Traced;
use super::trouble::{Problem, TextError};
use super::{LONGEST, MOST_EXPANSIONS};

/// The definition of one macro.
#[derive(Clone, Debug)]
pub(super) struct Define {
    /// Its name, with its quotes.
    pub tag: String,
    /// Its text, with `#1`, `#2` and so on.
    pub body: Traced,
}

/// The most arguments that a macro has.
const MOST_ARGUMENTS: usize = 9;
/// How many bytes may be looked at or moved while macros are expanded. Public
/// games need less than a hundredth of it.
const MOST_WORK: usize = 400_000_000;

/// Expands the macros of a text and of a library.
pub(super) struct Expansion<'a> {
    library: &'a [Define],
    work: usize,
    /// How often a macro of each name was expanded.
    pub used: HashMap<String, usize>,
    /// The names that the text itself defines.
    pub defined: HashSet<String>,
}

/// Cuts every define out of a text.
pub(super) fn cut(text: &mut Traced) -> Result<Vec<Define>, TextError> {
    let mut defines = Vec::new();
    text.cut_calls("(define ", |text, whole| {
        let start = whole.start + "(define".len();
        let name = text.quotes(start).next().filter(|name| {
            name.end < whole.end && text.text()[start..name.start].trim().is_empty()
        });
        let name = name.ok_or_else(|| TextError {
            span: text.span(whole.start..start),
            problem: Problem::Define,
        })?;
        defines.push(Define {
            tag: text.text()[name.clone()].to_owned(),
            body: text.part(name.end..whole.end - 1),
        });
        Ok(())
    })?;
    Ok(defines)
}

/// A text that is partly done.
struct Rest {
    text: Traced,
    copied: usize,
    from: usize,
}

impl<'a> Expansion<'a> {
    /// An expansion that has not started yet.
    pub fn new(library: &'a [Define]) -> Self {
        Expansion {
            library,
            work: 0,
            used: HashMap::new(),
            defined: HashSet::new(),
        }
    }

    /// Expands until no macro is named.
    pub fn expand(&mut self, text: &mut Traced) -> Result<(), TextError> {
        let mut passes = 0;
        loop {
            let own = cut(text)?;
            self.defined
                .extend(own.iter().map(|define| unquoted(&define.tag)));
            let mut any = false;
            while self.exhaust(text, &own)? | self.exhaust(text, self.library)? {
                any = true;
            }
            passes += 1;
            if !any {
                return Ok(());
            }
            if passes > MOST_EXPANSIONS {
                return Err(endless(text, 0..1, "define"));
            }
        }
    }

    /// Expands some macros as long as one of them is named.
    fn exhaust(&mut self, text: &mut Traced, defines: &[Define]) -> Result<bool, TextError> {
        let mut any = false;
        let mut rounds = 0;
        loop {
            let mut again = false;
            let mut named: HashSet<String> = HashSet::new();
            add_names(text, &mut named);
            self.spend(text.len(), text)?;
            for define in defines {
                if named.contains(&define.tag) {
                    again |= self.expand_one(text, define, &mut named)?;
                }
            }
            if !again {
                return Ok(any);
            }
            any = true;
            rounds += 1;
            if rounds > MOST_EXPANSIONS {
                return Err(endless(text, 0..1, "define"));
            }
        }
    }

    /// Expands one macro wherever it is named, from left to right, also where its
    /// own text names it. What is still to be looked at are the rests of texts
    /// within each other, so that nothing long is ever moved.
    fn expand_one(
        &mut self,
        text: &mut Traced,
        define: &Define,
        named: &mut HashSet<String>,
    ) -> Result<bool, TextError> {
        let (mut times, mut expanded) = (0, 0);
        let mut weight = text.weight();
        let mut result = Traced::default();
        let mut rests = vec![Rest {
            text: std::mem::take(text),
            copied: 0,
            from: 0,
        }];
        while let Some(rest) = rests.last_mut() {
            let Some(name) = next_name(&rest.text, &define.tag, rest.from) else {
                result.push_part(&rest.text, rest.copied..rest.text.len());
                rests.pop();
                continue;
            };
            times += 1;
            if times > MOST_EXPANSIONS {
                return Err(endless(&rest.text, name, &define.tag));
            }
            let (range, arguments) = call(&rest.text, name.clone())?;
            result.push_part(&rest.text, rest.copied..range.start);
            rest.copied = range.start;
            rest.from = name.end;
            if range.start == name.start && is_protected(result.text()) {
                continue;
            }
            expanded += 1;
            let place = rest.text.span(name);
            let body = filled(&define.body.placed_at(place), &arguments);
            rest.copied = range.end;
            rest.from = range.end;
            weight += body.weight();
            if weight > LONGEST {
                return Err(TextError {
                    span: place,
                    problem: Problem::Grows {
                        name: unquoted(&define.tag),
                    },
                });
            }
            // A text that begins with a quoted one is not that one's name again.
            let begins = if body.byte(0) == b'"' {
                body.after_quote(0)
            } else {
                None
            };
            self.spend(body.len(), &body)?;
            add_names(&body, named);
            rests.push(Rest {
                from: begins.unwrap_or(1),
                text: body,
                copied: 0,
            });
        }
        *text = result;
        self.spend(text.len(), text)?;
        if expanded > 0 {
            *self.used.entry(unquoted(&define.tag)).or_default() += expanded;
        }
        Ok(expanded > 0)
    }

    fn spend(&mut self, bytes: usize, text: &Traced) -> Result<(), TextError> {
        self.work += bytes;
        if self.work > MOST_WORK {
            return Err(TextError {
                span: text.span(0..1),
                problem: Problem::TooMuchWork,
            });
        }
        Ok(())
    }
}

/// The quoted texts of a text, which may be names of macros.
fn add_names(text: &Traced, names: &mut HashSet<String>) {
    for quote in text.quotes(0) {
        let name = &text.text()[quote];
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
    }
}

fn next_name(text: &Traced, tag: &str, from: usize) -> Option<Range<usize>> {
    text.quotes(from)
        .find(|quote| &text.text()[quote.clone()] == tag)
}

fn unquoted(tag: &str) -> String {
    tag.trim_matches('"').to_owned()
}

fn endless(text: &Traced, place: Range<usize>, tag: &str) -> TextError {
    TextError {
        span: text.span(place),
        problem: Problem::Endless {
            name: unquoted(tag),
        },
    }
}

/// Whether the preceding text requires a name here.
fn is_protected(before: &str) -> bool {
    let before = before.trim_end();
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    matches!(word, Some("game" | "match" | "instance"))
}

/// The range of a macro's use, and its arguments.
fn call(text: &Traced, name: Range<usize>) -> Result<(Range<usize>, Vec<Traced>), TextError> {
    if name.start == 0 || text.byte(name.start - 1) != b'(' {
        return Ok((name, Vec::new()));
    }
    let open = name.start - 1;
    let end = text.after_bracket(open).ok_or_else(|| TextError {
        span: text.span(open..open + 1),
        problem: Problem::OpenBracket(')'),
    })?;
    let mut arguments = Vec::new();
    let mut at = name.end;
    while at < end - 1 {
        if text.byte(at).is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let after = after_argument(text, at, end - 1);
        arguments.push(text.part(at..after));
        at = after;
    }
    Ok((open..end, arguments))
}

/// The place after the argument that begins here.
fn after_argument(text: &Traced, start: usize, end: usize) -> usize {
    let closed = |at| text.after_bracket(at).map_or(end, |after| after.min(end));
    match text.byte(start) {
        b'(' | b'{' => return closed(start),
        b'"' => return text.after_quote(start).map_or(end, |after| after.min(end)),
        _ => {}
    }
    let mut at = start;
    while at < end && !text.byte(at).is_ascii_whitespace() {
        if text.byte(at) == b':' && matches!(text.byte(at + 1), b'(' | b'{') {
            return closed(at + 1);
        }
        at += 1;
    }
    // A closing bracket at the start would be an argument without an end.
    at.max(start + 1).min(end)
}

/// The text of a macro with its arguments in their places.
fn filled(body: &Traced, arguments: &[Traced]) -> Traced {
    let bytes = body.text().as_bytes();
    let mut result = Traced::default();
    let mut done = 0;
    for at in 0..bytes.len().saturating_sub(1) {
        let number = bytes[at + 1].wrapping_sub(b'0') as usize;
        if bytes[at] == b'#' && (1..=MOST_ARGUMENTS).contains(&number) {
            result.push_part(body, done..at);
            if let Some(argument) = arguments
                .get(number - 1)
                .filter(|given| given.text() != "~")
            {
                result.push_part(argument, 0..argument.len());
            }
            done = at + 2;
        }
    }
    result.push_part(body, done..body.len());
    result
}
