//! The terminal while a program uses it; it is restored in any case.

use std::io;
use std::panic;

use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// The terminal in raw mode, on its second screen, with the mouse. Dropping it,
/// or a panic, gives it back.
pub struct Terminal(DefaultTerminal);

impl Terminal {
    /// Takes the terminal.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn take() -> io::Result<Terminal> {
        // ratatui's own hook, which runs before the earlier one, leaves the second
        // screen; the mouse is this code's task.
        let terminal = ratatui::try_init()?;
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let _ = execute!(io::stdout(), DisableMouseCapture);
            before(info);
        }));
        let terminal = Terminal(terminal);
        execute!(io::stdout(), EnableMouseCapture)?;
        Ok(terminal)
    }

    /// Takes the terminal again after another program had it.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn take_again(&mut self) -> io::Result<()> {
        // The terminal still counts as raw.
        disable_raw_mode()?;
        enable_raw_mode()?;
        let mut screen = io::stdout();
        execute!(
            screen,
            EnterAlternateScreen,
            EnableMouseCapture,
            Clear(ClearType::All)
        )?;
        // A new one assumes nothing about the screen and paints all of it.
        self.0 = ratatui::Terminal::new(CrosstermBackend::new(screen))?;
        Ok(())
    }

    /// Paints a screen.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn draw(&mut self, paint: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        self.0.draw(paint).map(|_| ())
    }

    /// The size of the screen.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn area(&self) -> io::Result<ratatui::layout::Rect> {
        Ok(ratatui::layout::Rect::from((
            ratatui::layout::Position::ORIGIN,
            self.0.size()?,
        )))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), DisableMouseCapture);
        ratatui::restore();
    }
}
