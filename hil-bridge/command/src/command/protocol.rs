//! `protocol`: the page and the schema file for programs in other languages, and the
//! dissector for Wireshark.

use hil_bridge::protocol_page;

use super::{CommandEnd, ExitKind, print};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Print the schema file, as JSON, instead of the page
    #[arg(long)]
    json: bool,
    /// Print the dissector for Wireshark, in Lua, instead of the page
    #[arg(long, conflicts_with = "json")]
    wireshark: bool,
}

pub fn run(options: &Options) -> CommandEnd {
    let text = match (options.json, options.wireshark) {
        (true, _) => protocol_page::schema_text(),
        (false, true) => protocol_page::dissector(),
        (false, false) => protocol_page::text(),
    };
    print(text.trim_end())?;
    Ok(ExitKind::Done)
}
