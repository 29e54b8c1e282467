//! What follows from a seed: a board, a line, its faults, and players.

use std::sync::OnceLock;

use firmware_core::faults::{FaultyPart, LineFaults};
use firmware_core::{Faults, Rng, games};
use protocol::{
    Button, CHUNK_BYTES, Colour, Diagram, KnownLayout, Layout, Pace, Packed, Point, Settings, Side,
};
use touchboard_host::conversation::ClientOptions;
use touchboard_host::written::{library, of_text};

/// The speeds of lines in bytes per second: 9,600, 19,200, 115,200 and 921,600 baud with
/// ten bits for each byte, and USB at full speed.
pub const SPEEDS_BYTES_PER_S: [u64; 5] = [960, 1_920, 11_520, 92_160, 1_000_000];
/// The times that a byte takes, besides its own length.
pub const LATENCIES_US: [u64; 6] = [0, 125, 1_000, 5_000, 25_000, 120_000];

/// The rates of faults, per million bytes.
const RATES_PPM: [u64; 6] = [0, 0, 30, 300, 2_000, 8_000];

/// A bound on the bytes of a board's whole state; see `SNAPSHOT_BYTES` of the core.
const STATE_BYTES: u64 = 16 * 1024;
/// The longest pause of a host between two attempts to open a line, in milliseconds.
const LONGEST_PAUSE_MS: u64 = 2_000;

/// The texts that are played: small ones, so that compiling them takes no time.
const TEXTS: [&str; 6] = [
    "tic-tac-toe",
    "hex",
    "breakthrough",
    "connect-four",
    "teeko",
    "konane",
];

/// An action, and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The time since the beginning of the run.
    pub at_us: u64,
    /// What happens.
    pub what: ActKind,
}

/// What a person does, or what happens to the board and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActKind {
    /// A finger on the board's own sensors.
    Sensed(Touching),
    /// The same through the host.
    Sent(Touching),
    /// The host chooses settings.
    Set(Settings),
    /// The host resets the board.
    Reset {
        /// The seed of the board from then on.
        seed: u64,
        /// The index of its layout among those of the plan.
        layout: usize,
    },
    /// The host asks for the whole state.
    Snapshot,
    /// The host asks what is legal: an answer of many bytes that changes nothing.
    Ask,
    /// The host sets up these stones. Some games refuse them.
    Place(Box<Diagram>),
    /// The host makes the board load the state that it was sent last.
    Load,
    /// The host puts a finger on the board's simulated sensors.
    Finger(Touching),
    /// The cable is pulled out.
    Unplug {
        /// The time until it is plugged in again.
        for_us: u64,
    },
    /// The cable is plugged into the other host.
    Switch,
    /// The board's power fails for a moment.
    PowerFailure,
}

/// An input that makes sense on every board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touching {
    /// A touch of a legal point, and its release; the point is this one of them.
    Legal(u32),
    /// A touch of any point, and its release.
    Any(u32),
    /// A press of a button, and its lift.
    Button(Button),
    /// Passing.
    Pass,
}

/// All that a run is made of.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The seed from which all else follows.
    pub seed: u64,
    /// The layouts of the run; the board begins with the first.
    pub layouts: Vec<KnownLayout>,
    /// The name of the text on the first layout, if it is one.
    pub text: Option<&'static str>,
    /// The settings of the board when it is switched on.
    pub settings: Settings,
    /// The seed of the board.
    pub board_seed: u64,
    /// Who makes the board's ticks.
    pub pace: Pace,
    /// The milliseconds that the board counts in 1,000 ms.
    pub clock_permille: u64,
    /// The speed of the line.
    pub bytes_per_s: u64,
    /// The time that a byte takes besides its own length, in each direction.
    pub latency_us: u64,
    /// The largest number of bytes that arrive at once.
    pub piece_bytes: usize,
    /// True if the board notices that a host closes the line, as over USB and TCP.
    pub notices_hang_up: bool,
    /// What goes wrong: on the line until it is healed, with the contacts always.
    pub faults: Faults,
    /// True if fingers close contacts of a simulated key matrix, which is sampled and
    /// debounced; false if they are inputs at once.
    pub has_matrix: bool,
    /// The number of hosts, which have the board in turn.
    pub hosts: usize,
    /// When the line is healed, and players stop.
    pub faulty_us: u64,
    /// What happens, in order.
    pub acts: Vec<Act>,
}

