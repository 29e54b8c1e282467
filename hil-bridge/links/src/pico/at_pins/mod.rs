//! The emulated board as a driver for comparisons: fingers close its contacts, and its
//! outputs are read at its pins.
//!
//! It is held in lockstep, like any board that is compared. It only runs freely while
//! fingers move, until its contacts have been felt.
//!
//! Invariants: while the outputs are read, the board's time stands still, and they have
//! had time to settle.

use std::io;
use std::path::Path;

use firmware_core::Faults;
use firmware_core::debounce::STABLE_MS;
use firmware_core::faults::BoardFaults;
use protocol::{Deed, Input, Pace, Tick};
use touchboard_host::driver::{Driver, DriverError, InjectionError};
use touchboard_host::forward;
use touchboard_host::pins::PinReading;

use super::on_demand::OnDemand;
use super::tiles::Tiles;
use super::{PicoBoard, ShownLights};
use crate::LinkError;
use crate::client::{Client, ClientOptions, Dial};
use crate::remote::RemoteDriver;

mod touch_to_light;

pub use touch_to_light::TouchToLight;

/// The maximum time until a contact is felt, in microseconds. Contacts are sampled once
/// in each round of the main loop, which takes a little longer while the board's player
/// thinks.
const FELT_US: u64 = 10 * STABLE_MS as u64 * 1_000;
/// The interval at which a tile samples its keys, in microseconds; tiles are polled in
/// turn.
const TILE_LOOKS_US: u64 = 10_000;
/// The time for a question to a tile, its answer, and a message to its lights, in
/// microseconds.
const TILE_US: u64 = 5_000;
/// The number of messages that set a tile's lights: four rows, and one that shows them.
const TILE_MESSAGES: u64 = 5;
/// The time to send one light, in microseconds, doubled because a chain that was started
/// earlier is sent first. The pause at the end of a chain is [`CHAIN_US`].
const LIGHT_US: u64 = 2 * 30;
const CHAIN_US: u64 = 2 * 450;
/// The time, in microseconds, until the main loop has started a chain and updated the
/// modules of the display.
const TURNS_US: u64 = 6_000;
/// The number of periods after which a pitch, or its end, is recognised.
const PERIODS: u64 = 3;
const US_PER_S: f64 = 1e6;
/// The maximum difference between pitches that count as equal, in Hz.
const HEARD_HZ: f64 = 0.5;

/// A board that is read at its pins.
pub struct AtPins {
    board: OnDemand,
    remote: RemoteDriver,
    /// The points and buttons whose contacts are closed.
    closed: Vec<Input>,
    /// The inputs of fingers since the last reading; below, the inputs that the board felt.
    fingers: Vec<Input>,
    felt: Vec<Input>,
    /// The faults of the board's matrix.
    faults: Faults,
    /// The number of bits with wrong timing at the last reading.
    bad_bits: u32,
    tiles: Option<Tiles>,
}

impl AtPins {
    /// Starts this board, with a host at the end of its line.
    ///
    /// # Errors
    /// When it cannot run, or does not answer.
    pub fn start(
        board: &PicoBoard,
        wrapped: impl FnOnce(Box<dyn Dial>) -> Result<Box<dyn Dial>, DriverError>,
        options: ClientOptions,
    ) -> Result<AtPins, DriverError> {
        let tiles = board.tiles;
        let board = OnDemand::start(board)?;
        let dial = wrapped(Box::new(board.clone()))?;
        let remote = RemoteDriver::over(Client::open(dial, options)?)?;
        Ok(AtPins {
            board,
            remote,
            closed: Vec::new(),
            fingers: Vec::new(),
            felt: Vec::new(),
            faults: Faults::default(),
            bad_bits: 0,
            tiles,
        })
    }

