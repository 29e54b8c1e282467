//! Checks the documents of the tree: links lead somewhere, chapters are in the book,
//! commands, labels and the functions of known mutants exist.
//!
//! Every Markdown file of the tree is read, in any folder. Nothing is built for this.

mod clap;
mod commands;
#[cfg(test)]
mod labels;
#[cfg(test)]
mod libraries;
mod links;
#[cfg(test)]
mod mutants;
#[cfg(test)]
mod packages;
#[cfg(test)]
mod paths;
#[cfg(test)]
mod signals;

use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::cargo::root;

/// The chapters of the book.
const CHAPTERS: &str = "tools/book/src";

/// A Markdown file and its text.
struct Document {
    /// From the top of the tree.
    path: PathBuf,
    text: String,
}

/// The parts of a document that are checked.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts {
    /// The targets of links and pictures.
    targets: Vec<String>,
    /// The anchors of headings, for links.
    headings: Vec<String>,
    /// The code blocks, each with the first word after its fence.
    blocks: Vec<(String, String)>,
    /// The code spans within sentences.
    spans: Vec<String>,
}

/// The files of the tree whose names end like this, each from the top of the tree.
fn files(end: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).expect("a folder of the tree can be read");
        for entry in entries {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                let is_made = path.join("CACHEDIR.TAG").is_file() || name == "node_modules";
                if !is_made && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if name.ends_with(end) {
                let path = path.strip_prefix(root()).expect("it lies in the tree");
                files.push(path.to_owned());
            }
        }
    }
    files.sort();
    files
}

/// All documents of the tree.
fn all() -> Vec<Document> {
    let read = |path: PathBuf| Document {
        text: fs::read_to_string(root().join(&path)).expect("a document is a text"),
        path,
    };
    files(".md").into_iter().map(read).collect()
}

impl Document {
    /// The document that this one includes, if it is a chapter of one line.
    fn shown(&self) -> Option<PathBuf> {
        let line = self.text.trim().strip_prefix("{{#include ")?;
        Some(self.beside(line.strip_suffix("}}")?.trim()))
    }

    /// The path, from the top of the tree, of a file that this document names.
    fn beside(&self, file: &str) -> PathBuf {
        let mut path = PathBuf::new();
        let folder = self.path.parent().unwrap_or(Path::new(""));
        for part in folder.join(file).components() {
            match part {
                Component::ParentDir if path.pop() => {}
                Component::CurDir => {}
                part => path.push(part),
            }
        }
        path
    }

    fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        // The words of the current heading, or the lines of the current block.
        let mut heading: Option<String> = None;
        let mut block: Option<(String, String)> = None;
        for event in Parser::new_ext(&self.text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    parts.targets.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let words = heading.take().unwrap_or_default();
                    parts.add_heading(&words);
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let kind = match kind {
                        CodeBlockKind::Fenced(words) => words.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    };
                    block = Some((kind, String::new()));
                }
                Event::End(TagEnd::CodeBlock) => parts.blocks.extend(block.take()),
                Event::Text(text) => {
                    if let Some((_, lines)) = &mut block {
                        *lines += &text;
                    } else if let Some(words) = &mut heading {
                        *words += &text;
                    }
                }
                Event::Code(code) => {
                    if let Some(words) = &mut heading {
                        *words += &code;
                    }
                    parts.spans.push(code.into_string());
                }
                _ => {}
            }
        }
        parts
    }
}

impl Parts {
    /// Adds the anchor that mdBook and most other Markdown readers generate. If a heading
    /// occurs twice, the second anchor gets a number.
    fn add_heading(&mut self, words: &str) {
        let kept = words.trim().chars().filter_map(|letter| match letter {
            ' ' => Some('-'),
            _ if letter.is_alphanumeric() || matches!(letter, '-' | '_') => Some(letter),
            _ => None,
        });
        let name: String = kept.flat_map(char::to_lowercase).collect();
        let before = self.headings.iter().filter(|other| **other == name).count();
        self.headings.push(match before {
            0 => name,
            number => format!("{name}-{number}"),
        });
    }
}

#[test]
fn the_parts_of_a_document_are_found() {
    let document = Document {
        path: PathBuf::from("a/b.md"),
        text: "# A `b` (c)\n\n[d](e.md#f) `g h`\n\n```sh\ni # j\n```\n\n## A b c\n".to_owned(),
    };
    let strings = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let found = Parts {
        targets: strings(&["e.md#f"]),
        headings: strings(&["a-b-c", "a-b-c-1"]),
        blocks: vec![("sh".to_owned(), "i # j\n".to_owned())],
        spans: strings(&["b", "g h"]),
    };
    assert_eq!(document.parts(), found);
    assert_eq!(document.beside("../c.md"), Path::new("c.md"));
}
