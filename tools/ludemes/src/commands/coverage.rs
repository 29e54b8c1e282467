//! `ludemes coverage DIR`: how many texts of a collection the language covers, and which
//! constructs to add next for the largest gain.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use ludemes::compile::compile;
use ludemes::{constructs, text};

/// What to look through.
#[derive(clap::Args)]
pub struct Options {
    /// A folder with texts of games, `.lud`, at any depth.
    folder: PathBuf,
    /// Folders to skip, by name.
    #[arg(long, value_name = "NAME")]
    skip: Vec<String>,
    /// The number of constructs to propose.
    #[arg(long, default_value_t = 10)]
    next: usize,
    /// List every text with the constructs that are missing for it.
    #[arg(long)]
    list: bool,
    /// Also compile each text to a cartridge, and give the reason if that fails.
    #[arg(long)]
    cartridges: bool,
}

/// Examines the texts.
///
/// # Errors
/// A folder that cannot be read, or contains no texts.
pub fn run(options: &Options) -> Result<(), String> {
    let mut files = Vec::new();
    find(&options.folder, &options.skip, &mut files)?;
    files.sort();
    if files.is_empty() {
        return Err(format!(
            "{}: no file ends in .lud",
            options.folder.display()
        ));
    }
    let bar = ProgressBar::new(files.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} texts, {eta} left") {
        bar.set_style(style);
    }
    let mut report = Report::default();
    for file in bar.wrap_iter(files.iter()) {
        let name = file.strip_prefix(&options.folder).unwrap_or(file);
        report.add(name, file, options.cartridges);
    }
    bar.finish_and_clear();
    report.print(options);
    Ok(())
}

fn find(folder: &Path, skip: &[String], files: &mut Vec<PathBuf>) -> Result<(), String> {
    let sentence = |error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(sentence)? {
        let entry = entry.map_err(sentence)?;
        let path = entry.path();
        // Links are not followed, since they may form a cycle.
        let kind = entry.file_type().map_err(sentence)?;
        if kind.is_dir() {
            if !skip.iter().any(|name| entry.file_name() == name.as_str()) {
                find(&path, skip, files)?;
            }
        } else if kind.is_file() && path.extension().is_some_and(|end| end == "lud") {
            files.push(path);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Report {
    /// Texts that could not be read, each with the error.
    unread: BTreeMap<String, String>,
    /// The other texts, each with the constructs that are missing for it.
    missing: BTreeMap<String, BTreeSet<String>>,
    /// The number of cartridges.
    cartridges: usize,
    /// The reasons why texts have no cartridge, and how often each occurs.
    refused: BTreeMap<String, usize>,
}

impl Report {
    fn add(&mut self, name: &Path, file: &Path, cartridges: bool) {
        let name = name.display().to_string();
        let read = super::load(file).and_then(|text| {
            text::read(&text).map_err(|trouble| {
                let (line, column) = text::line_and_column(&text, trouble.span);
                format!("{line}:{column}: {trouble}")
            })
        });
        match read {
            Ok(game) => {
                match cartridges.then(|| compile(&game)) {
                    Some(Ok(_)) => self.cartridges += 1,
                    Some(Err(trouble)) => {
                        *self.refused.entry(trouble.to_string()).or_default() += 1
                    }
                    None => {}
                }
                let mut missing = constructs::used(&game);
                missing.retain(|construct| constructs::find(construct).is_none());
                self.missing.insert(name, missing);
            }
            Err(sentence) => {
                self.unread.insert(name, sentence);
            }
        }
    }

    fn print(&self, options: &Options) {
        if options.list {
            for (name, missing) in &self.missing {
                let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
                println!(
                    "{name}: {}",
                    if missing.is_empty() {
                        "all known".to_owned()
                    } else {
                        missing.join(", ")
                    }
                );
            }
        }
        for (name, sentence) in &self.unread {
            println!("{name}:{sentence}");
        }
        let whole = self
            .missing
            .values()
            .filter(|missing| missing.is_empty())
            .count();
        println!(
            "{} texts: {} read, {whole} of them with constructs that are all known ({} constructs)",
            self.missing.len() + self.unread.len(),
            self.missing.len(),
            constructs::all().len(),
        );
        self.propose(options.next);
        if options.cartridges {
            self.print_cartridges(options.next);
        }
    }

    fn print_cartridges(&self, most: usize) {
        println!(
            "{} cartridges; what most of the others are refused for:",
            self.cartridges
        );
        let mut refused: Vec<(&String, &usize)> = self.refused.iter().collect();
        refused.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        for (sentence, texts) in refused.into_iter().take(most) {
            println!("- {texts}: {sentence}");
        }
    }

    /// Prints the constructs to add next: those that complete the most texts per
    /// construct.
    fn propose(&self, steps: usize) {
        let mut added: BTreeSet<&str> = BTreeSet::new();
        while added.len() < steps {
            let Some((next, gain)) = self.best(&added) else {
                return;
            };
            let names: Vec<&str> = next.iter().copied().collect();
            println!("+ {}: {gain} more", names.join(", "));
            added.extend(next);
        }
    }

    /// The set of constructs that completes the most texts per construct, and the number
    /// of these texts.
    fn best<'a>(&'a self, added: &BTreeSet<&'a str>) -> Option<(BTreeSet<&'a str>, usize)> {
        let mut wants: BTreeMap<BTreeSet<&str>, usize> = BTreeMap::new();
        for missing in self.missing.values() {
            let rest: BTreeSet<&str> = missing
                .iter()
                .map(String::as_str)
                .filter(|name| !added.contains(name))
                .collect();
            if !rest.is_empty() {
                *wants.entry(rest).or_default() += 1;
            }
        }
        let gain = |set: &BTreeSet<&str>| -> usize {
            wants
                .iter()
                .filter(|(other, _)| other.is_subset(set))
                .map(|(_, texts)| texts)
                .sum()
        };
        let gains = wants.keys().map(|set| (set, gain(set)));
        let (set, gain) =
            gains.max_by(|(a, m), (b, n)| (m * b.len()).cmp(&(n * a.len())).then(b.cmp(a)))?;
        Some((set.clone(), gain))
    }
}
