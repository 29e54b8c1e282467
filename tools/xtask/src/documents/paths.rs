//! Checks the paths in the code spans and blocks of documents: the files and folders must
//! exist.
//!
//! Links are checked in `links.rs`. A path in a sentence or a command is relative to the
//! top of the tree, or to the folder of its document.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{Document, all};
use crate::cargo::root;

/// Characters that are not part of a path and separate it from its surroundings.
const BETWEEN: [char; 12] = [
    ' ', '\n', '\t', '"', '\'', '(', ')', ',', ';', '=', '@', '|',
];

/// Characters of a pattern that stands for several paths.
const OF_MANY: [char; 5] = ['*', '{', '<', '$', '…'];

/// The folders at the top of the tree.
fn top() -> BTreeSet<String> {
    let entries = fs::read_dir(root()).expect("the top of the tree can be read");
    let folders = entries.filter_map(|entry| {
        let path = entry.expect("an entry can be read").path();
        let is_made = path.join("CACHEDIR.TAG").is_file();
        let name = path.file_name()?.to_str()?.to_owned();
        (path.is_dir() && !is_made && !name.starts_with('.')).then_some(name)
    });
    folders.collect()
}

/// The paths in a piece of code that begin with a folder at the top of the tree.
fn named<'a>(code: &'a str, top: &BTreeSet<String>) -> Vec<&'a str> {
    let words = code.split(BETWEEN).map(|word| {
        // A line number, or the end of a sentence, follows the colon.
        let word = word.split_once(':').map_or(word, |(path, _)| path);
        word.trim_end_matches('.')
    });
    let is_named = |word: &&str| {
        let begins = word.split_once('/').is_some_and(|(folder, rest)| {
            top.contains(folder) && rest.starts_with(|letter: char| letter.is_alphanumeric())
        });
        let is_placeholder = |part: &str| {
            let letters = part.split_once('.').map_or(part, |(letters, _)| letters);
            letters.len() > 1 && letters.chars().all(|letter| letter.is_ascii_uppercase())
        };
        begins
            && !word.contains(OF_MANY)
            && (word.ends_with(".md") || !word.split('/').any(is_placeholder))
    };
    words.filter(is_named).collect()
}

/// The number of paths in a document, and those that do not exist.
fn missing(document: &Document, top: &BTreeSet<String>) -> (usize, Vec<String>) {
    let parts = document.parts();
    let blocks = parts.blocks.iter().map(|(_, lines)| lines);
    let code: Vec<&String> = parts.spans.iter().chain(blocks).collect();
    let named: Vec<&str> = code.iter().flat_map(|code| named(code, top)).collect();
    let folder = document.path.parent().unwrap_or(Path::new(""));
    let is_there =
        |path: &str| root().join(path).exists() || root().join(folder).join(path).exists();
    let missing = named.iter().filter(|path| !is_there(path));
    let missing = missing.map(|path| format!("{}: {path} is not there", document.path.display()));
    (named.len(), missing.collect())
}

#[test]
fn every_path_that_a_document_names_exists() {
    let top = top();
    let (mut seen, mut wrongs) = (0, Vec::new());
    for document in all() {
        let (named, missing) = missing(&document, &top);
        seen += named;
        wrongs.extend(missing);
    }
    assert!(seen > 100, "only {seen} paths were seen");
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}

#[test]
fn a_missing_path_is_found() {
    let document = Document {
        path: "tools/x.md".into(),
        text: "`tools/none.rs:3`, `xtask/src`, `tools/NAME/x.rs` and `games/tools/none`\n\n\
               ```sh\npython3 tests/none.py --at core\ncargo run -- README.md tests/src/lib.rs\n```\n"
            .to_owned(),
    };
    let found = [
        "tools/x.md: tools/none.rs is not there",
        "tools/x.md: tests/none.py is not there",
    ];
    assert_eq!(
        missing(&document, &top()),
        (3, found.map(str::to_owned).to_vec())
    );
}
