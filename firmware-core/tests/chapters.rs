//! Every game has a chapter of the rules beside its code; the chapter names every mode;
//! the index links to it; and no link in a chapter is broken.

use std::fs;
use std::path::{Path, PathBuf};

use firmware_core::games::{self, LAYOUTS_OWN};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The name of a layout's own game is unknown until its layout is known.
fn folder_of(game: u8) -> String {
    match games::about(game).expect("it is in the table") {
        _ if game == LAYOUTS_OWN => "written".into(),
        about => about.name.to_lowercase(),
    }
}

/// The games of this build, by number.
fn all_games() -> impl Iterator<Item = u8> {
    let has_own = games::about(LAYOUTS_OWN).is_some();
    games::BUILT.iter().chain(has_own.then_some(LAYOUTS_OWN))
}

fn chapter_of(game: u8) -> PathBuf {
    root().join(format!("src/games/{}/RULES.md", folder_of(game)))
}

/// The lines of a section, without its heading.
fn section<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    lines.take_while(|line| !line.starts_with("## ")).collect()
}

/// The character of a mode on the display.
fn character_of(mode: u8) -> String {
    let digit = char::from_digit(mode.into(), 36).expect("at most 36 modes");
    digit.to_ascii_uppercase().into()
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.split('|').map(str::trim)
}

fn has_mode(modes: &[&str], mode: u8) -> bool {
    let wanted = character_of(mode);
    modes
        .iter()
        .any(|row| cells(row).any(|cell| cell == wanted))
}

#[test]
fn the_chapter_of_a_game_has_a_cell_for_each_of_its_modes() {
    for game in all_games() {
        let about = games::about(game).expect("it is in the table");
        let text = read(&chapter_of(game));
        // A game with a single mode needs no table.
        if about.modes < 2 {
            continue;
        }
        let rows: Vec<_> = section(&text, "## Modes")
            .into_iter()
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'))
            .collect();
        for mode in 0..about.modes {
            assert!(has_mode(&rows, mode), "mode {mode} of {}", about.name);
        }
        assert!(
            !has_mode(&rows, about.modes),
            "a mode too many: {}",
            about.name
        );
    }
}

#[test]
fn every_chapter_has_rules_and_decisions() {
    for game in all_games() {
        let text = read(&chapter_of(game));
        for heading in ["## How to play", "## What you see and hear", "## Decisions"] {
            assert!(
                !section(&text, heading).is_empty(),
                "{}: {heading}",
                folder_of(game)
            );
        }
    }
}

/// The targets of the links in a text.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1);
    targets.filter_map(|rest| rest.split(')').next()).collect()
}

/// The anchor of a heading: lower case, with hyphens for spaces and without punctuation.
fn anchor_of(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let marks = heading.replace(' ', "-");
    marks
        .chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '-')
        .collect()
}

fn has_anchor(text: &str, anchor: &str) -> bool {
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|heading| anchor_of(heading) == anchor)
}

#[test]
fn the_index_links_every_chapter_and_no_link_is_dead() {
    let index = root().join("RULES.md");
    let shared = fs::read_dir(root().join("rules")).expect("the shared chapters");
    let shared = shared.map(|entry| entry.expect("an entry").path());
    let chapters: Vec<PathBuf> = shared.chain(all_games().map(chapter_of)).collect();
    let text = read(&index);
    let led_to: Vec<PathBuf> = links(&text)
        .into_iter()
        .map(|link| root().join(link))
        .collect();
    for chapter in &chapters {
        assert!(led_to.contains(chapter), "no link to {}", chapter.display());
    }
    for file in chapters.iter().chain([&index]) {
        for link in links(&read(file)) {
            if link.starts_with("https://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = file.parent().expect("a folder").join(path);
            assert!(
                anchor.is_empty() || has_anchor(&read(&target), anchor),
                "{}: {link}",
                file.display()
            );
            assert!(target.is_file(), "{}: {link}", file.display());
        }
    }
}
