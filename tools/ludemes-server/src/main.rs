//! Support for game texts in an editor: a server of the Language Server Protocol, on its
//! standard input and output.
//!
//! It marks errors while the user types, explains the word under the cursor, proposes the
//! next word, formats a text, finds the definition of a macro, and lists the parts of a
//! text. It uses the same tables and the same checker as the command `ludemes`.
//!
//! Invariants: answers refer to the text in the editor, not to the file; a request about
//! a text that is not open gets an empty answer.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod complete;
mod lines;
mod meaning;
mod outline;
mod raw;
mod serve;
mod troubles;
mod wire;

use std::process::ExitCode;

/// The stack must be large enough for texts with deeply nested brackets.
const STACK_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some() {
        eprintln!(
            "ludemes-server takes no arguments: an editor starts it and talks to it on its standard input and output"
        );
        return ExitCode::from(2);
    }
    let server = std::thread::Builder::new().stack_size(STACK_BYTES);
    let served = server.spawn(|| {
        let (connection, threads) = wire::connect();
        let served = serve::serve(&connection);
        // The writing thread ends when the last sender is dropped.
        drop(connection);
        // Why the input ended says more than that it ended.
        threads.join()?;
        served
    });
    let served = served.map_err(|error| error.to_string());
    let ended = served.and_then(|thread| thread.join().unwrap_or(Err("it panicked".to_owned())));
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        // The exit code that the protocol requires if the editor has not announced its
        // exit.
        Ok(false) => ExitCode::from(1),
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}
