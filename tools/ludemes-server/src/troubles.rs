//! The errors of a text, at their positions.

use lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Uri};
use ludemes::check::{CheckDepth, check};
use ludemes::names;
use ludemes::text::TextError;

use crate::lines;

/// All errors of a text. In addition, a warning if no board of lights can play the game,
/// a remark if only hosts can, and a remark where the text names a point differently from
/// the board.
pub fn of(uri: &Uri, text: &str) -> Vec<Diagnostic> {
    let checked = check(text, &[], CheckDepth::Cartridge);
    let troubles = checked.troubles.iter();
    let mut all: Vec<Diagnostic> = troubles
        .map(|trouble| diagnostic(uri, text, trouble))
        .collect();
    let (Some(compiled), Some(reading)) = (checked.compiled, checked.reading) else {
        return all;
    };
    let named = names::otherwise(&reading.game, &compiled).into_iter();
    all.extend(named.map(|named| Diagnostic {
        range: lines::range(text, named.span.start as usize..named.span.end as usize),
        severity: Some(DiagnosticSeverity::INFORMATION),
        source: Some("ludemes".to_owned()),
        message: format!("the board calls this point {}", named.board),
        ..Diagnostic::default()
    }));
    let unplayable = compiled.sketch().err().map(|what| what.to_string());
    let severity = match unplayable {
        Some(_) => DiagnosticSeverity::WARNING,
        None => DiagnosticSeverity::INFORMATION,
    };
    if let Some(message) = unplayable.or(compiled.only_on_hosts()) {
        let game = reading.game.span;
        let first = text[game.start as usize..].split('\n').next().unwrap_or("");
        let start = game.start as usize;
        all.push(Diagnostic {
            range: lines::range(text, start..start + first.len()),
            severity: Some(severity),
            source: Some("ludemes".to_owned()),
            message,
            ..Diagnostic::default()
        });
    }
    all
}

fn diagnostic(uri: &Uri, text: &str, trouble: &TextError) -> Diagnostic {
    let also = trouble.problem.also().map(|(at, label)| {
        let range = lines::range(text, at.start as usize..at.end as usize);
        vec![DiagnosticRelatedInformation {
            location: Location::new(uri.clone(), range),
            message: label.to_owned(),
        }]
    });
    Diagnostic {
        range: lines::range(text, trouble.place(text)),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("ludemes".to_owned()),
        message: trouble.sentence(text),
        related_information: also,
        ..Diagnostic::default()
    }
}
