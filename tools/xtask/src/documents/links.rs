//! Checks the links of documents, and the chapters of the book.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{CHAPTERS, Document, all};
use crate::cargo::root;

/// The broken links of these documents, one per line.
fn broken(documents: &[Document]) -> Vec<String> {
    let headings: BTreeMap<&Path, Vec<String>> = documents
        .iter()
        .map(|document| (document.path.as_path(), document.parts().headings))
        .collect();
    let mut broken = Vec::new();
    for document in documents {
        let here = document.path.display();
        if let Some(shown) = document.shown() {
            if !headings.contains_key(shown.as_path()) {
                broken.push(format!(
                    "{here} shows {}, which is not there",
                    shown.display()
                ));
            }
            continue;
        }
        for target in document.parts().targets {
            let (file, heading) = match target.split_once('#') {
                Some((file, heading)) => (file, Some(heading)),
                None => (target.as_str(), None),
            };
            if file.contains(':') {
                continue;
            }
            let mut path = match file {
                "" => document.path.clone(),
                file => document.beside(file),
            };
            if !root().join(&path).exists() {
                broken.push(format!("{here} links to {target}, which is not there"));
                continue;
            }
            // A chapter that includes another document has its headings.
            let chapter = documents.iter().find(|other| other.path == path);
            if let Some(shown) = chapter.and_then(Document::shown) {
                path = shown;
            }
            let known = headings.get(path.as_path());
            let is_there =
                |heading: &str| known.is_some_and(|known| known.iter().any(|name| name == heading));
            if heading.is_some_and(|heading| !is_there(heading)) {
                broken.push(format!(
                    "{here} links to {target}, which has no such heading"
                ));
            }
        }
    }
    broken
}

#[test]
fn every_link_leads_to_an_existing_file_and_heading() {
    let documents = all();
    let links: usize = documents
        .iter()
        .map(|document| document.parts().targets.len())
        .sum();
    assert!(
        documents.len() > 20 && links > 50,
        "only {} documents with {links} links were seen",
        documents.len()
    );
    let broken = broken(&documents);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_dead_link_is_found() {
    let document = |path: &str, text: &str| Document {
        path: PathBuf::from(path),
        text: text.to_owned(),
    };
    let documents = [
        document(
            "README.md",
            "# One\n\n[a](Cargo.toml) [b](#one) [c](#two) [d](none.md)",
        ),
        document(
            "tools/x.md",
            "[e](../README.md#one) [f](../README.md#two) [g](https://h)",
        ),
        document("tools/y.md", "{{#include ../none.md}}\n"),
    ];
    let found = [
        "README.md links to #two, which has no such heading",
        "README.md links to none.md, which is not there",
        "tools/x.md links to ../README.md#two, which has no such heading",
        "tools/y.md shows none.md, which is not there",
    ];
    assert_eq!(broken(&documents), found);
}

#[test]
fn every_chapter_is_in_the_summary_once() {
    let (summary, chapters): (Vec<_>, Vec<_>) = all()
        .into_iter()
        .filter(|document| document.path.starts_with(CHAPTERS))
        .partition(|document| document.path.ends_with("SUMMARY.md"));
    let summary = summary.first().expect("the book has a summary");
    let listed: Vec<PathBuf> = summary
        .parts()
        .targets
        .iter()
        .map(|target| summary.beside(target))
        .collect();
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a chapter is listed twice");
    let there: BTreeSet<&PathBuf> = chapters.iter().map(|chapter| &chapter.path).collect();
    assert_eq!(once, there);
    let shown: Vec<PathBuf> = chapters.iter().filter_map(Document::shown).collect();
    let once: BTreeSet<&PathBuf> = shown.iter().collect();
    assert_eq!(once.len(), shown.len(), "two chapters show one document");
}
