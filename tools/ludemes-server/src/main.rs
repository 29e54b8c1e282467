//! Games of ludemes in an editor: a server of the Language Server Protocol, on its
//! standard input and output.
//!
//! What is wrong is marked while one writes; the meaning of what is under the cursor
//! is shown, what could come next is proposed, a text is laid out, a macro leads to
//! its definition, and the parts of a text are listed. All of it comes from the
//! tables and the checker that the command `ludemes` has.
//!
//! Invariants: what an editor holds is what is answered from, not the file;
//! a request about a text that is not open is answered with nothing.
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

/// Room for texts with many brackets within each other.
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
        // The writing thread ends when nobody can send to it any more.
        drop(connection);
        // The reason why the input ended is more informative than the fact.
        threads.join()?;
        served
    });
    let served = served.map_err(|error| error.to_string());
    let ended = served.and_then(|thread| thread.join().unwrap_or(Err("it panicked".to_owned())));
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        // The protocol's code for an editor that goes without a word.
        Ok(false) => ExitCode::from(1),
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}
