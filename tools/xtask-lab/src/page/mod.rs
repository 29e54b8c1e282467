//! Builds the page: the board in a browser, as a folder of files that any server of files
//! can serve.
//!
//! Invariants: the folder contains everything that the page needs, and nothing is fetched
//! from elsewhere; an old file in it is removed.

mod browser;
mod serve;
mod tools;

use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use relay::{RelayLimits, RelayService};
use serve::Site;
use touchboard_host::game_names::{NamedGame, table};
use xtask::cargo::{root, run, target_dir};
use xtask::{book, wasm};

use crate::folder::{files, name};

/// The profiles of the workspace's `Cargo.toml`, each with the name of its folder of builds:
/// a small program, and one that is built in a fraction of the time.
const SMALL: [&str; 2] = ["page", "page"];
const QUICK: [&str; 2] = ["dev", "debug"];
/// The generated files: sizes and version, and the texts of games.
const PARTS: &str = "parts.js";
const TEXTS: &str = "texts.js";
/// The folder of the book, beside the page.
const BOOK: &str = "book";
/// The folder of the document's own files.
const SITE: &str = "emulator/page/site";

/// Options of the page.
#[derive(Args)]
pub struct Options {
    /// Serve the page to browsers on this machine
    #[arg(long)]
    serve: bool,
    /// The port to serve it at; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8000, requires = "serve")]
    port: u16,
    /// Test the page in Chromium
    #[arg(long, conflicts_with = "serve")]
    test: bool,
    /// Build in a third of the time a page that is twice as large, to try a change
    #[arg(long, conflicts_with = "as_it_is")]
    quick: bool,
    /// Use the page as it was built last
    #[arg(long)]
    as_it_is: bool,
}

/// Builds the page, prints the sizes of its files, and serves or tests it if requested.
pub fn make(options: &Options) -> anyhow::Result<()> {
    let site = target_dir()?.join("page");
    if !options.as_it_is {
        build(&site, if options.quick { QUICK } else { SMALL })?;
    }
    if options.serve {
        return with_relay(|relay| {
            let site = Site::open(&site, options.port, relay)?;
            println!("{}", site.address());
            site.serve();
            Ok(())
        });
    }
    match options.test {
        true => with_relay(|relay| browser::test(&site, relay)),
        false => Ok(()),
    }
}

/// Does this while a relay for tables runs on this machine, at the address that is passed.
fn with_relay<T>(work: impl FnOnce(SocketAddr) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let mut relay = RelayService::listen(here, RelayLimits::default())?;
    let (address, stop) = (relay.address(), relay.stopper());
    std::thread::scope(|scope| {
        let serving = scope.spawn(move || relay.run());
        let done = work(address);
        stop.stop();
        match serving.join() {
            Ok(served) => served.map_err(anyhow::Error::from).and(done),
            Err(_) => done.and_then(|_| bail!("the relay ended by itself")),
        }
    })
}

fn build(site: &Path, [profile, folder]: [&str; 2]) -> anyhow::Result<()> {
    eprintln!("The page is built: the first time takes ten minutes and more.");
    wasm::run_cargo(&["build", "--package", "page", "--profile", profile])?;

    // Nothing of an earlier build stays.
    let fresh = site.with_extension("new");
    let _ = fs::remove_dir_all(&fresh);
    fs::create_dir_all(&fresh)?;
    let program = wasm::builds()?.join(wasm::TARGET).join(folder);
    run(Command::new(tools::bindgen()?)
        .args([
            "--target",
            "web",
            "--no-typescript",
            "--remove-name-section",
            "--remove-producers-section",
            "--out-name",
            "page",
            "--out-dir",
        ])
        .arg(&fresh)
        .arg(program.join("page.wasm")))?;
    for file in files(&root().join(SITE))? {
        fs::copy(&file, fresh.join(name(&file)?))?;
    }
    fs::write(fresh.join(TEXTS), texts()?)?;
    let parts = parts(&fresh)?;
    fs::write(fresh.join(PARTS), parts)?;
    book::build_into(&fresh.join(BOOK), "../index.html")?;
    let _ = fs::remove_dir_all(site);
    fs::rename(&fresh, site).with_context(|| format!("{} cannot be written", site.display()))?;
    print_sizes(site)
}

/// The texts that the editor can begin with, by the names of their games.
fn texts() -> anyhow::Result<String> {
    let mut texts = serde_json::Map::new();
    for row in table() {
        if let NamedGame::Text(file) = row.game {
            let text = ludemes::games::TEXTS.iter().find(|(name, _)| *name == file);
            let (_, text) = text.with_context(|| format!("{file} is in no list"))?;
            texts.insert(row.own.clone(), (*text).into());
        }
    }
    let texts = serde_json::to_string_pretty(&texts)?;
    Ok(format!(
        "// The bundled texts of games. Generated.\nexport const texts = {texts};\n"
    ))
}

/// The list of all files with their sizes, and a version that changes with any of them.
fn parts(folder: &Path) -> anyhow::Result<String> {
    let mut version = DefaultHasher::new();
    let mut sizes = String::new();
    for file in files(folder)? {
        let content = fs::read(&file)?;
        content.hash(&mut version);
        let name = name(&file)?;
        writeln!(sizes, "    \"{name}\": {},", content.len())?;
    }
    let version = version.finish();
    Ok(format!(
        "// The files of the page with their sizes in bytes. Generated.\nself.touchboardParts = {{\n  version: \"{version:016x}\",\n  bytes: {{\n{sizes}  }},\n}};\n"
    ))
}

fn print_sizes(site: &Path) -> anyhow::Result<()> {
    let (mut all, mut all_compressed) = (0, 0);
    println!("{:>12} {:>12}  file", "bytes", "by gzip");
    for file in files(site)? {
        let content = fs::read(&file)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        std::io::Write::write_all(&mut gzip, &content)?;
        let compressed = gzip.finish()?.len();
        let name = name(&file)?;
        println!("{:>12} {compressed:>12}  {name}", content.len());
        all += content.len();
        all_compressed += compressed;
    }
    println!("{all:>12} {all_compressed:>12}  {}", site.display());
    Ok(())
}
