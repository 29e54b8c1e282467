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
pub enum Kind {
    /// A number; a site is one, and -1 is none.
    Number,
    /// True or false.
    Truth,
    /// A set of sites.
    Sites,
    /// Ways from a site.
    Ways,
    /// Moves, or what comes with them.
    Moves,
    /// A rule of the end.
    End,
}

/// What stands in a word after the first one of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// The place of a node of this kind.
    Node(Kind),
    /// The same, or [`NOTHING`].
    Maybe(Kind),
    /// A number as it is.
    Raw,
    /// The number of a set of the pool.
    Set,
    /// The number of a table of the pool.
    Table,
    /// The number of a choice of ways.
    Choice,
}

/// In the place of a node: there is none.
pub const NOTHING: u16 = 0xFFFF;

macro_rules! ops {
    ($( $(#[$doc:meta])* $name:ident: $gives:ident ($($takes:expr),*) $(, each $each:ident)?; )*) => {
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

            /// What it gives.
            #[must_use]
            pub const fn gives(self) -> Kind {
                match self { $(Op::$name => Kind::$gives,)* }
            }

            /// What it takes, in order.
            #[must_use]
            pub const fn takes(self) -> &'static [Takes] {
                match self { $(Op::$name => const { &[$($takes),*] },)* }
            }

            /// The kind of which it takes `x` more, if it does.
            #[must_use]
            pub const fn each(self) -> Option<Kind> {
                match self { $(Op::$name => ops!(@each $($each)?),)* }
            }
        }
    };
    (@each) => { None };
    (@each $each:ident) => { Some(Kind::$each) };
}

const N: Takes = Takes::Node(Kind::Number);
const B: Takes = Takes::Node(Kind::Truth);
const S: Takes = Takes::Node(Kind::Sites);
const W: Takes = Takes::Node(Kind::Ways);
const M: Takes = Takes::Node(Kind::Moves);
const E: Takes = Takes::Node(Kind::End);
const N_: Takes = Takes::Maybe(Kind::Number);
const B_: Takes = Takes::Maybe(Kind::Truth);
const S_: Takes = Takes::Maybe(Kind::Sites);
const M_: Takes = Takes::Maybe(Kind::Moves);
const RAW: Takes = Takes::Raw;
const SET: Takes = Takes::Set;
const TABLE: Takes = Takes::Table;
const CHOICE: Takes = Takes::Choice;

