//! The pictures of a scenario: where it says `picture NAME`, the board is compared with
//! the picture file of that name next to the scenario.
//!
//! The picture `end` of `game.txt` is `game.end.png`. If they differ,
//! `game.end.differs.png` shows both, and marks the differences.

use std::fs;
use std::path::{Path, PathBuf};

use touchboard_completions::decimal;
use touchboard_files::{WritingError, read_bounded, whole_file, why_no_file};
use touchboard_host::Driver;
use touchboard_picture::{BoardPicture, PictureDifference, PictureError};
use touchboard_shell::ShellError;

/// The most bytes of a picture: 4,096 by 4,096 pixels, even if they are not compressed.
const MOST_BYTES: u64 = 64 << 20;

/// How pictures are judged.
#[derive(Debug, clap::Args)]
pub struct PictureArguments {
    /// How much of a picture may differ, in percent of its pixels
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = decimal(0.0, 100.0))]
    tolerance: f64,
    /// Write the pictures of scenarios, instead of comparing them
    #[arg(long)]
    accept: bool,
}

impl PictureArguments {
    /// Compares the board with a picture where the scenario says `picture NAME`.
    /// Differences are written to this folder, or next to the scenario.
    ///
    /// # Errors
    /// [`ShellError::Failed`] if it differs, [`ShellError::Bad`] if the picture does not
    /// exist or cannot be read.
    pub fn compare(
        &self,
        scenario: &Path,
        folder: Option<&Path>,
        name: &str,
        board: &dyn Driver,
    ) -> Result<(), ShellError> {
        let found = BoardPicture::of(board.layout(), board.frame(), board.tick());
        let found = found.map_err(no_picture)?;
        let file = scenario.with_extension(format!("{name}.png"));
        let differs = scenario.with_extension(format!("{name}.differs.png"));
        let differs = match (folder, differs.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => differs,
        };
        if self.accept {
            write(&file, &found)?;
            return forget(&differs);
        }
        let expected = read_bounded(&file, MOST_BYTES).map_err(|error| {
            ShellError::Bad(format!(
                "the picture {} cannot be read ({}): run this with --accept to write it, then look at it",
                file.display(),
                why_no_file(&error)
            ))
        })?;
        let expected = BoardPicture::from_png(&expected)
            .map_err(|error| ShellError::Bad(format!("{}: {error}", file.display())))?;
        let difference = PictureDifference::between(&expected, &found);
        if difference.percent() <= self.tolerance {
            return forget(&differs);
        }
        let both = PictureDifference::shown(&expected, &found);
        write(&differs, &both.map_err(no_picture)?)?;
        Err(ShellError::Failed(format!(
            "picture {name}: {:.2} % of it differs from {}, and {} % may: {} shows both",
            difference.percent(),
            file.display(),
            self.tolerance,
            differs.display()
        )))
    }
}

fn no_picture(error: PictureError) -> ShellError {
    ShellError::Bad(error.to_string())
}

fn write(file: &Path, picture: &BoardPicture) -> Result<(), ShellError> {
    let bytes = picture.to_png().map_err(no_picture)?;
    whole_file::write(file, &bytes)
        .map_err(WritingError::about(file))
        .map_err(|error| ShellError::Bad(error.to_string()))
}

/// Removes the file of an earlier difference.
fn forget(differs: &PathBuf) -> Result<(), ShellError> {
    // Usually there is none.
    let _ = fs::remove_file(differs);
    Ok(())
}
