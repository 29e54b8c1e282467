//! Adapts links when documents from different folders become chapters of one book.
//!
//! A link to a document that is a chapter becomes a link to the chapter. Any other
//! file (a picture, a schema, a drawing) is copied into the book under `files`, at
//! its path in the tree. A link to a folder, or to a file that is not a chapter and
//! not worth copying, keeps its text and loses its target.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use mdbook_driver::MDBook;
use mdbook_driver::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::errors::Result;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Files to copy into the book: for each file its path in the book.
type Copied = Rc<RefCell<BTreeMap<PathBuf, String>>>;

/// The extensions of source code, which is to be read in the tree instead of the book.
const NOT_COPIED: [&str; 3] = ["rs", "toml", "py"];

/// The tree from which the book is built.
pub struct Tree {
    root: PathBuf,
    /// The chapter to which a link to a file leads, as a path below `src`: the file is
    /// the chapter, or the document that the chapter includes.
    chapters: BTreeMap<PathBuf, PathBuf>,
    copied: Copied,
}

impl Tree {
    pub fn new(root: &Path, book: &MDBook) -> Tree {
        let source = book.source_dir();
        let mut chapters = BTreeMap::new();
        for item in book.iter() {
            if let BookItem::Chapter(chapter) = item
                && let Some(path) = &chapter.path
            {
                // The summary is the list of chapters on every page.
                let first = chapters.is_empty().then_some("SUMMARY.md");
                let own = [first.map(PathBuf::from), Some(path.clone())];
                let own = own
                    .into_iter()
                    .flatten()
                    .map(|own| plain(&source.join(own)));
                let shown = document(&source, path, &chapter.content);
                let names = own.chain([shown]);
                chapters.extend(names.map(|name| (name, path.clone())));
            }
        }
        Tree {
            root: plain(root),
            chapters,
            copied: Copied::default(),
        }
    }

    /// The documents of which the book consists, including the summary.
    pub fn sources(&self) -> Vec<PathBuf> {
        self.chapters.keys().cloned().collect()
    }

    /// The files to copy, complete after the book has been built.
    pub fn copied(&self) -> Copied {
        Rc::clone(&self.copied)
    }

    /// The text of a chapter, with links that are valid in the book.
    fn text(&self, source: &Path, chapter: &Chapter, path: &Path) -> Result<String> {
        let document = document(source, path, &chapter.content);
        let text = match included(&chapter.content) {
            Some(_) => fs::read_to_string(&document)
                .map_err(|error| anyhow::anyhow!("{}: {error}", document.display()))?,
            None => chapter.content.clone(),
        };
        let folder = document.parent().unwrap_or(&document);
        let mut moved = text.clone();
        for link in links(&text).into_iter().rev() {
            match self.target(folder, path, &text[link.target.clone()]) {
                Target::Same => {}
                Target::Moved(to) => moved.replace_range(link.target, &to),
                Target::None => moved.replace_range(link.whole, &text[link.words]),
            }
        }
        Ok(moved)
    }

    /// The target of a link in the book.
    fn target(&self, folder: &Path, chapter: &Path, target: &str) -> Target {
        let (file, heading) = match target.split_once('#') {
            Some((file, heading)) => (file, format!("#{heading}")),
            None => (target, String::new()),
        };
        if file.is_empty() || file.contains(':') {
            return Target::Same;
        }
        let file = plain(&folder.join(file));
        if let Some(other) = self.chapters.get(&file) {
            let up = "../".repeat(chapter.components().count() - 1);
            return Target::Moved(format!("{up}{}{heading}", other.display()));
        }
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        let Ok(inside) = file.strip_prefix(&self.root) else {
            return Target::None;
        };
        if !file.is_file() || NOT_COPIED.contains(&&*ending) {
            return Target::None;
        }
        let up = "../".repeat(chapter.components().count() - 1);
        let into = format!("files/{}", inside.display());
        let to = format!("{up}{into}{heading}");
        self.copied.borrow_mut().insert(file, into);
        Target::Moved(to)
    }
}

