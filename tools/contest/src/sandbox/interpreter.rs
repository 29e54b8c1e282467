//! Finds the interpreter of a script.
//!
//! `#!/usr/bin/env python3` means the first `python3` on the path. With a version
//! manager that is a shell script, which starts other processes before it runs the
//! real program; a bot may not do that. So the interpreter is looked up here,
//! skipping scripts.
//!
//! A bot sees few files. If its interpreter is not installed in the system's folders,
//! the interpreter and the files installed with it are added to those that the bot
//! needs.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The longest first line that is considered, in bytes.
const LINE_BYTES: usize = 256;

/// The program and arguments that run a script whose first line uses `env`; `None` for
/// any other file, which the system can start by itself.
#[must_use]
pub fn of(script: &Path, path: Option<OsString>) -> Option<Vec<OsString>> {
    let line = first_line(script)?;
    let mut words = line.strip_prefix("#!")?.split_ascii_whitespace();
    let env = words.next()?;
    if Path::new(env).file_name()? != "env" {
        return None;
    }
    let mut words = words.skip_while(|word| *word == "-S");
    let name = words.next()?;
    // `env` itself handles its options and variables.
    if name.starts_with('-') || name.contains(['=', '/']) {
        return None;
    }
    let folders = std::env::split_paths(&path?).collect::<Vec<PathBuf>>();
    let candidates = folders.iter().map(|folder| folder.join(name));
    let program = candidates
        .into_iter()
        .find(|candidate| is_program(candidate))?;
    let rest = words.map(OsString::from);
    let all = [program.into_os_string()].into_iter().chain(rest);
    Some(all.chain([script.as_os_str().to_owned()]).collect())
}

/// The program that runs for a bot: the interpreter of its first line, or the bot itself.
#[must_use]
#[cfg(target_os = "linux")]
pub fn program(bot: &Path, words: Option<&[OsString]>) -> PathBuf {
    if let Some([program, ..]) = words {
        return PathBuf::from(program);
    }
    let line = first_line(bot).unwrap_or_default();
    let named = line.strip_prefix("#!").map(str::split_ascii_whitespace);
    match named.and_then(|mut words| words.next()) {
        Some(program) => PathBuf::from(program),
        None => bot.to_owned(),
    }
}

/// The folders needed by a program outside the system's folders: its installation, both
/// by its name and by the target of its links. The folder of the bots, and the folders
/// around it, are not part of an installation.
#[must_use]
#[cfg(target_os = "linux")]
pub fn installation(program: &Path, bots: &Path) -> Vec<PathBuf> {
    let real = std::fs::canonicalize(program).ok();
    let both = [Some(program.to_owned()), real];
    let folder_of = |program: PathBuf| {
        let folder = program.parent()?.to_owned();
        let above = folder.parent().filter(|_| folder.ends_with("bin"));
        let whole = above.filter(|above| above.join("lib").is_dir() && above.parent().is_some());
        let whole = whole.filter(|above| !bots.starts_with(above));
        let folder = whole.map_or_else(|| folder.clone(), Path::to_owned);
        (folder.is_absolute() && !bots.starts_with(&folder)).then_some(folder)
    };
    both.into_iter().flatten().filter_map(folder_of).collect()
}

fn first_line(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    let file = File::open(file).ok()?;
    file.take(LINE_BYTES as u64).read_to_end(&mut bytes).ok()?;
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    String::from_utf8(line.to_owned()).ok()
}

/// True if it can be executed and is not a script.
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let may = std::fs::metadata(file)
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
    let mut start = [0; 2];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    may && read.is_ok() && start != *b"#!"
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn executable(path: &Path, text: &str) {
        fs::write(path, text).expect("it is written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is executable");
    }

    #[test]
    fn shims_are_skipped_and_only_env_is_resolved() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let (shims, programs) = (folder.join("shims"), folder.join("programs"));
        fs::create_dir_all(&shims).expect("a folder");
        fs::create_dir_all(&programs).expect("a folder");
        executable(&shims.join("snake"), "#!/bin/sh\nexec snake\n");
        executable(&programs.join("snake"), "\u{7f}ELF");
        fs::write(programs.join("plain"), "not executable").expect("it is written");
        let path = std::env::join_paths([&shims, &programs]).expect("a path");
        let script = folder.join("bot");
        let words = |line: &str| {
            executable(&script, &format!("{line}\nmore\n"));
            of(&script, Some(path.clone()))
        };
        let (program, script_word) = (programs.join("snake").into(), script.clone().into());
        let found = [program, script_word];
        assert_eq!(words("#!/usr/bin/env snake").as_deref(), Some(&found[..]));
        let [program, script_word] = found;
        let split = [program, "-u".into(), script_word];
        assert_eq!(
            words("#! /usr/bin/env -S snake -u").as_deref(),
            Some(&split[..])
        );
        for line in [
            "#!/usr/bin/snake",
            "#!/usr/bin/env plain",
            "#!/usr/bin/env nothing",
            "#!/usr/bin/env -i snake",
            "#!/usr/bin/env A=1 snake",
            "snake",
            "",
        ] {
            assert_eq!(words(line), None, "{line}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_interpreter_comes_with_its_installation_and_no_home() {
        let own = tempfile::tempdir().expect("a folder");
        let folder = fs::canonicalize(own.path()).expect("it is there");
        for name in [
            "snake/bin",
            "snake/lib",
            "home/bin",
            "home/lib",
            "home/bots",
        ] {
            fs::create_dir_all(folder.join(name)).expect("a folder");
        }
        let bots = folder.join("home/bots");
        let of = |name: &str| {
            let program = folder.join(name);
            fs::write(&program, "").expect("it is written");
            let mut folders = installation(&program, &bots);
            folders.dedup();
            folders
        };
        assert_eq!(of("snake/bin/snake"), [folder.join("snake")]);
        assert_eq!(of("home/bin/snake"), [folder.join("home/bin")]);
        assert_eq!(of("home/snake"), Vec::<PathBuf>::new());
        assert_eq!(of("home/bots/snake"), Vec::<PathBuf>::new());
    }
}
