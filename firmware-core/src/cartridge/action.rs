//! The elementary changes that a move consists of, in the order in which they are
//! made.

/// One elementary change to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Puts a piece on a site. With `top`, the piece goes on top of the site's stack.
    Add {
        /// The site that receives the piece.
        site: u8,
        /// The number of the piece kind.
        what: u8,
        /// The state of the new piece; -1 for the default state of its kind.
        state: i8,
        /// True to place the piece on top of the pieces on the site.
        top: bool,
    },
    /// Moves everything that stands on a site to another site, whose pieces are
    /// removed.
    Move {
        /// The site that is emptied.
        from: u8,
        /// The site that receives the pieces.
        to: u8,
    },
    /// Moves one piece to another site, whose state stays as it was.
    Drop {
        /// The site that loses the piece.
        from: u8,
        /// The site that receives the piece.
        to: u8,
    },
    /// Moves some of the pieces on a site to another site.
    MoveSome {
        /// The site that loses the pieces.
        from: u8,
        /// The site that receives the pieces.
        to: u8,
        /// The number of pieces that move.
        count: u8,
    },
    /// Puts a copy of a site's piece on another site.
    Copy {
        /// The site of the piece that is copied.
        from: u8,
        /// The site that receives the copy.
        to: u8,
    },
    /// Removes everything that stands on a site.
    Remove {
        /// The site that is emptied.
        site: u8,
    },
    /// Marks a site, which is emptied when the turn ends.
    RemoveLater {
        /// The site to empty at the end of the turn.
        site: u8,
    },
    /// Records that a player selected one or two sites; nothing on them changes.
    Select {
        /// The site selected first.
        from: u8,
        /// The site selected second; -1 if only one was selected.
        to: i16,
    },
    /// Ends the move without a change: a pass.
    Pass {
        /// True if the player had no other legal move; false if the pass was a
        /// choice.
        forced: bool,
    },
    /// The players exchange their colours.
    Swap,
    /// Replaces the piece on a site by one of a different kind.
    Promote {
        /// The site of the piece.
        site: u8,
        /// The number of the new piece kind.
        what: u8,
    },
    /// Names the player who moves next.
    SetNext {
        /// The number of the player who moves next.
        player: u8,
    },
    /// Sets the score of a player, or adds to it.
    SetScore {
        /// The player whose score changes.
        player: u8,
        /// The new score, or the points to add.
        score: i32,
        /// True if `score` is added to the current score.
        more: bool,
    },
    /// Sets the amount of a player, for example of money.
    SetAmount {
        /// The player whose amount is set.
        player: u8,
        /// The new amount.
        amount: i16,
    },
    /// Sets the value of a player.
    SetPlayerValue {
        /// The player whose value is set.
        player: u8,
        /// The new value.
        value: i16,
    },
    /// Sets the state of the piece on a site.
    SetState {
        /// The site of the piece.
        site: u8,
        /// The new state.
        state: u8,
    },
    /// Sets the number of pieces on a site.
    SetCount {
        /// The site whose count is set.
        site: u8,
        /// The new number of pieces.
        count: u8,
    },
    /// Sets the value of the piece on a site.
    SetValue {
        /// The site of the piece.
        site: u8,
        /// The new value.
        value: u8,
    },
    /// Sets the counter of the position.
    SetCounter {
        /// The new value of the counter.
        counter: i16,
    },
    /// Marks a site as pending, or with -1 something that is not a site.
    SetPending {
        /// The site that becomes pending, or -1.
        value: i16,
    },
    /// Triggers an event for a player.
    Trigger {
        /// The number of the event.
        event: u8,
        /// The player for whom the event is triggered.
        player: u8,
    },
    /// Sets a variable of the game.
    SetVariable {
        /// The number of the variable.
        variable: u8,
        /// The new value.
        value: i16,
    },
    /// Stores a site under a name.
    Remember {
        /// The number of the name.
        name: u8,
        /// The site to store.
        site: u8,
    },
    /// Removes a site from those stored under a name.
    Forget {
        /// The number of the name.
        name: u8,
        /// The site to remove.
        site: u8,
    },
    /// Exchanges what stands on two sites.
    SwapSites {
        /// The first of the two sites.
        one: u8,
        /// The second of the two sites.
        other: u8,
    },
    /// Evaluates a node of the program after the move, for its consequences.
    Then {
        /// The number of the node.
        node: u16,
    },
}

impl Action {
    /// The first and the last site of a move whose first action is this one; -1 for both
    /// if the action has no site.
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

/// A move that was found. Its actions are in the buffer of the [machine](super::Machine);
/// the actions of its consequences come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The site where the move starts; -1 if it has none.
    pub from: i16,
    /// The site where the move ends; -1 if it has none.
    pub to: i16,
    /// The index of its first action in the buffer.
    pub start: u16,
    /// The index of the first action of its consequences.
    pub own: u16,
}
