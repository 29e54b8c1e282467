//! A command that takes shards, and its command lines.

use std::path::Path;

use super::in_file;

/// A command that takes shards, and how its shards are merged.
struct Known {
    /// The words by which the command is known.
    words: &'static [&'static str],
    /// The package and the program that has it.
    package: &'static str,
    program: &'static str,
    /// The words for the program.
    run: &'static [&'static str],
    merge: &'static [&'static str],
    /// How the result of a shard is called: a file, or a folder.
    ending: &'static str,
    /// It builds programs, each shard in a folder of its own.
    builds: bool,
}

const KNOWN: [Known; 7] = [
    Known {
        words: &["campaign"],
        package: "xtask-lab",
        program: "xtask-lab",
        run: &["campaign"],
        merge: &["campaign", "merge"],
        ending: ".jsonl",
        builds: false,
    },
    Known {
        words: &["mutants"],
        package: "xtask-lab",
        program: "xtask-lab",
        run: &["mutants"],
        merge: &["mutants", "merge"],
        ending: ".jsonl",
        builds: true,
    },
    Known {
        words: &["hil-bridge", "check"],
        package: "hil-bridge",
        program: "hil-bridge",
        run: &["check"],
        merge: &["merge"],
        ending: ".jsonl",
        builds: false,
    },
    Known {
        words: &["arena", "match"],
        package: "arena",
        program: "arena",
        run: &["match"],
        merge: &["merge"],
        ending: ".jsonl",
        builds: false,
    },
    Known {
        words: &["ludemes", "report"],
        package: "ludemes-command",
        program: "ludemes",
        run: &["report"],
        merge: &["merge"],
        ending: ".jsonl",
        builds: false,
    },
    Known {
        words: &["ludemes", "replay"],
        package: "ludemes-command",
        program: "ludemes",
        run: &["replay"],
        merge: &["merge"],
        ending: ".jsonl",
        builds: false,
    },
    Known {
        words: &["contest", "run"],
        package: "contest",
        program: "contest",
        run: &["run"],
        merge: &["merge"],
        ending: "",
        builds: false,
    },
];

/// Why a command cannot be shared. The text is a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardedError {
    /// The command takes no shards.
    #[error("`{0}` takes no shards: write one of {names}", names = names())]
    Unknown(String),
    /// Shards and files are chosen here.
    #[error("leave out `{0}`: each shard gets its own")]
    Chosen(String),
    /// A path would have another meaning in a file.
    #[error("`{0}` is no name for a folder here: use letters, digits and -_./")]
    Folder(String),
    /// A word would be replaced by GitHub.
    #[error("`{0}` has another meaning in a workflow: leave out ${{{{")]
    Expression(String),
    /// There are too many shards.
    #[error("GitHub runs 256 jobs of a matrix at most: ask for fewer shards than {0}")]
    Many(u32),
}

fn names() -> String {
    let names = KNOWN
        .iter()
        .map(|known| format!("`{}`", known.words.join(" ")));
    names.collect::<Vec<_>>().join(", ")
}

/// A command in shards.
pub struct Sharded {
    known: &'static Known,
    /// Its options.
    options: Vec<String>,
    pub shards: u32,
    /// The folder of the files, and that of the programs.
    pub folder: String,
    programs: String,
}

impl Sharded {
    /// The command with these words.
    ///
    /// # Errors
    /// If it takes no shards, or cannot be written into a file.
    pub fn of(
        words: &[String],
        shards: u32,
        folder: &Path,
        programs: &Path,
    ) -> Result<Sharded, ShardedError> {
        let words = match words {
            [cargo, xtask, rest @ ..] if cargo == "cargo" && xtask == "xtask" => rest,
            all => all,
        };
        let known = KNOWN
            .iter()
            .find(|known| words.starts_with_words(known.words));
        let known = known.ok_or_else(|| ShardedError::Unknown(words.join(" ")))?;
        let options = words[known.words.len()..].to_vec();
        let is_chosen = |word: &&String| {
            let name = word.split('=').next().unwrap_or_default();
            name == "--shard" || name == "--out"
        };
        if let Some(word) = options.iter().find(is_chosen) {
            return Err(ShardedError::Chosen(word.clone()));
        }
        let [folder, programs] = [folder, programs].map(in_file);
        for path in [&folder, &programs] {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
            if path.is_empty() || path.starts_with('-') || !path.chars().all(is_plain) {
                return Err(ShardedError::Folder(path.clone()));
            }
        }
        Ok(Sharded {
            known,
            options,
            shards,
            folder,
            programs,
        })
    }

