//! Why a board of the window does not do what it was asked. The text of each error is a
//! sentence that says what to do.

use std::io;

use touchboard_host::DriverError;
use touchboard_pair::opening::OpeningError;
use touchboard_pair::side::TableError;

/// Why a [`Source`](super::Source) does not do what it was asked, or cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The board is lent to the console.
    #[error("the console is using the board: wait until it is done, or cancel it")]
    Lent,
    /// The board was replaced before the console could use it.
    #[error("there is another board now: type the line again")]
    NotLent,
    /// The board is on its way to another moment.
    #[error("the board is on its way to another moment: wait until it is there")]
    OnItsWay,
    /// The board does not answer, so that its time cannot go back.
    #[error("the board does not answer: its time can go back once it does")]
    NoAnswer,
    /// The board is lost, for the reason that [`BoardLink::Down`](super::BoardLink::Down)
    /// gives.
    #[error("{0}")]
    Down(String),
    /// The board has not sent its state yet.
    #[error("the board's state is not known yet: wait until it is connected")]
    NothingKnown,
    /// The board stopped on the path to another moment.
    #[error("the board did not reach that moment: {0}")]
    NotReached(#[source] DriverError),
    /// The connection ended during a request.
    #[error("the connection ended before the board answered")]
    Unanswered,
    /// The game of a board that restarted was not brought back.
    #[error("the game was not brought back: {0}")]
    NotBroughtBack(#[source] Box<SourceError>),
    /// A game that was left cannot be kept.
    #[error("This game cannot be continued later: {0}")]
    NotKept(#[source] Box<SourceError>),
    /// The board is elsewhere, and cannot continue a game.
    #[error("the game can only be continued on a board in this process")]
    Elsewhere,
    /// The state that a game is to be continued from has no layout.
    #[error("the unfinished game cannot be read")]
    Damaged,
    /// The board is its own twin.
    #[error("a board in this process is its own twin: there is no difference to shrink")]
    OwnTwin,
    /// There is no difference to shrink.
    #[error("board and twin do not differ")]
    NoDifference,
    /// A page has neither files nor a second line to the board.
    #[error("a page cannot shrink it: save the session, and run `hil-bridge check` on it")]
    NoShrinkingInPage,
    /// The line was opened by somebody else, who decides its faults.
    #[error("the line to this board was opened before the window: give its faults as options")]
    LineFromElsewhere,
    /// The board has real contacts.
    #[error("the contacts of this board are not simulated, so only its line can have faults")]
    NotSimulated,
    /// Neither the contacts nor the lamps of the board at this place are simulated here.
    #[error(
        "the window cannot simulate bad sensors and lamps of the board at {0}: write --at core"
    )]
    NotSimulatedAt(String),
    /// At a table for two, time is common to both.
    #[error(
        "time is the same for both at this table: it cannot be held, changed or gone back in; Stop makes a pause"
    )]
    CommonTime,
    /// At a table for two, the board is common to both.
    #[error(
        "the board of a table begins as it was when the table was opened: open another table for another position"
    )]
    CommonBoard,
    /// The table cannot be asked for this.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table does not begin with a board that can be opened here.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The operating system starts no thread.
    #[error("no thread: {0}")]
    NoThread(#[source] io::Error),
    /// The board could not be driven.
    #[error(transparent)]
    Driver(#[from] DriverError),
}
