//! The table of all operations, in groups by the kind of their value.

use super::{NodeKind, OperandKind, OperandSlot};

/// Builds [`Op`] from its table, whose rows are grouped under the name of a pattern that
/// matches all of them, such as `numbers!()`. Code that evaluates one group names the
/// patterns of the other groups, so it does not compile unless it handles every node of
/// its own.
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
            pub(in crate::cartridge) use $kind;
        )*
    };
    (@all $(
        $(#[$doc:meta])*
        $name:ident: $gives:ident ($($place:ident: $takes:expr),*) $(, each $each:ident)?;
    )*) => {
        /// The operation of a node. The high byte of the node's word is called `extra`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Op { $( $(#[$doc])* $name, )* }

        impl Op {
            /// The operation with this number. Written like this, it costs a comparison
            /// and no load.
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

            /// The kind of the node's value.
            #[must_use]
            pub const fn gives(self) -> NodeKind {
                match self { $(Op::$name => NodeKind::$gives,)* }
            }

            /// The kinds of the operands, in order.
            #[must_use]
            pub const fn takes(self) -> &'static [OperandKind] {
                match self { $(Op::$name => const { &[$($takes),*] },)* }
            }

            /// The kind of the operands after these, if the operation can have any. A node
            /// has `extra` of them.
            #[must_use]
            pub const fn each(self) -> Option<NodeKind> {
                match self { $(Op::$name => ops!(@each $($each)?),)* }
            }
        }

        /// The operand slots of each operation, by name: `slot::Slide::WAYS`.
        pub mod slot {
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
        /// The slots of the `many` extra operands.
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
    /// The site where the last move ended.
    LastTo: Number ();
    /// The site where the last move started.
    LastFrom: Number ();
    /// The register `from`: the site that a condition starts from.
    From: Number ();
    /// The register `to`: the site that a condition leads to.
    To: Number ();
    /// The site between the two ends of a move.
    Between: Number ();
    /// The current site of a loop over sites.
    Site: Number ();
    /// The current player of a loop over players.
    Player: Number ();
    /// The current number of a loop over numbers.
    Value: Number ();
    /// The player whose turn it is.
    Mover: Number ();
    /// The player who moves next.
    Next: Number ();
    /// The player who moved before.
    Previous: Number ();
    /// The owner of the piece on a site.
    Who: Number (SITE: N);
    /// The kind of the piece on a site.
    What: Number (SITE: N);
    /// The state of the piece on a site.
    StateAt: Number (SITE: N);
    /// The number of pieces on a site.
    CountAt: Number (SITE: N);
    /// The value of the piece on a site.
    ValueAt: Number (SITE: N);
    /// The number of sites of a set.
    Size: Number (SITES: S);
    /// The number of pieces on the sites of a set.
    PiecesOn: Number (SITES: S);
    /// The sum of two numbers.
    Plus: Number (LEFT: N, RIGHT: N);
    /// The difference of two numbers.
    Minus: Number (LEFT: N, RIGHT: N);
    /// The product of two numbers.
    Times: Number (LEFT: N, RIGHT: N);
    /// The quotient, rounded towards zero; 0 for a division by 0.
    Divide: Number (LEFT: N, RIGHT: N);
    /// The remainder; 0 for a division by 0.
    Modulo: Number (LEFT: N, RIGHT: N);
    /// The number without its sign.
    Absolute: Number (NUMBER: N);
    /// The smaller of two numbers.
    Minimum: Number (LEFT: N, RIGHT: N);
    /// The larger of two numbers.
    Maximum: Number (LEFT: N, RIGHT: N);
    /// `YES` if the condition holds, and `NO` if it does not.
    IfNumber: Number (CONDITION: B, YES: N, NO: N);
    /// The entry of a table; -1 outside of it.
    Entry: Number (TABLE: TABLE, INDEX: N);
    /// The score of a player.
    Score: Number (PLAYER: N);
    /// The amount of a player.
    Amount: Number (PLAYER: N);
    /// The counter of moves, which the program can reset.
    Counter: Number ();
    /// The pending site; 1 if something that is not a site is pending; 0 if nothing or
    /// more than one thing is.
    PendingValue: Number ();
    /// The value of a variable.
    Variable: Number (VARIABLE: RAW);
    /// The number of moves since the set-up.
    Moves: Number ();
    /// The number of turns since the set-up.
    Turns: Number ();
    /// The number of earlier moves in this turn.
    MovesThisTurn: Number ();
    /// The number of steps from one site to another along ways.
    Distance: Number (WAYS: W, FROM: N, TO: N);
    /// The number of groups of sites on which a condition holds.
    Groups: Number (WAYS: W, CONDITION: B, LEAST: N_);
    /// The size of the group at a site.
    GroupSize: Number (WAYS: W, SITE: N, CONDITION: B_);
    /// The site a number of steps ahead of another one along a way; the start site itself
    /// if the way is too short.
    Ahead: Number (SITE: N, STEPS: N, WAYS: W);
    /// The lowest site of a set.
    First: Number (SITES: S);
    /// The site with this index in a set, counted from the lowest.
    Nth: Number (SITES: S, INDEX: N);
    /// The number of pieces stacked on a site.
    Height: Number (SITE: N);
    /// The number of empty sites in areas that border only on pieces of a player.
    Territory: Number (WAYS: W, PLAYER: N);
    /// The phase of a player.
    PhaseOf: Number (PLAYER: N);
    /// The number of empty sites next to the group of a site.
    Liberties: Number (WAYS: W, SITE: N);
    /// A random number from a range, both ends included.
    Chance: Number (LEAST: N, MOST: N);
    /// The site where the last move ended, including its consequences.
    LastAfter: Number ();
    /// The value of a player.
    PlayerValue: Number (PLAYER: N);
    /// The site a number of steps further along a track. A track is identified by the
    /// number of its table; see [`sowing`](crate::cartridge::sowing).
    TrackAhead: Number (TRACK: N, SITE: N_, STEPS: N);
    /// The first site of a track, from a given site on, for which a condition holds.
    TrackFirst: Number (TRACK: N, SITE: N_, CONDITION: B_);

    [truths!]
    /// A condition that depends only on the position and one site, which `extra` selects
    /// ([`NotedSite`](crate::cartridge::op::NotedSite)). It is evaluated once for each site
    /// of a position, and stored under the number of the note.
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
    /// True if the number is a site of the set.
    IsIn: Truth (SITE: N, SITES: S);
    /// True if the number is a player other than the mover.
    IsEnemy: Truth (OWNER: N);
    /// True if the number is the mover.
    IsFriend: Truth (OWNER: N);
    /// True if a line of a given length goes through a site. `extra`: bits of
    /// [`line`](crate::cartridge::op::line).
    IsLine: Truth (WAYS: W, THROUGH: N, LENGTH: N, SITES: S_, CONDITION: B_);
    /// True if a line of a given length goes through one of several sites.
    IsLineAny: Truth (WAYS: W, THROUGH: S, LENGTH: N, SITES: S_, CONDITION: B_);
    /// True if a walk from the site meets the required pieces. The first table contains
    /// the steps, the second the ways in their order around a site. `extra`: 1 if the
    /// second table instead contains, for each direction around, the next site of each
    /// site.
    IsPattern: Truth (SITE: N, WALK: TABLE, AROUND: TABLE);
    /// True if the group of a site reaches at least a given number of the sets.
    IsConnected: Truth (WAYS: W, SITE: N, MANY: N), each Sites;
    /// True if the piece on a site closes a loop.
    IsLoop: Truth (NEAR: W, WAYS: W, SITE: N, OUTER: SET);
    /// True if no site of the board is empty.
    IsFull: Truth ();
    /// True if all players have passed in a row.
    AllPassed: Truth ();
    /// True if a condition holds on all sites of a set.
    AllSites: Truth (SITES: S, CONDITION: B);
    /// True if the next player has no moves. The nodes of the moves of all phases precede
    /// this one.
    NoMoves: Truth ();
    /// True if a player was found to have no moves.
    IsStuck: Truth (PLAYER: N);
    /// True if the operand has a move.
    CanMove: Truth (MOVES: M);
    /// True if the other side has a move to one of the sites. If the node has no moves of
    /// its own, the nodes of the threat moves of all phases precede it.
    IsThreatened: Truth (PIECE: N_, SITES: S, MOVES: M_);
    /// True if a site, or anything else, is pending.
    IsPending: Truth ();
    /// True if something is pending for a site.
    IsPendingAt: Truth (SITE: N);
    /// True if an event was triggered for a player.
    IsTriggered: Truth (EVENT: RAW, PLAYER: N);
    /// True if the player is still in the game.
    IsActive: Truth (PLAYER: N);
    /// True if the position has occurred before.
    IsRepeated: Truth ();
    /// True if a site has a neighbour in the set.
    IsRelated: Truth (WAYS: W, SITE: N, SITES: S);
    /// True if the site was visited in this turn.
    IsVisited: Truth (SITE: N);

    [sets!]
    /// A stored set.
    Fixed: Sites (SET: SET);
    /// The stored set `INDEX` places after `SET`; empty unless the index is below `MANY`.
    Choose: Sites (SET: SET, MANY: RAW, INDEX: N);
    /// The sites of the board without pieces.
    Empty: Sites ();
    /// The sites with pieces of a player; with -1, of all players.
    OccupiedBy: Sites (OWNER: N);
    /// The sites with pieces of the kinds in a table.
    WithPiece: Sites (TABLE: TABLE);
    /// The sites with a piece of this kind.
    WithNumber: Sites (PIECE: N);
    /// The sites with pieces in this state.
    WithState: Sites (STATE: N);
    /// The sites that are in at least one of the sets.
    Union: Sites (), each Sites;
    /// The sites that are in all of the sets.
    Intersection: Sites (), each Sites;
    /// The sites of the first set that are not in the second.
    Difference: Sites (SITES: S, WITHOUT: S);
    /// The set of one site; empty for -1.
    One: Sites (SITE: N);
    /// The neighbours of a set for which a condition holds. `extra`: 1 to include the set.
    Around: Sites (SITES: S, WAYS: W, CONDITION: B_);
    /// The sites along ways. `extra`: 1 to include the first site, 2 to include the site
    /// that stops the way.
    Along: Sites (SITES: S, WAYS: W, MOST: N_, STOP: B_);
    /// The sites between two sites on a line.
    Amid: Sites (WAYS: W, FROM: N, TO: N);
    /// A set and all sites within a number of steps from it.
    Expand: Sites (SITES: S, STEPS: N_, WAYS: W);
    /// The sites of a set for which a condition holds.
    Filter: Sites (SITES: S, CONDITION: B);
    /// The group of a site.
    Group: Sites (WAYS: W, SITE: N, CONDITION: B_);
    /// The sites to be emptied at the end of the turn.
    ToRemove: Sites ();
    /// The sites at which moves end. `extra`: 1 for the sites at which they start.
    Reached: Sites (MOVES: M);
    /// `YES` if the condition holds, and `NO` if it does not.
    IfSites: Sites (CONDITION: B, YES: S, NO: S);
    /// The sites that are pending.
    PendingSites: Sites ();
    /// What is seen from a site along ways. `extra`: a value of
    /// [`sight`](crate::cartridge::op::sight).
    Sight: Sites (WAYS: W, SITE: N);
    /// The sites stored under a name.
    Remembered: Sites (NAME: RAW);
    /// The sites of a track from one site to another, continuing at its start if
    /// necessary.
    TrackPart: Sites (TRACK: N, FROM: N_, TO: N_);

    [ways!]
    /// The ways of a choice, which depend on the owner of the piece on the site.
    Choice: Ways (CHOICE: CHOICE);
    /// The way of the last move. `extra`: 1 for the opposite way.
    LastWay: Ways (CHOICE: CHOICE);
    /// The directions that are in at least one of the sets.
    AnyWay: Ways (), each Ways;
    /// `YES` if the condition holds, and `NO` if it does not.
    IfWays: Ways (CONDITION: B, YES: W, NO: W);

    [moves!]
    /// Puts a piece on sites. `extra`: 1 if the player decides, 2 to put it on top.
    Add: Moves (WHAT: N, SITES: S, MAY_COME: B_, STATE: N_, COUNT: N_, EFFECT: M_);
    /// Moves a piece from sites to sites. `extra`: 1 if the player decides, 2 to copy it.
    FromTo: Moves (FROMS: S, MAY_GO: B_, TOS: S, MAY_COME: B_, EFFECT: M_, COUNT: N_, COPIES: B_);
    /// Moves a piece one step. `extra`: 1 if the player decides.
    Step: Moves (FROM: N, MAY_GO: B_, WAYS: W, MAY_COME: B_, EFFECT: M_);
    /// Moves a piece along a way. `extra`: 1 if the player decides.
    Slide: Moves (FROM: N, WAYS: W, LEAST: N_, MOST: N_, PASSES: B_, STOPS: B_, MAY_COME: B_, EFFECT: M_, PASSING_EFFECT: M_, TRAIL: N_);
    /// Moves a piece over others. `extra`: 1 if the player decides.
    Hop: Moves (FROM: N, MAY_GO: B_, WAYS: W, BEFORE: N_, LEAST: N_, MOST: N_, AFTER: N_, HURDLE: B_, MAY_COME: B_, STOPS: B_, HURDLE_EFFECT: M_, EFFECT: M_);
    /// Moves a piece to sites of a set. `extra`: 1 if the player decides.
    Leap: Moves (FROM: N, TOS: S, MAY_COME: B_, EFFECT: M_, MAY_GO: B_);
    /// Puts a piece on sites along ways. `extra`: 1 if the player decides.
    Shoot: Moves (FROM: N, WAYS: W, MAY_COME: B_, WHAT: N);
    /// Removes pieces. `extra`: 1 if the player decides, 2 to remove them at the end of
    /// the turn.
    Remove: Moves (SITES: S, COUNT: N_);
    /// Selects sites. `extra`: 1 if the player decides.
    Select: Moves (FROMS: S, MAY_GO: B_, TOS: S_, MAY_COME: B_);
    /// A pass. `extra`: 1 if the player decides.
    Pass: Moves ();
    /// Replaces the piece by one of a different kind. `extra`: 1 if the player decides.
    Promote: Moves (SITE: N, WHAT: N);
    /// Names the player who moves next. `extra`: 1 if the player decides.
    SetNext: Moves (PLAYER: N);
    /// Lets the mover move again.
    Again: Moves ();
    /// Sets the score. `extra`: 2 to add to it.
    SetScore: Moves (PLAYER: N, SCORE: N);
    /// Sets the amount of a player.
    SetAmount: Moves (PLAYER: N, AMOUNT: N);
    /// Sets the value of a player.
    SetPlayerValue: Moves (PLAYER: N, VALUE: N);
    /// Sets the state of a site.
    SetState: Moves (SITE: N, STATE: N);
    /// Sets the number of pieces on a site.
    SetCount: Moves (SITE: N, COUNT: N);
    /// Sets the value of a site.
    SetValue: Moves (SITE: N, VALUE: N);
    /// Sets the counter of the position.
    SetCounter: Moves (COUNTER: N);
    /// Marks a site, or something without a site, as pending.
    SetPending: Moves (VALUE: N);
    /// Marks the sites of a set as pending.
    SetPendingSites: Moves (SITES: S);
    /// Triggers an event for a player.
    Trigger: Moves (EVENT: RAW, PLAYER: N);
    /// Sets a variable of the game.
    SetVariable: Moves (VARIABLE: RAW, VALUE: N);
    /// Turns a piece to its other side.
    Flip: Moves (SITE: N);
    /// Exchanges what stands on two sites. `extra`: 1 if the player decides.
    SwapSites: Moves (ONE: N, OTHER: N);
    /// The moves of all operands.
    Any: Moves (), each Moves;
    /// The moves of `YES` if the condition holds, and of `NO` if it does not.
    IfMoves: Moves (CONDITION: B, YES: M, NO: M_);
    /// The moves of each piece of a player. `extra`: 1 for the moves for threats.
    ForEachPiece: Moves (OWNER: N, SITES: S_, MOVES: M_);
    /// The moves for each site of a set.
    ForEachSite: Moves (SITES: S, MOVES: M, OTHERWISE: M_);
    /// The moves once for each player.
    ForEachPlayer: Moves (MOVES: M);
    /// The moves for each number of a range.
    ForEachValue: Moves (FIRST: N, LAST: N, MOVES: M);
    /// The moves for each way from a site.
    ForEachWay: Moves (SITE: N, WAYS: W, MOVES: M);
    /// The moves of the first operand that has any.
    Foremost: Moves (), each Moves;
    /// The moves after which a condition holds.
    Afterwards: Moves (MOVES: M, CONDITION: B);
    /// The first moves, then the second ones.
    Do: Moves (FIRST: M, SECOND: M, CONDITION: B_);
    /// The moves with which the turn can become the longest; see
    /// [`MOST_AHEAD`](crate::cartridge::machine::MOST_AHEAD).
    Longest: Moves (MOVES: M);
    /// The moves that capture the most pieces.
    MostTaken: Moves (MOVES: M);
    /// One move with the effects of all moves.
    Together: Moves (MOVES: M);
    /// Each move of the first operand joined with each of the second.
    Both: Moves (ONE: M, OTHER: M);
    /// The moves, each with the consequences of the second operand.
    Then: Moves (MOVES: M, THEN: M);
    /// The moves as consequences, if the condition holds.
    Apply: Moves (CONDITION: B_, MOVES: M_);
    /// Captures what is enclosed in a line between a site and a friend. Operands:
    /// start, ways, least and greatest length, condition of the targets, condition of
    /// the friend, effect.
    Custodial: Moves (FROM: N, WAYS: W, LEAST: N_, MOST: N_, TARGET: B, FRIEND: B, EFFECT: M);
    /// Captures a piece that is surrounded on all ways.
    Surround: Moves (FROM: N, WAYS: W, TARGET: B, FRIEND: B, EFFECT: M, EXCEPT: N_);
    /// Captures a group that is enclosed.
    Enclose: Moves (FROM: N, WAYS: W, TARGET: B, EFFECT: M, EXCEPT: N_);
    /// Captures what stands on both sides of a site.
    Intervene: Moves (FROM: N, WAYS: W, LEAST: N_, MOST: N_, TARGET: B, EFFECT: M);
    /// Captures what stands along a way.
    Directional: Moves (FROM: N, WAYS: W, LEAST: N_, MOST: N_, TARGET: B, EFFECT: M);
    /// Puts a piece on each of a number of random empty sites of a set.
    Scatter: Moves (WHAT: N, SITES: S, COUNT: N_, STATE: N_);
    /// Sows the pieces of a site along a track. Operands: start, number of seeds, seeds
    /// in each pit, track; condition and effect of a capture; condition of skipped pits;
    /// whether captures continue backwards, or forwards; whether the first pit gets a
    /// seed; effect on each pit. `extra`: 1 to leave out the first pit.
    Sow: Moves (START: N, COUNT: N, PER_PIT: N_, TRACK: N, CONDITION: B_, CAPTURE: M_, SKIPS: B_, BACK: B_, ON: B_, ORIGIN: B_, EFFECT: M_);
    /// Stores a site under a name. `extra`: 1 to store it at most once.
    Remember: Moves (NAME: RAW, SITE: N);
    /// Removes one site from those stored under a name, or all of them.
    Forget: Moves (NAME: RAW, SITE: N_);
    /// No moves, or an empty set.
    None: Moves ();

    [rules!]
    /// The result of a player, one of those in the module `ending`.
    Result: End (KIND: RAW, PLAYER: N);
    /// Ranks the players by their scores, which the operand, if present, sets first.
    ByScore: End (SCORES: M_);
    /// If the condition holds, applies the first rule that ends the game.
    When: End (CONDITION: B), each End;
    /// Applies the rule to each player for whom the condition holds.
    EachPlayer: End (CONDITION: B, RULE: E);
    /// Applies all rules in order.
    Rules: End (), each End;
}