    /// Writes the edges at the board's pins to this file from now on, if one is given.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn record_edges(&self, path: Option<&Path>) -> Result<(), DriverError> {
        let recorded = self.board.with(|bench| bench.record_edges(path));
        self.at_board(recorded)
    }

    /// The emulated board behind the pins.
    #[must_use]
    pub fn board(&self) -> &OnDemand {
        &self.board
    }

    fn at_board<T>(&self, done: io::Result<T>) -> Result<T, DriverError> {
        done.map_err(|error| LinkError::lost(format!("the board at {}: {error}", self.at())))
    }

    /// True if this input moves a contact.
    fn moves(&self, input: Input) -> bool {
        match input {
            Input::Touch(point) => self.layout().has(point) && !self.closed.contains(&input),
            Input::Press(_) => !self.closed.contains(&input),
            Input::Release(_) | Input::Lift(_) => self.closed.contains(&input.reverse()),
            Input::Pass => false,
        }
    }

    /// Moves a contact, and lets time pass until the board has felt it.
    fn move_finger(&mut self, input: Input) -> Result<(), DriverError> {
        let layout = self.layout();
        let moved = self.board.with(|bench| bench.finger(layout, input));
        self.at_board(moved)?;
        match input {
            Input::Touch(_) | Input::Press(_) => self.closed.push(input),
            _ => self.closed.retain(|down| down.reverse() != input),
        }
        let asked_us = self.each_tile_us(1);
        let felt_us = FELT_US + asked_us + 1_000 * self.faults.board.bounce_ms;
        self.at_board(self.board.pass_until_taken(1, felt_us))?;
        self.fingers.push(input);
        self.note_felt();
        Ok(())
    }

    /// Collects the inputs felt since the last call.
    fn note_felt(&mut self) {
        let felt = self.board.taken().into_iter();
        // A pass comes from the host, not from a finger.
        self.felt.extend(felt.filter(|input| *input != Input::Pass));
    }

    /// Gives the matrix its faults again, for the current layout.
    fn inject_faults(&mut self) -> Result<(), DriverError> {
        let (layout, faults) = (self.layout(), self.faults.clone());
        let injected = self
            .board
            .with(|bench| bench.inject_faults(layout, &faults.board, faults.seed));
        self.at_board(injected)
    }

    /// Carries out the inputs of fingers and of the host, in order.
    fn act(&mut self, inputs: &[Input]) -> Result<(), DriverError> {
        let mut is_free = false;
        for input in inputs {
            match (self.moves(*input), is_free) {
                (true, false) => {
                    self.remote.pace(Pace::Free { permille: 1_000 })?;
                    is_free = true;
                }
                (false, true) => {
                    self.remote.pace(Pace::Lockstep)?;
                    is_free = false;
                }
                _ => {}
            }
            match is_free {
                true => self.move_finger(*input)?,
                false if *input == Input::Pass => self.remote.step(&[Input::Pass], 0)?,
                false => {}
            }
        }
        if is_free {
            self.remote.pace(Pace::Lockstep)?;
        }
        Ok(())
    }

    /// Lifts all fingers, so that the board feels it before its layout changes.
    fn let_go(&mut self) -> Result<(), DriverError> {
        let up: Vec<Input> = self.closed.iter().map(|down| down.reverse()).collect();
        self.act(&up)?;
        self.note_felt();
        (self.fingers, self.felt) = (Vec::new(), Vec::new());
        Ok(())
    }

    /// The time until each tile has been served this many times, in microseconds; 0
    /// without tiles.
    fn each_tile_us(&self, turns: u64) -> u64 {
        let tiles = self.tiles.map_or(0, |tiles| tiles.count().into());
        tiles * turns * TILE_US + if tiles > 0 { TILE_LOOKS_US } else { 0 }
    }

    /// Separates the lights of points and sides from the remaining ones.
    fn sorted(&self, lights: Vec<[u8; 3]>) -> [Vec<[u8; 3]>; 2] {
        let Some(tiles) = self.tiles else {
            return [lights, Vec::new()];
        };
        let places = tiles.lights(self.layout());
        [places.of_board, places.beside].map(|places| {
            let there = places.iter().filter_map(|place| lights.get(*place));
            there.copied().collect()
        })
    }

    /// Lets time pass until lights and display are up to date and a change of pitch can be
    /// recognised.
    fn settle(&self) -> io::Result<()> {
        let lights = self.layout().points() as u64 + 2;
        let chain_us = lights * LIGHT_US + CHAIN_US;
        let shown_us = self
            .tiles
            .map_or(chain_us, |_| self.each_tile_us(TILE_MESSAGES));
        self.board.pass(shown_us + TURNS_US)?;
        let heard_hz = self.board.with(|bench| bench.beeper())?;
        let shown_hz = f64::from(self.remote.frame().beep_hz);
        if (heard_hz - shown_hz).abs() <= HEARD_HZ {
            return Ok(());
        }
        let period_us = |hz: f64| if hz > 0.0 { (US_PER_S / hz) as u64 } else { 0 };
        self.board
            .pass(PERIODS * (period_us(heard_hz) + period_us(shown_hz)))
    }

    /// Carries out inputs, and then a function with the ticks that remain.
    fn take<T>(
        &mut self,
        inputs: &[Input],
        ticks: Tick,
        go_on: impl FnOnce(&mut RemoteDriver, Tick) -> Result<T, DriverError>,
    ) -> Result<T, DriverError> {
        let before = self.remote.tick();
        self.act(inputs)?;
        let passed = self.remote.tick().saturating_sub(before);
        go_on(&mut self.remote, ticks.saturating_sub(passed))
    }
}

