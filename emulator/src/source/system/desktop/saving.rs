//! Saves the session of the board to a file.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use touchboard_links::SessionInFile;

use super::saving_error::SavingError;
use crate::source::{
    Agreement, BoardLink, Reports, RequestKind, Shown, ShownBoard, SourceSet, let_time_pass,
};

/// A request to save the session so far to a file.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum Save {
    /// To this file; an existing file is replaced.
    As(PathBuf),
    /// To a new file in the [`SessionFolder`]: the program saves without asking, so that
    /// nothing is lost.
    ByItself,
}

/// The result of the last [`Save`].
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub enum Saved {
    /// Nothing has been saved yet.
    #[default]
    Nothing,
    /// The session was saved to this file; the path is absolute.
    In(PathBuf),
    /// The session could not be saved, for this reason.
    Failed(String),
}

impl From<&Result<PathBuf, SavingError>> for Saved {
    fn from(written: &Result<PathBuf, SavingError>) -> Saved {
        match written {
            Ok(file) => Saved::In(file.clone()),
            Err(error) => Saved::Failed(error.to_string()),
        }
    }
}

/// The folder for sessions that are saved without a path; by default the folder in which
/// the program was started.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct SessionFolder(pub PathBuf);

impl Default for SessionFolder {
    fn default() -> Self {
        SessionFolder(".".into())
    }
}

/// Present if nothing is saved without a request: without a window, nobody would read where
/// the file is.
#[derive(Resource, Clone, Copy, Debug)]
pub struct SaveOnRequest;

/// Writes sessions to files on request, and when a board differs from its twin.
pub struct SavingPlugin;

impl Plugin for SavingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Saved>()
            .init_resource::<SessionFolder>()
            .add_message::<Save>()
            .add_systems(
                Update,
                (save_what_differs, save)
                    .chain()
                    .after(let_time_pass)
                    .in_set(SourceSet::Exchange)
                    .run_if(resource_exists::<ShownBoard>),
            );
    }
}

/// Saves the session when a board at the end of a line differs from its twin.
fn save_what_differs(
    shown: Res<Shown>,
    on_request: Option<Res<SaveOnRequest>>,
    mut differed: Local<bool>,
    mut save: MessageWriter<Save>,
) {
    let differs = matches!(shown.twin, Agreement::Differs(_));
    let is_new = !std::mem::replace(&mut *differed, differs);
    if differs && is_new && on_request.is_none() && shown.link != BoardLink::Direct {
        save.write(Save::ByItself);
    }
}

fn save(
    board: Res<ShownBoard>,
    folder: Res<SessionFolder>,
    mut wishes: MessageReader<Save>,
    mut saved: ResMut<Saved>,
    mut reports: Reports,
) {
    let Some(wish) = wishes.read().last() else {
        return;
    };
    let written = board.0.session().map_err(SavingError::from);
    let written = written.and_then(|session| {
        let path = match wish {
            Save::As(path) => path.clone(),
            Save::ByItself => free_name(&folder.0, "touchboard", "session"),
        };
        // The user may look for the file from a different folder, so the path is made
        // absolute.
        let path = std::path::absolute(&path).unwrap_or(path);
        session.save(&path)?;
        Ok(path)
    });
    *saved = Saved::from(&written);
    reports.trouble(RequestKind::Save, written.map(drop));
}

/// The first of `NAME-1.EXTENSION`, `NAME-2.EXTENSION`, ... that does not exist
/// in this folder.
#[must_use]
pub fn free_name(folder: &Path, name: &str, extension: &str) -> PathBuf {
    let name = |number: u32| folder.join(format!("{name}-{number}.{extension}"));
    let mut numbers = (1..).map(name);
    let free = numbers.find(|path| !path.exists());
    free.unwrap_or_else(|| name(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An app that has just seen a board at the end of a line differ.
    fn differs() -> App {
        let link = BoardLink::Up {
            board: "a board".to_owned(),
        };
        let twin = Agreement::Differs("tick 5".to_owned());
        let shown = Shown {
            link,
            twin,
            ..Shown::default()
        };
        let mut app = App::new();
        app.insert_resource(shown)
            .add_message::<Save>()
            .add_systems(Update, save_what_differs);
        app
    }

    fn saved(mut app: App) -> Vec<Save> {
        app.update();
        let mut requests = app.world_mut().resource_mut::<Messages<Save>>();
        requests.drain().collect()
    }

    #[test]
    fn a_divergence_is_saved_unasked_only_in_a_window() {
        assert_eq!(saved(differs()), [Save::ByItself]);
        let mut windowless = differs();
        windowless.insert_resource(SaveOnRequest);
        assert_eq!(saved(windowless), []);
    }
}
