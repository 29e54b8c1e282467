//! The table of lines in the book, and its plot, are what is measured.

use campaign::plot::plot;
use campaign::sweep::{sweep, table};

#[test]
fn the_table_of_lines_in_the_book_is_what_is_measured() {
    let cells = sweep().unwrap_or_else(|violation| panic!("{violation}"));
    for cell in &cells {
        assert!(
            cell.median_us >= cell.floor_us,
            "{cell:?} is below the floor"
        );
        assert!(cell.touches_per_100_s > 0, "{cell:?}");
    }
    let table = table(&cells);
    insta::assert_snapshot!(table);
    let page = include_str!("../../book/src/campaign.md");
    assert!(
        page.contains(&table),
        "write this into campaign.md:\n{table}"
    );
    let drawn = plot(&cells).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        drawn == include_str!("../../book/src/sweep.svg"),
        "cargo xtask campaign sweep --plot tools/book/src/sweep.svg draws it anew"
    );
}
