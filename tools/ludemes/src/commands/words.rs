//! `ludemes words`: lists the constructs and shared macros with their meanings; also as a
//! page, which is the reference in the book.
use std::fmt::Write;

use ludemes::constructs::{self, Construct};
use ludemes::text;

/// What to look up.
#[derive(clap::Args)]
pub struct Options {
    /// Only names that begin with this; by default all.
    #[arg(default_value = "")]
    name: String,
    /// Print all of them as a page in Markdown.
    #[arg(long, conflicts_with = "name")]
    markdown: bool,
}

/// Lists them.
///
/// # Errors
/// If no name begins like this.
pub fn run(options: &Options) -> Result<(), String> {
    if options.markdown {
        print!("{}", page());
        return Ok(());
    }
    let name = options.name.as_str();
    let mut any = false;
    for construct in constructs::completions(name) {
        any = true;
        println!("{}\n    {}", written(construct), construct.means);
    }
    for shared in text::macros()
        .iter()
        .filter(|shared| shared.name.starts_with(name))
    {
        any = true;
        println!("\"{}\"\n    {}", shared.name, shared.about);
    }
    if any {
        return Ok(());
    }
    let names = constructs::all()
        .iter()
        .map(|construct| construct.name.to_owned());
    let names: Vec<String> = names
        .chain(text::macros().into_iter().map(|shared| shared.name))
        .collect();
    let near = text::near(name, names.iter().map(String::as_str));
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(format!(
        "no construct and no macro begins with `{name}`{near}"
    ))
}

/// A construct with its arguments, as in a text.
fn written(construct: &Construct) -> String {
    let words = [construct.name, construct.takes];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    format!("({})", words.join(" "))
}

/// The reference of all constructs.
fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (title, table) in constructs::THEMES {
        let _ = writeln!(page, "\n## {title}\n");
        let mut rows: Vec<&Construct> = table.iter().collect();
        rows.sort_by_key(|construct| construct.name.to_lowercase());
        for construct in rows {
            let _ = writeln!(page, "- `{}`: {}", written(construct), construct.means);
        }
    }
    page += MACROS;
    for shared in text::macros() {
        let _ = writeln!(page, "- `\"{}\"`: {}", shared.name, shared.about);
    }
    page
}

const INTRODUCTION: &str = "# Reference of the language

This page is generated from the table of constructs by `cargo xtask book`; `ludemes words NAME` looks up a name in it.

A text of a game is made of calls in round brackets: a name, then its arguments. A construct is written here with what it takes:

| in a signature | meaning |
| --- | --- |
| `SITE`, `NUMBER`, `TRUTH`, ... | an argument of this kind: another call, a number or a word |
| `[ ]` | may be left out |
| `{ }` | any number of these, in curly brackets |
| `A\\|B` | one of these |
| `name:` | written as it stands, before its argument |
";

const MACROS: &str = "
## Macros

A macro is a piece of text with a name; a text calls it by the name in quotes, with its arguments behind it. These are known in every text. `#1`, `#2`, ... stand for the arguments.

";
