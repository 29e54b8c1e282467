//! What can be asked of a board. Nothing here changes it.

use protocol::{
    Button, Drawing, Frame, Layout, Outcome, Point, Roster, Settings, Side, Status, Tick,
};

use super::Board;
use crate::digest::digest;
use crate::game::{Game, Service};
use crate::games::Playing;
use crate::ground::Ground;
use crate::points::Points;
use crate::referee::Referee;
#[cfg(feature = "host")]
use crate::thought::Thought;
use crate::word::Word;

impl<W: Word> Board<W> {
    /// The board's points and their adjacency.
    #[must_use]
    pub fn ground(&self) -> &Ground<W> {
        &self.ground
    }

    /// The layout of the board: its size, or the number of its drawing.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.state.layout
    }

    /// The games that the board has.
    #[must_use]
    pub fn roster(&self) -> Roster {
        self.state.roster
    }

    /// The seed of all random numbers on the board.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.state.seed
    }

    /// Ticks since the board was switched on.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.state.tick
    }

    /// The settings: game, time, speed, level and mode.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.state.panel.settings()
    }

    /// True while a finger is on this point, according to the inputs so far.
    #[must_use]
    pub fn is_touched(&self, point: Point) -> bool {
        self.state.layout.has(point) && self.state.fingers.has(point)
    }

    /// True while this button is down, according to the inputs so far.
    #[must_use]
    pub fn is_pressed(&self, button: Button) -> bool {
        self.state.panel.is_pressed(button)
    }

    /// Everything that the board shows at the current tick.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The side whose turn it is, while a game runs.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        self.state.referee.as_ref()?.turn()
    }

    /// The score of the game on the board, `[green, red]`.
    #[must_use]
    pub fn score(&self) -> Option<[u32; 2]> {
        self.state.referee.as_ref().map(Referee::score)
    }

    /// The outcome of the game on the board, once it has ended.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.state.referee.as_ref()?.outcome()
    }

    /// The game on the board and its player.
    #[must_use]
    pub fn playing(&self) -> Option<&Playing<W>> {
        self.state.referee.as_ref().map(Referee::playing)
    }

    /// True while it is the board's own turn and the game is not paused.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        let level = self.settings().level;
        self.state
            .referee
            .as_ref()
            .is_some_and(|referee| referee.blocks_touches(level) && !referee.is_idle(&self.ground))
    }

    /// What the board's own player has found so far in its turn; `None` outside of
    /// its turn.
    #[cfg(feature = "host")]
    #[must_use]
    pub fn thought(&self) -> Option<Thought> {
        let playing = self.playing().filter(|_| self.is_thinking())?;
        Some(playing.opponent().thought(&self.ground))
    }

    /// True while the game computes over several ticks which points may be touched. A
    /// touch during that time still counts.
    #[must_use]
    pub fn is_settling(&self) -> bool {
        self.state
            .referee
            .as_ref()
            .is_some_and(Referee::is_settling)
    }

    /// True while a game is paused by Stop/Cont.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.state.referee.as_ref().is_some_and(Referee::is_paused)
    }

    /// The state of the game in a form that hosts display.
    #[must_use]
    pub fn status(&self) -> Status {
        let referee = self.state.referee.as_ref();
        Status {
            settings: self.settings(),
            turn: self.turn(),
            score: self.score(),
            outcome: self.outcome(),
            paused: self.is_paused(),
            thinking: self.is_thinking(),
            idle: referee.is_some_and(|referee| referee.is_idle(&self.ground)),
            clock: referee.and_then(|referee| referee.clock(self.tick())),
            turns_left: referee.and_then(|referee| referee.playing().game().turns_left()),
            last_move: referee.and_then(Referee::last_move),
            best: None,
        }
    }

    /// The points of the finished game among the best scores of its mode; see
    /// [`Game::worth`].
    #[must_use]
    pub fn worth(&self) -> Option<u32> {
        self.playing()?.game().worth()
    }

    /// The points whose touch has an effect now: a move, a part of a move, or a
    /// [`Service`]. Empty if no game runs, and during the board's own turn.
    #[must_use]
    pub fn legal(&self) -> Points<W> {
        self.to_touch()
            .map_or(Points::NONE, |game| game.legal(&self.ground))
    }

    /// The [legal](Board::legal) points whose touch is this service.
    #[must_use]
    pub fn service(&self, service: Service) -> Points<W> {
        self.to_touch()
            .map_or(Points::NONE, |game| game.service(service, &self.ground))
    }

    /// The game, if a person may touch something in it now.
    fn to_touch(&self) -> Option<&dyn Game<W>> {
        let level = self.settings().level;
        let referee = self.state.referee.as_ref()?;
        let may_touch = referee.is_running() && !referee.blocks_touches(level);
        may_touch.then(|| referee.playing().game())
    }

    /// The digest of the state and the frame.
    #[must_use]
    pub fn digest(&self) -> u64 {
        digest(&(&self.state, &self.frame))
    }

    /// The drawing of the layout, if it is drawn.
    #[must_use]
    pub fn drawing(&self) -> Option<Drawing<'_>> {
        self.ground.drawing()
    }
}
