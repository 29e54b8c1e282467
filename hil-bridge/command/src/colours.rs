//! Whether a terminal is written to in colours, and in which.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use touchboard_host::palette::Palette;

/// Parses a palette of the command line.
pub fn palettes() -> impl TypedValueParser<Value = Palette> {
    let value = |palette: Palette| PossibleValue::new(palette.word()).help(palette.about());
    let of_word = |word: String| Palette::of_word(&word).unwrap_or_default();
    PossibleValuesParser::new(Palette::ALL.map(value)).map(of_word)
}

/// False if the environment asks for no colours (see no-color.org): `NO_COLOR` counts
/// if it is set and not empty.
#[must_use]
pub fn are_colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
