//! Builds the program behind `hil-bridge mcp`. It is a workspace of its own, because its
//! dependencies request features that would cause a second build of the window. It is built
//! into the tree's build folder all the same, to take what is equal from there.

use std::path::Path;
use std::process::Command;

use crate::cargo::{self, run, target_dir};

/// The folder of the MCP server.
pub const FOLDER: &str = "hil-bridge/mcp";
const PROGRAM: &str = "hil-bridge-mcp";

/// Builds the program, and copies it next to `hil-bridge`.
pub fn build() -> anyhow::Result<()> {
    run(&mut of_program("build")?)?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let target = target_dir()?;
    let program = target.join("debug").join(&name);
    std::fs::create_dir_all(program.parent().unwrap_or(Path::new("")))?;
    cargo::put(&target.join("mcp/debug").join(&name), &program)?;
    println!("{}", program.display());
    Ok(())
}

/// The command for its tests, which use a client of the same MCP library.
pub fn tests() -> anyhow::Result<Command> {
    of_program("test")
}

/// The command that lints it.
pub fn lint() -> anyhow::Result<()> {
    cargo::lint(of_program("clippy")?)
}

fn of_program(what: &str) -> anyhow::Result<Command> {
    let mut command = cargo::of_workspace(what, FOLDER, "mcp")?;
    command.env("CARGO_BUILD_BUILD_DIR", target_dir()?);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;

    use crate::cargo::root;

    use super::FOLDER;

    /// The versions of each package in the lock file of a workspace.
    fn versions(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
        let text = fs::read_to_string(root().join(folder).join("Cargo.lock")).unwrap();
        let mut all = BTreeMap::<_, BTreeSet<_>>::new();
        for package in text.split("[[package]]").skip(1) {
            let value = |key: &str| {
                let line = package.lines().find_map(|line| line.strip_prefix(key));
                line.unwrap().trim_matches('"').to_owned()
            };
            let versions = all.entry(value("name = ")).or_default();
            versions.insert(value("version = "));
        }
        all
    }

    #[test]
    fn the_tools_for_agents_have_the_versions_of_the_tree() {
        let tree = versions("");
        let mut common = 0;
        for (name, own) in versions(FOLDER) {
            let Some(versions) = tree.get(&name) else {
                continue;
            };
            assert!(
                own.is_subset(versions),
                "{name}: {own:?}, but the tree has {versions:?}: run `cargo update {name} --precise VERSION` in {FOLDER}"
            );
            common += 1;
        }
        assert!(common > 100, "{common}");
    }
}
