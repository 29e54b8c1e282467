//! What a move does, one thing after the other.

/// What is done to the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A piece is put on a site: which, and in which state, -1 as it comes. With
    /// `top`, on top of what stands there.
    Add {
        /// Where.
        site: u8,
        /// Which.
        what: u8,
        /// In which state.
        state: i8,
        /// On top of what stands there.
        top: bool,
    },
    /// What stands on a site goes to another; what stood there is gone.
    Move {
        /// From where.
        from: u8,
        /// To where.
        to: u8,
    },
    /// One of what stands on a site goes to another, which stays in its state.
    Drop {
        /// From where.
        from: u8,
        /// To where.
        to: u8,
    },
    /// Some of the pieces on a site move to another.
    MoveSome {
        /// From where.
        from: u8,
        /// To where.
        to: u8,
        /// How many.
        count: u8,
    },
    /// A piece like that of a site is put on another.
    Copy {
        /// Of which.
        from: u8,
        /// To where.
        to: u8,
    },
    /// What stands on a site is gone.
    Remove {
        /// Where.
        site: u8,
    },
    /// What stands on a site is to go when the turn is over.
    RemoveLater {
        /// Where.
        site: u8,
    },
    /// A player pointed at sites.
    Select {
        /// The first.
        from: u8,
        /// The second, or -1.
        to: i16,
    },
    /// Nothing, because the player wants it so or has nothing else.
    Pass {
        /// There is nothing else.
        forced: bool,
    },
    /// The players exchange their colours.
    Swap,
    /// Another piece stands on a site.
    Promote {
        /// Where.
        site: u8,
        /// Which.
        what: u8,
    },
    /// This player goes on.
    SetNext {
        /// Who.
        player: u8,
    },
    /// A score is set, or added to.
    SetScore {
        /// Whose.
        player: u8,
        /// How many.
        score: i32,
        /// More than before.
        more: bool,
    },
    /// An amount is set.
    SetAmount {
        /// Whose.
        player: u8,
        /// How much.
        amount: i16,
    },
    /// The value of a player is this.
    SetPlayerValue {
        /// Whose.
        player: u8,
        /// What.
        value: i16,
    },
    /// A piece is in this state.
    SetState {
        /// Where.
        site: u8,
        /// In which.
        state: u8,
    },
    /// The number of pieces on a site is set.
    SetCount {
        /// Where.
        site: u8,
        /// How many.
        count: u8,
    },
    /// A piece has this value.
    SetValue {
        /// Where.
        site: u8,
        /// Which.
        value: u8,
    },
    /// The counter is this.
    SetCounter {
        /// What.
        counter: i16,
    },
    /// This is pending; -1 something without a site.
    SetPending {
        /// What.
        value: i16,
    },
    /// An event for a player.
    Trigger {
        /// Which.
        event: u8,
        /// For whom.
        player: u8,
    },
    /// A variable is this.
    SetVariable {
        /// Which.
        variable: u8,
        /// What.
        value: i16,
    },
    /// A site is remembered under a name.
    Remember {
        /// Which name.
        name: u8,
        /// Which site.
        site: u8,
    },
    /// A site is no longer remembered under a name.
    Forget {
        /// Which name.
        name: u8,
        /// Which site.
        site: u8,
    },
    /// Two sites exchange what stands on them.
    SwapSites {
        /// One.
        one: u8,
        /// The other.
        other: u8,
    },
    /// What comes after a move: a node of the program.
    Then {
        /// Which.
        node: u16,
    },
}

impl Action {
    /// The sites of the move that does this first: from where, to where.
    #[must_use]
    pub fn sites(self) -> [i16; 2] {
        match self {
            Action::Move { from, to }
            | Action::Drop { from, to }
            | Action::MoveSome { from, to, .. }
            | Action::Copy { from, to } => [from.into(), to.into()],
            Action::Add { site, .. }
            | Action::Remove { site }
            | Action::RemoveLater { site }
            | Action::Promote { site, .. }
            | Action::SetState { site, .. }
            | Action::SetCount { site, .. }
            | Action::SetValue { site, .. } => [site.into(); 2],
            Action::Select { from, to } => [from.into(), if to < 0 { from.into() } else { to }],
            Action::SwapSites { one, other } => [one.into(), other.into()],
            _ => [-1; 2],
        }
    }
}

/// A move that was found: its actions lie in the buffer of the
/// [machine](super::Machine), those that come after it last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    /// From where; -1 nowhere.
    pub from: i16,
    /// To where.
    pub to: i16,
    /// Where its actions begin.
    pub start: u16,
    /// Where what comes after it begins.
    pub own: u16,
}
