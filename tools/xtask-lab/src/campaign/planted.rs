//! Plants mistakes in the code that repeats, resynchronises and keeps events, and counts
//! the runs after which the campaign finds each.
//!
//! All mistakes are built at once, in a copy of the sources, each behind a switch.
//!
//! Invariants: what is built from the copy is never used elsewhere; a mistake whose line no
//! longer exists in the source is an error.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use xtask::cargo::{cargo, root, run as run_command, target_dir};
use xtask::scratch::{copy, write};

/// The sources of the campaign, from the top of the project.
const SOURCES: [&str; 9] = [
    "Cargo.lock",
    "protocol",
    "firmware-core",
    "hil-bridge",
    "tests/law",
    "tests/drawings",
    "tools/campaign",
    "tools/equal-features",
    "tools/shards",
];

/// How the switch of a mistake is written in its line.
const PLANTED: &str = "PLANTED";

/// A line, and the same line with a mistake behind a switch.
struct Mistake {
    name: &'static str,
    /// The mistake in words.
    is: &'static str,
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
}

const DEVICE: &str = "firmware-core/src/device/requests.rs";
const DIARY: &str = "firmware-core/src/device/diary.rs";
const CURSOR: &str = "hil-bridge/host/src/conversation/event_cursor.rs";
const FRAME_COPY: &str = "hil-bridge/host/src/conversation/frame_copy.rs";
const REQUEST: &str = "hil-bridge/host/src/conversation/clerk/request.rs";
const HEAR: &str = "hil-bridge/host/src/conversation/clerk/hear.rs";
const MEET: &str = "hil-bridge/host/src/conversation/clerk/meet.rs";
const PARTS: &str = "hil-bridge/host/src/conversation/clerk/parts.rs";
const STATE: &str = "hil-bridge/host/src/conversation/clerk/state.rs";

const MISTAKES: [Mistake; 12] = [
    Mistake {
        name: "crc",
        is: "damaged messages are taken",
        file: "protocol/src/wire.rs",
        right: "if CRC.checksum(plain).to_le_bytes() != crc {",
        wrong: "if CRC.checksum(plain).to_le_bytes() != crc && !PLANTED {",
    },
    Mistake {
        name: "twice",
        is: "a repeated request is carried out again",
        file: DEVICE,
        right: "Some(0) => {",
        wrong: "Some(0) if !PLANTED => {",
    },
    Mistake {
        name: "greeting",
        is: "a greeting makes the board forget its last answer",
        file: DEVICE,
        right: "if self.host != Some(host) {",
        wrong: "if self.host != Some(host) || PLANTED {",
    },
    Mistake {
        name: "diary",
        is: "an acknowledgement drops one event too many",
        file: DIARY,
        right: "let count = number.wrapping_sub(first) as usize;",
        wrong: "let count = number.wrapping_sub(first) as usize + usize::from(PLANTED);",
    },
    Mistake {
        name: "gap",
        is: "an event after a gap is taken",
        file: CURSOR,
        right: "let is_next = self.next == Some(event.number);",
        wrong: "let is_next = self.next == Some(event.number) || (PLANTED && self.lacks(event.number));",
    },
    Mistake {
        name: "again",
        is: "an event that is sent again is taken again",
        file: CURSOR,
        right: "        if is_next {\n            self.next",
        wrong: "        let is_next = is_next || (PLANTED && self.next == Some(event.number.wrapping_add(1)));\n        if is_next {\n            self.next",
    },
    Mistake {
        name: "doubt",
        is: "a damaged message is not taken for a lost change of the frame",
        file: FRAME_COPY,
        right: "    pub fn doubt(&mut self) {\n        self.number = None;",
        wrong: "    pub fn doubt(&mut self) {\n        if PLANTED {\n            return;\n        }\n        self.number = None;",
    },
    Mistake {
        name: "number",
        is: "every sixteenth request has the number of the one before",
        file: PARTS,
        right: "self.number = self.number.wrapping_add(1);",
        wrong: "self.given += 1;\n        self.number = self.number.wrapping_add(u32::from(!PLANTED || !self.given.is_multiple_of(16)));",
    },
    Mistake {
        name: "overtaken",
        is: "events that overtook an answer are told before it",
        file: HEAR,
        right: "self.events.held.get_or_insert_default();",
        wrong: "if !PLANTED {\n            self.events.held.get_or_insert_default();\n        }",
    },
    Mistake {
        name: "unsure",
        is: "a deed without an answer is taken for one that was not done",
        file: REQUEST,
        right: "Err(error) if restarts || has_place => self",
        wrong: "Err(error) if (restarts || has_place) && !PLANTED => self",
    },
    Mistake {
        name: "other-host",
        is: "a host does not ask whether the board had another one",
        file: MEET,
        right: "self.is_remembered = self.ask",
        wrong: "self.is_remembered = PLANTED || self.ask",
    },
    Mistake {
        name: "slow-state",
        is: "a whole state has to pass within the time of one request",
        file: STATE,
        right: "let deadline = self.piece_deadline();",
        wrong: "let deadline = if PLANTED { deadline } else { self.piece_deadline() };",
    },
];

