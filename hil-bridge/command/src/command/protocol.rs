//! `protocol`: the page and the schema file for programs in other languages, and the
//! dissector for Wireshark.

use hil_bridge::page;

use super::{Done, ExitKind, print};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Print the schema file, as JSON, instead of the page
    #[arg(long)]
    json: bool,
    /// Print the dissector for Wireshark, in Lua, instead of the page
    #[arg(long, conflicts_with = "json")]
    wireshark: bool,
}

pub fn run(options: &Options) -> Done {
    let text = match (options.json, options.wireshark) {
        (true, _) => page::schema_text(),
        (false, true) => page::dissector(),
        (false, false) => page::text(),
    };
    print(text.trim_end())?;
    Ok(ExitKind::Done)
}
