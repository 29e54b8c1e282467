//! Checks the commands in documents: their programs, subcommands and options must exist.

use std::collections::BTreeMap;

use super::all;
use super::clap::{Command, programs};
use crate::cargo::root;

/// The languages of code blocks that contain commands.
const OF_COMMANDS: [&str; 2] = ["sh", "console"];

/// The mistake in a command; `None` if it is correct, or is not one of the tree's
/// programs.
fn wrong(line: &str, programs: &BTreeMap<String, Command>) -> Option<String> {
    let words = words(line);
    let mut words = words.iter().map(String::as_str);
    let mut first = words.next()?;
    while first.contains('=') {
        first = words.next()?;
    }
    let rest: Vec<&str> = words.collect();
    match (first, rest.as_slice()) {
        ("cargo", ["xtask", rest @ ..]) => judge("xtask", rest, programs),
        ("cargo", ["run", rest @ ..]) => {
            let of = rest
                .iter()
                .position(|word| matches!(*word, "-p" | "--package"));
            let package = rest.get(of? + 1).copied().unwrap_or_default();
            let end = rest.iter().position(|word| *word == "--");
            judge(package, end.map_or(&[], |end| &rest[end + 1..]), programs)
        }
        ("cargo", ["bench" | "build" | "deny" | "install" | "test", ..]) => None,
        ("cargo", _) => Some(format!("`{line}`: no such command of cargo is known")),
        (script, _) if script.starts_with("tools/") => {
            let is_there = root().join(script).is_file();
            (!is_there).then(|| format!("`{line}`: {script} is not there"))
        }
        (program, rest) if programs.contains_key(program) => judge(program, rest, programs),
        _ => None,
    }
}

/// The mistake in the arguments of a program.
fn judge(program: &str, rest: &[&str], programs: &BTreeMap<String, Command>) -> Option<String> {
    let Some(mut command) = programs.get(program) else {
        return Some(format!("there is no program `{program}`"));
    };
    let mut path = program.to_owned();
    // The program's arguments also apply to its subcommands, if they are global.
    let mut above: Vec<&Command> = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if matches!(*word, "--" | "|" | ">" | "<" | "&&") {
            break;
        }
        if command.hands_on {
            break;
        }
        if let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) {
            let option = option.trim_start_matches('-');
            let (name, has_value) = match option.split_once('=') {
                Some((name, _)) => (name, true),
                None => (option, false),
            };
            if matches!(name, "help" | "h" | "version" | "V") {
                continue;
            }
            // Each installed command has it: see `touchboard-completions`.
            if name == "generate" {
                break;
            }
            let known = above.iter().copied().chain([command]);
            let found = known
                .filter_map(|command| command.options.get(name))
                .next_back();
            match found {
                None => return Some(format!("`{path}` has no option `{word}`")),
                Some(true) if !has_value => {
                    words.next();
                }
                Some(_) => {}
            }
        } else if !command.commands.is_empty() {
            let Some(inside) = command.commands.get(*word) else {
                // A placeholder for any of them.
                let is_placeholder = word.chars().all(|letter| letter.is_ascii_uppercase());
                return (!is_placeholder).then(|| format!("`{path}` has no command `{word}`"));
            };
            above.push(command);
            command = inside;
            path = format!("{path} {word}");
        }
    }
    None
}

/// The words of a shell command, up to a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(open)) if letter == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(letter),
            ('#', None) if word.is_none() => break,
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The commands of a block, with continued lines joined.
fn commands(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let lines = joined
        .lines()
        .map(|line| line.strip_prefix("$ ").unwrap_or(line));
    lines.map(str::to_owned).collect()
}

#[test]
fn every_command_that_a_document_shows_exists() {
    let programs = programs();
    let (mut seen, mut wrongs) = (0, Vec::new());
    for document in all() {
        let parts = document.parts();
        let of_commands = |kind: &str| OF_COMMANDS.contains(&kind);
        let blocks = parts.blocks.iter().filter(|(kind, _)| of_commands(kind));
        let lines = blocks.flat_map(|(_, block)| commands(block));
        // A code span in a sentence may mention programs without being a command:
        // `emulator -> hil-bridge`.
        let is_command = |span: &&String| span.contains(' ') && !span.contains("->");
        let spans = parts.spans.iter().filter(is_command).cloned();
        for line in lines.chain(spans) {
            seen += 1;
            let found = wrong(&line, &programs);
            wrongs.extend(found.map(|wrong| format!("{}: {wrong}", document.path.display())));
        }
    }
    assert!(seen > 150, "only {seen} commands were seen");
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}

#[test]
fn a_wrong_command_in_a_document_is_found() {
    let programs = programs();
    let wrong = |line| wrong(line, &programs).unwrap_or_default();
    for fine in [
        "cargo run -p emulator -- --at qemu --watch # a comment --nothing",
        "cargo run --release -p ludemes-command -- picture \"(tiling T33434 4)\" > board.svg",
        "POST_PASSWORD=... post play 1 alice --tcp localhost:2425 --at /dev/ttyACM0",
        "cargo xtask start -- --help",
        "arena match --game all",
        "ls --no-such-option",
    ] {
        assert_eq!(wrong(fine), "", "{fine}");
    }
    for (line, words) in [
        ("cargo run -p emulater", "no program `emulater`"),
        ("cargo run -p emulator -- --steps 3", "no option `--steps`"),
        ("cargo run -p hil-bridge -- chek", "no command `chek`"),
        (
            "hil-bridge check --palette blue-orange",
            "no option `--palette`",
        ),
        ("cargo xtask firmwares", "no command `firmwares`"),
        ("tools/begin", "tools/begin is not there"),
    ] {
        assert!(wrong(line).contains(words), "{line}: {}", wrong(line));
    }
}
