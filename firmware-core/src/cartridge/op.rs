//! The words of a cartridge's program: what each is called, what it gives and
//! what it takes.
//!
//! A program is a row of 16-bit words. A node of it is one word, the number of
//! its [`Op`] in the low byte and a small number of its own in the high one,
//! and then a word for each thing that it takes: the place of another node,
//! which must be an earlier one, or a number. So a program has no way back, and
//! each run of it ends, and what it needs of the stack can be told before.

/// What a node gives, or what another takes in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A number; a site is one, and -1 is none.
    Number,
    /// A condition: true or false.
    Truth,
    /// A set of sites of the position.
    Sites,
    /// A set of directions from a site.
    Ways,
    /// Moves, or what comes with them.
    Moves,
    /// A rule of the end.
    End,
}

/// What stands in a word after the first one of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// The place of a node of this kind.
    Node(NodeKind),
    /// A node of this kind, or [`NOTHING`].
    Maybe(NodeKind),
    /// A number as it is.
    Raw,
    /// The number of a set of the pool.
    Set,
    /// The number of a table of the pool.
    Table,
    /// The number of a choice of ways.
    Choice,
}

impl Op {
    /// What stands for a node when there are no steps left: one of its kind that
    /// needs none.
    #[cold]
    #[inline(never)]
    pub(super) fn idle(self) -> Op {
        match self.gives() {
            NodeKind::Number => Op::Mover,
            NodeKind::Truth => Op::False,
            NodeKind::Sites => Op::Empty,
            NodeKind::Ways => Op::None,
            NodeKind::Moves | NodeKind::End => Op::None,
        }
    }

    /// The places of a node of which it takes `x` more, with what stands in each.
    pub fn operands(self, x: u8) -> impl Iterator<Item = (OperandSlot, OperandKind)> + Clone {
        let more = self.each().map_or(0, |_| usize::from(x));
        let kind = self.each().unwrap_or(NodeKind::Number);
        let takes = self.takes().iter().copied();
        let takes = takes.chain(core::iter::repeat_n(OperandKind::Node(kind), more));
        (1..).map(OperandSlot).zip(takes)
    }

    /// The places of the moves that a node hands on as its own, perhaps with more
    /// after each, if that is all that it does; it takes `x` more.
    #[inline]
    #[must_use]
    pub fn hands_on(self, x: u8) -> Option<impl Iterator<Item = OperandSlot> + Clone> {
        let (first, last) = match self {
            Op::Then | Op::Afterwards => (place::Then::MOVES.0, place::Then::MOVES.0),
            Op::Any => (1, u16::from(x)),
            Op::IfMoves => (place::IfMoves::YES.0, place::IfMoves::NO.0),
            _ => return None,
        };
        Some((first..=last).map(OperandSlot))
    }
}

/// Where a node takes something: its distance in words from the node's own. Only the
/// table of words below makes one, so nothing is read by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandSlot(u16);

impl OperandSlot {
    /// The distance in words from the node's own.
    #[inline]
    #[must_use]
    pub const fn words(self) -> u16 {
        self.0
    }
}

/// In the place of a node: there is none.
pub const NOTHING: u16 = 0xFFFF;

/// Bits of a node's own number, `x`.
pub mod bit {
    /// Moves: whether the player decides to make them.
    pub const DECIDED: u8 = 1;
    /// [`Add`](super::Op::Add): on top of what stands there.
    pub const TOP: u8 = 2;
    /// [`FromTo`](super::Op::FromTo): a copy of the piece.
    pub const COPY: u8 = 2;
    /// [`Remove`](super::Op::Remove): when the turn is over.
    pub const LATER: u8 = 2;
    /// [`SetScore`](super::Op::SetScore): added to the score.
    pub const MORE: u8 = 2;
    /// [`Around`](super::Op::Around), [`Along`](super::Op::Along): with the sites from
    /// which it is looked.
    pub const WITH_FIRST: u8 = 1;
    /// [`Along`](super::Op::Along): with the site that stops.
    pub const WITH_STOP: u8 = 2;
    /// [`Remember`](super::Op::Remember): a site is stored once at most.
    pub const ONCE: u8 = 1;
}

