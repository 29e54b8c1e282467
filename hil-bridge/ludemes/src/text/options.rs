//! Options: headings with items to choose from, whose values replace `<Tag:argument>` in
//! the text. A ruleset is a named choice of items.

use std::ops::Range;

use super::traced::Traced;
use super::trouble::{Problem, TextError, near};
use super::{LONGEST, MOST_EXPANSIONS};

/// A heading with the items to choose from.
#[derive(Clone, Debug)]
pub struct Heading {
    /// The name of the option.
    pub name: String,
    /// The items among which to choose.
    pub items: Vec<Item>,
    tag: String,
    arguments: Vec<String>,
}

/// An item of an option.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name of the item.
    pub name: String,
    /// The effect of the item on the game.
    pub meaning: String,
    /// The number of stars that recommend the item.
    pub stars: usize,
    values: Vec<Traced>,
}

/// A named choice of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// The name of the ruleset.
    pub name: String,
    /// The chosen items, each as `Heading/Item`.
    pub choices: Vec<String>,
    /// The number of stars that recommend the ruleset.
    pub stars: usize,
}

impl Heading {
    /// The name of an item for users: `Heading/Item`.
    #[must_use]
    pub fn path(&self, item: &Item) -> String {
        format!("{}/{}", self.name, item.name)
    }

    fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter()
    }

    /// The item with most stars; of several, the first.
    pub fn usual(&self) -> Option<&Item> {
        let most = self.items.iter().map(|item| item.stars).max()?;
        self.items.iter().find(|item| item.stars == most)
    }
}

/// Removes the options and rulesets from a text, and returns them.
pub(super) fn cut(text: &mut Traced) -> Result<(Vec<Heading>, Vec<Ruleset>), TextError> {
    let mut headings = Vec::new();
    text.cut_calls("(option ", |text, whole| {
        headings.push(heading(text, inside(whole, "(option "))?);
        Ok(())
    })?;
    let mut rulesets = Vec::new();
    text.cut_calls("(rulesets", |text, whole| {
        let list = text.part(inside(whole, "(rulesets"));
        let mut at = 0;
        while let Some((inner, whole)) = call(&list, "(ruleset ", at)? {
            let names = list.part(inner);
            let mut quoted = names.quotes(0).map(|quote| unquoted(&names, quote));
            rulesets.push(Ruleset {
                name: quoted.next().unwrap_or_default(),
                choices: quoted.collect(),
                stars: stars(&list, whole.end),
            });
            at = whole.end;
        }
        Ok(())
    })?;
    Ok((headings, rulesets))
}

/// The range between the opening words of a call and its closing bracket.
fn inside(whole: Range<usize>, opening: &str) -> Range<usize> {
    let start = whole.start + opening.len();
    start..(whole.end - 1).max(start)
}

/// Replaces the tags by the values of the chosen items.
pub(super) fn choose(
    text: Traced,
    headings: &[Heading],
    chosen: &[String],
) -> Result<Traced, TextError> {
    let of = |heading: &Heading| heading.items().map(|item| heading.path(item)).collect();
    let paths: Vec<String> = headings.iter().flat_map::<Vec<String>, _>(of).collect();
    let mut meant = Vec::new();
    for choice in chosen {
        let path = meant_by(choice, headings).ok_or_else(|| TextError {
            span: Default::default(),
            problem: Problem::UnknownChoice {
                name: choice.clone(),
                near: near(choice, paths.iter().map(String::as_str)),
            },
        })?;
        meant.push(path);
    }
    let mut text = text;
    for heading in headings {
        let is_meant = |item: &&Item| meant.contains(&heading.path(item));
        let item = heading.items.iter().find(is_meant);
        let Some(item) = item.or_else(|| heading.usual()) else {
            continue;
        };
        for (name, value) in heading.arguments.iter().zip(&item.values) {
            text = replaced(text, &format!("<{}:{name}>", heading.tag), value)?;
        }
        if let Some(value) = item.values.first() {
            text = replaced(text, &format!("<{}>", heading.tag), value)?;
        }
    }
    Ok(text)
}

/// The item that a choice names, by its path, or by its name alone if no other item has
/// that name.
fn meant_by<'h>(choice: &str, headings: &'h [Heading]) -> Option<String> {
    let all = || {
        let items = |heading: &'h Heading| heading.items().map(move |item| (heading, item));
        headings.iter().flat_map(items)
    };
    let of = |(heading, item): (&Heading, &Item)| heading.path(item);
    if let Some(exact) = all().map(of).find(|path| path == choice) {
        return Some(exact);
    }
    let mut named = all().filter(|(_, item)| item.name.eq_ignore_ascii_case(choice));
    let first = named.next().map(of);
    first.filter(|_| named.next().is_none())
}