/// The included texts that are played, compiled once.
fn texts() -> &'static [(&'static str, KnownLayout)] {
    static COMPILED: OnceLock<Vec<(&str, KnownLayout)>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let compiled = TEXTS.map(|name| {
            // Without one of them, every seed would be another run.
            let text = library::text(name).unwrap_or_else(|| panic!("{name} is not included"));
            match of_text(name, text, &[]) {
                Ok(game) => (name, game.layout),
                Err(error) => panic!("{error}"),
            }
        });
        compiled.into()
    })
}

/// One of these.
fn one_of<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u32) as usize]
}

fn wide(rng: &mut Rng) -> u64 {
    (u64::from(rng.next()) << 32) | u64::from(rng.next())
}

/// A number from `least` to `most`, evenly.
fn between(rng: &mut Rng, least: u64, most: u64) -> u64 {
    least + u64::from(rng.below((most - least + 1) as u32))
}

fn a_layout(rng: &mut Rng) -> (KnownLayout, Option<&'static str>) {
    let texts = texts();
    if rng.percent(25) && !texts.is_empty() {
        let (name, layout) = &texts[rng.below(texts.len() as u32) as usize];
        return (layout.clone(), Some(name));
    }
    let side = |rng: &mut Rng| between(rng, 3, 16) as u8;
    let sides = match rng.percent(50) {
        true => (9, 9),
        false => (side(rng), side(rng)),
    };
    let layout = Layout::grid(sides.0, sides.1).unwrap_or(Layout::MALDOO);
    (layout.into(), None)
}

fn some_settings(rng: &mut Rng) -> Settings {
    let roster = games::ROSTER;
    let place = rng.below(roster.len() as u32) as usize;
    let game = roster.iter().nth(place).unwrap_or(roster.first());
    let modes = games::about(game).map_or(1, |about| about.modes);
    Settings {
        game,
        time: rng.below(10) as u8,
        speed: rng.below(10) as u8,
        // A board that thinks costs much more than one that listens.
        level: if rng.percent(85) { 0 } else { 1 },
        mode: rng.below(modes.into()) as u8,
    }
}

fn some_faults(rng: &mut Rng, seed: u64) -> Faults {
    let mut faults = Faults {
        seed,
        ..Faults::default()
    };
    faults.line = LineFaults {
        drop_ppm: one_of(rng, &RATES_PPM),
        flip_ppm: one_of(rng, &RATES_PPM),
        duplicate_ppm: one_of(rng, &RATES_PPM),
        cut_ppm: one_of(rng, &[0, 0, 0, 10, 100]),
        cut_after_bytes: None,
        stall_ppm: one_of(rng, &[0, 0, 50, 500]),
        stall_ms: one_of(rng, &[10, 200, 1_500, 6_000]),
        delay_ms: 0,
    };
    faults
}

fn touching(rng: &mut Rng) -> Touching {
    match rng.below(100) {
        0..62 => Touching::Legal(rng.next()),
        62..78 => Touching::Any(rng.next()),
        78..90 => Touching::Button(one_of(rng, &[Button::Start, Button::Stop])),
        90..95 => Touching::Button(one_of(rng, &Button::ALL)),
        _ => Touching::Pass,
    }
}

/// The acts of a run, in order, each some time after the one before.
fn some_acts(rng: &mut Rng, plan: &RunPlan) -> Vec<Act> {
    let mut acts = Vec::new();
    let mut at_us = between(rng, 0, 2_000) * 1_000;
    let pause_ms = one_of(rng, &[150, 600, 2_000]);
    let is_held = plan.pace == Pace::Lockstep;
    let sent_percent = if is_held { 100 } else { 50 };
    while at_us < plan.faulty_us {
        let what = match rng.below(1_000) {
            0..10 => ActKind::Set(some_settings(rng)),
            10..14 => ActKind::Reset {
                seed: wide(rng),
                layout: rng.below(plan.layouts.len() as u32) as usize,
            },
            14..18 => ActKind::Snapshot,
            18..30 => ActKind::Ask,
            30..36 => ActKind::Unplug {
                for_us: between(rng, 1, 8_000) * 1_000,
            },
            36..40 if plan.hosts > 1 => ActKind::Switch,
            40..42 => ActKind::PowerFailure,
            _ if rng.percent(sent_percent) => ActKind::Sent(touching(rng)),
            _ => ActKind::Sensed(touching(rng)),
        };
        acts.push(Act { at_us, what });
        at_us += between(rng, 1, 2 * pause_ms) * 1_000;
    }
    acts
}

