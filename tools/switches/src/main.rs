//! Puts mutants behind switches, so that a package is built only once for all of them.
//!
//! It reads the output of `cargo mutants --list --json`, rewrites the files that have
//! mutants, and prints which mutants it put in, and which of the others are not valid
//! programs. The number of a mutant is its position in the list, from one. A program
//! built from these files behaves normally, unless it runs with `SWITCHES_ON=number`,
//! which activates a mutant. With `SWITCHES_REACHED=file`, it appends to that file the
//! numbers of the mutants that it reaches.
//!
//! Invariants: line numbers do not change; with no switch on, the code does what it did.

#![forbid(unsafe_code)]

mod pieces;
mod switch;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};
use switch::{Mutant, Place};

/// The text added at the top of a package's library: it makes [`RUNTIME`] callable in
/// constant evaluation.
const TOP: &str =
    "#![feature(core_intrinsics, const_eval_select)]#![allow(internal_features, unused)]";
const RUNTIME: &str = include_str!("runtime.rs");

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [list, from, to, top, left_out] = &words[..] else {
        anyhow::bail!("switches LIST FROM TO TOP_FILE LEFT_OUT: the last are numbers, 3,17,...");
    };
    let text = fs::read_to_string(list).with_context(|| list.clone())?;
    let left_out: Vec<u32> = left_out.split(',').filter_map(|n| n.parse().ok()).collect();
    let mut files: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    files.insert(top.clone(), Vec::new());
    let listed: Vec<Value> = serde_json::from_str(&text).context("the list is not JSON")?;
    for (number, value) in (1..).zip(&listed) {
        let file = value["file"].as_str().context("a mutant without a file")?;
        let mutant = read(number, value).with_context(|| format!("mutant {number}"))?;
        let of_file = files.entry(file.to_owned()).or_default();
        if !left_out.contains(&number) {
            of_file.push(mutant);
        }
    }
    let (mut switched, mut constant, mut impossible) = (Vec::new(), Vec::new(), Vec::new());
    for (file, mutants) in &files {
        let path = Path::new(from).join(file);
        let source = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let done = switch::switch(&source, mutants).with_context(|| file.clone())?;
        let mut text = done.text;
        if file == top {
            text = format!(
                "{TOP}{text}\n{}",
                RUNTIME.replace("HOW_MANY", &listed.len().to_string())
            );
        }
        write(&Path::new(to).join(file), &text)?;
        switched.extend(done.switched);
        constant.extend(done.constant);
        impossible.extend(done.impossible);
    }
    println!(
        "{}",
        json!({ "switched": switched, "constant": constant, "impossible": impossible })
    );
    Ok(())
}

/// Writes a file, unless it has this content already: then cargo need not rebuild it.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if fs::read_to_string(path).is_ok_and(|before| before == text) {
        return Ok(());
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}

fn read(number: u32, value: &Value) -> Option<Mutant> {
    let place = |end: &str| {
        let place = &value["span"][end];
        let number = |name: &str| usize::try_from(place[name].as_u64()?).ok();
        Some(Place {
            line: number("line")?,
            column: number("column")?,
        })
    };
    Some(Mutant {
        number,
        genre: value["genre"].as_str()?.to_owned(),
        replacement: value["replacement"].as_str()?.to_owned(),
        start: place("start")?,
        end: place("end")?,
    })
}
