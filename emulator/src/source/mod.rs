//! Where the board is: the boundary between the picture and any board.
//!
//! The scene and the workbench know two things only: they write [`Order`]
//! messages, and they read [`Shown`]. Behind that stands one [`Source`]: the
//! core in this process, a virtual board, an emulated microcontroller, a real
//! one. Nothing here needs a thread, a file or a port: a source that has some
//! keeps them to itself.

pub mod core;
pub mod remote;
mod scribe;
pub mod tape;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use hil_bridge::session::Session;
use hil_bridge::{At, CoreDriver, Where};
use protocol::{
    Event, Frame, Input, Layout, Point, Position, Settings, StampedEvent, Status, Tick,
};

/// The most lines that the event log keeps.
pub const LOG_LINES: usize = 400;

/// The longest stretch of real time that one picture makes up for: longer than a
/// picture takes where no graphics card helps, but short, so that a
/// window that was held still does not make the board race afterwards.
const LONGEST_STEP: Duration = Duration::from_millis(500);

/// What the picture asks of the board.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Order {
    /// Do this to the board now.
    Input(Input),
    /// Use these settings.
    Settings(Settings),
    /// Let time go at this speed, or stand still.
    Pace(Pace),
    /// Let so many ticks pass while time stands still.
    Step(u32),
    /// Go to this tick, back or on, and hold there.
    GoTo(Tick),
    /// Begin as if just switched on.
    Reset {
        /// What all chance follows from.
        seed: u64,
        /// The layout to have.
        layout: Layout,
    },
    /// Set up a position of the chosen game.
    Position(Box<Position>),
}

/// How board time goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Time stands still; `Order::Step` moves it.
    pub paused: bool,
    /// Board time for one of real time, 0.1 to 100.
    pub speed: f32,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            paused: false,
            speed: 1.0,
        }
    }
}

/// How the board is connected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Link {
    /// Function calls: nothing to connect.
    #[default]
    Direct,
    /// Looking for the board.
    Searching,
    /// The board answers.
    Up {
        /// What kind of board answered.
        board: String,
    },
    /// The board does not answer any more; the sentence says what happened.
    Down(String),
}

/// Whether the remote board and the local copy that is fed the same inputs
/// show the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Agreement {
    /// There is only one board: nothing to compare.
    #[default]
    Alone,
    /// All digests compared so far were equal.
    Agrees {
        /// How many were compared.
        compared: u64,
    },
    /// They differ; the sentence names the first tick, the field and both
    /// values.
    Differs(String),
}

/// What the board shows, and what is known of it. Changed (in the sense of
/// change detection) only when something in it did.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Shown {
    /// The points that there are.
    pub layout: Layout,
    /// All light and sound.
    pub frame: Frame,
    /// The settings, and how the game stands.
    pub status: Status,
    /// The points whose touch is a move now, in order.
    pub legal: Vec<Point>,
    /// How time goes.
    pub pace: Pace,
    /// The connection.
    pub link: Link,
    /// What the comparison says.
    pub twin: Agreement,
    /// The earliest tick that one can go back to; `None` where one cannot.
    pub earliest: Option<Tick>,
    /// The last tick at which something is known to happen, if one went back or
    /// a session is being replayed; it may lie behind.
    pub latest: Tick,
}

impl Default for Shown {
    fn default() -> Self {
        Shown {
            layout: Layout::MALDOO,
            frame: Frame::default(),
            status: Status::default(),
            legal: Vec::new(),
            pace: Pace::default(),
            link: Link::default(),
            twin: Agreement::default(),
            earliest: None,
            latest: 0,
        }
    }
}

/// The board's time; apart from [`Shown`] because it changes all the time.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock(pub Tick);

/// What went wrong last, as a sentence; `None` when nothing did.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Trouble(pub Option<String>);

/// The last events, oldest first.
#[derive(Resource, Debug, Default)]
pub struct Log(pub VecDeque<StampedEvent>);

impl Log {
    /// Adds an event, if it is one for a person: what was pressed is seen on the
    /// board, and digests are compared by the program.
    pub fn note(&mut self, stamped: StampedEvent) {
        if matches!(stamped.event, Event::Taken(_) | Event::Digest(_)) {
            return;
        }
        self.0.push_back(stamped);
        while self.0.len() > LOG_LINES {
            self.0.pop_front();
        }
    }
}

/// Something happened on the board.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Happened(pub StampedEvent);

/// A board, wherever it is.
pub trait Source: Send + Sync {
    /// What to call it in the status line: `in process`, `virtual`, a port.
    fn name(&self) -> String;

    /// Does what was ordered, or says in a sentence why not.
    ///
    /// # Errors
    /// A sentence for a person.
    fn order(&mut self, order: &Order) -> Result<(), String>;

    /// What was done to the board so far.
    ///
    /// # Errors
    /// A sentence that says why that is not known, and who does.
    fn session(&self) -> Result<Session, String>;

    /// Lets so much real time pass, brings `shown` up to date, and tells the
    /// events since the last call. Returns the tick.
    ///
    /// # Errors
    /// A sentence for a person; the board may still come back.
    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String>;
}

/// The board that is shown.
#[derive(Resource)]
pub struct Board(pub Box<dyn Source>);

/// Where the board is, and where the next one is going to be.
#[derive(Resource, Clone, Debug)]
pub struct Seat {
    /// Where the board is that is shown, and how the line to it is.
    pub place: Where,
    /// What is being chosen in the workbench.
    pub next: At,
}

impl Default for Seat {
    fn default() -> Self {
        Seat::at(Where::new(At::Core))
    }
}

