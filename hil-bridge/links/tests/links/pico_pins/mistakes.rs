//! Mistakes planted in the simulated parts around the chip: a comparison at the pins
//! finds each of them, and names it.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use touchboard_host::check::Verdict;
use touchboard_links::pico::set_up::board_folder;

use super::bench::{LAYOUT, at_pins, checked, image, is_excused};

/// More steps than it takes to find any of the mistakes.
const STEPS: u64 = 150;

/// A copy of the simulated board in which one file has `wrong` in place of `right`, and
/// an image next to it.
pub fn planted(file: &str, right: &str, wrong: &str) -> (TempDir, PathBuf) {
    let from = board_folder(&image());
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("pico-board");
    fs::create_dir(&to).expect("a folder");
    for entry in fs::read_dir(&from).expect("it is set up").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_file() {
            fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
    // The simulated board looks for packages in its parent folders.
    let packages = from.join("node_modules");
    copy_folder(
        &packages.join("rp2040js"),
        &to.join("node_modules/rp2040js"),
    );
    let path = to.join(file);
    let text = fs::read_to_string(&path).expect("a file of the board");
    assert_eq!(text.matches(right).count(), 1, "{file}: {right}");
    fs::write(&path, text.replace(right, wrong)).expect("a file of our own");
    let copy = folder.path().join("pico.elf");
    fs::copy(image(), &copy).expect("a copy");
    (folder, copy)
}

fn copy_folder(from: &PathBuf, to: &PathBuf) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a package").flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy_folder(&path, &to),
            false => drop(fs::copy(&path, &to).expect("a copy")),
        }
    }
}

/// The difference that is found after this replacement.
fn found(file: &str, right: &str, wrong: &str) -> String {
    let (_folder, image) = planted(file, right, wrong);
    match checked(&mut at_pins(&image), 4, STEPS, LAYOUT) {
        Verdict::Differs(finding) => finding.difference.field,
        Verdict::Agrees(agreement) => panic!("{file}: {wrong} was not found: {agreement:?}"),
    }
}

#[test]
fn wrong_colour_order_of_lights_is_found() {
    if is_excused("wrong_colour_order_of_lights_is_found") {
        return;
    }
    let right = "[byte(8), byte(0), byte(16)]";
    let field = found("lights.mjs", right, "[byte(0), byte(8), byte(16)]");
    assert!(field.starts_with("light "), "{field}");
}

#[test]
fn a_bit_that_falls_late_is_found() {
    if is_excused("a_bit_that_falls_late_is_found") {
        return;
    }
    let right = "const high = nanos - this.rose;";
    let wrong = "const high = nanos - this.rose + (this.bits.length === 40 ? 200 : 0);";
    assert_eq!(found("lights.mjs", right, wrong), "bits of the lights");
}

#[test]
fn a_row_that_is_not_connected_is_found() {
    if is_excused("a_row_that_is_not_connected_is_found") {
        return;
    }
    let right = "const isHigh = ((low >> row) & 1) === 0;";
    let wrong = "const isHigh = row === 4 || ((low >> row) & 1) === 0;";
    assert_eq!(found("matrix.mjs", right, wrong), "contacts");
}

#[test]
fn a_matrix_without_diodes_is_found() {
    if is_excused("a_matrix_without_diodes_is_found") {
        return;
    }
    let (right, wrong) = ("this.hasDiodes = true;", "this.hasDiodes = false;");
    assert_eq!(found("matrix.mjs", right, wrong), "contacts");
}

/// A board that restores the brightness lost to the current limit: each light is as
/// bright as its colour allows.
#[test]
fn lights_without_a_limit_are_found() {
    if is_excused("lights_without_a_limit_are_found") {
        return;
    }
    let right = "this.colours.push([byte(8), byte(0), byte(16)]);";
    let wrong = "const told = [byte(8), byte(0), byte(16)];
      const most = Math.max(...told, 1);
      this.colours.push(told.map((channel) => Math.round((channel * 255) / most)));";
    let field = found("lights.mjs", right, wrong);
    assert!(
        field.starts_with("light ") || field.starts_with("limit "),
        "{field}"
    );
}