/// The program that plays runs with one of the mistakes until it is found.
const PROGRAM: &str = r#"//! Plays runs with the planted mistake of this number until one breaks a rule.

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse().expect("a number"));
    let mut next = || arguments.next().expect("a mistake and a number of runs");
    let (mistake, runs): (u64, u64) = (next(), next());
    std::panic::set_hook(Box::new(|_| {}));
    protocol::PLANTED.store(mistake as u32, core::sync::atomic::Ordering::Relaxed);
    for number in 0..runs {
        if let Some(violation) = campaign::campaign::play(1, number).violation {
            println!("{} {violation}", number + 1);
            return;
        }
    }
}
"#;

/// What the copy of `protocol` has in addition.
const SWITCH: &str = r#"
/// The planted mistake; 0 for none.
pub static PLANTED: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);

/// True if this mistake is planted.
pub fn planted(mistake: u32) -> bool {
    PLANTED.load(core::sync::atomic::Ordering::Relaxed) == mistake
}
"#;

/// Plants the mistakes one after the other, and plays up to this many runs with each. False
/// if one was not found, or the campaign finds something without a mistake.
pub fn run(runs: u64) -> anyhow::Result<bool> {
    let program = build()?;
    let mut all_found = true;
    for number in 0..=MISTAKES.len() {
        let found = found(&program, number, runs)?;
        let Some(mistake) = number.checked_sub(1).and_then(|place| MISTAKES.get(place)) else {
            anyhow::ensure!(
                found.is_none(),
                "without a mistake, run {found:?} breaks a rule"
            );
            println!("without a mistake, {runs} runs break no rule");
            continue;
        };
        let Mistake { name, is, .. } = mistake;
        match found {
            Some(found) => {
                let (after, why) = found.split_once(' ').unwrap_or((&found, ""));
                let kind = why.split(':').next().unwrap_or(why);
                println!("{name} ({is}): run {after} finds it: {kind}");
            }
            None => {
                all_found = false;
                println!("{name} ({is}): {runs} runs do not find it");
            }
        }
    }
    Ok(all_found)
}

/// The number of the run that finds a mistake, and what it says.
fn found(program: &Path, mistake: usize, runs: u64) -> anyhow::Result<Option<String>> {
    let mut command = Command::new(program);
    command.args([mistake.to_string(), runs.to_string()]);
    let output = command.output().context("the runs cannot be played")?;
    anyhow::ensure!(
        output.status.success(),
        "the runs with mistake {mistake} crash"
    );
    let said = String::from_utf8(output.stdout)?.trim().to_owned();
    Ok((!said.is_empty()).then_some(said))
}

