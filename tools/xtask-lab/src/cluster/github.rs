//! A workflow for GitHub: a job for each shard, and one that merges.
//!
//! A runner's disk goes with it, so a shard that is killed is begun again, with "Re-run
//! failed jobs".

use serde_json::{Value, json};

use super::NamedFile;
use super::kubernetes::yaml;
use super::sharded::{Sharded, ShardedError};

/// The most jobs of a matrix.
const MOST_JOBS: u32 = 256;
const RESULTS: &str = "results";
/// The jobs that run even if a shard found something wrong.
const ALWAYS: &str = "${{ !cancelled() }}";

/// The file of the workflow.
pub fn files(work: &Sharded) -> Result<anyhow::Result<Vec<NamedFile>>, ShardedError> {
    if let Some(word) = work.chosen().find(|word| word.contains("${{")) {
        return Err(ShardedError::Expression(word.clone()));
    }
    if work.shards > MOST_JOBS {
        return Err(ShardedError::Many(work.shards));
    }
    Ok(yaml(&workflow(work)).map(|text| vec![("shards.yml", text)]))
}

pub fn advice(work: &Sharded) -> String {
    let (folder, name) = (&work.folder, work.name());
    format!(
        "Copy {folder}/shards.yml to .github/workflows/{name}.yml, push it, and start it with:\n  gh workflow run {name}.yml"
    )
}

fn workflow(work: &Sharded) -> Value {
    let number = "${{ matrix.shard }}";
    let shards: Vec<u32> = (1..=work.shards).collect();
    let run = format!("mkdir -p {RESULTS} && {}", work.run(number, RESULTS));
    let upload = |name: &str, path: &str| {
        json!({
            "if": ALWAYS,
            "uses": "actions/upload-artifact@v4",
            "with": { "name": name, "path": path, "if-no-files-found": "error" },
        })
    };
    json!({
        "name": work.name(),
        "on": { "workflow_dispatch": {} },
        "permissions": { "contents": "read" },
        "jobs": {
            "shard": {
                "strategy": { "fail-fast": false, "matrix": { "shard": shards } },
                "runs-on": "ubuntu-latest",
                "steps": [
                    { "uses": "actions/checkout@v4" },
                    { "run": work.build() },
                    { "run": run },
                    upload(&format!("shard-{number}"), &format!("{RESULTS}/shard-*")),
                ],
            },
            "merge": {
                "if": ALWAYS,
                "needs": "shard",
                "runs-on": "ubuntu-latest",
                "steps": [
                    { "uses": "actions/checkout@v4" },
                    { "run": work.build() },
                    {
                        "uses": "actions/download-artifact@v4",
                        "with": { "path": RESULTS, "pattern": "shard-*", "merge-multiple": true },
                    },
                    { "run": work.merge(RESULTS) },
                    upload("merged", &format!("{RESULTS}/merged*")),
                ],
            },
        },
    })
}
