//! The colours of a board, as a command line names them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use touchboard_host::palette::Palette;

/// A parser of `--palette`, whose help describes each palette.
pub fn palettes() -> impl TypedValueParser<Value = Palette> {
    let value = |palette: Palette| PossibleValue::new(palette.word()).help(palette.about());
    let of_word = |word: String| Palette::of_word(&word).unwrap_or_default();
    PossibleValuesParser::new(Palette::ALL.map(value)).map(of_word)
}