impl Preprocessor for Tree {
    fn name(&self) -> &str {
        "tree"
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let source = context.root.join(&context.config.book.src);
        let mut trouble = None;
        book.for_each_chapter_mut(|chapter| {
            let Some(path) = chapter.path.clone() else {
                return;
            };
            match self.text(&source, chapter, &path) {
                Ok(text) => chapter.content = text,
                Err(error) => trouble = Some(error),
            }
        });
        match trouble {
            Some(error) => Err(error),
            None => Ok(book),
        }
    }
}

enum Target {
    Same,
    Moved(String),
    None,
}

/// The path that a chapter includes as a whole, if it does.
fn included(text: &str) -> Option<&str> {
    let text = text.trim().strip_prefix("{{#include ")?;
    let file = text.strip_suffix("}}")?;
    (!file.contains('\n')).then_some(file.trim())
}

/// The document that a chapter shows.
fn document(source: &Path, chapter: &Path, text: &str) -> PathBuf {
    let chapter = source.join(chapter);
    match included(text) {
        Some(file) => plain(&chapter.parent().unwrap_or(source).join(file)),
        None => plain(&chapter),
    }
}

/// A path without `..` and `.`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// A link or a picture in a text.
struct Link {
    whole: Range<usize>,
    words: Range<usize>,
    target: Range<usize>,
}

/// The links `[words](target)` and pictures of a text, in the order of their targets.
fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (event, whole) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event else {
            continue;
        };
        let written = &text[whole.clone()];
        let Some(at) = written.rfind(&format!("]({dest_url}")) else {
            continue;
        };
        let target = whole.start + at + 2;
        let words = whole.start + written.find('[').map_or(0, |at| at + 1);
        links.push(Link {
            words: words..whole.start + at,
            target: target..target + dest_url.len(),
            whole,
        });
    }
    links.sort_by_key(|link| link.target.start);
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_pictures_are_found_outside_of_code() {
        let text = "[a](b.md#c) `[x](y)`\n\n| ![d](e.png) | [f `g`](h) |\n| --- | --- |\n";
        let found: Vec<_> = links(text)
            .into_iter()
            .map(|link| (&text[link.words], &text[link.target]))
            .collect();
        assert_eq!(found, [("a", "b.md#c"), ("d", "e.png"), ("f `g`", "h")]);
    }

    #[test]
    fn a_link_to_a_document_leads_to_its_chapter() {
        let book = MDBook::load(env!("CARGO_MANIFEST_DIR")).expect("the book is there");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let tree = Tree::new(&root, &book);
        let root = plain(&root);
        let to = |folder: &str, chapter: &str, target: &str| match tree.target(
            &root.join(folder),
            Path::new(chapter),
            target,
        ) {
            Target::Same => target.to_owned(),
            Target::Moved(to) => to,
            Target::None => String::new(),
        };
        let book = "tools/book/src";
        assert_eq!(
            to(book, "boards.md", "protocol.md#light"),
            "protocol.md#light"
        );
        assert_eq!(
            to("", "introduction.md", "protocol/PROTOCOL.md"),
            "protocol.md"
        );
        assert_eq!(
            to("protocol", "a/b.md", "../ARCHITECTURE.md"),
            "../architecture.md"
        );
        assert_eq!(
            to("", "introduction.md", "tools/book/src/SUMMARY.md"),
            "introduction.md"
        );
        let drawing = "files/tests/drawings/ring.txt";
        assert_eq!(
            to("", "introduction.md", "tests/drawings/ring.txt"),
            drawing
        );
        assert_eq!(to("", "introduction.md", "tools/ludemes"), "");
        assert_eq!(
            to("", "introduction.md", "https://rustup.rs"),
            "https://rustup.rs"
        );
    }

    #[test]
    fn a_chapter_of_one_include_is_that_document() {
        let source = Path::new("/t/tools/book/src");
        let line = "{{#include ../../../../a/RULES.md}}\n";
        let found = document(source, Path::new("rules/a.md"), line);
        assert_eq!(found, Path::new("/t/a/RULES.md"));
        let own = document(source, Path::new("rules/a.md"), "# A\n");
        assert_eq!(own, Path::new("/t/tools/book/src/rules/a.md"));
    }
}
