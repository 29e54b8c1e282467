//! Numbers of a command line.

use std::fmt;
use std::str::FromStr;

/// Parses a whole number of the command line, which must be within a range.
pub fn number<T>(
    least: T,
    most: T,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + fmt::Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| (&least..=&most).contains(&number))
            .ok_or_else(|| format!("it takes a number from {least} to {most}"))
    }
}
