//! Writes the seeds of the fuzzer into the given folder: a folder for each target, with a
//! file for each seed.

use std::path::Path;
use std::{env, fs, io};

use touchboard_tests::fuzz::TARGETS;

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1);
    let folder = folder.ok_or_else(|| io::Error::other("name the folder to write them into"))?;
    for target in TARGETS {
        let folder = Path::new(&folder).join(target.name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
