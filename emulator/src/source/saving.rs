//! What was done to the board, as a session in a file.

use std::path::{Path, PathBuf};

use bevy::prelude::*;

use super::{Board, Told, Wish};

/// Write what was done to the board so far into a file, in the folder where the
/// program was started.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Save;

/// What came of the last [`Save`].
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub enum Saved {
    /// There was none.
    #[default]
    Nothing,
    /// The session is in this file; the path is a whole one.
    In(PathBuf),
    /// There is no file; the sentence says why.
    Failed(String),
}

/// The folder that sessions are written to; where the program was started if it
/// is not set.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct SessionFolder(pub PathBuf);

impl Default for SessionFolder {
    fn default() -> Self {
        SessionFolder(".".into())
    }
}

pub(super) fn save(
    board: Res<Board>,
    folder: Res<SessionFolder>,
    mut wishes: MessageReader<Save>,
    mut saved: ResMut<Saved>,
    mut told: Told,
) {
    if wishes.read().count() == 0 {
        return;
    }
    let written = board.0.session().and_then(|session| {
        // A person looks for the file with another program, from elsewhere.
        let folder = std::path::absolute(&folder.0).unwrap_or_else(|_| folder.0.clone());
        let path = free_name(&folder);
        let result = session.save(&path).map(|()| path);
        result.map_err(|error| error.to_string())
    });
    let (now_saved, result) = match written {
        Ok(path) => (Saved::In(path), Ok(())),
        Err(sentence) => (Saved::Failed(sentence.clone()), Err(sentence)),
    };
    *saved = now_saved;
    told.trouble(Wish::Save, result);
}

/// The first of `touchboard-1.session`, `touchboard-2.session`, ... that is not
/// there yet.
fn free_name(folder: &Path) -> PathBuf {
    let name = |number: u32| folder.join(format!("touchboard-{number}.session"));
    let mut numbers = (1..).map(name);
    let free = numbers.find(|path| !path.exists());
    free.unwrap_or_else(|| name(0))
}
