//! The documents for Kubernetes and GitHub, and the commands in them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{alone, lab, written};

/// A document that was read as YAML.
fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("it is written");
    serde_norway::from_str(&text).expect("it is YAML")
}

/// Runs a script as a container or a runner would.
fn run(script: &str, folder: &Path, index: usize) {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(folder);
    let output = shell
        .env("JOB_COMPLETION_INDEX", index.to_string())
        .output();
    let output = output.expect("there is a shell");
    assert!(output.status.success(), "{script}: {output:?}");
}

#[test]
fn pods_write_and_merge_what_one_machine_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let k8s = ["k8s", "--image", "registry.example/touchboard:1"];
    let (files, said) = written(&k8s, folder, "3", "7");
    assert!(said.contains("kubectl apply"), "{said}");
    let results = folder.join("volume").display().to_string();
    fs::create_dir(&results).expect("a folder");
    for (name, pods) in [("shards.yaml", 3), ("merge.yaml", 1)] {
        let job = read(&files.join(name));
        assert_eq!(
            (&job["apiVersion"], &job["kind"]),
            (&"batch/v1".into(), &"Job".into())
        );
        let spec = &job["spec"];
        assert_eq!(spec["completionMode"], "Indexed");
        assert_eq!(spec["completions"], pods);
        let pod = &spec["template"]["spec"];
        assert_eq!(pod["restartPolicy"], "Never");
        let container = &pod["containers"][0];
        let rules = spec["podFailurePolicy"]["rules"].as_array().expect("rules");
        assert_eq!(rules[1]["onExitCodes"]["containerName"], container["name"]);
        assert_eq!(
            pod["volumes"][0]["name"],
            container["volumeMounts"][0]["name"]
        );
        let command = container["command"].as_array().expect("words");
        assert_eq!(command[..2], ["/bin/sh", "-c"]);
        // As the cluster does it: a dollar for two, and the volume in its place.
        let script = command[2].as_str().expect("a script").replace("$$", "$");
        let script = script.replace("/results", &results);
        (0..pods).for_each(|index| run(&script, folder, index));
    }
    let merged = fs::read_to_string(folder.join("volume/merged.jsonl")).expect("it is merged");
    assert_eq!(merged, alone(folder, "7"));
}

#[test]
fn runners_write_and_merge_what_one_machine_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (files, said) = written(&["github"], folder, "3", "7");
    assert!(
        said.contains(".github/workflows/touchboard-campaign.yml"),
        "{said}"
    );
    let workflow = read(&files.join("shards.yml"));
    assert!(
        workflow["on"].get("workflow_dispatch").is_some(),
        "{workflow}"
    );
    let jobs = &workflow["jobs"];
    assert_eq!(jobs["merge"]["needs"], "shard");
    let shards = jobs["shard"]["strategy"]["matrix"]["shard"]
        .as_array()
        .expect("a list");
    assert_eq!(shards.len(), 3);
    let scripts = |job: &str| -> Vec<String> {
        let steps = jobs[job]["steps"].as_array().expect("steps");
        let all = steps.iter().filter_map(|step| step["run"].as_str());
        all.map(str::to_owned).collect()
    };
    let [build, shard] = &scripts("shard")[..] else {
        panic!("a build and a shard")
    };
    assert_eq!(build, "cargo build --release --package xtask-lab");
    // The program is at work in the checkout, wherever it is started.
    let absolute = folder.join("results").display().to_string();
    let here = |script: &str| {
        let named = script.replace("\"results/", &format!("\"{absolute}/"));
        named.replace(" results/", &format!(" {absolute}/"))
    };
    for number in shards {
        let script = shard.replace("${{ matrix.shard }}", &number.to_string());
        assert!(!script.contains("${{"), "{script}");
        run(&here(&script), folder, 0);
    }
    let merge = scripts("merge");
    run(&here(&merge[1]), folder, 0);
    let merged = fs::read_to_string(folder.join("results/merged.jsonl")).expect("it is merged");
    assert_eq!(merged, alone(folder, "7"));
}

#[test]
fn work_that_cannot_be_shared_is_refused_with_2() {
    let many = ["cluster", "github", "--shards", "257", "campaign"];
    let expression = [
        "cluster", "github", "--shards", "2", "campaign", "--less", "${{ x }}",
    ];
    for (arguments, says) in [
        (
            &["cluster", "slurm", "--shards", "2", "arena", "bench"][..],
            "takes no shards",
        ),
        (
            &["cluster", "slurm", "--shards", "0", "campaign"],
            "0 is not in",
        ),
        (&["cluster", "k8s", "--shards", "2", "campaign"], "--image"),
        (&many, "256 jobs"),
        (&expression, "another meaning"),
    ] {
        let output = lab(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(says), "{said}");
    }
}
