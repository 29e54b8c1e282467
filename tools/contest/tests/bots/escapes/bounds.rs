//! Bounds on what a bot takes, and what a system has to permit.

use std::process::Output;

use super::*;
use crate::common::has_walls_or_excuses;

#[test]
fn open_files_and_threads_are_limited() {
    if !has_walls_or_excuses("open_files_and_threads_are_limited", true) {
        return;
    }
    let folder = Folder::new("counted");
    let act = "
import threading, time
files = []
try:
    while len(files) < 10000: files.append(os.open('/dev/null', 0))
except OSError: pass
threads = []
try:
    while len(threads) < 1000:
        threads.append(threading.Thread(target=time.sleep, args=(5,), daemon=True))
        threads[-1].start()
except RuntimeError: pass
tell(f'{len(files)} {len(threads)}')
os.closerange(10, 10000)";
    bot(&folder, "many.py", act);
    let said = play(
        true,
        &folder,
        "many.py",
        &["--allow-threads", "--process-mib", "4096"],
    );
    let words = told(&said);
    let numbers: Vec<u32> = words[0]
        .split(' ')
        .map(|word| word.parse().expect("a number"))
        .collect();
    assert!(numbers[0] > 10 && numbers[0] <= 256, "{said}");
    assert!(numbers[1] > 10 && numbers[1] <= 128, "{said}");
}

#[test]
fn shared_memory_does_not_evade_the_limit() {
    if !has_walls_or_excuses("shared_memory_does_not_evade_the_limit", false) {
        return;
    }
    let folder = Folder::new("shared");
    let act = format!(
        "
import mmap
zero = lambda: call('mmap', {mmap}, 0, 1 << 20, 1, 1, os.open('/dev/zero', 0), 0)
tell(attempt('nameless', lambda: mmap.mmap(-1, 1 << 20)), attempt('zero', zero))",
        mmap = libc::SYS_mmap
    );
    bot(&folder, "maps.py", &act);
    for (namespaces, zero) in [
        (true, "zero:FileNotFoundError"),
        (false, "zero:'mmap:-1:1'"),
    ] {
        let said = play(namespaces, &folder, "maps.py", &[]);
        // On a system without namespaces, both settings are the second one.
        let zero = match has_walls_or_excuses("shared_memory_does_not_evade_the_limit", namespaces)
        {
            true => zero,
            false => "zero:'mmap:-1:1'",
        };
        assert_eq!(told(&said), ["nameless:PermissionError", zero], "{said}");
    }
}

#[test]
fn root_runs_no_programs_and_still_plays_with_modules() {
    if !common::is_root() {
        return law::excuse(
            "root_runs_no_programs_and_still_plays_with_modules",
            "only root can judge",
        );
    }
    let folder = Folder::new("root");
    folder.bot("low.wasm", &common::first_legal("", 0));
    folder.bot("high.wasm", &common::first_legal("", 77));
    let run =
        || -> Output { common::contest(&["run", &folder.path(""), "--out", &folder.path("out")]) };
    stdout(&run());
    folder.program("bot.py", &python("", ""));
    let bot = folder.path("bot.py");
    let words = "are not run as root, whom no wall keeps out: run contest as another user";
    common::failed(&run(), words);
    common::failed(&common::contest(&["check", &bot]), words);
    common::failed(&common::contest(&["play", &bot, "random"]), words);
    let inside = common::contest(&["inside", "--", &bot]);
    assert_eq!(inside.status.code(), Some(125));
    assert!(stderr(&inside).contains("root"), "{}", stderr(&inside));
}

#[test]
fn missing_protection_is_reported_once() {
    if !has_walls_or_excuses("missing_protection_is_reported_once", false) {
        return;
    }
    let folder = Folder::new("missing");
    folder.program("bot.py", &python("", ""));
    folder.program("other.py", &python("", ""));
    let arguments = ["run", &folder.path(""), "--out", &folder.path("out")];
    let output = command(false, &arguments).output().expect("it runs");
    stdout(&output);
    let sentence = "Note: bots see all files that you may read, and your processes: the system does not permit user namespaces.";
    assert_eq!(
        stderr(&output).matches(sentence).count(),
        1,
        "{}",
        stderr(&output)
    );
}
