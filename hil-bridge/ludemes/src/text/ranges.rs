//! `1..5` is `1 2 3 4 5`, and `"A1".."B2"` is `"A1" "A2" "B1" "B2"`.

use std::ops::Range;

use super::traced::Traced;
use super::trouble::{Problem, TextError};
use super::{LONGEST, LONGEST_RANGE};

/// Writes out every range of a text.
pub(super) fn expand_ranges(text: &Traced) -> Result<Traced, TextError> {
    let mut result = Traced::default();
    let mut done = 0;
    let mut at = 0;
    while at < text.len() {
        if result.len() > LONGEST {
            return Err(TextError {
                span: text.span(at..at + 1),
                problem: Problem::Ranges,
            });
        }
        if text.byte(at) == b'"' {
            let end = text.after_quote(at).unwrap_or(text.len());
            if text.text()[end..].starts_with("..\"") {
                let to = end + 2..text.after_quote(end + 2).unwrap_or(text.len());
                let sites = site_range(text, at..end, to.clone())?;
                result.push_part(text, done..at);
                result.push_text(&sites, text.span(at..to.end));
                done = to.end;
                at = to.end;
            } else {
                at = end;
            }
        } else if let Some(dots) = number_range(text, at) {
            let (numbers, end) = written_out(text, dots.clone())?;
            result.push_part(text, done..dots.start);
            result.push_text(&numbers, text.span(dots.start - 1..end));
            done = end;
            // The last number may also start the next range.
            at = dots.end;
        } else {
            at += 1;
        }
    }
    result.push_part(text, done..text.len());
    Ok(result)
}

/// The dots of the range of numbers that starts here, if one does.
fn number_range(text: &Traced, at: usize) -> Option<Range<usize>> {
    let digit = |at: usize| text.byte(at).is_ascii_digit();
    let dots = at > 0 && digit(at - 1) && text.byte(at) == b'.' && text.byte(at + 1) == b'.';
    (dots && digit(at + 2)).then_some(at..at + 2)
}

/// The numbers between the first and the end of a range.
fn written_out(text: &Traced, dots: Range<usize>) -> Result<(String, usize), TextError> {
    let bytes = text.text().as_bytes();
    let start = (0..dots.start)
        .rev()
        .take_while(|at| bytes[*at].is_ascii_digit());
    let start = start.last().unwrap_or(dots.start);
    let end = dots.end
        + bytes[dots.end..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
    let wrong = || TextError {
        span: text.span(start..end),
        problem: Problem::Range,
    };
    let number = |range: Range<usize>| text.text()[range].parse::<i64>().map_err(|_| wrong());
    let (first, last) = (number(start..dots.start)?, number(dots.end..end)?);
    if first.abs_diff(last) > LONGEST_RANGE {
        return Err(wrong());
    }
    let step = if first <= last { 1 } else { -1 };
    let mut numbers = String::new();
    let mut number = first;
    while number != last {
        number += step;
        numbers.push(' ');
        numbers.push_str(&number.to_string());
    }
    Ok((numbers, end))
}

fn site_range(text: &Traced, from: Range<usize>, to: Range<usize>) -> Result<String, TextError> {
    let wrong = || TextError {
        span: text.span(from.start..to.end),
        problem: Problem::SiteRange,
    };
    let site = |range: &Range<usize>| {
        let name = text
            .text()
            .get(range.start + 1..range.end.checked_sub(1)?)?;
        let column = name.chars().next().filter(char::is_ascii_alphabetic)?;
        let row: u32 = name[1..].parse().ok()?;
        Some((column.to_ascii_uppercase(), row))
    };
    let (first, last) = (site(&from).ok_or_else(wrong)?, site(&to).ok_or_else(wrong)?);
    if last.1.saturating_sub(first.1) > LONGEST_RANGE as u32 {
        return Err(wrong());
    }
    let mut names = Vec::new();
    for column in first.0..=last.0 {
        for row in first.1..=last.1 {
            names.push(format!("\"{column}{row}\""));
        }
    }
    Ok(names.join(" "))
}