    /// The name of the job.
    pub fn name(&self) -> String {
        format!("touchboard-{}", self.known.words.join("-"))
    }

    /// The command, as it was typed.
    pub fn typed(&self) -> String {
        let words = self.known.words.iter().copied();
        shell_words::join(words.chain(self.options.iter().map(String::as_str)))
    }

    /// The command that builds the program.
    pub fn build(&self) -> String {
        format!("cargo build --release --package {}", self.known.package)
    }

    /// The shell command for a shard, whose number is what `number` stands for in the
    /// shell or the workflow, with the results in this folder.
    pub fn run(&self, number: &str, results: &str) -> String {
        let options = self.options.iter().map(String::as_str);
        let words = shell_words::join(self.known.run.iter().copied().chain(options));
        let own = match self.known.builds {
            true => {
                let from = if results.starts_with('/') {
                    ""
                } else {
                    "$PWD/"
                };
                format!("CARGO_TARGET_DIR=\"{from}{results}/build-{number}\" ")
            }
            false => String::new(),
        };
        format!(
            "{own}{} {words} --shard \"{number}/{}\" --out \"{results}/shard-{number}{}\"",
            self.program(),
            self.shards,
            self.known.ending
        )
    }

    /// The shell command that merges the results in this folder.
    pub fn merge(&self, results: &str) -> String {
        let ending = self.known.ending;
        let shards = (1..=self.shards).map(|number| format!(" {results}/shard-{number}{ending}"));
        format!(
            "{} {} --out {results}/merged{ending}{}",
            self.program(),
            self.known.merge.join(" "),
            shards.collect::<String>()
        )
    }

    fn program(&self) -> String {
        format!("{}/{}", self.programs, self.known.program)
    }

    /// All words that a user has chosen.
    pub fn chosen(&self) -> impl Iterator<Item = &String> {
        self.options.iter()
    }
}

/// Compares words of a command line with those of a known command.
trait StartsWithWords {
    fn starts_with_words(&self, words: &[&str]) -> bool;
}

impl StartsWithWords for [String] {
    fn starts_with_words(&self, words: &[&str]) -> bool {
        self.len() >= words.len() && self.iter().zip(words).all(|(one, other)| one == other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: &str) -> Result<Sharded, ShardedError> {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        Sharded::of(&words, 3, Path::new("cluster"), Path::new("target/release"))
    }

    #[test]
    fn every_known_command_has_its_own_lines() {
        let mut runs = std::collections::BTreeSet::new();
        for known in &KNOWN {
            let work = of(&known.words.join(" ")).expect("it is known");
            let run = work.run("2", "results");
            assert!(
                run.contains("--shard \"2/3\" --out \"results/shard-2"),
                "{run}"
            );
            let merge = work.merge("results");
            assert!(merge.contains("results/shard-3"), "{merge}");
            runs.insert(run);
        }
        assert_eq!(runs.len(), KNOWN.len());
    }

    #[test]
    fn a_command_that_cannot_be_shared_is_refused() {
        let error = |command: &str| of(command).err().expect("it is refused").to_string();
        assert!(error("arena bench").contains("`arena match`"));
        assert!(error("campaign --shard=1/2").contains("leave out `--shard=1/2`"));
        assert!(error("campaign --out x").contains("leave out `--out`"));
        let words = ["campaign".to_owned()];
        for folder in ["", "a b", "a%j", "--into", "$HOME"] {
            let refused = Sharded::of(&words, 3, Path::new(folder), Path::new("bin"));
            assert_eq!(refused.err(), Some(ShardedError::Folder(folder.to_owned())));
        }
    }

    #[test]
    fn words_of_a_command_are_quoted_for_a_shell() {
        let words = ["cargo", "xtask", "campaign", "--less", "acts 3..9, $HOME"];
        let words = words.map(str::to_owned);
        let work = Sharded::of(&words, 3, Path::new("a"), Path::new("b")).expect("it is known");
        assert_eq!(work.typed(), "campaign --less 'acts 3..9, $HOME'");
        assert!(
            work.run("1", "r")
                .contains("--less 'acts 3..9, $HOME' --shard")
        );
    }
}
