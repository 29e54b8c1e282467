//! `post verify` and `post link`, for which players need no server; and `post salvage`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use post::dice::{Hash, hash_of_hex, hex_of_hash, keyed, link as link_of, sha256};
use post::names::{BoardNumber, UserName};
use post::transcript::verify as verify_text;

use crate::cli::{CommandEnd, Ending, StorePlace, print};

/// The most bytes of a transcript.
const TRANSCRIPT_BYTES: u64 = 16 << 20;

/// The number of links in a player's chain: more than any player has turns.
const LINKS: u16 = 4_096;

/// Which chain, and which link.
#[derive(Args)]
pub struct LinkOptions {
    /// A file with your own secret, 32 bytes or more; it is created if it does not exist
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// The number of the board
    board: BoardNumber,
    /// Your name
    user: UserName,
    /// The link after this one, instead of the head
    #[arg(long, value_name = "HASH")]
    after: Option<String>,
}

pub fn verify(place: &StorePlace, what: &str) -> CommandEnd {
    if what.bytes().all(|byte| byte.is_ascii_digit()) {
        let server = place.server()?;
        let reply = server.carry_out(&format!("malaka verify {what}"));
        let reply = reply.map_err(|error| error.to_string())?;
        print(&reply.text)?;
        return Ok(if reply.is_done {
            Ending::Done
        } else {
            Ending::Refused
        });
    }
    let mut text = String::new();
    let read =
        File::open(what).and_then(|file| file.take(TRANSCRIPT_BYTES).read_to_string(&mut text));
    read.map_err(|error| format!("{what}: {error}"))?;
    match verify_text(&text) {
        Ok(verified) => print(&verified.sentence()),
        Err(sentence) => {
            print(&sentence)?;
            Ok(Ending::Refused)
        }
    }
}

pub fn salvage(place: &StorePlace, file: &Path) -> CommandEnd {
    let salvaged = post::store::salvage(&place.store, file).map_err(|error| error.to_string())?;
    let mut told = format!(
        "saved in {}: {} users, {} boards, {} mails that have to go out\n",
        file.display(),
        salvaged.users,
        salvaged.boards,
        salvaged.mails
    );
    if salvaged.damaged.is_empty() {
        told.push_str("everything could be read\n");
    } else {
        let damaged = salvaged.damaged.join(", ");
        told.push_str(&format!("not everything could be read of: {damaged}\n"));
    }
    for path in &salvaged.transcripts {
        let path = path.display();
        told.push_str(&format!(
            "a board is not whole; what is left of its lines: {path}\n"
        ));
    }
    print(&told)
}

pub fn link(options: &LinkOptions) -> CommandEnd {
    let secret = secret(&options.secret)?;
    let chain = keyed(
        &secret,
        format!("{} {}", options.board, options.user).as_bytes(),
    );
    let link = match &options.after {
        None => link_of(&chain, LINKS, 0),
        Some(digits) => {
            let after = hash_of_hex(digits).ok_or("--after takes 64 hexadecimal digits")?;
            link_after(&chain, &after)
        }
    };
    let link = link.ok_or("that is not a link of this chain: compare board, user and secret")?;
    print(&hex_of_hash(&link))
}

fn link_after(secret: &Hash, known: &Hash) -> Option<Hash> {
    let mut link = *secret;
    for _ in 0..LINKS {
        let before = sha256(&link);
        if before == *known {
            return Some(link);
        }
        link = before;
    }
    None
}

/// The bytes of the file. If it does not exist, it is created with new random bytes.
fn secret(path: &PathBuf) -> Result<Vec<u8>, String> {
    const FEWEST: usize = 32;
    const MOST: u64 = 1 << 16;
    let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
    if !path.exists() {
        let mut secret = [0; FEWEST];
        getrandom::fill(&mut secret).map_err(|error| error.to_string())?;
        touchboard_files::whole_file::write(path, hex_of_hash(&secret).as_bytes())
            .map_err(wrong)?;
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(wrong)?;
    file.take(MOST).read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() < FEWEST {
        return Err(format!(
            "{} has fewer than {FEWEST} bytes: a secret can be guessed then",
            path.display()
        ));
    }
    Ok(bytes)
}