ops! {
    /// A number.
    Constant: Number (RAW);
    /// Where the last move led.
    LastTo: Number ();
    /// Where the last move began.
    LastFrom: Number ();
    /// The site from which something is looked at.
    From: Number ();
    /// The site to which something is looked at.
    To: Number ();
    /// The site between.
    Between: Number ();
    /// The site of a loop over sites.
    Site: Number ();
    /// The player of a loop over players.
    Player: Number ();
    /// The number of a loop over numbers.
    Value: Number ();
    /// Whose turn it is.
    Mover: Number ();
    /// Whose turn is next.
    Next: Number ();
    /// Whose turn it was.
    Previous: Number ();
    /// Who owns the piece of a site.
    Who: Number (N);
    /// Which piece stands on a site.
    What: Number (N);
    /// The state of the piece of a site.
    StateAt: Number (N);
    /// How many pieces stand on a site.
    CountAt: Number (N);
    /// The value of the piece of a site.
    ValueAt: Number (N);
    /// How many sites a set has.
    Size: Number (S);
    /// How many pieces stand on the sites of a set.
    PiecesOn: Number (S);
    /// The sum.
    Plus: Number (N, N);
    /// The difference.
    Minus: Number (N, N);
    /// The product.
    Times: Number (N, N);
    /// The quotient, rounded to zero; 0 by 0.
    Divide: Number (N, N);
    /// The rest; 0 by 0.
    Modulo: Number (N, N);
    /// Without its sign.
    Absolute: Number (N);
    /// The smaller one.
    Minimum: Number (N, N);
    /// The larger one.
    Maximum: Number (N, N);
    /// One or the other.
    IfNumber: Number (B, N, N);
    /// The entry of a table; -1 past it.
    Entry: Number (TABLE, N);
    /// The score of a player.
    Score: Number (N);
    /// The amount of a player.
    Amount: Number (N);
    /// The counter of moves that a game may set back.
    Counter: Number ();
    /// What is pending, if it is one thing: its site, or 1 if it has none; else 0.
    PendingValue: Number ();
    /// A variable.
    Variable: Number (RAW);
    /// Moves since the set-up.
    Moves: Number ();
    /// Turns since the set-up.
    Turns: Number ();
    /// Moves of this turn before this one.
    MovesThisTurn: Number ();
    /// Steps from a site to another along ways.
    Distance: Number (W, N, N);
    /// Groups of the sites on which something is true.
    Groups: Number (W, B, N_);
    /// The size of the group at a site.
    GroupSize: Number (W, N, B_);
    /// So many steps ahead of a site; the site if there are not so many.
    Ahead: Number (N, N, W);
    /// The lowest site of a set.
    First: Number (S);
    /// A site of a set, counted from the lowest.
    Nth: Number (S, N);
    /// Pieces on top of each other at a site.
    Height: Number (N);
    /// Empty sites that only touch pieces of a player.
    Territory: Number (W, N);
    /// The phase of a player.
    PhaseOf: Number (N);
    /// Empty sites beside the group of a site.
    Liberties: Number (W, N);
    /// A number from one to another, both among them, by chance.
    Chance: Number (N, N);
    /// Where the last move led, with all that came after it.
    LastAfter: Number ();
    /// The value of a player.
    PlayerValue: Number (N);
    /// So many sites on from a site of a track. A track is the number of its
    /// table: see [`sowing`](super::sowing).
    TrackAhead: Number (N, N_, N);
    /// The first site of a track, from a site on, where something is true.
    TrackFirst: Number (N, N_, B_);

    /// What depends on nothing but the position and one site, `x`: 0 to, 1
    /// between, 2 the one of a loop; it is found out once for each site of a
    /// position. The number is where that is noted.
    Everywhere: Truth (RAW, B);
    /// True.
    True: Truth ();
    /// False.
    False: Truth ();
    /// The contrary.
    Not: Truth (B);
    /// All of them.
    And: Truth (), each Truth;
    /// One of them.
    Or: Truth (), each Truth;
    /// Either, not both.
    Xor: Truth (B, B);
    /// The same number.
    Equal: Truth (N, N);
    /// Another number.
    Unequal: Truth (N, N);
    /// Less.
    Less: Truth (N, N);
    /// Less, or the same.
    AtMost: Truth (N, N);
    /// The same sites.
    SameSites: Truth (S, S);
    /// One or the other.
    IfTruth: Truth (B, B, B);
    /// No piece stands there.
    IsEmpty: Truth (N);
    /// A piece stands there.
    IsOccupied: Truth (N);
    /// The number is that of a site of the set.
    IsIn: Truth (N, S);
    /// The number is another player's.
    IsEnemy: Truth (N);
    /// The number is the mover's.
    IsFriend: Truth (N);
    /// A line of so many pieces through a site. `x`: 1 exact, 2 one way only,
    /// 4 with gaps, 8 any level.
    IsLine: Truth (W, N, N, S_, B_);
    /// A line of so many through one of several sites.
    IsLineAny: Truth (W, S, N, S_, B_);
    /// Pieces that a walk from the site meets; the first table holds the steps,
    /// the second the ways in their order around. `x`: 1 the second holds, for each
    /// direction around, the next site of each site.
    IsPattern: Truth (N, TABLE, TABLE);
    /// The group of a site reaches so many of the sets.
    IsConnected: Truth (W, N, N), each Sites;
    /// The piece of a site closes a loop.
    IsLoop: Truth (W, W, N, SET);
    /// No site of the board is empty.
    IsFull: Truth ();
    /// All players passed, one after the other.
    AllPassed: Truth ();
    /// True on all sites of a set.
    AllSites: Truth (S, B);
    /// Who is next has no moves. The moves of all phases are earlier than the node.
    NoMoves: Truth ();
    /// A player was seen to have no moves.
    IsStuck: Truth (N);
    /// There is such a move.
    CanMove: Truth (M);
    /// There is a move of the other side to one of the sites. Without moves of
    /// its own, those of all phases in the sight of a threat are earlier.
    IsThreatened: Truth (N_, S, M_);
    /// Something is pending.
    IsPending: Truth ();
    /// Something is pending for a site.
    IsPendingAt: Truth (N);
    /// An event was triggered for a player.
    IsTriggered: Truth (RAW, N);
    /// The player still plays.
    IsActive: Truth (N);
    /// The position was there before.
    IsRepeated: Truth ();
    /// Two sites hang together.
    IsRelated: Truth (W, N, S);
    /// The site was visited in this turn.
    IsVisited: Truth (N);

    /// A set of the pool.
    Fixed: Sites (SET);
    /// A set of the pool, so many after the first.
    Choose: Sites (SET, RAW, N);
    /// Where no piece stands, on the board.
    Empty: Sites ();
    /// Where pieces of a player stand, or of all with -1.
    OccupiedBy: Sites (N);
    /// Where these pieces stand.
    WithPiece: Sites (TABLE);
    /// Where the piece of a number stands.
    WithNumber: Sites (N);
    /// Where pieces with this state stand.
    WithState: Sites (N);
    /// In one of them.
    Union: Sites (), each Sites;
    /// In all of them.
    Intersection: Sites (), each Sites;
    /// In the first, not in the second.
    Difference: Sites (S, S);
    /// One site, or none of -1.
    One: Sites (N);
    /// The sites next to a set where something is true. `x`: 1 with the set.
    Around: Sites (S, W, B_);
    /// The sites along ways. `x`: 1 with the first, 2 with the one that stops.
    Along: Sites (S, W, N_, B_);
    /// The sites between two on a line.
    Amid: Sites (W, N, N);
    /// A set and what it reaches in so many steps.
    Expand: Sites (S, N_, W);
    /// Those of a set where something is true.
    Filter: Sites (S, B);
    /// The group of a site.
    Group: Sites (W, N, B_);
    /// What is to be removed at the end of the turn.
    ToRemove: Sites ();
    /// Where moves lead. `x`: 1 where they begin, 2 what lies between.
    Reached: Sites (M);
    /// One or the other.
    IfSites: Sites (B, S, S);
    /// What is pending.
    PendingSites: Sites ();
    /// The first pieces in sight. `x`: 0 pieces, 1 empty, 2 the last empty.
    Sight: Sites (W, N);
    /// What is remembered under a name.
    Remembered: Sites (RAW);
    /// The sites of a track from one to another, around if need be.
    TrackPart: Sites (N, N_, N_);

    /// Ways of a choice, by who owns the piece of the site.
    Choice: Ways (CHOICE);
    /// The way of the last move. `x`: 1 the opposite way.
    LastWay: Ways (CHOICE);
    /// All of them.
    AnyWay: Ways (), each Ways;
    /// One or the other.
    IfWays: Ways (B, W, W);

    /// Put a piece on sites. `x`: 1 decided by the player, 2 on top.
    Add: Moves (N, S, B_, N_, N_, M_);
    /// Move a piece from sites to sites. `x`: 1 decided, 2 a copy.
    FromTo: Moves (S, B_, S, B_, M_, N_, B_);
    /// Move a piece one step. `x`: 1 decided.
    Step: Moves (N, B_, W, B_, M_);
    /// Move a piece along a way. `x`: 1 decided.
    Slide: Moves (N, W, N_, N_, B_, B_, B_, M_, M_, N_);
    /// Move a piece over others. `x`: 1 decided.
    Hop: Moves (N, B_, W, N_, N_, N_, N_, B_, B_, B_, M_, M_);
    /// Move a piece to sites of a set. `x`: 1 decided.
    Leap: Moves (N, S, B_, M_, B_);
    /// Put a piece on sites along ways. `x`: 1 decided.
    Shoot: Moves (N, W, B_, N);
    /// Take pieces away. `x`: 1 decided, 2 at the end of the turn.
    Remove: Moves (S, N_);
    /// Point at sites. `x`: 1 decided.
    Select: Moves (S, B_, S_, B_);
    /// Nothing. `x`: 1 decided.
    Pass: Moves ();
    /// Make another piece of it. `x`: 1 decided.
    Promote: Moves (N, N);
    /// The player goes on. `x`: 1 decided.
    SetNext: Moves (N);
    /// The mover goes on.
    Again: Moves ();
    /// The score is this. `x`: 2 so much more.
    SetScore: Moves (N, N);
    /// The amount is this.
    SetAmount: Moves (N, N);
    /// The value of a player is this.
    SetPlayerValue: Moves (N, N);
    /// The state of a site is this.
    SetState: Moves (N, N);
    /// The count of a site is this.
    SetCount: Moves (N, N);
    /// The value of a site is this.
    SetValue: Moves (N, N);
    /// The counter is this.
    SetCounter: Moves (N);
    /// This is pending.
    SetPending: Moves (N);
    /// These sites are pending.
    SetPendingSites: Moves (S);
    /// An event for a player.
    Trigger: Moves (RAW, N);
    /// A variable is this.
    SetVariable: Moves (RAW, N);
    /// The other side of a piece.
    Flip: Moves (N);
    /// Two sites exchange what stands there. `x`: 1 decided.
    SwapSites: Moves (N, N);
    /// Moves of all of them.
    Any: Moves (), each Moves;
    /// Moves of one or the other.
    IfMoves: Moves (B, M, M_);
    /// Moves of each piece of a player. `x`: 1 in the sight of a threat.
    ForEachPiece: Moves (N, S_, M_);
    /// Moves for each site of a set.
    ForEachSite: Moves (S, M, M_);
    /// Moves for each player.
    ForEachPlayer: Moves (M);
    /// Moves for each number of a range.
    ForEachValue: Moves (N, N, M);
    /// Moves for each way from a site.
    ForEachWay: Moves (N, W, M);
    /// The first of them that has any.
    Foremost: Moves (), each Moves;
    /// Those after which something is true.
    Afterwards: Moves (M, B);
    /// One after the other.
    Do: Moves (M, M, B_);
    /// Those after which the turn can go on longest: see
    /// [`MOST_AHEAD`](super::machine::MOST_AHEAD).
    Longest: Moves (M);
    /// Those that take most.
    MostTaken: Moves (M);
    /// All of them as one.
    Together: Moves (M);
    /// Each of the first with each of the second.
    Both: Moves (M, M);
    /// Moves, and what comes after each of them.
    Then: Moves (M, M);
    /// What comes with something, if it is so.
    Apply: Moves (B_, M_);
    /// What is enclosed in a line between a site and a friend. The numbers:
    /// from, least, most; then what lies between, the friend and the effect.
    Custodial: Moves (N, W, N_, N_, B, B, M);
    /// What is surrounded on all ways.
    Surround: Moves (N, W, B, B, M, N_);
    /// What is enclosed as a group.
    Enclose: Moves (N, W, B, M, N_);
    /// What stands on both sides of a site.
    Intervene: Moves (N, W, N_, N_, B, M);
    /// What stands along a way.
    Directional: Moves (N, W, N_, N_, B, M);
    /// Put a piece on so many empty sites of a set, by chance.
    Scatter: Moves (N, S, N_, N_);
    /// Sow the pieces of a site along a track: from where, how many, how many in
    /// each pit, the track; when something is taken and what; which pits are passed
    /// over; whether taking goes back, or on; whether the first pit gets one; what
    /// comes with each pit. `x`: 1 the first pit is left out.
    Sow: Moves (N, N, N_, N, B_, M_, B_, B_, B_, B_, M_);
    /// Remember a site under a name. `x`: 1 once at most.
    Remember: Moves (RAW, N);
    /// Forget a site, or all, of a name.
    Forget: Moves (RAW, N_);
    /// Nothing at all.
    None: Moves ();

    /// Of a player: 0 lost, 1 won, 2 all draw.
    Result: End (RAW, N);
    /// By the scores; a node that sets them comes first.
    ByScore: End (M_);
    /// If it is so, the first of the rules that ends the game.
    When: End (B), each End;
    /// For each player, if it is so, a rule.
    EachPlayer: End (B, E);
    /// All of the rules, one after the other.
    Rules: End (), each End;
}
