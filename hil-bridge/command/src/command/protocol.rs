//! `protocol`: the page and the schema file for programs in other languages.

use hil_bridge::page;

use super::{Done, ExitKind, say};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The schema file, as JSON, instead of the page
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Done {
    let text = if arguments.json {
        page::schema_text()
    } else {
        page::text()
    };
    say(text.trim_end())?;
    Ok(ExitKind::Done)
}
