//! The page of the book that says what every image takes of its chip, and what a tick and
//! a touch cost: measured and written by this command, a table at a time.
//!
//! Invariants: what stands between the marks of a table is written by this command, all
//! else of the page by people.

mod frames;
mod tables;

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use xtask::cargo::root;

/// The page, and the plot beside it.
const PAGE: &str = "tools/book/src/boards/measured.md";
const PLOT: &str = "tools/book/src/boards/measured/touch-to-light.svg";

/// A table of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// Flash and RAM of the images, what they show, and how often.
    Images,
    /// Flash of the functions of each game.
    Flash,
    /// The longest tick and touch of each game.
    Ticks,
    /// From contact to light, game by game.
    Touches,
    /// The parts of a touch, as a table and as a plot.
    Parts,
    /// What the Pico has to do beside the worst tick.
    Beside,
    /// Frames that each image can show in a second, game by game.
    Frames,
    /// The core alone on other processors.
    Cores,
}

impl Table {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().to_owned())
    }

    /// The lines before and behind it.
    fn marks(self) -> [String; 2] {
        let name = self.name();
        [
            format!("<!-- measured: {name} -->\n"),
            format!("<!-- end of {name} -->\n"),
        ]
    }
}

/// Which of them.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Only these tables; all of them if none is named, which takes half an hour.
    #[arg(value_enum)]
    tables: Vec<Table>,
    /// Print them, and leave the page as it is
    #[arg(long)]
    print: bool,
}

/// Measures, and writes the page.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let tables = match &options.tables[..] {
        [] => Table::value_variants(),
        some => some,
    };
    for table in tables {
        eprintln!("Measuring: {}.", table.name());
        let (rows, plot) = tables::measure(*table)?;
        println!("{rows}");
        if !options.print {
            write(*table, &rows)?;
            if let Some(plot) = plot {
                put(PLOT, &plot)?;
            }
        }
    }
    Ok(())
}

fn write(table: Table, rows: &str) -> anyhow::Result<()> {
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path);
    let page = page.with_context(|| format!("{PAGE} cannot be read"))?;
    let page = replaced(&page, table, rows);
    let page = page.with_context(|| format!("{PAGE} has no marks of `{}`", table.name()))?;
    put(PAGE, &page)
}

fn put(name: &str, text: &str) -> anyhow::Result<()> {
    let path: PathBuf = root().join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, text).with_context(|| format!("{name} cannot be written"))
}

/// The page with these rows between the marks of the table.
fn replaced(page: &str, table: Table, rows: &str) -> Option<String> {
    let [begin, end] = table.marks();
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!(
        "{before}{begin}\n{}\n\n{end}{after}",
        rows.trim_end()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_place_for_each_table_and_nothing_else_is_touched() {
        let page = fs::read_to_string(root().join(PAGE)).expect("the page is there");
        for table in Table::value_variants() {
            let once = replaced(&page, *table, "| a |\n").expect("it has its marks");
            let [begin, end] = table.marks();
            assert!(once.contains(&format!("{begin}\n| a |\n\n{end}")), "{once}");
            let around = |page: &str| {
                let (before, rest) = page.split_once(&begin)?;
                let (_, after) = rest.split_once(&end)?;
                Some([before.to_owned(), after.to_owned()])
            };
            assert_eq!(around(&once), around(&page));
        }
    }

    #[test]
    fn a_page_without_its_marks_is_left_alone() {
        assert_eq!(replaced("# A page\n", Table::Images, "| a |"), None);
    }
}
