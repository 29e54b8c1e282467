//! The terminal while a program uses it, and its restoration in all cases.

use std::io;
use std::panic;

use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// The terminal in raw mode, on its alternate screen, with mouse reports. Dropping it, or
/// a panic, restores it.
pub struct Terminal(DefaultTerminal);

impl Terminal {
    /// Sets the terminal up.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn take() -> io::Result<Terminal> {
        // The panic hook of ratatui, which runs first, leaves the alternate screen; mouse
        // reports are switched off here.
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

    /// Sets the terminal up again after another program has used it.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn take_again(&mut self) -> io::Result<()> {
        // crossterm still considers the terminal raw, so raw mode is first switched off.
        disable_raw_mode()?;
        enable_raw_mode()?;
        let mut screen = io::stdout();
        execute!(
            screen,
            EnterAlternateScreen,
            EnableMouseCapture,
            Clear(ClearType::All)
        )?;
        // A new terminal assumes nothing about the screen, and draws all of it.
        self.0 = ratatui::Terminal::new(CrosstermBackend::new(screen))?;
        Ok(())
    }

    /// Draws a screen.
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
