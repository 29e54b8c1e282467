//! A contest that several machines share.

use std::fs;

use crate::common::{Folder, contest, first_legal, stderr, stdout};

/// The lines of a journal without what a machine's speed decides, in the order of games.
fn records(journal: &str) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(journal).expect("it is there");
    let lines = text.lines().skip(1).map(|line| {
        let (_, json) = line.split_once(' ').expect("a checksum");
        let mut record: serde_json::Value = serde_json::from_str(json).expect("a record");
        record["slowest_ms"] = serde_json::Value::Null;
        record
    });
    let mut records: Vec<_> = lines.collect();
    records.sort_by_key(|record| record["game"].as_u64());
    records
}

#[test]
fn shards_of_a_contest_merge_into_that_of_one_machine() {
    let folder = Folder::new("shards");
    for (name, cell) in [("a", 0), ("b", 50), ("c", 100)] {
        folder.bot(&format!("{name}.wasm"), &first_legal("", cell));
    }
    let run = |out: &str, more: &[&str]| {
        let (bots, out) = (folder.path(""), folder.path(out));
        let run = [
            "run", &*bots, "--seed", "7", "--rounds", "2", "--out", &*out,
        ];
        contest(&[&run[..], more].concat())
    };
    let whole = stdout(&run("whole", &[]));
    for shard in ["1/3", "2/3", "3/3"] {
        let output = run(&shard.replace('/', "-"), &["--shard", shard]);
        assert_eq!(stdout(&output), "");
        assert!(
            stderr(&output).contains("4 of 12 games"),
            "{}",
            stderr(&output)
        );
    }
    let path = |name: &str| folder.path(name);
    let merge = |parts: &[&str], more: &[&str]| {
        let paths: Vec<String> = parts.iter().map(|name| path(name)).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let out = path("merged");
        contest(&[&["merge", "--out", &*out], more, &paths].concat())
    };
    // A shard that was killed within a line is played again, and counts once.
    let journal = path("2-3/journal");
    let lines = fs::read_to_string(&journal).expect("it is there");
    fs::write(&journal, &lines[..lines.len() - 9]).expect("it can be cut");
    let missing = merge(&["1-3", "2-3", "3-3"], &[]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        stderr(&missing).contains("in none of the folders"),
        "{}",
        stderr(&missing)
    );
    run("2-3", &["--shard", "2/3"]);
    let merged = merge(&["3-3", "1-3", "2-3", "1-3"], &[]);
    assert_eq!(stdout(&merged), whole, "{}", stderr(&merged));
    for table in ["table.txt", "table.md", "table.json"] {
        let [merged, whole] = ["merged", "whole"].map(|out| fs::read(path(out) + "/" + table));
        assert_eq!(merged.expect("it is there"), whole.expect("it is there"));
    }
    let journals = ["merged", "whole"].map(|out| records(&path(&format!("{out}/journal"))));
    assert_eq!(journals[0], journals[1]);
    let games = ["merged", "whole"].map(|out| {
        let files = fs::read_dir(path(out) + "/games").expect("a folder");
        let mut names: Vec<_> = files
            .map(|file| file.expect("a file").file_name())
            .collect();
        names.sort();
        names
    });
    assert_eq!(games[0], games[1]);
    // One machine can go on with a shard's folder, and plays only the rest.
    let rest = run("1-3", &[]);
    assert_eq!(stdout(&rest), whole);
    assert!(stderr(&rest).contains("4 of 12 games were played before"));
}

#[test]
fn shards_that_cannot_be_shared_or_merged_end_with_2() {
    let folder = Folder::new("other-shards");
    for name in ["a.wasm", "b.wasm"] {
        folder.bot(name, &first_legal("", 0));
    }
    let bots = folder.path("");
    let swiss = ["run", &*bots, "--format", "swiss", "--shard", "1/2"];
    let output = contest(&swiss);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("Swiss rounds"),
        "{}",
        stderr(&output)
    );
    let [one, other] = ["one", "other"].map(|name| folder.path(name));
    for (seed, out) in [("1", &one), ("2", &other)] {
        stdout(&contest(&["run", &bots, "--seed", seed, "--out", out]));
    }
    let merged = folder.path("merged");
    let output = contest(&["merge", "--out", &merged, &one, &other]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("of another contest"),
        "{}",
        stderr(&output)
    );
}
