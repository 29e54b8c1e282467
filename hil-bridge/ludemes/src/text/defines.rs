//! Macros: `(define "Name" ...)` once, then `"Name"` or `("Name" a b)` anywhere.
//!
//! In a definition, `#1` stands for the first argument, and so on; an argument that is
//! `~` or missing is replaced by nothing. The text's own macros are expanded until none
//! of them is used, then those of the library, and so on until no macro is used. The word
//! after `game`, `match` and `instance` is always a name, never a macro.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::traced::Traced;
use super::trouble::{Problem, TextError};
use super::{LONGEST, MOST_EXPANSIONS};

/// The definition of one macro.
#[derive(Clone, Debug)]
pub(super) struct Define {
    /// The name, with quotation marks.
    pub tag: String,
    /// The definition, with `#1`, `#2` and so on.
    pub body: Traced,
}

/// The maximum number of arguments of a macro.
const MOST_ARGUMENTS: usize = 9;
/// The maximum number of bytes that may be examined or copied while macros are expanded.
/// Published games need less than a hundredth of this.
const MOST_WORK: usize = 400_000_000;

/// Expands the macros of a text and of a library.
pub(super) struct Expansion<'a> {
    library: &'a [Define],
    work: usize,
    /// How often each macro was expanded.
    pub used: HashMap<String, usize>,
    /// The names of the text's own macros.
    pub defined: HashSet<String>,
}

/// Removes all definitions from a text, and returns them.
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

/// The part of a text that has not been expanded yet.
struct Rest {
    text: Traced,
    copied: usize,
    from: usize,
}

impl Rest {
    fn of(text: Traced, from: usize) -> Rest {
        Rest {
            text,
            copied: 0,
            from,
        }
    }

    /// If the definition begins with a quoted text, that text is not a use of the same
    /// name.
    fn of_body(body: Traced) -> Rest {
        let begins = if body.byte(0) == b'"' {
            body.after_quote(0)
        } else {
            None
        };
        Rest::of(body, begins.unwrap_or(1))
    }
}

impl<'a> Expansion<'a> {
    /// An expansion with this library, before it starts.
    pub fn new(library: &'a [Define]) -> Self {
        Expansion {
            library,
            work: 0,
            used: HashMap::new(),
            defined: HashSet::new(),
        }
    }

    /// Expands until no macro is used.
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

    /// Expands these macros until none of them is used.
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

    /// Expands every use of a macro from left to right, including uses in its own
    /// definition. The remaining texts are kept as nested rests, so that no long text is
    /// copied.
    fn expand_one(
        &mut self,
        text: &mut Traced,
        define: &Define,
        named: &mut HashSet<String>,
    ) -> Result<bool, TextError> {
        let (mut times, mut expanded) = (0, 0);
        let mut weight = text.weight();
        let mut result = Traced::default();
        let mut rests = vec![Rest::of(std::mem::take(text), 0)];
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
                let name = unquoted(&define.tag);
                return Err(TextError {
                    span: place,
                    problem: Problem::Grows { name },
                });
            }
            self.spend(body.len(), &body)?;
            add_names(&body, named);
            rests.push(Rest::of_body(body));
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

/// Adds the quoted texts, which may be names of macros.
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

/// True if the preceding text requires a name here.
fn is_protected(before: &str) -> bool {
    let before = before.trim_end();
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    matches!(word, Some("game" | "match" | "instance"))
}

/// The range of a macro's use, with its arguments.
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

/// The end of the argument that starts here.
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
    // A closing bracket at the start would make the argument empty, and the loop endless.
    at.max(start + 1).min(end)
}

/// The definition of a macro with its arguments inserted.
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
