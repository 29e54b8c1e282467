//! Reads signals off a board.

use firmware_core::AnyBoard;
use firmware_core::faults::BoardFaults;
use protocol::{Colour, Deed, Event, Input, Outcome, Point, Side};

use super::{EventKind, Signal, SignalValue};
use crate::session::{SessionItem, faults_of_note};
use crate::state_fields::{StateField, fields_of};
use crate::words;

/// Reads signals off a board at its current tick. Events are counted here, since a board
/// does not count them.
pub struct SignalReader {
    signals: Vec<Signal>,
    counts: [u64; EventKind::ALL.len()],
    /// The contacts that are closed, as fingers; `None` until something is told of any.
    closed: Option<Vec<Input>>,
    /// The faults of the board, for what is seen of it.
    faults: BoardFaults,
}

impl SignalReader {
    /// A reader of these signals, with all counts at 0.
    #[must_use]
    pub fn new(signals: Vec<Signal>) -> SignalReader {
        SignalReader {
            signals,
            counts: [0; EventKind::ALL.len()],
            closed: None,
            faults: BoardFaults::default(),
        }
    }

    /// A reader of other signals, with the same counts, contacts and faults.
    #[must_use]
    pub fn of(&self, signals: Vec<Signal>) -> SignalReader {
        SignalReader {
            signals,
            counts: self.counts,
            closed: self.closed.clone(),
            faults: self.faults.clone(),
        }
    }

    /// The signals, in the order of [`SignalReader::read`].
    #[must_use]
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// True if some of them change while the board sleeps: lights that blink do.
    #[must_use]
    pub fn has_blinking(&self) -> bool {
        let is_lit = |signal: &Signal| matches!(signal, Signal::Lit(_));
        self.signals.iter().any(is_lit)
    }

    /// Counts an event of the board; every event has to be handed in, in order.
    pub fn count(&mut self, event: &Event) {
        if let Some(kind) = EventKind::of(event) {
            self.counts[kind as usize] += 1;
        }
    }

    /// Notes that the board reports its contacts, and that they are open.
    pub fn know_contacts(&mut self) {
        self.closed.get_or_insert_default();
    }

    /// True if something is told of contacts.
    #[must_use]
    pub fn knows_contacts(&self) -> bool {
        self.closed.is_some()
    }

    /// Notes the faults of the board: a dead lamp is never lit.
    pub fn know_faults(&mut self, faults: &BoardFaults) {
        self.faults.clone_from(faults);
    }

    /// Takes in what contacts did, and which faults the board has from now on. After a
    /// restart all contacts are open until it says otherwise.
    pub fn sense(&mut self, item: &SessionItem) {
        match item {
            SessionItem::Contact(contact @ (Input::Touch(_) | Input::Press(_))) => {
                self.closed.get_or_insert_default().push(*contact);
            }
            SessionItem::Contact(contact) => {
                let closed = self.closed.get_or_insert_default();
                closed.retain(|other| *other != contact.reverse());
            }
            SessionItem::Do(Deed::Reset { .. }) => {
                self.closed.iter_mut().for_each(Vec::clear);
            }
            SessionItem::Note(words) => {
                if let Some(faults) = faults_of_note(words) {
                    self.know_faults(&faults.board);
                }
            }
            _ => {}
        }
    }

    fn is_closed(&self, contact: Input) -> Option<SignalValue> {
        let closed = self.closed.as_ref()?;
        Some(SignalValue::Bit(closed.contains(&contact)))
    }

    /// The values at the current tick of this board, each with the index of its signal.
    /// Contacts of which nothing is told have none, and neither has a line.
    pub fn read(&self, board: &AnyBoard) -> impl Iterator<Item = (usize, SignalValue)> {
        let fields = self.fields(board);
        let each = self.signals.iter().enumerate();
        each.filter_map(move |(index, signal)| {
            let value = match signal {
                Signal::Contact(point) => self.is_closed(Input::Touch(*point))?,
                Signal::ButtonContact(button) => self.is_closed(Input::Press(*button))?,
                Signal::Line(_) => return None,
                signal => self.value(signal, board, &fields),
            };
            Some((index, value))
        })
    }

    /// The fields of the state, if a signal needs them.
    fn fields(&self, board: &AnyBoard) -> Vec<StateField> {
        let is_state = |signal: &Signal| matches!(signal, Signal::State(_));
        match self.signals.iter().any(is_state) {
            true => fields_of(board, board.layout()),
            false => Vec::new(),
        }
    }

    fn value(&self, signal: &Signal, board: &AnyBoard, fields: &[StateField]) -> SignalValue {
        use SignalValue::{Bit, Number, Word};
        let frame = board.frame();
        let has = |point: Point| board.layout().has(point);
        let side = |side: Option<Side>| Word(side.map_or("none", Side::name).to_owned());
        let settings = board.settings();
        match signal {
            // They are not the board's: see `read`.
            Signal::Contact(_) | Signal::ButtonContact(_) | Signal::Line(_) => Bit(false),
            Signal::Point(point) => Bit(board.is_touched(*point)),
            Signal::Button(button) => Bit(board.is_pressed(*button)),
            Signal::Light(point) => Word(words::light(frame.light(*point))),
            Signal::Lit(point) => {
                let mut dead = self.faults.dead_lamps(board.layout());
                let is_lit = has(*point) && frame.seen(*point, board.tick()) != Colour::OFF;
                Bit(is_lit && dead.all(|other| other != *point))
            }
            Signal::Lamp(side) => Bit(frame.turn[side.index()]),
            Signal::Display => Word(frame.display.trim_end().to_owned()),
            Signal::Beeper => Number(frame.beep_hz.into()),
            Signal::Turn => side(board.turn()),
            Signal::Winner => Word(board.outcome().map_or("none", Outcome::name).to_owned()),
            Signal::Score(side) => {
                Number(board.score().map_or(0, |score| score[side.index()]).into())
            }
            Signal::Legal => {
                let mut legal = 0;
                board.legal(|_| legal += 1);
                Number(legal)
            }
            Signal::Game => Number(settings.game.into()),
            Signal::Mode => Number(settings.mode.into()),
            Signal::Level => Number(settings.level.into()),
            Signal::Paused => Bit(board.is_paused()),
            Signal::Thinking => Bit(board.is_thinking()),
            Signal::Event(kind) => Number(self.counts[*kind as usize]),
            Signal::Hash => Word(format!("{:016x}", board.digest())),
            Signal::State(path) => {
                let field = fields.iter().find(|field| field.path == *path);
                SignalValue::of_text(field.map_or("none", |field| field.value.as_str()))
            }
        }
    }
}
