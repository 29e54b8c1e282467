//! The kinds of calls that are measured, and their results.

/// A kind of call that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A tick in which something happens, such as a change of a clock or a light.
    Tick,
    /// A tick in which the board thinks.
    Thought,
    /// A finger comes down on a point.
    Touch,
    /// A finger leaves a point.
    Release,
    /// A button goes down, other than Start.
    Button,
    /// The Start button goes down.
    Start,
    /// A turn is given away.
    Pass,
    /// A host sets the settings.
    Settings,
    /// A host sets up a position.
    Position,
    /// A host requests the legal points.
    Legal,
    /// A host requests the digest.
    Digest,
    /// A host reads the state. The first chunk takes the snapshot.
    Save,
    /// A host loads a state.
    Load,
}

impl Kind {
    /// All kinds, in the order of the enum.
    pub const ALL: [Kind; 13] = [
        Kind::Tick,
        Kind::Thought,
        Kind::Touch,
        Kind::Release,
        Kind::Button,
        Kind::Start,
        Kind::Pass,
        Kind::Settings,
        Kind::Position,
        Kind::Legal,
        Kind::Digest,
        Kind::Save,
        Kind::Load,
    ];

    /// The name of the kind in the report to the host.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Tick => "tick",
            Kind::Thought => "thought",
            Kind::Touch => "touch",
            Kind::Release => "release",
            Kind::Button => "button",
            Kind::Start => "start",
            Kind::Pass => "pass",
            Kind::Settings => "settings",
            Kind::Position => "position",
            Kind::Legal => "legal",
            Kind::Digest => "digest",
            Kind::Save => "save",
            Kind::Load => "load",
        }
    }
}

/// The measurements of one kind of call, in the unit of the stopwatch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// The number of calls that were measured.
    pub calls: u32,
    /// The count of the most expensive call.
    pub worst: u32,
    /// The sum of the counts of all calls.
    pub total: u64,
}

impl Tally {
    /// Adds a call that took `taken` units.
    pub fn add(&mut self, taken: u32) {
        self.calls += 1;
        self.worst = self.worst.max(taken);
        self.total += u64::from(taken);
    }
}

/// A tally for each [`Kind`], in the order of [`Kind::ALL`].
pub type Tallies = [Tally; Kind::ALL.len()];