fn replaced(mut text: Traced, marker: &str, value: &Traced) -> Result<Traced, TextError> {
    let mut times = 0;
    while text.text().contains(marker) {
        times += text.text().matches(marker).count();
        let length = text.len() + times * value.len();
        if times > MOST_EXPANSIONS || length > 4 * LONGEST {
            let name = marker.to_owned();
            let at = text.text().find(marker).unwrap_or(0);
            return Err(TextError {
                span: text.span(at..at + marker.len()),
                problem: if times > MOST_EXPANSIONS {
                    Problem::Endless { name }
                } else {
                    Problem::Grows { name }
                },
            });
        }
        text = text.with_marker_replaced(marker, value);
    }
    Ok(text)
}

/// The range inside a call's brackets, and that of the whole call.
type Extents = (Range<usize>, Range<usize>);

/// The next call that begins with these words.
fn call(text: &Traced, opening: &str, from: usize) -> Result<Option<Extents>, TextError> {
    let Some(start) = text.find_outside_quotes(opening, from) else {
        return Ok(None);
    };
    let end = text.after_bracket(start).ok_or_else(|| TextError {
        span: text.span(start..start + 1),
        problem: Problem::OpenBracket(')'),
    })?;
    Ok(Some((inside(start..end, opening), start..end)))
}

fn heading(text: &Traced, inner: Range<usize>) -> Result<Heading, TextError> {
    let place = text.span(inner.clone());
    let wrong = |what| TextError {
        span: place,
        problem: Problem::Option(what),
    };
    let text = text.part(inner);
    let quote = text
        .quotes(0)
        .next()
        .ok_or_else(|| wrong("its heading is missing"))?;
    let name = unquoted(&text, quote.clone());
    let list = text
        .find_outside_quotes("args:", quote.end)
        .ok_or_else(|| wrong("its `args:` are missing"))?;
    let tag = angled(&text, quote.end, list).ok_or_else(|| wrong("its tag is missing"))?;
    let open = text
        .find_outside_quotes("{", list)
        .ok_or_else(|| wrong("its `args:` are missing"))?;
    let end = text
        .after_bracket(open)
        .ok_or_else(|| wrong("nothing closes `args:{`"))?;
    let mut arguments = Vec::new();
    let mut at = open;
    while let Some(range) = angled(&text, at, end) {
        at = range.end;
        arguments.push(text.text()[range].to_owned());
    }
    let open = text
        .find_outside_quotes("{", end)
        .ok_or_else(|| wrong("its items are missing"))?;
    let end = text
        .after_bracket(open)
        .ok_or_else(|| wrong("nothing closes its items"))?;
    let mut items = Vec::new();
    let mut at = open;
    while let Some((inner, whole)) =
        call(&text, "(item ", at)?.filter(|(_, whole)| whole.end <= end)
    {
        let mut item = item(&text.part(inner))
            .ok_or_else(|| wrong("an item has a name, values and what it does"))?;
        if item.values.len() > arguments.len() {
            return Err(wrong("an item has more values than `args:` has names"));
        }
        item.stars = stars(&text, whole.end);
        items.push(item);
        at = whole.end;
    }
    Ok(Heading {
        name,
        items,
        tag: text.text()[tag].to_owned(),
        arguments,
    })
}

fn item(text: &Traced) -> Option<Item> {
    let mut quotes = text.quotes(0);
    let name = quotes.next()?;
    let meaning = quotes.last()?;
    let mut values = Vec::new();
    let mut at = name.end;
    while let Some(value) = angled(text, at, meaning.start) {
        at = value.end + 1;
        values.push(text.part(value));
    }
    Some(Item {
        name: unquoted(text, name),
        meaning: unquoted(text, meaning),
        stars: 0,
        values,
    })
}

/// The range inside the next `< >`. A `<` or `>` right after `(` is a comparison.
fn angled(text: &Traced, from: usize, to: usize) -> Option<Range<usize>> {
    let compares = |at: usize| at > 0 && text.byte(at - 1) == b'(';
    let mut open = None;
    let mut at = from;
    while at < to {
        match (text.byte(at), open) {
            (b'"', _) => {
                at = text.after_quote(at)?;
                continue;
            }
            (b'<', None) if !compares(at) => open = Some(at + 1),
            (b'>', Some(start)) if !compares(at) => return Some(start..at),
            _ => {}
        }
        at += 1;
    }
    None
}

fn unquoted(text: &Traced, quote: Range<usize>) -> String {
    text.text()[quote].trim_matches('"').to_owned()
}

fn stars(text: &Traced, at: usize) -> usize {
    text.text()[at..].bytes().take_while(|b| *b == b'*').count()
}
