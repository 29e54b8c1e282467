//! Tests the tutorial: every text in it is a file next to it, and every command prints
//! what the page shows.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use regex::Regex;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// A fenced part of the page, or the text around such parts.
enum Block<'a> {
    Fenced(&'a str, &'a str),
    Around(&'a str),
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    static FENCED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?ms)^```(\S[^\n]*)\n(.*?)^```$").unwrap());
    let mut blocks = Vec::new();
    let mut at = 0;
    for found in FENCED.captures_iter(page) {
        let whole = found.get_match();
        blocks.push(Block::Around(&page[at..whole.start()]));
        let part = |group| found.get(group).unwrap().as_str();
        blocks.push(Block::Fenced(part(1), part(2)));
        at = whole.end();
    }
    blocks.push(Block::Around(&page[at..]));
    blocks
}

/// The output of the commands, run one after the other in a folder; durations are
/// masked.
fn printed(folder: &Path, commands: &str) -> String {
    static SECONDS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r", \d+\.\d s\n").unwrap());
    let mut printed = String::new();
    for line in commands.lines() {
        let mut words = shell_words(line).into_iter();
        assert_eq!(words.next().as_deref(), Some("ludemes"), "{line}");
        let output = Command::new(env!("CARGO_BIN_EXE_ludemes"))
            .args(words)
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(matches!(output.status.code(), Some(0 | 2)), "{line}");
        let text = [output.stdout, output.stderr].concat();
        printed += &String::from_utf8(text).unwrap();
    }
    SECONDS.replace_all(&printed, ", 0.1 s\n").into_owned()
}

/// The words of a command line, with quoted ones unquoted.
fn shell_words(line: &str) -> Vec<String> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""([^"]*)"|\S+"#).unwrap());
    let words = WORD.captures_iter(line);
    let each = words.map(|word| match word.get(1) {
        Some(quoted) => quoted.as_str().to_owned(),
        None => word[0].to_owned(),
    });
    each.collect()
}

/// The expected page: each text replaced by its file, and after each command its output.
fn made(page: &str, folder: &Path) -> String {
    let mut made = String::new();
    let mut to_print = None;
    for block in blocks(page) {
        match block {
            Block::Around(text) => made += text,
            Block::Fenced(what, text) => {
                let mut text = text.to_owned();
                if let Some(file) = what.strip_prefix("lud ") {
                    text = std::fs::read_to_string(docs().join(file)).unwrap();
                    std::fs::write(folder.join("embers.lud"), &text).unwrap();
                } else if what == "sh" && text.starts_with("ludemes ") {
                    to_print = Some(printed(folder, &text));
                } else if what == "text" {
                    text = to_print
                        .take()
                        .expect("a command stands before what it prints");
                }
                write!(made, "```{what}\n{text}```").unwrap();
            }
        }
    }
    assert!(to_print.is_none(), "what a command prints is left out");
    made
}

#[test]
fn commands_of_the_tutorial_print_what_the_page_shows() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tutorial");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = docs().join("tutorial.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let made = made(&page, &folder);
    if std::env::var_os("UPDATE_TUTORIAL").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    // The size of a cartridge may change with the compiler, so it is masked.
    static BYTES: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d+ (bytes|words)").unwrap());
    let without = |text: &str| BYTES.replace_all(text, "$1").into_owned();
    let (is, ought) = (without(&page), without(&made));
    for (number, (is, ought)) in is.lines().zip(ought.lines()).enumerate() {
        assert_eq!(
            is,
            ought,
            "line {}: if the command is right, run this test with UPDATE_TUTORIAL=1",
            number + 1
        );
    }
    assert_eq!(is, ought);
    // Every text and picture is used, and the last step has written the cartridge.
    for entry in std::fs::read_dir(docs().join("tutorial")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let words = match name.ends_with(".lud") {
            true => format!("```lud tutorial/{name}\n"),
            false => format!("](tutorial/{name})"),
        };
        assert!(page.contains(&words), "{name}");
    }
    assert!(folder.join("embers.cart").exists());
}

#[test]
fn the_picture_of_the_board_is_up_to_date() {
    let folder = docs().join("tutorial");
    let output = Command::new(env!("CARGO_BIN_EXE_ludemes"))
        .args(["picture", "1-board.lud"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let drawn = String::from_utf8(output.stdout).unwrap();
    let kept = std::fs::read_to_string(folder.join("board.svg")).unwrap();
    assert!(
        drawn == kept,
        "run `ludemes picture 1-board.lud > board.svg` in docs/tutorial and look at it"
    );
}
