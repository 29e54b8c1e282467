//! `post verify` and `post link`, for which players need no server; and `post salvage`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use post::dice::{Hash, hash_of_hex, hex_of_hash, keyed, link as link_of, random, sha256};
use post::names::{BoardNumber, UserName};
use post::transcript::verify as verify_text;

use super::{CommandEnd, Ending, OptionsError, PostError, StorePlace, print, print_reply};

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
        return print_reply(&server.carry_out(&format!("malaka verify {what}"))?);
    }
    let mut text = String::new();
    let read =
        File::open(what).and_then(|file| file.take(TRANSCRIPT_BYTES).read_to_string(&mut text));
    read.map_err(PostError::file(Path::new(what)))?;
    match verify_text(&text) {
        Ok(verified) => print(&verified.sentence()),
        Err(error) => {
            print(&error.to_string())?;
            Ok(Ending::Refused)
        }
    }
}

pub fn salvage(place: &StorePlace, file: &Path) -> CommandEnd {
    let salvaged = post::store::salvage(&place.store, file)?;
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
            let after = hash_of_hex(digits).ok_or(OptionsError::After)?;
            link_after(&chain, &after)
        }
    };
    let link = link.ok_or(PostError::NotLink)?;
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
fn secret(path: &Path) -> Result<Vec<u8>, PostError> {
    const FEWEST: usize = 32;
    const MOST: u64 = 1 << 16;
    let wrong = PostError::file(path);
    if !path.exists() {
        let secret = hex_of_hash(&random()?);
        touchboard_files::whole_file::write(path, secret.as_bytes()).map_err(&wrong)?;
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(&wrong)?;
    file.take(MOST).read_to_end(&mut bytes).map_err(&wrong)?;
    if bytes.len() < FEWEST {
        let (path, fewest) = (path.to_owned(), FEWEST);
        return Err(PostError::ShortSecret { path, fewest });
    }
    Ok(bytes)
}
