//! Builds the book from the chapters in `src` and from the documents that lie beside
//! the code they describe, and serves it to a browser.
//!
//! The chapters are plain mdBook. A chapter that is one line, `{{#include FILE}}`,
//! shows a document of the tree; its links are relative to that document, so that
//! they lead somewhere in the tree as well as in the book (see `links`).

mod links;
mod serve;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Parser;
use mdbook_driver::MDBook;

/// Builds the book.
#[derive(Parser)]
struct Arguments {
    /// The folder to build it in
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    /// The address of the board's page from there, which plays the texts of games in the
    /// book
    #[arg(long, value_name = "ADDRESS", conflicts_with = "serve")]
    page: Option<String>,
    /// Serve the book to browsers on this machine, and rebuild it when a document changes
    #[arg(long)]
    serve: bool,
    /// The port to serve it at
    #[arg(long, value_name = "PORT", default_value_t = 3000, requires = "serve")]
    port: u16,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let sources = build(&arguments.to, arguments.page)?;
    println!("{}", arguments.to.join("index.html").display());
    match arguments.serve {
        true => serve::serve(&arguments.to, arguments.port, sources),
        false => Ok(()),
    }
}

/// Builds the book in a folder, and returns the files from which it was built.
fn build(to: &Path, page: Option<String>) -> anyhow::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tree = folder.ancestors().nth(2).context("the book is in a tree")?;
    let mut book = MDBook::load(folder)?;
    // The path must be absolute: a relative one would be resolved next to `book.toml`.
    book.config.build.build_dir = std::path::absolute(to)?;
    let tree = links::Tree::new(tree, &book);
    let (sources, copied) = (tree.sources(), tree.copied());
    book.with_preprocessor(tree);
    if let Some(page) = page {
        book.with_preprocessor(texts::Texts { page });
    }
    book.build()?;
    for (from, into) in copied.borrow().iter() {
        let into = to.join(into);
        fs::create_dir_all(into.parent().unwrap_or(to))?;
        fs::copy(from, &into).with_context(|| format!("{} cannot be copied", from.display()))?;
    }
    Ok(sources)
}
