//! For a full operating system: boards in other processes and at the end of lines, long
//! work on threads, sessions and texts in files.

mod console;
mod event_copies;
mod line;
mod place;
mod saving;
mod saving_error;
mod saving_film;
mod saving_signals;
mod shrinking;
mod sliced_work;
mod text_file;
mod watched;
mod writing;

use bevy::prelude::*;

use crate::source::{ShownBoard, SourceSet, let_time_pass};

pub use console::{ConsoleLine, ShellConsole, Speaker};
pub use event_copies::EventCopies;
pub use line::{LineClient, TripThread, chip_memory, dial, line_faults_of, set_out, with_record};
pub use place::{check_place, open_core};
pub use saving::{Save, SaveOnRequest, Saved, SessionFolder, free_name};
pub use saving_film::{SaveFilm, is_film_file, is_picture_file, last_seconds};
pub use saving_signals::SaveSignals;
pub use shrinking::Shrinking;
pub use sliced_work::{SlicedWork, let_go};
pub use text_file::Stamp;
pub use touchboard_links::games::{GameFileError, read};
pub use touchboard_links::{At, Where};
pub use watched::Watched;

/// Saves sessions, signals and films to files, and carries out the lines of the console.
pub struct SystemPlugin;

impl Plugin for SystemPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((saving::SavingPlugin, console::ConsolePlugin))
            .init_resource::<writing::Writings>()
            .add_message::<SaveSignals>()
            .add_message::<SaveFilm>()
            .add_systems(
                Update,
                (saving_signals::begin, saving_film::begin, writing::go_on)
                    .chain()
                    .after(let_time_pass)
                    .in_set(SourceSet::Exchange)
                    .run_if(resource_exists::<ShownBoard>),
            );
    }
}
