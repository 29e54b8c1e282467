//! The workbench with lines and files: chooses other boards, and saves sessions.

mod connection;
mod console;
pub mod save_form;
mod saving;

use bevy::app::App;
use bevy::ecs::system::SystemParam;
use bevy::prelude::{MessageWriter, ResMut};
use protocol::Tick;

use save_form::SaveForm;

use crate::source::SaveFilm;

pub use connection::{again, show as board_card, why_slow};
pub use console::{ConsoleForm, show as console};
pub use save_form::show as show_form;
pub use saving::{Saving, WHO_HAS_ALL, save_button, save_timeline_button, saved, shrink_button};

/// True if boards at the end of a line can be shown.
pub const HAS_LINES: bool = true;

/// The forms of this system that keys open and close.
#[derive(SystemParam)]
pub struct SystemForms<'w> {
    save_form: ResMut<'w, SaveForm>,
    console_form: ResMut<'w, ConsoleForm>,
    films: MessageWriter<'w, SaveFilm>,
}

impl SystemForms<'_> {
    /// Adds the resources of the forms.
    pub fn init(app: &mut App) {
        app.init_resource::<SaveForm>()
            .init_resource::<ConsoleForm>();
    }

    /// Gives the keyboard to the console's input line.
    pub fn type_into_console(&mut self) {
        self.console_form.take_keyboard();
    }

    /// Films the board over this span, or over the last seconds.
    pub fn film(&mut self, span: Option<[Tick; 2]>) {
        self.films.write(SaveFilm { file: None, span });
    }

    /// True while the form for saving is open over the board.
    pub fn is_open(&self) -> bool {
        self.save_form.is_open()
    }

    /// Closes the open form.
    pub fn close(&mut self) {
        self.save_form.close();
    }
}
