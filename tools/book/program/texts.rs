//! Adds a link to each whole text of a game, which plays it in the page beside the book.
//!
//! The text is in the link itself, as the page's own links have it: compressed as raw
//! DEFLATE, in the letters of base64url.

use std::io::Write as _;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use mdbook_driver::book::{Book, BookItem};
use mdbook_preprocessor::errors::Result;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

/// The language of blocks that contain games.
const OF_GAMES: &str = "lud";

/// Adds the links.
pub struct Texts {
    /// The address of the page, from the folder of the book.
    pub page: String,
}

impl Preprocessor for Texts {
    fn name(&self) -> &'static str {
        "texts of games"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        book.for_each_mut(|item| {
            if let BookItem::Chapter(chapter) = item
                && let Some(path) = &chapter.path
            {
                let up = "../".repeat(path.components().count() - 1);
                chapter.content = with_links(&chapter.content, &format!("{up}{}", self.page));
            }
        });
        Ok(book)
    }
}

/// The chapter with a link after each whole text of a game.
fn with_links(chapter: &str, page: &str) -> String {
    let mut out = chapter.to_owned();
    for (block, text) in games(chapter).into_iter().rev() {
        let link = format!(
            "\n\n[Play this text in the browser]({page}#lud={})\n",
            packed(&text)
        );
        out.insert_str(block.end, &link);
    }
    out
}

/// The blocks that contain a whole game, with their texts.
fn games(chapter: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut open = None;
    for (event, range) in Parser::new_ext(chapter, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind)))
                if kind.split_whitespace().next() == Some(OF_GAMES) =>
            {
                open = Some((range, String::new()));
            }
            Event::Text(part) => {
                if let Some((_, text)) = &mut open {
                    text.push_str(&part);
                }
            }
            Event::End(_) => {
                found.extend(open.take().filter(|(_, text)| text.contains("(game ")));
            }
            _ => {}
        }
    }
    found
}

fn packed(text: &str) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish())
        .expect("memory can be written");
    URL_SAFE_NO_PAD.encode(packed)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::DeflateDecoder;

    use super::*;

    const CHAPTER: &str = "Words.\n\n```lud a.lud\n(game \"A\" (players 2))\n```\n\nMore.\n\n```lud\n(players 2)\n```\n\n```sh\necho '(game '\n```\n";

    #[test]
    fn only_whole_texts_have_a_link_and_it_contains_the_text() {
        let out = with_links(CHAPTER, "../index.html");
        let links: Vec<&str> = out.split("](../index.html#lud=").skip(1).collect();
        assert_eq!(links.len(), 1, "{out}");
        let letters = links[0].split(')').next().expect("an end");
        let packed = URL_SAFE_NO_PAD
            .decode(letters)
            .expect("letters of base64url");
        let mut text = String::new();
        let read = DeflateDecoder::new(packed.as_slice()).read_to_string(&mut text);
        read.expect("raw DEFLATE");
        assert_eq!(text, "(game \"A\" (players 2))\n");
        // The link follows its block, and nothing else changes.
        let (before, after) = out.split_once("\n\n[Play").expect("a link");
        assert!(before.ends_with("```"), "{before}");
        assert!(after.contains("More.") && out.starts_with("Words."));
    }

    #[test]
    fn a_chapter_without_games_stays_as_it_is() {
        let chapter = "Words.\n\n```text\n(game \"A\")\n```\n";
        assert_eq!(with_links(chapter, "index.html"), chapter);
    }
}
