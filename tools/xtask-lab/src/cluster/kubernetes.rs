//! An Indexed Job for Kubernetes: a pod for each shard, and a job that merges.

use anyhow::Context;
use serde_json::{Value, json};

use super::sharded::Sharded;
use super::{MOST_RETRIES, NamedFile};

/// Where the volume for the results is in each pod.
const RESULTS: &str = "/results";

/// The files of the job.
pub fn files(work: &Sharded, image: &str, claim: &str) -> anyhow::Result<Vec<NamedFile>> {
    let number = "number=$((JOB_COMPLETION_INDEX + 1))";
    let run = format!("{number}; exec {}", work.run("$number", RESULTS));
    let shards = job(&work.name(), work.shards, &run, image, claim);
    let merge = format!("exec {}", work.merge(RESULTS));
    let merge = job(&format!("{}-merge", work.name()), 1, &merge, image, claim);
    Ok(vec![
        ("shards.yaml", yaml(&shards)?),
        ("merge.yaml", yaml(&merge)?),
    ])
}

pub fn advice(work: &Sharded) -> String {
    let (folder, name) = (&work.folder, work.name());
    format!(
        "In the image: {}\nThen:\n  kubectl apply -f {folder}/shards.yaml\n  kubectl wait --for=condition=complete --timeout=-1s job/{name}\n  kubectl apply -f {folder}/merge.yaml",
        work.build()
    )
}

fn job(name: &str, shards: u32, script: &str, image: &str, claim: &str) -> Value {
    // Kubernetes replaces `$(NAME)` itself, and two dollars by one.
    let script = script.replace('$', "$$");
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "name": name },
        "spec": {
            "completionMode": "Indexed",
            "completions": shards,
            "parallelism": shards,
            "backoffLimitPerIndex": MOST_RETRIES,
            "podFailurePolicy": {
                "rules": [
                    // A node that is taken away is not the shard's failure.
                    {
                        "action": "Ignore",
                        "onPodConditions": [{ "type": "DisruptionTarget" }],
                    },
                    // A program that ended by itself would end like that again.
                    {
                        "action": "FailIndex",
                        "onExitCodes": {
                            "containerName": "shard",
                            "operator": "In",
                            "values": [1, 2],
                        },
                    },
                ],
            },
            "template": {
                "spec": {
                    "restartPolicy": "Never",
                    "containers": [{
                        "name": "shard",
                        "image": image,
                        "command": ["/bin/sh", "-c", script],
                        "volumeMounts": [{ "name": "results", "mountPath": RESULTS }],
                    }],
                    "volumes": [{
                        "name": "results",
                        "persistentVolumeClaim": { "claimName": claim },
                    }],
                },
            },
        },
    })
}

/// A document as YAML.
pub fn yaml(document: &Value) -> anyhow::Result<String> {
    serde_norway::to_string(document).context("the document cannot be written as YAML")
}