impl Seat {
    /// The board is there.
    #[must_use]
    pub fn at(place: Where) -> Seat {
        Seat {
            next: place.at.clone(),
            place,
        }
    }
}

/// Write what was done to the board so far into a file, here.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Save;

/// The session that was written last.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved(pub Option<PathBuf>);

/// Change to the board that is there.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Connect(pub At);

/// The order of work within one picture.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SourceSet {
    /// Orders go to the board, time passes, [`Shown`] is brought up to date.
    Exchange,
}

/// Carries orders to the board and what it shows back.
pub struct SourcePlugin;

impl Plugin for SourcePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Shown>()
            .init_resource::<Clock>()
            .init_resource::<Trouble>()
            .init_resource::<Log>()
            .init_resource::<Seat>()
            .init_resource::<Saved>()
            .add_message::<Connect>()
            .add_message::<Save>()
            .add_message::<Order>()
            .add_message::<Happened>()
            .add_systems(Update, connect.before(SourceSet::Exchange))
            .add_systems(
                Update,
                (deliver, let_time_pass, save)
                    .chain()
                    .in_set(SourceSet::Exchange)
                    .run_if(resource_exists::<Board>),
            );
    }
}

/// The board at this place. A line to it is opened in the background: the board
/// may say later that it cannot be reached.
///
/// # Errors
/// A sentence that says why it cannot be had.
pub fn open(place: Where) -> Result<Box<dyn Source>, String> {
    if place.at != At::Core {
        return Ok(Box::new(remote::Remote::open(place)));
    }
    let layout = place.layout.unwrap_or(Layout::MALDOO);
    let driver = CoreDriver::new(layout, place.seed.unwrap_or_default());
    let source = driver.and_then(core::InProcess::new);
    Ok(Box::new(source.map_err(|error| error.to_string())?))
}

fn connect(
    mut commands: Commands,
    mut wishes: MessageReader<Connect>,
    shown: Res<Shown>,
    mut seat: ResMut<Seat>,
    mut trouble: ResMut<Trouble>,
    mut log: ResMut<Log>,
) {
    let Some(Connect(at)) = wishes.read().last() else {
        return;
    };
    let place = Where {
        at: at.clone(),
        // A board at the end of a line of its own keeps its layout.
        layout: matches!(at, At::Core | At::Virtual).then_some(shown.layout),
        ..seat.place.clone()
    };
    match open(place.clone()) {
        Ok(source) => {
            commands.insert_resource(Board(source));
            *seat = Seat::at(place);
            log.0.clear();
            trouble.set_if_neq(Trouble(None));
        }
        Err(sentence) => {
            trouble.set_if_neq(Trouble(Some(sentence)));
        }
    }
}

fn deliver(
    mut board: ResMut<Board>,
    mut orders: MessageReader<Order>,
    mut trouble: ResMut<Trouble>,
) {
    for order in orders.read() {
        let result = board.0.order(order);
        trouble.set_if_neq(Trouble(result.err()));
    }
}

fn save(
    board: Res<Board>,
    mut wishes: MessageReader<Save>,
    mut saved: ResMut<Saved>,
    mut trouble: ResMut<Trouble>,
) {
    if wishes.read().count() == 0 {
        return;
    }
    let written = board.0.session().and_then(|session| {
        let path = free_name(Path::new("."));
        let result = session.save(&path).map(|()| path);
        result.map_err(|error| error.to_string())
    });
    match written {
        Ok(path) => {
            *saved = Saved(Some(path));
            trouble.set_if_neq(Trouble(None));
        }
        Err(sentence) => {
            trouble.set_if_neq(Trouble(Some(sentence)));
        }
    }
}

/// The first of `touchboard-1.session`, `touchboard-2.session`, ... that is not
/// there yet.
fn free_name(folder: &Path) -> PathBuf {
    let name = |number: u32| folder.join(format!("touchboard-{number}.session"));
    let mut numbers = (1..).map(name);
    let free = numbers.find(|path| !path.exists());
    free.unwrap_or_else(|| name(0))
}

/// What is known of the board besides what it shows.
#[derive(SystemParam)]
struct Known<'w, 's> {
    clock: ResMut<'w, Clock>,
    trouble: ResMut<'w, Trouble>,
    log: ResMut<'w, Log>,
    happened: MessageWriter<'w, Happened>,
    save: MessageWriter<'w, Save>,
    /// The number of the next event.
    number: Local<'s, u32>,
}

fn let_time_pass(
    mut board: ResMut<Board>,
    time: Res<Time<Real>>,
    mut shown: ResMut<Shown>,
    mut known: Known,
) {
    let mut next = shown.clone();
    let elapsed = time.delta().min(LONGEST_STEP);
    let mut tell = |tick, event| {
        let stamped = StampedEvent {
            number: *known.number,
            tick,
            event,
        };
        *known.number = known.number.wrapping_add(1);
        known.log.note(stamped);
        known.happened.write(Happened(stamped));
    };
    match board.0.update(elapsed, &mut next, &mut tell) {
        Ok(tick) => {
            if tick < known.clock.0 {
                known.log.0.retain(|stamped| stamped.tick <= tick);
            }
            known.clock.set_if_neq(Clock(tick));
        }
        Err(sentence) => {
            known.trouble.set_if_neq(Trouble(Some(sentence)));
        }
    }
    // What made a board differ is not to be lost.
    let differs = |shown: &Shown| matches!(shown.twin, Agreement::Differs(_));
    if differs(&next) && !differs(&shown) && next.link != Link::Direct {
        known.save.write(Save);
    }
    shown.set_if_neq(next);
}