impl Driver for AtPins {
    forward!(remote; own: step, step_and_digest, carry_out, load, faults, set_faults, feels_contacts, read_pins);

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        self.take(inputs, ticks, |remote, left| remote.step(&[], left))
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        self.take(inputs, ticks, |remote, left| {
            remote.step_and_digest(&[], left)
        })
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        match deed {
            Deed::Input(input) => self.step(&[*input], 0),
            Deed::Reset { .. } => {
                self.let_go()?;
                self.remote.carry_out(deed)?;
                self.inject_faults()
            }
            _ => self.remote.carry_out(deed),
        }
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.let_go()?;
        self.remote.load(bytes)
    }

    fn faults(&self) -> Faults {
        self.faults.clone()
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), DriverError> {
        let fits = faults.board.fit(self.layout());
        fits.map_err(InjectionError::from)?;
        let mut of_matrix = BoardFaults::default();
        of_matrix.stuck.clone_from(&faults.board.stuck);
        of_matrix.dead.clone_from(&faults.board.dead);
        of_matrix.bounce_ms = faults.board.bounce_ms;
        of_matrix.ghosting = faults.board.ghosting;
        if self.tiles.is_some() && faults.board != BoardFaults::default() {
            return Err(InjectionError::NoMatrix(self.at().to_owned()).into());
        }
        if faults.board != of_matrix {
            return Err(InjectionError::OnlyMatrix(self.at().to_owned()).into());
        }
        self.faults = faults;
        self.inject_faults()
    }

    fn feels_contacts(&self) -> bool {
        true
    }

    fn read_pins(&mut self) -> Result<Option<PinReading>, DriverError> {
        self.at_board(self.settle())?;
        let read = self.board.with(|bench| {
            let lights = bench.lights()?;
            io::Result::Ok((lights, bench.display()?, bench.beeper()?))
        });
        let (shown, characters, hz) = self.at_board(read)?;
        let ShownLights {
            bad_bits, colours, ..
        } = shown;
        let [lights, beside] = self.sorted(colours);
        let before = std::mem::replace(&mut self.bad_bits, bad_bits);
        self.note_felt();
        let moved = [&mut self.fingers, &mut self.felt].map(std::mem::take);
        let [fingers, felt] = match self.faults.board.spare_sensors() {
            true => moved,
            // What a faulty matrix should detect is not known, so inputs are not compared.
            false => [Vec::new(), Vec::new()],
        };
        Ok(Some(PinReading {
            fingers,
            felt,
            lights,
            beside,
            bad_bits: bad_bits - before,
            characters,
            hz,
        }))
    }
}
