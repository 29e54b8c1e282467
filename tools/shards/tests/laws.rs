//! Shards add up: what many machines write, killed as often as you like, is what one
//! machine writes.

use std::fs;
use std::path::Path;

use law::{Judged, Weight, law};
use proptest::prelude::*;
use shards::{
    MergeOptions, Shard, ShardError, ShardFile, ShardHeading, ShardResult, command_of, digest_of,
    merged,
};

type Contents = ShardResult<String, String>;

fn heading(shard: Shard, jobs: u64) -> ShardHeading<String> {
    ShardHeading {
        command: "a command".to_owned(),
        plan: "a plan with \"quotes\"\nand lines".to_owned(),
        jobs,
        shard,
    }
}

/// What a job has as its result, on every machine.
fn result(job: u64) -> String {
    format!("{}\n", job.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

fn contents(shard: Shard, jobs: u64) -> Contents {
    let results = shard.jobs(jobs).map(|job| (job, result(job)));
    ShardResult {
        heading: heading(shard, jobs),
        results: results.collect(),
    }
}

fn shard(number: u64, of: u64) -> Shard {
    Shard::new(number, of).expect("a shard")
}

/// How the process of a shard fares: it does some jobs, in this order, and is killed when
/// its file has this share of its bytes.
#[derive(Clone, Debug)]
struct Process {
    order: Vec<prop::sample::Index>,
    cut: prop::sample::Index,
}

fn process() -> impl Strategy<Value = Process> {
    let order = prop::collection::vec(any::<prop::sample::Index>(), 0..12);
    (order, any::<prop::sample::Index>()).prop_map(|(order, cut)| Process { order, cut })
}

/// Does jobs of a shard until the process is killed. Returns the number of jobs done.
fn live_and_be_killed(path: &Path, heading: &ShardHeading<String>, process: &Process) -> usize {
    let mut file = ShardFile::open(Some(path), heading.clone()).expect("it goes on");
    let mut done = 0;
    for index in &process.order {
        let left: Vec<u64> = file.contents().left().collect();
        if !left.is_empty() {
            let job = left[index.index(left.len())];
            file.add(job, result(job)).expect("it can be written");
            done += 1;
        }
    }
    drop(file);
    let bytes = fs::read(path).expect("it is there");
    let kept = process.cut.index(bytes.len() + 1);
    fs::write(path, &bytes[..kept]).expect("it can be cut");
    done
}

#[test]
fn killed_shards_merge_into_what_one_machine_writes() {
    let processes = prop::collection::vec(process(), 0..8);
    let cases = (1..5_u64, 0..30_u64, processes);
    law(Weight::of(120, 70), cases, |(of, jobs, processes)| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |number: u64| folder.path().join(format!("{number}.jsonl"));
        let mut done = 0;
        for (process, number) in processes.iter().zip((1..=of).cycle()) {
            let heading = heading(shard(number, of), jobs);
            done += live_and_be_killed(&path(number), &heading, process);
        }
        for number in 1..=of {
            let heading = heading(shard(number, of), jobs);
            let mut file: ShardFile<String, String> =
                ShardFile::open(Some(&path(number)), heading).expect("it goes on");
            // From the last to the first, as threads may end.
            let left: Vec<u64> = file.contents().left().collect();
            for job in left.into_iter().rev() {
                file.add(job, result(job)).expect("it can be written");
            }
            file.finish().expect("it can be finished");
            let text = fs::read_to_string(path(number)).expect("it is there");
            prop_assert_eq!(text, contents(shard(number, of), jobs).to_text());
        }
        let options = MergeOptions {
            files: (1..=of).rev().map(path).collect(),
            out: Some(path(0)),
        };
        merged::<String, String>(&options, "a command").expect("all are there");
        let whole = fs::read_to_string(path(0)).expect("it is written");
        prop_assert_eq!(whole, contents(Shard::WHOLE, jobs).to_text());
        Ok(Judged::if_any(done > 0))
    });
}

#[test]
fn every_job_belongs_to_exactly_one_shard() {
    law(Weight::of(200, 80), (1..9_u64, 0..60_u64), |(of, jobs)| {
        let mut all: Vec<u64> = (1..=of)
            .flat_map(|number| shard(number, of).jobs(jobs))
            .collect();
        all.sort_unstable();
        prop_assert_eq!(all, (0..jobs).collect::<Vec<_>>());
        for number in 1..=of {
            let shard = shard(number, of);
            let has: Vec<u64> = (0..jobs).filter(|job| shard.has(*job)).collect();
            prop_assert_eq!(has, shard.jobs(jobs).collect::<Vec<_>>());
            prop_assert_eq!(shard.to_string().parse(), Ok(shard));
        }
        Ok(Judged::if_any(jobs > of && of > 1))
    });
}

#[test]
fn a_missing_job_is_named() {
    let shards: Vec<Contents> = (1..=3)
        .map(|number| contents(shard(number, 3), 9))
        .collect();
    assert_eq!(
        ShardResult::merge(&shards[..2]),
        Err(ShardError::Missing(2))
    );
    let twice = [&shards[..], &shards[..1]].concat();
    let whole = ShardResult::merge(&twice).expect("a file that is named twice counts once");
    assert_eq!(whole, contents(Shard::WHOLE, 9));
}

#[test]
fn a_text_that_is_not_a_shard_is_refused() {
    for text in ["", "0/3", "4/3", "1/0", "/", "1/2/3", "a/b", "-1/2"] {
        let error = text.parse::<Shard>().expect_err("that is none");
        assert!(error.contains("write 2/5"), "{error}");
    }
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let none: [Contents; 0] = [];
    assert_eq!(ShardResult::merge(&none), Err(ShardError::Nothing));
    let files = [contents(Shard::WHOLE, 3), contents(Shard::WHOLE, 4)];
    assert_eq!(ShardResult::merge(&files), Err(ShardError::Different));
    let mut other = contents(Shard::WHOLE, 3);
    other.results.insert(1, "another".to_owned());
    let text = contents(Shard::WHOLE, 3).to_text() + other.to_text().lines().nth(2).expect("a job");
    let read = Contents::parse(&(text + "\n"), "a command");
    assert_eq!(read, Err(ShardError::Contradiction(1)));
    let files = [contents(Shard::WHOLE, 3), other];
    assert_eq!(
        ShardResult::merge(&files),
        Err(ShardError::Contradiction(1))
    );
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let second = heading(shard(2, 3), 9);
    let own = contents(shard(2, 3), 9).to_text();
    let others = [
        ("hello\n".to_owned(), "line 1 is not"),
        ("hello".to_owned(), "line 1 is not"),
        (contents(shard(1, 3), 9).to_text(), "other options"),
        (contents(shard(2, 3), 8).to_text(), "other options"),
        (own.replace("a command", "another"), "a file of `another`"),
        (own.replace("\"job\":4", "\"job\":5"), "job 5 is not"),
    ];
    for (text, says) in others {
        fs::write(&path, &text).expect("it can be written");
        let refused = ShardFile::<String, String>::open(Some(&path), second.clone());
        let error = refused.err().expect("it is refused").to_string();
        assert!(error.contains(says), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
    }
}

#[test]
fn two_processes_do_not_write_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let open = || ShardFile::<String, String>::open(Some(&path), heading(Shard::WHOLE, 3));
    let first = open().expect("it begins");
    let error = open().err().expect("it is in use").to_string();
    assert!(error.contains("in use"), "{error}");
    drop(first);
    assert!(open().is_ok());
}

#[test]
fn a_file_tells_the_command_that_wrote_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, contents(Shard::WHOLE, 2).to_text()).expect("it can be written");
    let options = MergeOptions {
        files: vec![path],
        out: None,
    };
    assert_eq!(command_of(&options), Ok("a command".to_owned()));
}

#[test]
fn a_digest_sees_what_moves_between_parts() {
    let digest = |parts: &[&str]| digest_of(parts.iter().map(|part| part.as_bytes()));
    assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
    assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    assert_ne!(digest(&["ab", "c"]), digest(&["abc"]));
}
