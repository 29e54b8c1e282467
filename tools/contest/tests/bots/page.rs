//! Tests README.md: its dialogue is played, and its example bots are built and play.

use crate::common;

use std::fs;
use std::path::Path;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    fs::read_to_string(path).expect("it is there")
}

#[test]
fn the_page_documents_every_fault_and_option() {
    let page = page();
    let help = common::stdout(&common::contest(&["run", "--help"]));
    let options = help
        .split_whitespace()
        .filter(|word| word.starts_with("--"));
    for option in options.map(|word| word.trim_end_matches([',', ')', '.'])) {
        if option != "--help" && option != "--verbose" {
            assert!(page.contains(option), "{option}");
        }
    }
}

/// The example bots. If they cannot be built, the task prints the reason.
mod bots {
    use super::*;
    use std::path::PathBuf;
    use std::process::Command;

    /// The folder of the bots; `None`, with a message, if the tools to build them are
    /// missing.
    fn bots_or_excuse(test: &str) -> Option<PathBuf> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["run", "--quiet", "--package", "xtask", "--", "bots"])
            .output()
            .expect("the task runs");
        let told = common::text(&output.stderr);
        if let Some(why) = told
            .lines()
            .find_map(|line| line.strip_prefix("error: no compiler: "))
        {
            law::excuse(test, &format!("there are no bots to judge: {why}"));
            return None;
        }
        assert!(output.status.success(), "{told}");
        let printed = common::text(&output.stdout);
        let path = printed.lines().last().expect("it prints where they are");
        Some(Path::new(path).parent().expect("a folder").to_owned())
    }

    #[test]
    fn the_bots_of_the_page_work_and_the_searching_one_wins() {
        let Some(folder) = bots_or_excuse("the_bots_of_the_page_work_and_the_searching_one_wins")
        else {
            return;
        };
        for name in ["first.wasm", "my_bot.wasm"] {
            let path = folder.join(name);
            let said = common::stdout(&common::contest(&["check", &path.to_string_lossy()]));
            assert!(said.contains("keeps the interface"), "{said}");
        }
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        // Half of this fuel is what the bot uses.
        let arguments = [
            "play",
            &path("first.wasm"),
            &path("depth5.wasm"),
            "--fuel",
            "20000000",
        ];
        let printed = common::stdout(&common::contest(&arguments));
        assert!(printed.contains("depth5 (o) wins 16-0"), "{printed}");
        let arguments = [
            "check",
            &path("depth5.wasm"),
            "--games",
            "1",
            "--fuel",
            "20000000",
        ];
        let said = common::stdout(&common::contest(&arguments));
        assert!(said.contains("won 1 of them"), "{said}");
    }
}

/// The dialogue, played by a program.
#[cfg(unix)]
mod dialogue {
    use super::*;
    use crate::common::Folder;

    /// The lines of the dialogue: the contest's lines begin with `> `, the bot's with
    /// `< `.
    fn dialogue(mark: &str) -> Vec<String> {
        let page = page();
        let block = page.split("```dialogue\n").nth(1).expect("there is one");
        let block = block.split("```").next().expect("it ends");
        let lines = block.lines().filter_map(|line| line.strip_prefix(mark));
        lines.map(str::to_owned).collect()
    }

    /// A bot gives the answers of the page, and reports its input.
    #[test]
    fn a_bot_reads_the_dialogue_of_the_page() {
        let folder = Folder::new("dialogue");
        let answers = dialogue("< ");
        folder.program(
            "page.py",
            &format!(
                "#!/usr/bin/env python3
import sys
answers = iter({answers:?})
for line in sys.stdin:
    print(line.rstrip(), file=sys.stderr, flush=True)
    if line.startswith('move'):
        print(next(answers), flush=True)
"
            ),
        );
        // A bot that answers as the page describes and then makes an illegal mark.
        folder.bot(
            "other.wasm",
            &common::bot(
                "(global $n (mut i32) (i32.const 0)) (func $count (result i32)
               (global.set $n (i32.add (global.get $n) (i32.const 1))) (global.get $n))",
                "(if (result i32) (i32.eq (call $count) (i32.const 1))
               (then (i32.const 254)) (else (i32.const 1000)))",
            ),
        );
        let output = common::contest_of_programs(&[
            "play",
            &folder.path("page.py"),
            &folder.path("other.wasm"),
        ]);
        let printed = common::stdout(&output);
        let told = printed
            .lines()
            .filter_map(|line| line.strip_prefix("page wrote: "));
        let told: Vec<&str> = told.collect();
        assert_eq!(told, dialogue("> "));
    }
}