/// How a [`Result`](Op::Result) ends the game for a player.
pub mod ending {
    /// The player has lost.
    pub const LOSS: u16 = 0;
    /// The player has won.
    pub const WIN: u16 = 1;
    /// All draw, whoever the player is.
    pub const DRAW: u16 = 2;
}

/// Makes [`Op`] of its table, whose rows stand under the name of a pattern that matches all
/// of them: `numbers!()`. So whoever evaluates one kind of nodes names those of the others,
/// and does not compile when there is a node of its kind that it does not evaluate.
macro_rules! ops {
    ($(
        [$kind:ident!]
        $(
            $(#[$doc:meta])*
            $name:ident: $gives:ident ($($place:ident: $takes:expr),* $(,)?) $(, each $each:ident)?;
        )*
    )*) => {
        ops! { @all $($(
            $(#[$doc])*
            $name: $gives ($($place: $takes),*) $(, each $each)?;
        )*)* }
        $(
            macro_rules! $kind { () => { $( Op::$name )|* }; }
            pub(super) use $kind;
        )*
    };
    (@all $(
        $(#[$doc:meta])*
        $name:ident: $gives:ident ($($place:ident: $takes:expr),*) $(, each $each:ident)?;
    )*) => {
        /// What a node does. The high byte of its word is called `x`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Op { $( $(#[$doc])* $name, )* }

        impl Op {
            /// The one of this number. Said so, it costs a comparison and no load.
            #[inline(always)]
            #[must_use]
            #[allow(non_upper_case_globals, reason = "they are the names of words")]
            pub const fn of(number: u8) -> Option<Op> {
                $( const $name: u8 = Op::$name as u8; )*
                match number {
                    $( $name => Some(Op::$name), )*
                    _ => Option::None,
                }
            }

            /// The kind of value that the node gives.
            #[must_use]
            pub const fn gives(self) -> NodeKind {
                match self { $(Op::$name => NodeKind::$gives,)* }
            }

            /// What it takes, in order.
            #[must_use]
            pub const fn takes(self) -> &'static [OperandKind] {
                match self { $(Op::$name => const { &[$($takes),*] },)* }
            }

            /// The kind of which it takes `x` more, if it does.
            #[must_use]
            pub const fn each(self) -> Option<NodeKind> {
                match self { $(Op::$name => ops!(@each $($each)?),)* }
            }
        }

        /// The places of what each node takes, by name: `place::Slide::WAYS`.
        pub mod place {
            use super::OperandSlot;

            $(
                $(#[$doc])*
                pub struct $name;

                impl $name {
                    ops!(@place 1; $($place)*);
                    ops!(@more { $($place)* } $($each)?);
                }
            )*
        }
    };
    (@each) => { None };
    (@each $each:ident) => { Some(NodeKind::$each) };
    (@place $at:expr;) => {};
    (@place $at:expr; $place:ident $($rest:ident)*) => {
        #[allow(missing_docs, reason = "the table says what each node takes")]
        pub const $place: OperandSlot = OperandSlot($at);
        ops!(@place $at + 1; $($rest)*);
    };
    (@more { $($place:ident)* }) => {};
    (@more { $($place:ident)* } $each:ident) => {
        /// The places of the `many` operands at its end.
        #[inline]
        pub fn each(many: u8) -> impl DoubleEndedIterator<Item = OperandSlot> + Clone {
            const NAMES: &[&str] = &[$(stringify!($place)),*];
            const FIRST: u16 = 1 + NAMES.len() as u16;
            (FIRST..FIRST + u16::from(many)).map(OperandSlot)
        }
    };
}

const N: OperandKind = OperandKind::Node(NodeKind::Number);
const B: OperandKind = OperandKind::Node(NodeKind::Truth);
const S: OperandKind = OperandKind::Node(NodeKind::Sites);
const W: OperandKind = OperandKind::Node(NodeKind::Ways);
const M: OperandKind = OperandKind::Node(NodeKind::Moves);
const E: OperandKind = OperandKind::Node(NodeKind::End);
const N_: OperandKind = OperandKind::Maybe(NodeKind::Number);
const B_: OperandKind = OperandKind::Maybe(NodeKind::Truth);
const S_: OperandKind = OperandKind::Maybe(NodeKind::Sites);
const M_: OperandKind = OperandKind::Maybe(NodeKind::Moves);
const RAW: OperandKind = OperandKind::Raw;
const SET: OperandKind = OperandKind::Set;
const TABLE: OperandKind = OperandKind::Table;
const CHOICE: OperandKind = OperandKind::Choice;

ops! {
    [numbers!]
    /// A number.
    Constant: Number (VALUE: RAW);
    /// Where the last move led.
    LastTo: Number ();
    /// Where the last move began.
    LastFrom: Number ();
    /// The site from which something is looked at.
    From: Number ();
    /// The site to which something is looked at.
    To: Number ();
    /// The site between the two ends of a move.
    Between: Number ();
    /// The site of a loop over sites.
    Site: Number ();
    /// The player of a loop over players.
    Player: Number ();
    /// The number of a loop over numbers.
    Value: Number ();
    /// The player whose turn it is.
    Mover: Number ();
    /// The player who moves next.
    Next: Number ();
    /// The player who moved before.
    Previous: Number ();
    /// The owner of the piece on a site.
    Who: Number (SITE: N);
    /// Which piece stands on a site.
    What: Number (SITE: N);
    /// The state of the piece of a site.
    StateAt: Number (SITE: N);
    /// How many pieces stand on a site.
    CountAt: Number (SITE: N);
    /// The value of the piece of a site.
    ValueAt: Number (SITE: N);
    /// How many sites a set has.
    Size: Number (SITES: S);
    /// How many pieces stand on the sites of a set.
    PiecesOn: Number (SITES: S);
    /// The sum of two numbers.
    Plus: Number (LEFT: N, RIGHT: N);
    /// The difference of two numbers.
    Minus: Number (LEFT: N, RIGHT: N);
    /// The product of two numbers.
    Times: Number (LEFT: N, RIGHT: N);
    /// The quotient, rounded to zero; 0 by 0.
    Divide: Number (LEFT: N, RIGHT: N);
    /// The rest; 0 by 0.
    Modulo: Number (LEFT: N, RIGHT: N);
    /// The number without its sign.
    Absolute: Number (NUMBER: N);
    /// The smaller of two numbers.
    Minimum: Number (LEFT: N, RIGHT: N);
    /// The larger of two numbers.
    Maximum: Number (LEFT: N, RIGHT: N);
    /// `YES` if the condition holds, and `NO` if it does not.
    IfNumber: Number (CONDITION: B, YES: N, NO: N);
    /// The entry of a table; -1 past it.
    Entry: Number (TABLE: TABLE, INDEX: N);
    /// The score of a player.
    Score: Number (PLAYER: N);
    /// The amount of a player.
    Amount: Number (PLAYER: N);
    /// The counter of moves that a game may set back.
    Counter: Number ();
    /// What is pending, if it is one thing: its site, or 1 if it has none; else 0.
    PendingValue: Number ();
    /// The value of a variable.
    Variable: Number (VARIABLE: RAW);
    /// The number of moves since the set-up.
    Moves: Number ();
    /// The number of turns since the set-up.
    Turns: Number ();
    /// Moves of this turn before this one.
    MovesThisTurn: Number ();
    /// Steps from a site to another along ways.
    Distance: Number (WAYS: W, FROM: N, TO: N);
    /// Groups of the sites on which something is true.
    Groups: Number (WAYS: W, CONDITION: B, LEAST: N_);
    /// The size of the group at a site.
    GroupSize: Number (WAYS: W, SITE: N, CONDITION: B_);
    /// The site a number of steps ahead of another; that one itself if the way is too
    /// short.
    Ahead: Number (SITE: N, STEPS: N, WAYS: W);
    /// The lowest site of a set.
    First: Number (SITES: S);
    /// A site of a set, counted from the lowest.
    Nth: Number (SITES: S, INDEX: N);
    /// Pieces on top of each other at a site.
    Height: Number (SITE: N);
    /// Empty sites that only touch pieces of a player.
    Territory: Number (WAYS: W, PLAYER: N);
    /// The phase of a player.
    PhaseOf: Number (PLAYER: N);
    /// Empty sites beside the group of a site.
    Liberties: Number (WAYS: W, SITE: N);
    /// A number from one to another, both among them, by chance.
    Chance: Number (LEAST: N, MOST: N);
    /// Where the last move led, with all that came after it.
    LastAfter: Number ();
    /// The value of a player.
    PlayerValue: Number (PLAYER: N);
    /// The site a number of steps further along a track. A track is the number of its
    /// table: see [`sowing`](crate::cartridge::sowing).
    TrackAhead: Number (TRACK: N, SITE: N_, STEPS: N);
    /// The first site of a track, from a site on, where something is true.
    TrackFirst: Number (TRACK: N, SITE: N_, CONDITION: B_);

    [truths!]
    /// A condition that depends only on the position and one site, `x`: 0 to, 1
    /// between, 2 the one of a loop; it is evaluated once for each site of a position,
    /// and noted under the number.
    Everywhere: Truth (NOTE: RAW, CONDITION: B);
    /// The condition that always holds.
    True: Truth ();
    /// The condition that never holds.
    False: Truth ();
    /// True if the condition is false.
    Not: Truth (CONDITION: B);
    /// True if all of the conditions hold.
    And: Truth (), each Truth;
    /// True if at least one of the conditions holds.
    Or: Truth (), each Truth;
    /// True if exactly one of the two conditions holds.
    Xor: Truth (LEFT: B, RIGHT: B);
    /// True if both numbers are equal.
    Equal: Truth (LEFT: N, RIGHT: N);
    /// True if the numbers are different.
    Unequal: Truth (LEFT: N, RIGHT: N);
    /// True if the left number is less than the right one.
    Less: Truth (LEFT: N, RIGHT: N);
    /// True if the left number is at most the right one.
    AtMost: Truth (LEFT: N, RIGHT: N);
    /// True if both sets contain the same sites.
    SameSites: Truth (LEFT: S, RIGHT: S);
    /// `YES` if the condition holds, and `NO` if it does not.
    IfTruth: Truth (CONDITION: B, YES: B, NO: B);
    /// True if no piece stands on the site.
    IsEmpty: Truth (SITE: N);
    /// True if a piece stands on the site.
    IsOccupied: Truth (SITE: N);
    /// The number is that of a site of the set.
    IsIn: Truth (SITE: N, SITES: S);
    /// The number is another player's.
    IsEnemy: Truth (OWNER: N);
    /// The number is the mover's.
    IsFriend: Truth (OWNER: N);
    /// A line of a given length through a site. `x`: 1 exact, 2 one way only, 4 with
    /// gaps, 8 any level.
    IsLine: Truth (WAYS: W, THROUGH: N, LENGTH: N, SITES: S_, CONDITION: B_);
    /// A line of a given length through one of several sites.
    IsLineAny: Truth (WAYS: W, THROUGH: S, LENGTH: N, SITES: S_, CONDITION: B_);
    /// Pieces that a walk from the site meets; the first table holds the steps,
    /// the second the ways in their order around. `x`: 1 the second holds, for each
    /// direction around, the next site of each site.
    IsPattern: Truth (SITE: N, WALK: TABLE, AROUND: TABLE);
    /// The group of a site reaches at least a given number of the sets.
    IsConnected: Truth (WAYS: W, SITE: N, MANY: N), each Sites;
    /// The piece of a site closes a loop.
    IsLoop: Truth (NEAR: W, WAYS: W, SITE: N, OUTER: SET);
    /// No site of the board is empty.
    IsFull: Truth ();
    /// All players passed, one after the other.
    AllPassed: Truth ();
    /// True on all sites of a set.
    AllSites: Truth (SITES: S, CONDITION: B);
    /// The next player has no moves. The moves of all phases are earlier than the node.
    NoMoves: Truth ();
    /// A player was seen to have no moves.
    IsStuck: Truth (PLAYER: N);
    /// There is such a move.
    CanMove: Truth (MOVES: M);
    /// There is a move of the other side to one of the sites. Without moves of
    /// its own, those of all phases in the sight of a threat are earlier.
    IsThreatened: Truth (PIECE: N_, SITES: S, MOVES: M_);
    /// True if a site, or anything else, is pending.
    IsPending: Truth ();
    /// Something is pending for a site.
    IsPendingAt: Truth (SITE: N);
    /// An event was triggered for a player.
    IsTriggered: Truth (EVENT: RAW, PLAYER: N);
    /// True if the player is still in the game.
    IsActive: Truth (PLAYER: N);
    /// The position was there before.
    IsRepeated: Truth ();
    /// True if a site has one of the sites as a neighbour.
    IsRelated: Truth (WAYS: W, SITE: N, SITES: S);
    /// The site was visited in this turn.
    IsVisited: Truth (SITE: N);

    [sets!]
    /// A set of the pool.
    Fixed: Sites (SET: SET);
    /// A set of the pool, by its distance from the first.
    Choose: Sites (SET: SET, MANY: RAW, INDEX: N);
    /// Where no piece stands, on the board.
    Empty: Sites ();
    /// Where pieces of a player stand, or of all with -1.
    OccupiedBy: Sites (OWNER: N);
    /// The sites on which pieces of a table of kinds stand.
    WithPiece: Sites (TABLE: TABLE);
    /// Where the piece of a number stands.
    WithNumber: Sites (PIECE: N);
    /// Where pieces with this state stand.
    WithState: Sites (STATE: N);
    /// The sites that are in at least one of the sets.
    Union: Sites (), each Sites;
    /// The sites that are in all of the sets.
    Intersection: Sites (), each Sites;
    /// In the first, not in the second.
    Difference: Sites (SITES: S, WITHOUT: S);
    /// One site, or none of -1.
    One: Sites (SITE: N);
    /// The sites next to a set where something is true. `x`: 1 with the set.
    Around: Sites (SITES: S, WAYS: W, CONDITION: B_);
    /// The sites along ways. `x`: 1 with the first, 2 with the one that stops.
    Along: Sites (SITES: S, WAYS: W, MOST: N_, STOP: B_);
    /// The sites between two on a line.
    Amid: Sites (WAYS: W, FROM: N, TO: N);
    /// A set and what it reaches within a number of steps.
    Expand: Sites (SITES: S, STEPS: N_, WAYS: W);
    /// Those of a set where something is true.
    Filter: Sites (SITES: S, CONDITION: B);
    /// The group of a site.
    Group: Sites (WAYS: W, SITE: N, CONDITION: B_);
    /// What is to be removed at the end of the turn.
    ToRemove: Sites ();
    /// Where moves lead. `x`: 1 where they begin.
    Reached: Sites (MOVES: M);
    /// `YES` if the condition holds, and `NO` if it does not.
    IfSites: Sites (CONDITION: B, YES: S, NO: S);
    /// The sites that are pending.
    PendingSites: Sites ();
    /// The first pieces in sight. `x`: 0 pieces, 1 empty, 2 the last empty.
    Sight: Sites (WAYS: W, SITE: N);
    /// What is remembered under a name.
    Remembered: Sites (NAME: RAW);
    /// The sites of a track from one to another, around if need be.
    TrackPart: Sites (TRACK: N, FROM: N_, TO: N_);

    [ways!]
    /// Ways of a choice, by who owns the piece of the site.
    Choice: Ways (CHOICE: CHOICE);
    /// The way of the last move. `x`: 1 the opposite way.
    LastWay: Ways (CHOICE: CHOICE);
    /// The directions that are in at least one of the sets.
    AnyWay: Ways (), each Ways;
    /// `YES` if the condition holds, and `NO` if it does not.
    IfWays: Ways (CONDITION: B, YES: W, NO: W);

    [moves!]
    /// Put a piece on sites. `x`: 1 decided by the player, 2 on top.
    Add: Moves (WHAT: N, SITES: S, MAY_COME: B_, STATE: N_, COUNT: N_, EFFECT: M_);
    /// Move a piece from sites to sites. `x`: 1 decided, 2 a copy.
    FromTo: Moves (FROMS: S, MAY_GO: B_, TOS: S, MAY_COME: B_, EFFECT: M_, COUNT: N_, COPIES: B_);
    /// Move a piece one step. `x`: 1 decided.
    Step: Moves (FROM: N, MAY_GO: B_, WAYS: W, MAY_COME: B_, EFFECT: M_);
    /// Move a piece along a way. `x`: 1 decided.
    Slide: Moves (FROM: N, WAYS: W, LEAST: N_, MOST: N_, PASSES: B_, STOPS: B_, MAY_COME: B_, EFFECT: M_, PASSING_EFFECT: M_, TRAIL: N_);
    /// Move a piece over others. `x`: 1 decided.
    Hop: Moves (FROM: N, MAY_GO: B_, WAYS: W, BEFORE: N_, LEAST: N_, MOST: N_, AFTER: N_, HURDLE: B_, MAY_COME: B_, STOPS: B_, HURDLE_EFFECT: M_, EFFECT: M_);
    /// Move a piece to sites of a set. `x`: 1 decided.
    Leap: Moves (FROM: N, TOS: S, MAY_COME: B_, EFFECT: M_, MAY_GO: B_);
    /// Put a piece on sites along ways. `x`: 1 decided.
    Shoot: Moves (FROM: N, WAYS: W, MAY_COME: B_, WHAT: N);
    /// Take pieces away. `x`: 1 decided, 2 at the end of the turn.
    Remove: Moves (SITES: S, COUNT: N_);
    /// Point at sites. `x`: 1 decided.
    Select: Moves (FROMS: S, MAY_GO: B_, TOS: S_, MAY_COME: B_);
    /// A pass. `x`: 1 decided.
    Pass: Moves ();
    /// Make another piece of it. `x`: 1 decided.
    Promote: Moves (SITE: N, WHAT: N);
    /// The player goes on. `x`: 1 decided.
    SetNext: Moves (PLAYER: N);
    /// Lets the mover move again.
    Again: Moves ();
    /// Sets the score. `x`: 2 adds to it.
    SetScore: Moves (PLAYER: N, SCORE: N);
    /// Sets the amount of a player.
    SetAmount: Moves (PLAYER: N, AMOUNT: N);
    /// The value of a player is this.
    SetPlayerValue: Moves (PLAYER: N, VALUE: N);
    /// The state of a site is this.
    SetState: Moves (SITE: N, STATE: N);
    /// The count of a site is this.
    SetCount: Moves (SITE: N, COUNT: N);
    /// The value of a site is this.
    SetValue: Moves (SITE: N, VALUE: N);
    /// Sets the counter of the position.
    SetCounter: Moves (COUNTER: N);
    /// Marks a site, or something without a site, as pending.
    SetPending: Moves (VALUE: N);
    /// Marks the sites of a set as pending.
    SetPendingSites: Moves (SITES: S);
    /// An event for a player.
    Trigger: Moves (EVENT: RAW, PLAYER: N);
    /// Sets a variable of the game.
    SetVariable: Moves (VARIABLE: RAW, VALUE: N);
    /// The other side of a piece.
    Flip: Moves (SITE: N);
    /// Two sites exchange what stands there. `x`: 1 decided.
    SwapSites: Moves (ONE: N, OTHER: N);
    /// Moves of all of them.
    Any: Moves (), each Moves;
    /// Moves of one or the other.
    IfMoves: Moves (CONDITION: B, YES: M, NO: M_);
    /// Moves of each piece of a player. `x`: 1 in the sight of a threat.
    ForEachPiece: Moves (OWNER: N, SITES: S_, MOVES: M_);
    /// Moves for each site of a set.
    ForEachSite: Moves (SITES: S, MOVES: M, OTHERWISE: M_);
    /// Moves once for each player.
    ForEachPlayer: Moves (MOVES: M);
    /// Moves for each number of a range.
    ForEachValue: Moves (FIRST: N, LAST: N, MOVES: M);
    /// Moves for each way from a site.
    ForEachWay: Moves (SITE: N, WAYS: W, MOVES: M);
    /// The first of them that has any.
    Foremost: Moves (), each Moves;
    /// Those after which something is true.
    Afterwards: Moves (MOVES: M, CONDITION: B);
    /// The first moves, then the second ones.
    Do: Moves (FIRST: M, SECOND: M, CONDITION: B_);
    /// Those after which the turn can go on longest: see
    /// [`MOST_AHEAD`](crate::cartridge::machine::MOST_AHEAD).
    Longest: Moves (MOVES: M);
    /// The moves that capture the most pieces.
    MostTaken: Moves (MOVES: M);
    /// All of them as one.
    Together: Moves (MOVES: M);
    /// Each of the first with each of the second.
    Both: Moves (ONE: M, OTHER: M);
    /// Moves, and what comes after each of them.
    Then: Moves (MOVES: M, THEN: M);
    /// What comes with something, if it is so.
    Apply: Moves (CONDITION: B_, MOVES: M_);
    /// What is enclosed in a line between a site and a friend. The numbers:
    /// from, least, most; then what lies between, the friend and the effect.
    Custodial: Moves (FROM: N, WAYS: W, LEAST: N_, MOST: N_, TARGET: B, FRIEND: B, EFFECT: M);
    /// What is surrounded on all ways.
    Surround: Moves (FROM: N, WAYS: W, TARGET: B, FRIEND: B, EFFECT: M, EXCEPT: N_);
    /// What is enclosed as a group.
    Enclose: Moves (FROM: N, WAYS: W, TARGET: B, EFFECT: M, EXCEPT: N_);
    /// What stands on both sides of a site.
    Intervene: Moves (FROM: N, WAYS: W, LEAST: N_, MOST: N_, TARGET: B, EFFECT: M);
    /// What stands along a way.
    Directional: Moves (FROM: N, WAYS: W, LEAST: N_, MOST: N_, TARGET: B, EFFECT: M);
    /// Put a piece on each of a number of empty sites of a set, by chance.
    Scatter: Moves (WHAT: N, SITES: S, COUNT: N_, STATE: N_);
    /// Sow the pieces of a site along a track: from where, how many, how many in
    /// each pit, the track; when something is taken and what; which pits are passed
    /// over; whether taking goes back, or on; whether the first pit gets one; what
    /// comes with each pit. `x`: 1 the first pit is left out.
    Sow: Moves (START: N, COUNT: N, PER_PIT: N_, TRACK: N, CONDITION: B_, CAPTURE: M_, SKIPS: B_, BACK: B_, ON: B_, ORIGIN: B_, EFFECT: M_);
    /// Remember a site under a name. `x`: 1 once at most.
    Remember: Moves (NAME: RAW, SITE: N);
    /// Forget a site, or all, of a name.
    Forget: Moves (NAME: RAW, SITE: N_);
    /// No moves, or an empty set.
    None: Moves ();

    [rules!]
    /// A player's result, one of those of the module `ending`.
    Result: End (KIND: RAW, PLAYER: N);
    /// By the scores; a node that sets them comes first.
    ByScore: End (SCORES: M_);
    /// If it is so, the first of the rules that ends the game.
    When: End (CONDITION: B), each End;
    /// For each player, if it is so, a rule.
    EachPlayer: End (CONDITION: B, RULE: E);
    /// All of the rules, one after the other.
    Rules: End (), each End;
}
