//! `ludemes walks`: draws walks on several boards, as a page of pictures.
use ludemes::layout::{Column, TILINGS, WALKS, Walk, page};

/// What to draw.
#[derive(clap::Args)]
pub struct Options {
    /// The walks, each as in a game: "F R F R F". By default those of the manual.
    walks: Vec<String>,
    /// The boards, each as in a game: "(hex 5)". By default the three regular tilings.
    #[arg(long = "board", value_name = "BOARD")]
    boards: Vec<String>,
}

/// Prints the page, an SVG.
///
/// # Errors
/// A text that is not a walk or a board.
pub fn run(options: &Options) -> Result<(), String> {
    let read = |text: &str| {
        let letters: String = text.chars().filter(|c| !" {}".contains(*c)).collect();
        Walk::read(&letters).ok_or_else(|| {
            format!("`{text}` is not a walk: write F for a step forward, R and L for turns")
        })
    };
    let walks: Result<Vec<Vec<Walk>>, String> = match options.walks.is_empty() {
        true => WALKS.iter().map(|walk| read(walk)).collect(),
        false => options.walks.iter().map(|walk| read(walk)).collect(),
    };
    let asked = options.boards.iter().map(|text| (&**text, &**text, None));
    let columns: Vec<_> = match options.boards.is_empty() {
        true => TILINGS.to_vec(),
        false => asked.collect(),
    };
    let column = |(name, text, first): (&str, &str, _)| {
        let (name, board) = (name.to_owned(), super::board(text)?);
        Ok(Column { name, board, first })
    };
    let columns: Result<Vec<Column>, String> = columns.into_iter().map(column).collect();
    super::print(&page(&columns?, &walks?))
}