/// Gives a board in three a key matrix, most with faults, and lets hosts put fingers on it.
fn add_contacts(rng: &mut Rng, plan: &mut RunPlan) {
    plan.has_matrix = rng.percent(33);
    if !plan.has_matrix {
        return;
    }
    let points = plan.layouts[0].points() as u32;
    let some_parts = |rng: &mut Rng| {
        let count = one_of(rng, &[0, 0, 1, 2]);
        let parts = (0..count).filter_map(|_| {
            let point = Point(rng.below(points) as u8);
            FaultyPart::of_point(*plan.layouts[0], point)
        });
        parts.collect()
    };
    plan.faults.board.bounce_ms = one_of(rng, &[0, 3, 8, 30]);
    plan.faults.board.ghosting = rng.percent(30);
    plan.faults.board.stuck = some_parts(rng);
    plan.faults.board.dead = some_parts(rng);
    // In lockstep nothing is sampled.
    if plan.pace != Pace::Lockstep {
        insert(rng, plan, 15, |rng| ActKind::Finger(touching(rng)));
    }
}

/// Lets hosts set up stones and load states, in half of the runs.
fn add_positions_and_states(rng: &mut Rng, plan: &mut RunPlan) {
    if rng.percent(50) {
        let points = plan.layouts[0].points() as u32;
        insert(rng, plan, 3, |rng| {
            ActKind::Place(Box::new(some_stones(rng, points)))
        });
        insert(rng, plan, 3, |_| ActKind::Load);
    }
}

/// Adds acts, each at the time of one of these per cent of the others.
fn insert(
    rng: &mut Rng,
    plan: &mut RunPlan,
    percent: u32,
    mut act: impl FnMut(&mut Rng) -> ActKind,
) {
    let mut acts = Vec::with_capacity(plan.acts.len());
    for before in plan.acts.drain(..) {
        let at_us = before.at_us;
        acts.push(before);
        if rng.percent(percent) {
            let what = act(rng);
            acts.push(Act { at_us, what });
        }
    }
    plan.acts = acts;
}

fn some_stones(rng: &mut Rng, points: u32) -> Diagram {
    let mut stones = Packed::default();
    for _ in 0..rng.below(points + 1) {
        let point = Point(rng.below(points) as u8);
        stones.set(point, one_of(rng, &[Colour::GREEN, Colour::RED]));
    }
    Diagram {
        points: stones,
        turn: one_of(rng, &[Side::Green, Side::Red]),
    }
}

impl RunPlan {
    /// What follows from this seed.
    #[must_use]
    pub fn of(seed: u64) -> RunPlan {
        let mut rng = Rng::new(seed);
        let (first, text) = a_layout(&mut rng);
        let mut layouts = vec![first];
        layouts.extend((0..2).map(|_| a_layout(&mut rng).0));
        let pace = match rng.percent(30) {
            true => Pace::Lockstep,
            false => Pace::Free { permille: 1_000 },
        };
        let mut plan = RunPlan {
            seed,
            layouts,
            text,
            settings: some_settings(&mut rng),
            board_seed: wide(&mut rng),
            pace,
            clock_permille: one_of(&mut rng, &[1_000, 1_000, 1_000, 990, 1_010, 1_100]),
            bytes_per_s: one_of(&mut rng, &SPEEDS_BYTES_PER_S),
            latency_us: one_of(&mut rng, &LATENCIES_US),
            piece_bytes: between(&mut rng, 1, 64) as usize,
            notices_hang_up: rng.percent(50),
            faults: Faults::default(),
            has_matrix: false,
            hosts: if rng.percent(30) { 2 } else { 1 },
            faulty_us: between(&mut rng, 20, 600) * 1_000_000,
            acts: Vec::new(),
        };
        plan.faults = some_faults(&mut rng, seed);
        plan.acts = some_acts(&mut rng.split(), &plan);
        // What is left out by `Less` must leave the rest of the run as it is, so it is
        // drawn last.
        add_contacts(&mut rng.split(), &mut plan);
        add_positions_and_states(&mut rng.split(), &mut plan);
        plan
    }

    /// How long the healed board and its host may take to agree, in milliseconds: four
    /// times the time after which a silent board counts as lost, the longest pause between
    /// two attempts, and the time in which a state passes over this line four times.
    #[must_use]
    pub fn heals_within_ms(&self) -> u64 {
        let timeout_ms = ClientOptions::default().timeout_ms;
        let pieces = STATE_BYTES / CHUNK_BYTES as u64;
        let once_ms = 1_000 * STATE_BYTES / self.bytes_per_s + pieces * 2 * self.latency_us / 1_000;
        4 * timeout_ms + LONGEST_PAUSE_MS + 4 * once_ms
    }
}
