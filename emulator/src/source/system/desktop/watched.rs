//! A board whose firmware is watched for changes.

use std::time::Duration;

use touchboard_host::RecordingDriver;
use touchboard_links::{News, RemoteDriver, Watch};

use crate::source::core::{FirmwareNews, Stepped};

/// The longest wait for such a board per picture. It is generous, because on a machine
/// without a graphics card the renderer competes with the board for the processor.
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// A board whose firmware is watched.
pub type Watched = Stepped<RemoteDriver>;

impl Watched {
    /// Wraps this board. It is replaced when its firmware changes.
    #[must_use]
    pub fn by(mut watch: Watch, board: RecordingDriver<RemoteDriver>) -> Watched {
        let build = watch.build_state();
        Watched::with_check(board, move |board| watch.poll(board))
            .built_while(move || build.is_building())
    }

    /// Wraps this board. With every picture, `look` checks its firmware and returns the
    /// news.
    #[must_use]
    pub fn with_check(
        board: RecordingDriver<RemoteDriver>,
        mut look: impl FnMut(&mut RecordingDriver<RemoteDriver>) -> Vec<News> + Send + Sync + 'static,
    ) -> Watched {
        let look = move |board: &mut RecordingDriver<RemoteDriver>| {
            let news = look(board).into_iter();
            news.map(FirmwareNews::from).collect()
        };
        Watched::elsewhere(board, Box::new(look), LONGEST_WAIT)
    }
}

impl From<News> for FirmwareNews {
    fn from(news: News) -> FirmwareNews {
        FirmwareNews {
            sentence: news.to_string(),
            rerun: match news {
                News::GoesOn(rerun) => Some(*rerun),
                News::Said(_) => None,
            },
        }
    }
}
