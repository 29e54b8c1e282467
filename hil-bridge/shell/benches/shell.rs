//! A thousand commands piped into the shell and answered as JSON, at a board in the same
//! process. Run: `cargo bench -p touchboard-shell`.
//!
//! Limit: one second, so that scripts need not wait.

use divan::Bencher;
use divan::counter::ItemsCount;
use protocol::Layout;
use touchboard_host::CoreDriver;
use touchboard_shell::{Answers, OnTrouble, Reader, ShellOptions, ShellSession};

/// A script of ten commands.
const SCRIPT: &str =
    "set time=3\nstart\ntap d3\nlegal\nshow\nexpect legal none\nwait 20\ndigest\nscore\npass\n";
/// How many times the script is repeated.
const TIMES: usize = 100;

fn main() {
    divan::main();
}

#[divan::bench]
fn commands(bencher: Bencher) {
    let script = SCRIPT.repeat(TIMES);
    let options = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: Answers::Json,
        reader: Reader::Script,
        on_trouble: OnTrouble::GoOn,
        seed: 7,
    };
    bencher
        .counter(ItemsCount::new(script.lines().count()))
        .bench_local(|| {
            let mut board = CoreDriver::new(Layout::MALDOO, 7).expect("9x9 is a layout");
            let (mut answers, mut errors) = (Vec::new(), Vec::new());
            let script = script.as_bytes();
            ShellSession::new(&mut board, &options)
                .run(script, &mut answers, &mut errors)
                .expect("memory is writable");
            answers
        });
}