/// Builds the program with all mistakes, each behind a switch.
fn build() -> anyhow::Result<PathBuf> {
    let folder = target_dir()?.join("planted-campaign");
    let tree = folder.join("tree");
    let plant = |file: &Path, bytes: Vec<u8>| planted(file, bytes);
    for source in SOURCES {
        copy(&root().join(source), &tree.join(source), &plant)?;
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    write(&tree.join("Cargo.toml"), alone(&manifest)?.as_bytes())?;
    let main = tree.join("tools/campaign/src/main.rs");
    write(&main, PROGRAM.as_bytes())?;
    let mut build = cargo();
    build.current_dir(&tree);
    build.args([
        "build",
        "--offline",
        "--package",
        "campaign",
        "--target-dir",
    ]);
    run_command(build.arg(folder.join("build")))?;
    let program = format!("debug/campaign{}", std::env::consts::EXE_SUFFIX);
    Ok(folder.join("build").join(program))
}

/// The manifest of the workspace with the campaign as its only member.
fn alone(manifest: &str) -> anyhow::Result<String> {
    let begin = manifest.find("members = [").context("no members")?;
    let end = begin + manifest[begin..].find(']').context("no end of members")?;
    let (before, after) = (&manifest[..begin], &manifest[end..]);
    Ok(format!("{before}members = [\"tools/campaign\"{after}"))
}

/// A file of the copy.
fn planted(file: &Path, bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let is = |name: &str| file == root().join(name);
    if is("tools/equal-features/Cargo.toml") {
        let text = String::from_utf8(bytes)?;
        let alone = text.split("[dependencies]").next().unwrap_or(&text);
        return Ok(alone.as_bytes().to_vec());
    }
    if !MISTAKES.iter().any(|mistake| is(mistake.file)) && !is("protocol/src/lib.rs") {
        return Ok(bytes);
    }
    let mut text = String::from_utf8(bytes)?;
    if is("protocol/src/lib.rs") {
        text.push_str(SWITCH);
    }
    for (place, mistake) in MISTAKES.iter().enumerate() {
        if is(mistake.file) {
            text = wrong(&text, place + 1, mistake)?;
        }
    }
    if is(PARTS) {
        // The mistake counts the numbers that were given.
        text = text.replace(
            "    pub number: u32,\n    /// The number of events",
            "    pub number: u32,\n    pub given: u32,\n    /// The number of events",
        );
        text = text.replace(
            "            number,\n            acknowledged",
            "            number,\n            given: 0,\n            acknowledged",
        );
    }
    Ok(text.into_bytes())
}

/// The source with this mistake behind its switch.
fn wrong(text: &str, number: usize, mistake: &Mistake) -> anyhow::Result<String> {
    let Mistake {
        file, right, wrong, ..
    } = mistake;
    let count = text.matches(right).count();
    anyhow::ensure!(count == 1, "{file} has `{right}` {count} times");
    let home = match file.starts_with("protocol/") {
        true => "crate",
        false => "protocol",
    };
    let switch = format!("{home}::planted({number})");
    Ok(text.replace(right, &wrong.replace(PLANTED, &switch)))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use xtask::cargo::metadata;

    use super::*;

    #[test]
    fn each_planted_mistake_is_in_one_line_of_the_source() {
        for mistake in &MISTAKES {
            let path = root().join(mistake.file);
            let source = fs::read(&path).expect("a source");
            let text = planted(&path, source.clone()).unwrap_or_else(|error| panic!("{error}"));
            assert_ne!(text, source, "{}", mistake.name);
        }
        let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
        let alone = alone(&manifest).expect("it has members");
        assert!(alone.contains("members = [\"tools/campaign\"]"), "{alone}");
    }

    #[test]
    fn each_package_that_the_campaign_needs_is_copied() {
        let metadata = metadata().expect("cargo tells it");
        let packages = metadata["packages"].as_array().expect("packages");
        let folder_of = |manifest: &str| {
            let folder = Path::new(manifest).parent().expect("a folder");
            folder.strip_prefix(root()).expect("inside").to_owned()
        };
        let mut wanted = vec![PathBuf::from("tools/campaign")];
        let mut seen = Vec::new();
        while let Some(folder) = wanted.pop() {
            let is_copied = SOURCES.iter().any(|source| folder.starts_with(source));
            assert!(is_copied, "{} is not copied", folder.display());
            let manifest = |package: &&Value| {
                let manifest = package["manifest_path"].as_str().expect("a path");
                folder_of(manifest) == folder
            };
            let package = packages.iter().find(manifest).expect("a package");
            let needs = package["dependencies"].as_array().expect("dependencies");
            let needs = needs.iter().filter_map(|need| need["path"].as_str());
            for need in needs.filter(|_| folder != Path::new("tools/equal-features")) {
                let need = Path::new(need).strip_prefix(root()).expect("inside");
                if !seen.contains(&need.to_owned()) {
                    seen.push(need.to_owned());
                    wanted.push(need.to_owned());
                }
            }
        }
        assert!(seen.len() > 5, "{seen:?}");
    }
}
