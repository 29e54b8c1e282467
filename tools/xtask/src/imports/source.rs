//! Reads the imports of a source file, without a compiler.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Place;

/// The relevant contents of a file.
#[derive(Default)]
pub struct Module {
    /// The imports, and the paths in the code that begin with `crate`, `self` or `super`.
    pub paths: Vec<Vec<String>>,
    /// The names that it imports, with their paths.
    pub names: BTreeMap<String, Vec<String>>,
    /// The modules in separate files, without test modules.
    parts: Vec<String>,
}

impl Module {
    /// Reads the imports and items of a source text.
    pub fn read(text: &str) -> Module {
        let words = words(text);
        let mut module = Module::default();
        let mut at = 0;
        while at < words.len() {
            at = module.take(&words, at);
        }
        module
    }

    /// Handles the item that begins at this word, and returns the position of the next
    /// one.
    fn take(&mut self, words: &[String], at: usize) -> usize {
        match words[at].as_str() {
            "#" if is_of_tests(&words[at..]) => after_item(words, at),
            "mod" if words.get(at + 2).is_some_and(|word| word == ";") => {
                self.parts.push(words[at + 1].clone());
                at + 3
            }
            "use" => {
                let end = position(words, at, ";");
                let mut import = &words[at + 1..end];
                self.take_tree(&[], &mut import);
                end + 1
            }
            "crate" | "super" | "self" if is_path(words, at) => {
                let mut path = vec![words[at].clone()];
                let mut next = at + 1;
                while is_path(words, next - 1) {
                    path.push(words[next + 1].clone());
                    next += 2;
                }
                self.paths.push(path);
                next
            }
            _ => at + 1,
        }
    }

    /// Handles a tree of imports, `a::{b, c as d}`, below the path `above`.
    fn take_tree(&mut self, above: &[String], rest: &mut &[String]) {
        let mut path = above.to_vec();
        let mut name = None;
        while let Some((word, after)) = rest.split_first() {
            match word.as_str() {
                "," | "}" => break,
                "{" => {
                    *rest = after;
                    while rest.first().is_some_and(|word| word != "}") {
                        self.take_tree(&path, rest);
                        if rest.first().is_some_and(|word| word == ",") {
                            *rest = &rest[1..];
                        }
                    }
                    *rest = rest.get(1..).unwrap_or_default();
                    return;
                }
                "as" => {
                    name = after.first().cloned();
                    *rest = after.get(1..).unwrap_or_default();
                    continue;
                }
                "::" => {}
                // Names imported by a glob are resolved in their module.
                "*" => name = Some("_".to_owned()),
                // In `a::{self}`, `self` is `a`.
                "self" if !path.is_empty() => {}
                _ => path.push(word.clone()),
            }
            *rest = after;
        }
        if let Some(name) = name.or_else(|| path.last().cloned()) {
            self.names.insert(name, path.clone());
            self.paths.push(path);
        }
    }
}

/// True if `::` and a name follow.
fn is_path(words: &[String], at: usize) -> bool {
    let name = |word: &String| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    words.get(at + 1).is_some_and(|word| word == "::") && words.get(at + 2).is_some_and(name)
}

/// True if these words begin with `#[cfg(test)]`, possibly with further conditions.
fn is_of_tests(words: &[String]) -> bool {
    let begin: Vec<&str> = words.iter().take(7).map(String::as_str).collect();
    let all = ["#", "[", "cfg", "(", "all", "(", "test"];
    begin.starts_with(&all) || begin.starts_with(&["#", "[", "cfg", "(", "test", ")"])
}

/// The position after an item, that is after its body or its semicolon.
fn after_item(words: &[String], at: usize) -> usize {
    let mut open = 0_usize;
    for (place, word) in words.iter().enumerate().skip(at) {
        match word.as_str() {
            "{" | "(" | "[" => open += 1,
            "}" | ")" | "]" => {
                open = open.saturating_sub(1);
                if open == 0 && word == "}" {
                    return place + 1;
                }
            }
            ";" if open == 0 => return place + 1,
            _ => {}
        }
    }
    words.len()
}

fn position(words: &[String], from: usize, what: &str) -> usize {
    let found = words[from..].iter().position(|word| word == what);
    found.map_or(words.len(), |place| from + place)
}

/// The words and signs of a source text, without comments and string literals.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest)
        } else if let Some(length) = quoted(rest) {
            length
        } else if is_name(first) {
            let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            words.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            words.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                words.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    words
}

/// The length of a comment, which may be nested.
fn comment(text: &str) -> usize {
    let (mut open, mut at) = (0, 0);
    while at < text.len() {
        let here = &text.as_bytes()[at..];
        match (here.starts_with(b"/*"), here.starts_with(b"*/")) {
            (true, _) => (open, at) = (open + 1, at + 2),
            (_, true) => (open, at) = (open - 1, at + 2),
            _ => at += 1,
        }
        if open == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of a string or character literal, including its prefix.
fn quoted(text: &str) -> Option<usize> {
    let plain = text.strip_prefix('b').unwrap_or(text);
    let before = text.len() - plain.len();
    if let Some(raw) = plain.strip_prefix('r') {
        let inside = raw.trim_start_matches('#');
        let sharps = raw.len() - inside.len();
        if let Some(inside) = inside.strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(sharps));
            let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
            return Some(before + 1 + sharps + 1 + length);
        }
    }
    let mut letters = plain.char_indices();
    let (_, quote) = letters.next().filter(|(_, c)| matches!(c, '"' | '\''))?;
    let mut is_escaped = false;
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                is_escaped = true;
                letters.next();
            }
            _ if letter == quote => return Some(before + at + 1),
            // A lifetime has no second quote.
            _ if quote == '\'' && !is_escaped && at > 1 => return None,
            _ => {}
        }
    }
    None
}

/// The modules of a library or program, from its root file.
pub fn read(top: &Path) -> io::Result<BTreeMap<Place, Module>> {
    let folder = top.parent().unwrap_or(top).to_path_buf();
    let mut all = BTreeMap::new();
    let mut left = vec![(Place::new(), top.to_path_buf(), folder)];
    while let Some((place, file, folder)) = left.pop() {
        let module = Module::read(&fs::read_to_string(&file)?);
        for part in &module.parts {
            let inside = folder.join(part);
            let files: [PathBuf; 2] = [inside.with_extension("rs"), inside.join("mod.rs")];
            // The file of a module for another system may be in another place.
            if let Some(file) = files.into_iter().find(|file| file.is_file()) {
                let place = [place.as_slice(), std::slice::from_ref(part)].concat();
                left.push((place, file, inside));
            }
        }
        all.insert(place, module);
    }
    Ok(all)
}
