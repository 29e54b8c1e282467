//! Why the program that simulates the board ended.

use super::{NAME, NODE};

/// The sentence about a program of node that ended with these lines, the last one first.
pub fn sentence(lines: &[String]) -> String {
    // Below the line with the error are the functions that it happened in.
    let error = lines.iter().find(|line| names_error(line));
    let why = error.or(lines.first());
    let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
    format!("{NODE} ended{why}: run `cargo xtask firmware {NAME}`, which says what is missing")
}

/// True if node begins the report of an uncaught error with this line, such as
/// `Error [ERR_MODULE_NOT_FOUND]: ...` or `TypeError: ...`.
fn names_error(line: &str) -> bool {
    let kind = line.split([':', ' ']).next().unwrap_or_default();
    kind.ends_with("Error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_has_a_reason_and_a_next_step() {
        let said = [
            "Node.js v20.19.2",
            "code: 'ERR_MODULE_NOT_FOUND'",
            "at packageResolve (node:internal/modules/esm/resolve:873:9)",
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'rp2040js'",
            "throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);",
        ];
        let step = ": run `cargo xtask firmware pico`, which says what is missing";
        assert_eq!(
            sentence(&said.map(str::to_owned)),
            format!(
                "node ended (Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'rp2040js'){step}"
            )
        );
        assert_eq!(
            sentence(&["Killed".to_owned()]),
            format!("node ended (Killed){step}")
        );
        assert_eq!(sentence(&[]), format!("node ended{step}"));
    }
}
