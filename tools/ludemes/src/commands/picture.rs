//! `ludemes picture BOARD`: draws a board with the numbers or names of its sites, or
//! prints its drawing for a board of lights.
use std::path::Path;

use ludemes::layout::{BoardGraph, SiteLabel, picture};

/// What to draw.
#[derive(clap::Args)]
pub struct Options {
    /// A board as in a game, such as "(hex 5)"; or the text of a game.
    board: String,
    /// An item of an option of the game, as `Heading/Item`.
    #[arg(long = "option", value_name = "HEADING/ITEM")]
    chosen: Vec<String>,
    /// Show the names that the text gives to its sites, instead of their numbers.
    #[arg(long, conflicts_with = "drawing")]
    names: bool,
    /// Print the text of its drawing instead of a picture.
    #[arg(long)]
    drawing: bool,
}

/// Prints the picture, an SVG.
///
/// # Errors
/// What is wrong with the board, and where.
pub fn run(options: &Options) -> Result<(), String> {
    let board = match options.board.starts_with('(') {
        true => super::board(&options.board)?,
        false => of_game(Path::new(&options.board), &options.chosen)?,
    };
    if !options.drawing {
        let mark = match options.names {
            true => SiteLabel::Name,
            false => SiteLabel::Number,
        };
        return super::print(&picture(&board, mark));
    }
    let raster = board.raster().map_err(|error| error.to_string())?;
    super::print(&raster.sketch.to_string())
}

/// The board in the text of a game.
fn of_game(path: &Path, chosen: &[String]) -> Result<BoardGraph, String> {
    let (text, reading) = super::read(path, chosen)?;
    let node = BoardGraph::in_game(&reading.game);
    let node = node.ok_or_else(|| format!("{}: no board", path.display()))?;
    BoardGraph::from_node(node).map_err(|error| {
        let span = error.span();
        let problem = ludemes::text::Problem::NotCompiled(error.to_string());
        super::shown(path, &text, &[ludemes::text::TextError { span, problem }])
    })
}
