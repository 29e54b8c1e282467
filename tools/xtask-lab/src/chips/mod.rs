//! Measures what every image needs of its chip, and the cost of a tick and a touch, and
//! writes the results into a page of the book, one table at a time.
//!
//! Invariants: only the text between the marks of a table is generated; the rest of the
//! page is written by people.

mod frames;
mod tables;

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use xtask::cargo::root;

/// The page, and the plot next to it.
const PAGE: &str = "tools/book/src/boards/measured.md";
const PLOT: &str = "tools/book/src/boards/measured/touch-to-light.svg";

/// A table of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// Flash and RAM of the images, and their frames per second.
    Images,
    /// The flash for the functions of each game.
    Flash,
    /// The most expensive tick and touch of each game.
    Ticks,
    /// The time from contact to light, for each game.
    Touches,
    /// The parts of a touch, as a table and as a plot.
    Parts,
    /// The Pico's load during the most expensive tick.
    Beside,
    /// The frames per second of each image, for each game.
    Frames,
    /// The core alone on other processors.
    Cores,
}

impl Table {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().to_owned())
    }

    /// The lines before and after the table in the page.
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
    /// Only these tables; by default all of them, which takes half an hour.
    #[arg(value_enum)]
    tables: Vec<Table>,
    /// Print them, and leave the page unchanged
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
    fn writing_a_table_changes_only_its_place_on_the_page() {
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
