//! The files with which a cluster does the shards of a command: a Slurm array job, a
//! Kubernetes Indexed Job, or a GitHub workflow.
//!
//! Invariants: all three run the same command lines; a shard that is killed goes on with
//! its file where the file outlives it, and is begun again elsewhere; a shard that ends by
//! itself is not done again, whatever its result; what is merged is complete.

mod github;
mod kubernetes;
mod sharded;
mod slurm;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use xtask::cargo::root;

use sharded::{Sharded, ShardedError};

/// How often a shard is begun again after it was killed.
const MOST_RETRIES: u32 = 3;

#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    system: ClusterSystem,
}

#[derive(clap::Subcommand)]
enum ClusterSystem {
    /// Write an array job for Slurm, whose nodes share a folder.
    Slurm(ClusterJob),
    /// Write an Indexed Job for Kubernetes 1.29 or later, whose pods share a volume.
    K8s {
        /// The image of the containers. Its working directory is a checkout with the
        /// built programs.
        #[arg(long)]
        image: String,
        /// The claim of the volume for the results, which all pods can write.
        #[arg(long, value_name = "NAME", default_value = "touchboard-results")]
        claim: String,
        #[command(flatten)]
        job: ClusterJob,
    },
    /// Write a workflow for GitHub, with a job for each shard.
    Github(ClusterJob),
}

/// What is done, and in how many shards.
#[derive(clap::Args)]
struct ClusterJob {
    /// The number of shards.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: u32,
    /// The folder for the files.
    #[arg(long, value_name = "FOLDER", default_value = "cluster")]
    into: PathBuf,
    /// The folder of the built programs, on the machines that run them.
    #[arg(long, value_name = "FOLDER", default_value = "target/release")]
    programs: PathBuf,
    /// The command, without `--shard` and `--out`: `campaign --hours 10000`.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "CAMPAIGN"
    )]
    words: Vec<String>,
}

/// A file to be written, by its name in the folder.
type NamedFile = (&'static str, String);

/// Writes the files, and says what to do with them.
pub fn write(options: &Options) -> anyhow::Result<()> {
    let (job, named, advice) = match &options.system {
        ClusterSystem::Slurm(job) => {
            let work = work(job);
            (job, slurm::files(&work), slurm::advice(&work))
        }
        ClusterSystem::K8s { image, claim, job } => {
            let work = work(job);
            let named = kubernetes::files(&work, image, claim)?;
            (job, named, kubernetes::advice(&work))
        }
        ClusterSystem::Github(job) => {
            let work = work(job);
            let named = github::files(&work).unwrap_or_else(|error| refuse(&error));
            (job, named?, github::advice(&work))
        }
    };
    let folder = root().join(&job.into);
    // Where a scheduler writes its logs must be there before it starts.
    let results = folder.join("results");
    fs::create_dir_all(&results).with_context(|| results.display().to_string())?;
    for (name, text) in named {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    println!("{advice}");
    Ok(())
}

/// The command in shards. Ends the program if it cannot be shared.
fn work(job: &ClusterJob) -> Sharded {
    let of = Sharded::of(&job.words, job.shards, &job.into, &job.programs);
    of.unwrap_or_else(|error| refuse(&error))
}

/// Ends the program with this sentence, as for any other wrong word on a command line.
fn refuse<T>(error: &ShardedError) -> T {
    clap::Error::raw(
        clap::error::ErrorKind::ValueValidation,
        format!("{error}\n"),
    )
    .exit()
}

/// A path as it is written into files.
fn in_file(path: &Path) -> String {
    path.display().to_string()
}
