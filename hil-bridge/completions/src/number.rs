//! Numbers of a command line.

use std::fmt;
use std::str::FromStr;

/// A text is not a whole number within a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it takes a number from {least} to {most}")]
pub struct NumberError<T> {
    /// The smallest number that is possible.
    pub least: T,
    /// The largest one.
    pub most: T,
}

/// Parses a whole number of the command line, which must be within a range.
pub fn number<T>(
    least: T,
    most: T,
) -> impl Fn(&str) -> Result<T, NumberError<T>> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + fmt::Debug + fmt::Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| (&least..=&most).contains(&number))
            .ok_or_else(|| NumberError {
                least: least.clone(),
                most: most.clone(),
            })
    }
}

/// Why a text is not a number with decimals within a range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DecimalError {
    /// It is no number.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// It is beyond one end of the range.
    #[error("choose {least} to {most}")]
    OutOfRange {
        /// The smallest number that is possible.
        least: f64,
        /// The largest one.
        most: f64,
    },
}

/// Parses a number of the command line that may have decimals, which must be within a
/// range.
pub fn decimal(
    least: f64,
    most: f64,
) -> impl Fn(&str) -> Result<f64, DecimalError> + Clone + Send + Sync + 'static {
    move |text| match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Ok(_) => Err(DecimalError::OutOfRange { least, most }),
        Err(_) => Err(DecimalError::NotANumber(text.to_owned())),
    }
}
