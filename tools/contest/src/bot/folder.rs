//! Finds the bots in a folder, or one bot by its path or name.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::wasm::{MOST_MODULE_BYTES, Module};
use super::{Body, Bot, BotFileError};
use crate::files::{is_bot, is_wasm};
use crate::plain::plain;
use crate::sandbox::BotProgram;

/// A larger program is refused.
const MOST_PROGRAM_BYTES: u64 = 1 << 30;

/// The bots found in a folder.
pub struct Found {
    /// The bots, sorted by name.
    pub bots: Vec<Bot>,
    /// Files that are not bots, each with the reason.
    pub left_out: Vec<BotFileError>,
    /// Bots whose names differ from their file names, each with both names.
    pub renamed: Vec<String>,
}

/// The bots in a folder: `.wasm` files and executable files. Hidden files and folders
/// are skipped. No bot gets the name of one of the `others`.
///
/// # Errors
/// If the folder or a bot in it cannot be read.
pub fn bots_in(folder: &Path, others: &[Bot]) -> Result<Found, BotFileError> {
    let unreadable = BotFileError::folder(folder);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(&unreadable)? {
        paths.push(entry.map_err(&unreadable)?.path());
    }
    paths.sort();
    let mut found = Found {
        bots: Vec::new(),
        left_out: Vec::new(),
        renamed: Vec::new(),
    };
    let mut files = Vec::new();
    for path in paths {
        let name = file_name(&path);
        // A folder may contain files for a bot to read.
        if name.starts_with('.') || path.is_dir() {
            continue;
        }
        if !is_bot(&path) {
            found.left_out.push(BotFileError::NotBot(name));
        } else if let Some(error) = too_large(&path) {
            found.left_out.push(error);
        } else {
            found.bots.push(bot_at(&path)?);
            files.push(name);
        }
    }
    name_apart(&mut found.bots, others);
    found.renamed = renamed(&found.bots, &files);
    Ok(found)
}

/// The bots whose names do not contain the stems of their files, each with its file.
fn renamed(bots: &[Bot], files: &[String]) -> Vec<String> {
    let pairs = bots.iter().zip(files);
    pairs
        .filter(|(bot, file)| {
            let stem = Path::new(file).file_stem();
            stem.is_none_or(|stem| stem.to_string_lossy() != bot.name)
        })
        .map(|(bot, file)| format!("{file} is called {}", bot.name))
        .collect()
}

/// A bot from a file, or a built-in one.
///
/// # Errors
/// If there is no such bot.
pub fn bot(name: &str) -> Result<Bot, BotFileError> {
    let path = Path::new(name);
    match Bot::built_in(name) {
        Some(bot) if !path.exists() => Ok(bot),
        _ if path.is_dir() => Err(BotFileError::IsFolder(name.to_owned())),
        _ if !path.exists() => Err(BotFileError::Missing(name.to_owned())),
        _ if !is_bot(path) => Err(BotFileError::NotBot(name.to_owned())),
        _ => too_large(path).map_or_else(|| bot_at(path), Err),
    }
}

fn bot_at(path: &Path) -> Result<Bot, BotFileError> {
    let unreadable = BotFileError::file(path);
    let mut file = File::open(path).map_err(&unreadable)?;
    let (body, digest) = if is_wasm(path) {
        let bytes = file.metadata().map_err(&unreadable)?.len();
        // Of a file that is too large, only enough is read to detect that.
        let most = MOST_MODULE_BYTES as u64 + 1;
        let mut module = Vec::new();
        if bytes < most {
            let mut start = file.take(most);
            start.read_to_end(&mut module).map_err(&unreadable)?;
        }
        let bytes = bytes.max(module.len() as u64);
        let (module, digest) = match bytes < most {
            true => (
                Module::read(&module),
                format!("{:016x}", CRC.checksum(&module)),
            ),
            false => {
                let digest = format!("too large, {bytes} bytes");
                (Err(Module::too_large(bytes)), digest)
            }
        };
        (Body::Wasm(Arc::new(module)), digest)
    } else {
        let path = fs::canonicalize(path).map_err(&unreadable)?;
        let digest = digest(&mut file).map_err(&unreadable)?;
        let hidden = Vec::new();
        (
            Body::Process(BotProgram { path, hidden }),
            format!("{digest:016x}"),
        )
    };
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    Ok(Bot {
        name: in_one_word(&stem.to_string_lossy()),
        digest,
        body,
    })
}

/// The checksum that distinguishes files.
const CRC: crc::Crc<u64> = crc::Crc::<u64>::new(&crc::CRC_64_XZ);

/// The checksum of a program, computed without loading the whole file into memory.
fn digest(file: &mut File) -> io::Result<u64> {
    let mut digest = CRC.digest();
    let (mut buffer, mut left) = (vec![0; 1 << 16], MOST_PROGRAM_BYTES);
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 || left == 0 {
            return Ok(digest.finalize());
        }
        digest.update(&buffer[..count]);
        left = left.saturating_sub(count as u64);
    }
}

/// The error of a program that is too large; `None` if it is not.
fn too_large(path: &Path) -> Option<BotFileError> {
    let bytes = fs::metadata(path).map_or(0, |data| data.len());
    let is_larger = !is_wasm(path) && bytes > MOST_PROGRAM_BYTES;
    is_larger.then(|| BotFileError::TooLarge {
        name: file_name(path),
        bytes,
        most: MOST_PROGRAM_BYTES,
    })
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    plain(&name.to_string_lossy())
}

/// The text as one word that is suitable for tables and file names.
fn in_one_word(name: &str) -> String {
    let fits = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
    let word = name
        .chars()
        .map(|letter| if fits(letter) { letter } else { '_' });
    let word: String = word.take(40).collect();
    match word.trim_start_matches('.') {
        "" => "bot".to_owned(),
        word => word.to_owned(),
    }
}

/// Makes names unique: of bots with the same name, or with a name in `others`, the later
/// ones get a number, in the order of their files.
fn name_apart(bots: &mut [Bot], others: &[Bot]) {
    for index in 0..bots.len() {
        let name = bots[index].name.clone();
        let is_taken = |name: &str, bots: &[Bot]| {
            let mut all = others.iter().chain(bots);
            all.any(|bot| bot.name == name)
        };
        if !is_taken(&name, &bots[..index]) {
            continue;
        }
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut free = numbered.filter(|name| !is_taken(name, bots));
        if let Some(free) = free.next() {
            bots[index].name = free;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<Bot> {
        let bot = |name: &&str| Bot {
            name: (*name).to_owned(),
            ..Bot::built_in("random").expect("it is built in")
        };
        names.iter().map(bot).collect()
    }

    #[test]
    fn bots_of_the_same_name_are_numbered() {
        let mut bots = named(&["a", "a", "a-2", "b", "a"]);
        name_apart(&mut bots, &named(&["b"]));
        let names: Vec<&str> = bots.iter().map(|bot| &*bot.name).collect();
        assert_eq!(names, ["a", "a-3", "a-2", "b-2", "a-4"]);
        let files = ["a.py", "a.wasm", "a-2", "b", "a"].map(str::to_owned);
        assert_eq!(
            renamed(&bots, &files),
            ["a.wasm is called a-3", "b is called b-2", "a is called a-4"]
        );
    }

    #[test]
    fn a_name_becomes_one_word_fit_for_a_file() {
        assert_eq!(in_one_word("my bot/2"), "my_bot_2");
        assert_eq!(in_one_word("..."), "bot");
        assert_eq!(in_one_word("Größe-1.0"), "Größe-1.0");
    }
}
