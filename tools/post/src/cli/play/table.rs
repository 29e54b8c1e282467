//! A board on which a person makes the turns.

use std::io::BufRead;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use firmware_core::games::malaka::{MalakaPoint, Position, Step, place_of};
use firmware_core::games::{self, number};
use firmware_core::ground::Ground;
use firmware_core::word::Wide;
use post::transcript::Match;
use protocol::{Command, Deed, Event, Input, KnownLayout, Layout, Pace, Point, Side, StampedEvent};
use touchboard_host::happening::Happening;
use touchboard_links::client::Client;
use touchboard_links::{At, Where};

use super::PlayError;
use super::touches::{Touches, fits, own, settings_of};
use crate::cli::{PostError, print};

/// The interval at which the board is polled for touches.
const LOOK: Duration = Duration::from_millis(20);

/// A board with its own timer, on which the player touches points.
pub struct Table {
    client: Client,
    layout: Layout,
    typed: Receiver<String>,
}

impl Table {
    /// Opens the line to the board, and sets it to Malaka for two people.
    pub fn open(at: &At, board: &Match) -> Result<Table, PlayError> {
        if *at == At::Core {
            return Err(PlayError::NoLine);
        }
        let variant = board.options.variant();
        let mut place = Where::new(at.clone());
        if place.begins_here() {
            let layout = Layout::grid(variant.side(), variant.side());
            place.layout = layout.ok().map(KnownLayout::from);
            place.games = Some(games::BUILT);
        }
        let client = place.remote()?.into_client();
        let hello = client.view().hello;
        let (layout, side) = (hello.layout, variant.side());
        let sides = layout.sides();
        let fits = sides.is_some_and(|sides| sides.columns().min(sides.rows()) >= side);
        if !fits || !hello.capabilities.roster.has(number::MALAKA) {
            let at = at.clone();
            return Err(PlayError::OtherBoard { at, side });
        }
        Ok(Table {
            client,
            layout,
            typed: typed_words(),
        })
    }

    fn request(&self, command: Command) -> Result<(), PlayError> {
        self.client.request(command)?.result?;
        Ok(())
    }

    /// Sets a position up, with its dice.
    fn set_up(&self, position: &Position) -> Result<(), PlayError> {
        self.request(Command::Pace(Pace::Lockstep))?;
        self.request(Command::Do(Deed::Choose(number::MALAKA)))?;
        self.request(Command::Do(Deed::Settings(settings_of(position))))?;
        self.request(Command::Do(Deed::Position(own(position))))?;
        while self.client.happenings().try_recv().is_ok() {}
        self.request(Command::Pace(Pace::Free { permille: 1_000 }))
    }

    /// The turn that is touched there.
    pub fn turn(&self, position: &Position) -> Result<Vec<Step>, PostError> {
        self.set_up(position)?;
        let mut touches = Touches::default();
        loop {
            if let Ok(word) = self.typed.try_recv() {
                self.touch(&word)?;
            }
            let Ok(happening) = self.client.happenings().recv_timeout(LOOK) else {
                continue;
            };
            if let Some(remark) = happening.remark() {
                print(&remark)?;
            }
            match happening {
                Happening::Connected { run, .. } if !run.is_new() => {}
                // Touches may have been lost, so the turn starts again.
                Happening::Connected { .. } | Happening::Missed => {
                    touches = Touches::default();
                    self.set_up(position)?;
                }
                Happening::Event(StampedEvent { event, .. })
                    if self.follow(event, position, &mut touches)? =>
                {
                    return Ok(touches.steps);
                }
                _ => {}
            }
        }
    }

    /// Handles what happened on the board; true if the turn is complete.
    fn follow(
        &self,
        event: Event,
        position: &Position,
        touches: &mut Touches,
    ) -> Result<bool, PostError> {
        let own = |side: Side| side == position.turn();
        match event {
            Event::Part { side, point } if own(side) => touches.touch(self.place(point)?),
            Event::Move { side, point, .. } if own(side) => {
                touches.touch(self.place(point)?);
                return Ok(true);
            }
            Event::Illegal { point, .. } => {
                print(&format!(
                    "{} cannot be touched now.",
                    self.layout.name(point)
                ))?;
            }
            // The board's clock has no meaning here, and the board would now move by
            // itself.
            Event::TimedOut { .. } => {
                *touches = Touches::default();
                self.set_up(position)?;
                print("The board's clock ran out: touch the turn from its beginning.")?;
            }
            // The player pressed a button of the board.
            Event::Settings(settings) if !fits(settings, position) => {
                *touches = Touches::default();
                self.set_up(position)?;
            }
            _ => {}
        }
        Ok(false)
    }

    fn place(&self, point: Point) -> Result<MalakaPoint, PlayError> {
        let ground: Option<Ground<Wide>> = Ground::new(self.layout);
        let place = ground.and_then(|ground| place_of(point, &ground));
        place.ok_or_else(|| PlayError::NoPoint(self.layout.name(point).to_string()))
    }

    /// A point that was typed.
    fn touch(&self, word: &str) -> Result<(), PostError> {
        let Ok(point) = self.layout.point(word) else {
            print(&format!(
                "`{word}` is not a point of the board: write one like c3."
            ))?;
            return Ok(());
        };
        self.request(Command::Do(Deed::Input(Input::Touch(point))))?;
        self.request(Command::Do(Deed::Input(Input::Release(point))))?;
        Ok(())
    }
}

/// The words of the standard input.
fn typed_words() -> Receiver<String> {
    let (sender, typed) = channel();
    // This thread ends with the process, because a blocked read of a line cannot be
    // interrupted.
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            for word in line.split_whitespace() {
                if sender.send(word.to_owned()).is_err() {
                    return;
                }
            }
        }
    });
    typed
}
