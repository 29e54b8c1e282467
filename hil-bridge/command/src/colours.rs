//! Whether to write to a terminal in colours.

/// False if the environment disables colours (see no-color.org): `NO_COLOR` counts if it
/// is set and not empty.
#[must_use]
pub fn are_colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
