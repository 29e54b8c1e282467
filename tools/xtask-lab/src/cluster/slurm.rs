//! An array job for Slurm: a task for each shard, and a job that merges.

use super::sharded::Sharded;
use super::{MOST_RETRIES, NamedFile};

/// The files of the job.
pub fn files(work: &Sharded) -> Vec<NamedFile> {
    vec![
        ("shards.sbatch", shards(work)),
        ("merge.sbatch", merge(work)),
        ("submit.sh", submit(work)),
    ]
}

pub fn advice(work: &Sharded) -> String {
    format!(
        "From the top of a checkout that all nodes share:\n  {}\n  sh {}/submit.sh",
        work.build(),
        work.folder
    )
}

fn results(work: &Sharded) -> String {
    format!("{}/results", work.folder)
}

/// Slurm itself begins a task again when its node is lost. A program that is killed alone,
/// as for its memory, is begun again by the script.
fn shards(work: &Sharded) -> String {
    let (name, typed, shards) = (work.name(), work.typed(), work.shards);
    let results = results(work);
    let run = work.run("$SLURM_ARRAY_TASK_ID", &results);
    format!(
        "#!/bin/sh
#SBATCH --job-name={name}
#SBATCH --array=1-{shards}
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={results}/shard-%a.log
# The shards of `{typed}`.
left={MOST_RETRIES}
while :; do
    {run}
    code=$?
    # Above 128, a signal ended the program. It goes on with its file.
    if [ \"$code\" -le 128 ] || [ \"$left\" -eq 0 ]; then
        exit \"$code\"
    fi
    echo \"shard $SLURM_ARRAY_TASK_ID ended with $code, and goes on\"
    left=$((left - 1))
done
"
    )
}

fn merge(work: &Sharded) -> String {
    let (name, typed) = (work.name(), work.typed());
    let results = results(work);
    let merge = work.merge(&results);
    format!(
        "#!/bin/sh
#SBATCH --job-name={name}-merge
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --output={results}/merged.log
# What one machine would have written for `{typed}`.
exec {merge}
"
    )
}

/// The merging job waits for the end of all tasks, whatever their results: those are in
/// the files, and a file that is not complete is refused there.
fn submit(work: &Sharded) -> String {
    let folder = &work.folder;
    format!(
        "#!/bin/sh
set -e
shards=$(sbatch --parsable {folder}/shards.sbatch)
merge=$(sbatch --parsable --dependency=afterany:\"${{shards%%;*}}\" {folder}/merge.sbatch)
echo \"$shards $merge\"
"
    )
}
