//! The last step of the chapter "A tour": a mistake in a game's source is found by
//! `check`, shrunk, and corrected while the board runs under `--watch=sources`. The
//! mistake is made in a copy of the tree, which is built beside it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{sleep, spawn};
use std::time::Duration;

use protocol::{KnownLayout, Layout};
use touchboard_host::check::{CheckOptions, TimeLimit, Verdict, check};
use touchboard_host::scenario;
use touchboard_links::{At, Where};
use xtask::cargo::{cargo, root, run, target_dir};
use xtask::scratch;

/// The line of the chapter, and the mistake that is made in it: whoever has moved, moves
/// again.
const SOURCE: &str = "firmware-core/src/games/reversi/mod.rs";
const RIGHT: &str = "[side, side.other()]";
const WRONG: &str = "[side.other(), side]";

/// The seed of the check.
const SEED: u64 = 11;

/// The message of the board that was built from the changed sources.
const BUILT: &str = "the board was rebuilt: ";

/// A copy of the tree with the mistake, and how it is built.
struct Copy {
    folder: PathBuf,
    build: PathBuf,
}

impl Copy {
    fn with_mistake() -> Copy {
        let target = target_dir().unwrap();
        let copy = Copy {
            folder: target.join("mended/tree"),
            build: target.join("mended/build"),
        };
        let manifest = root().join("Cargo.toml");
        let plant = |from: &Path, bytes: Vec<u8>| {
            if from.ends_with(SOURCE) {
                let source = String::from_utf8(bytes)?;
                return Ok(replaced(&source, RIGHT, WRONG).into_bytes());
            }
            if from == manifest {
                // It is built twice, but plays for a minute only.
                let profiles = String::from_utf8(bytes)?;
                return Ok(profiles
                    .replace("opt-level = 3", "opt-level = 0")
                    .into_bytes());
            }
            Ok(bytes)
        };
        scratch::copy(&root(), &copy.folder, &plant).unwrap();
        copy
    }

    /// The board that it is built into.
    fn program(&self) -> PathBuf {
        let name = format!("virtual-board{}", std::env::consts::EXE_SUFFIX);
        self.build.join("debug").join(name)
    }

    /// A command that runs in the copy, and builds its programs into their own folder.
    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.folder);
        scratch::share_libraries(&mut command, &self.build).unwrap();
        command.env("TOUCHBOARD_VIRTUAL_BOARD", self.program());
        command
    }

    fn mend(&self) {
        let path = self.folder.join(SOURCE);
        let wrong = fs::read_to_string(&path).unwrap();
        fs::write(&path, replaced(&wrong, WRONG, RIGHT)).unwrap();
    }

    /// Compares its board with the twin of this program, which has no mistake.
    fn check(&self) -> Verdict {
        let place = Where {
            program: Some(self.program()),
            ..Where::new(At::Virtual)
        };
        let options = CheckOptions {
            seed: SEED,
            steps: 500,
            layout: KnownLayout::from(Layout::MALDOO),
            faults: Default::default(),
            shrink_for: TimeLimit::ENDLESS,
        };
        let mut board = place.open().unwrap();
        check(&mut *board, &options, &mut |_| ()).unwrap()
    }
}

/// The text with `from` replaced by `to` at its only place.
fn replaced(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{SOURCE} contains {from}");
    text.replace(from, to)
}

/// Sends each line of a program's output to the channel.
fn forward(output: impl Read + Send + 'static, tell: Sender<String>) {
    spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = tell.send(line);
        }
    });
}

/// A shell that runs as a program.
struct Shell {
    program: Child,
    obeys: ChildStdin,
    lines: Receiver<String>,
}

impl Shell {
    /// `hil-bridge shell` on the board of this copy, whose sources are watched.
    fn watching(copy: &Copy) -> Shell {
        let name = format!("hil-bridge{}", std::env::consts::EXE_SUFFIX);
        let mut command = copy.command(target_dir().unwrap().join("debug").join(name));
        command.args(["shell", "--at", "virtual", "--watch=sources"]);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let (tell, lines) = channel();
        forward(program.stdout.take().unwrap(), tell.clone());
        forward(program.stderr.take().unwrap(), tell);
        Shell {
            obeys: program.stdin.take().unwrap(),
            program,
            lines,
        }
    }

    fn obey(&mut self, line: &str) {
        writeln!(self.obeys, "{line}").unwrap();
    }

    /// Lets board time pass until a line contains this, however long that takes. Returns
    /// the lines until then.
    fn wait_for(&mut self, words: &str) -> Vec<String> {
        let mut told = Vec::new();
        while !told.iter().any(|line: &String| line.contains(words)) {
            let ended = self.program.try_wait().unwrap();
            if let Some(status) = ended {
                told.extend(self.lines.iter());
                panic!("the shell ended ({status}): {told:#?}");
            }
            self.obey("wait 1");
            sleep(Duration::from_millis(200));
            told.extend(self.lines.try_iter());
        }
        told
    }

    /// Ends the shell, and returns what it still printed.
    fn end(self) -> (bool, Vec<String>) {
        let Shell {
            mut program,
            obeys,
            lines,
        } = self;
        drop(obeys);
        let status = program.wait().unwrap();
        (status.success(), lines.iter().collect())
    }
}

#[test]
fn a_wrong_rule_is_found_shrunk_and_mended_within_a_game() {
    run(cargo().args(["build", "--quiet", "--package", "hil-bridge"])).unwrap();
    let copy = Copy::with_mistake();
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let build = "build --quiet --package virtual-board --package equal-features";
    run(copy.command(program).args(build.split(' '))).unwrap();
    let Verdict::Differs(found) = copy.check() else {
        panic!("the mistake is not found");
    };
    assert!(found.session.acts() <= 4, "{:?}", found.session.entries);
    assert!(found.found_after > found.session.acts());

    let mut shell = Shell::watching(&copy);
    // The scenario expects what the twin shows; here the board is only driven.
    let lines = scenario::lines(&found.session).unwrap().into_iter();
    for line in lines.filter(|line| !line.starts_with("expect ")) {
        shell.obey(&line);
    }
    shell.wait_for("Reversi begins");
    copy.mend();
    let told = shell.wait_for(BUILT);
    let news = told.iter().find(|line| line.contains(BUILT)).unwrap();
    assert!(
        news.contains(", now "),
        "the first difference is named: {told:?}"
    );
    let (is_good, told) = shell.end();
    assert!(is_good, "{told:?}");

    let verdict = copy.check();
    assert!(matches!(verdict, Verdict::Agrees(_)), "{verdict:?}");
}
