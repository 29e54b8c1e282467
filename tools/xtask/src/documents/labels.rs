//! Checks the labels that the chapters about playing name, such as *Take back*: each must
//! be a string of the window, or a button of the board.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use protocol::Button;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use syn::Lit;

use super::{CHAPTERS, all};
use crate::cargo::root;

/// The chapters whose emphasised words are labels.
const PAGES: [&str; 2] = ["playing.md", "getting-started.md"];

/// Emphasised words that begin a paragraph and name what it is about.
const SUBJECTS: [&str; 3] = ["The rules", "The list of games", "The timeline"];

/// The emphasised words of a text that are no headings of paragraphs: those end with a full
/// stop.
fn labels(text: &str) -> Vec<String> {
    let mut labels = Vec::new();
    let mut label: Option<String> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Emphasis | Tag::Strong) => label = Some(String::new()),
            Event::Text(words) => label.iter_mut().for_each(|label| *label += &words),
            Event::End(TagEnd::Emphasis | TagEnd::Strong) => labels.extend(label.take()),
            _ => {}
        }
    }
    labels.retain(|label| !label.ends_with('.'));
    labels
}

/// The letters and digits of a string, from the first to the last, in lower case: symbols
/// around a label do not matter. A label without any is taken as it is.
fn bare(words: &str) -> String {
    match words.trim_matches(|letter: char| !letter.is_alphanumeric()) {
        "" => words.trim().to_owned(),
        bare => bare.to_lowercase(),
    }
}

/// Adds the strings among these tokens.
fn add_strings(strings: &mut BTreeSet<String>, tokens: TokenStream) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_strings(strings, group.stream()),
            TokenTree::Literal(literal) => {
                if let Lit::Str(text) = Lit::new(literal) {
                    strings.insert(bare(&text.value()));
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// Adds the strings of the sources in a folder, without those of their tests.
fn read(strings: &mut BTreeSet<String>, folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().unwrap_or_default();
        if path.is_dir() && name != "tests" {
            read(strings, &path);
        } else if path.extension().is_some_and(|end| end == "rs") && name != "tests" {
            let text = fs::read_to_string(&path).expect("a source is a text");
            let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let tokens = product.parse().expect("a source consists of tokens");
            add_strings(strings, tokens);
        }
    }
}

#[test]
fn every_label_in_the_chapters_about_playing_exists() {
    let mut strings: BTreeSet<String> = Button::ALL.map(|button| bare(button.name())).into();
    read(&mut strings, &root().join("emulator/src"));
    let mut named = BTreeSet::new();
    for page in PAGES {
        let path = Path::new(CHAPTERS).join(page);
        let document = all().into_iter().find(|document| document.path == path);
        named.extend(labels(&document.expect("the chapter is there").text));
    }
    for subject in SUBJECTS {
        assert!(named.remove(subject), "no chapter names {subject} any more");
    }
    assert!(named.len() > 10, "{named:?}");
    let missing: Vec<&String> = named
        .iter()
        .filter(|label| !strings.contains(&bare(label)))
        .collect();
    assert!(
        missing.is_empty(),
        "the window has no such strings: {missing:?}"
    );
}

#[test]
fn labels_differ_from_headings_of_paragraphs() {
    let text = "**Colours.** Click *Take back* or **▶ Two players**, `*no label*`.\n";
    assert_eq!(labels(text), ["Take back", "▶ Two players"]);
    assert_eq!(bare("▶ Two players …"), "two players");
    assert_eq!(bare("?"), "?");
    let mut strings = BTreeSet::new();
    let source = r##"fn f() { ui.button("Take back"); g!(r"Redo"); h(b'x', 'y', 7) }"##;
    add_strings(&mut strings, source.parse().unwrap());
    assert_eq!(strings, ["redo", "take back"].map(str::to_owned).into());
}
