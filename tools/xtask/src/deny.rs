//! Judges all third-party crates, of every lock file, by `.cargo/deny.toml`: licences,
//! known weaknesses, withdrawn versions, and where a crate comes from. A program of its
//! own does it, `cargo-deny`, which is not installed for anybody.

use anyhow::{bail, ensure};

use crate::cargo::{cargo, root, succeeds};
use crate::workspaces;

/// The rules.
const RULES: &str = ".cargo/deny.toml";

/// How to install the program that judges.
const INSTALL: &str = "cargo install cargo-deny --locked";

/// What needs no network, apart from the crates themselves.
const WITHOUT_NETWORK: [&str; 3] = ["bans", "licenses", "sources"];

/// What crates are judged by.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Options {
    /// Leave out known weaknesses and withdrawn versions, whose list is fetched from the
    /// network.
    #[arg(long)]
    offline: bool,
}

/// Judges the crates of every workspace, and reports all that is wrong.
pub fn judge(options: Options) -> anyhow::Result<()> {
    ensure!(
        is_installed(),
        "cargo-deny is missing: install it with `{INSTALL}`"
    );
    let checks: &[&str] = match options.offline {
        true => &WITHOUT_NETWORK,
        false => &["all"],
    };
    let mut refused = Vec::new();
    for folder in workspaces::folders() {
        let within = folder.strip_prefix(root()).unwrap_or(&folder);
        let manifest = within.join("Cargo.toml");
        println!("{}:", manifest.display());
        let mut deny = cargo();
        deny.args(["deny", "--config", RULES, "--manifest-path"]);
        deny.arg(&manifest).arg("check").args(checks);
        let status = deny.status()?;
        if !status.success() {
            refused.push(manifest.display().to_string());
        }
    }
    if !refused.is_empty() {
        bail!("the rules of {RULES} are broken by {}", refused.join(", "));
    }
    Ok(())
}

/// Judges by what needs no network if cargo-deny is installed, and otherwise tells how to
/// install it.
pub fn judge_if_installed() -> anyhow::Result<()> {
    if is_installed() {
        return judge(Options { offline: true });
    }
    println!("crates are not judged, since cargo-deny is missing: install it with `{INSTALL}`");
    Ok(())
}

fn is_installed() -> bool {
    succeeds(cargo().args(["deny", "--version"]))
}
