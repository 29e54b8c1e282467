//! A game text in the window: given as an argument or dropped on the window, and read
//! again whenever its file is saved.
//!
//! Invariants: a text with an error changes nothing on the board, and the place of the
//! error is shown; a correct text is on the board in the next picture, with the earlier
//! moves as far as they are legal by its rules.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use protocol::{Deed, Layout, Settings, StampedEvent, Tick};
use touchboard_host::standing::phase;
use touchboard_host::written::{self, Choice, Heading, Item, MoveLog, TextGame};

use super::random::RandomGames;
use super::system::{self, SlicedWork, Stamp};
use super::{BoardPlaces, BoardTime, Happened, Shown, SourceSet, UsualLevel, WindowCommand};

/// The interval between two checks for a saved file.
const LOOK: Duration = Duration::from_millis(150);

/// The number of random games per request.
pub const RANDOM_GAMES: u32 = 1_000;

/// The text that is on the board.
#[derive(Resource, Default)]
pub struct OpenText {
    /// The file, and the chosen items of its options.
    choice: Option<Choice>,
    /// All texts opened since the start, including the current one, in order.
    opened: Vec<Choice>,
    /// The texts that are edited in this process instead of in a file, by their names.
    edited: HashMap<PathBuf, String>,
    /// What has changed and has not been put on the board yet.
    change: Option<Change>,
    /// When the file was last saved, if known.
    saved: Option<Stamp>,
    /// The layout on the board once the text that was just read takes effect; `None` when
    /// it has.
    awaited: Option<Layout>,
    /// The time from the last saving of the file until its effect on the lights.
    pub took: Option<Duration>,
    looked: Duration,
    /// The game of the last correct version of the text.
    pub game: Option<Arc<TextGame>>,
    /// The current error, with the line of the text and a mark below it.
    pub wrong: Option<String>,
    /// Random games of the text, in progress or finished.
    pub random: Random,
    /// The moves of the game so far.
    course: MoveLog,
    /// The texts that were on the board, by the layouts of their games.
    of_layouts: Vec<(Layout, Choice)>,
}

/// What has changed about the text on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The text, or an option of it: a new game starts.
    Choice,
    /// The version of the text: the game continues.
    Version,
}

/// Random games of the text.
#[derive(Default)]
pub enum Random {
    /// No random games were requested.
    #[default]
    Nothing,
    /// The random games are being played.
    Playing(SlicedWork<String>),
    /// The result of the random games, in words.
    Came(String),
}

impl OpenText {
    /// Opens a text that is on the board already.
    #[must_use]
    pub fn of(choice: Choice) -> OpenText {
        let mut text = OpenText::default();
        text.is_on_board(choice);
        text
    }

    /// Takes in that this text is on the board already. Returns the layout of its game;
    /// `None` if it has an error.
    fn is_on_board(&mut self, choice: Choice) -> Option<Layout> {
        if !self.opened.contains(&choice) {
            self.opened.push(choice.clone());
        }
        self.saved = Stamp::of(&choice.file);
        self.choice = Some(choice.clone());
        let game = self.compiled(&choice).ok()?;
        let layout = game.layout.layout();
        self.of_layouts.push((layout, choice));
        self.game = Some(Arc::new(game));
        Some(layout)
    }

    /// Takes in that a game of this text, or of none, is continued on a board of this
    /// layout, after these events. Returns a sentence if the text has changed since: the
    /// game then keeps its rules, and the text is not open.
    pub(super) fn resume(
        &mut self,
        choice: Option<&Choice>,
        layout: Layout,
        events: impl IntoIterator<Item = StampedEvent>,
    ) -> Option<String> {
        let before = std::mem::take(self);
        self.opened = before.opened;
        self.edited = before.edited;
        let choice = choice?;
        if self.is_on_board(choice.clone()) != Some(layout) {
            let name = self.name();
            (self.choice, self.game, self.saved) = (None, None, None);
            return Some(format!(
                "{name} has changed since: this game keeps its rules"
            ));
        }
        self.course.note(events, Tick::MAX);
        None
    }

    /// The text whose game a board of this layout plays, if it was opened here.
    #[must_use]
    pub fn of_layout(&self, layout: Layout) -> Option<&Choice> {
        let found = self.of_layouts.iter().rev().find(|(of, _)| *of == layout);
        found.map(|(_, choice)| choice)
    }

    /// The name of the file, without its folder.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self
            .choice
            .as_ref()
            .and_then(|choice| choice.file.file_name());
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// The text that is open, if any.
    #[must_use]
    pub fn choice(&self) -> Option<&Choice> {
        self.choice.as_ref()
    }

    /// The texts that were opened since the start, in order.
    #[must_use]
    pub fn opened(&self) -> &[Choice] {
        &self.opened
    }

    /// Reads this text and puts it on the board.
    pub fn open(&mut self, choice: Choice) {
        self.saved = Stamp::of(&choice.file);
        if !self.opened.contains(&choice) {
            self.opened.push(choice.clone());
        }
        self.choice = Some(choice);
        self.change = Some(Change::Choice);
    }

    /// Puts this version of a text that is edited in this process on the board. If it is
    /// on the board already, the game continues as far as its moves are still legal.
    pub fn edit(&mut self, name: &str, source: String) {
        let file = PathBuf::from(name);
        let is_open = self
            .choice
            .as_ref()
            .is_some_and(|choice| choice.file == file);
        self.edited.insert(file.clone(), source);
        if is_open && self.game.is_some() {
            self.change = self.change.or(Some(Change::Version));
        } else {
            self.open(file.into());
        }
    }

    /// True if the author of the text is at work on it here.
    fn is_edited(&self) -> bool {
        let file = self.choice.as_ref().map(|choice| &choice.file);
        file.is_some_and(|file| self.edited.contains_key(file))
    }

    /// Compiles a text, from this process or from its file.
    fn compiled(&self, choice: &Choice) -> Result<TextGame, system::GameFileError> {
        match self.edited.get(&choice.file) {
            Some(source) => Ok(written::of_text(&self.name(), source, &choice.options)?),
            None => system::read(choice),
        }
    }

    /// True if the text is in a file, and not compiled in.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.saved.is_some()
    }

    /// True if a text is open.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.choice.is_some()
    }

    /// The item of this option by which the board plays.
    #[must_use]
    pub fn item<'a>(&self, heading: &'a Heading) -> Option<&'a Item> {
        let chosen = &self.choice.as_ref()?.options;
        let is_meant = |item: &&Item| {
            let path = heading.path(item);
            chosen
                .iter()
                .any(|choice| *choice == path || choice.eq_ignore_ascii_case(&item.name))
        };
        heading
            .items
            .iter()
            .find(is_meant)
            .or_else(|| heading.usual())
    }

    /// Chooses an item of an option, which starts a new game.
    pub fn choose(&mut self, heading: &Heading, item: &Item) {
        let Some(choice) = &mut self.choice else {
            return;
        };
        let is_other = |choice: &String| {
            let is_item = |item: &Item| {
                *choice == heading.path(item) || choice.eq_ignore_ascii_case(&item.name)
            };
            !heading.items.iter().any(is_item)
        };
        choice.options.retain(is_other);
        choice.options.push(heading.path(item));
        self.change = Some(Change::Choice);
    }

    /// Starts random games, which are played in the background.
    pub fn play_random(&mut self) {
        let Some(game) = self.game.clone() else {
            return;
        };
        let mut games = RandomGames::new(game, RANDOM_GAMES, 1);
        self.random = match SlicedWork::begin(move |goes_on| games.slice(goes_on)) {
            Ok(work) => Random::Playing(work),
            Err(why) => Random::Came(format!("no games can be played: {why}")),
        };
    }
}

/// Puts texts on the board.
pub(super) struct WrittenPlugin;

impl Plugin for WrittenPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<OpenText>()
            .add_message::<FileDragAndDrop>()
            .add_systems(
                Update,
                (note, measure, drop_on, reread_saved, take_random_games)
                    .chain()
                    .before(SourceSet::Exchange),
            );
    }
}

/// Records the moves that happen on the board.
fn note(mut text: ResMut<OpenText>, mut happened: MessageReader<Happened>, clock: Res<BoardTime>) {
    let happened = happened.read().map(|Happened(stamped)| *stamped);
    let text = text.bypass_change_detection();
    text.course.note(happened, clock.0);
}

/// Measures how long it took from the file to the lights.
fn measure(mut text: ResMut<OpenText>, shown: Res<Shown>) {
    if text.awaited.is_none_or(|layout| layout != shown.layout) {
        return;
    }
    text.awaited = None;
    text.took = text.saved.and_then(Stamp::age);
}

/// Opens a file that was dropped on the window.
fn drop_on(mut text: ResMut<OpenText>, mut dropped: MessageReader<FileDragAndDrop>) {
    for event in dropped.read() {
        let FileDragAndDrop::DroppedFile { path_buf, .. } = event else {
            continue;
        };
        text.choice = Some(path_buf.clone().into());
        text.saved = Stamp::of(path_buf);
        if !written::is_text(path_buf) {
            text.game = None;
            text.wrong = Some(format!(
                "{} is not the text of a game: drop a file whose name ends in .lud",
                text.name()
            ));
            continue;
        }
        text.open(path_buf.clone().into());
    }
}

/// Reads the text again if its file was saved.
fn reread_saved(
    mut text: ResMut<OpenText>,
    mut commands: MessageWriter<WindowCommand>,
    shown: Res<Shown>,
    (places, level): (Res<BoardPlaces>, Res<UsualLevel>),
    time: Res<Time<Real>>,
) {
    let now = time.elapsed();
    let file = text.choice.as_ref().map(|choice| choice.file.clone());
    let Some(file) = file.filter(|file| written::is_text(file)) else {
        return;
    };
    if let Some(change) = text.bypass_change_detection().change.take() {
        read(&mut text, &shown, (&places, *level), &mut commands, change);
    }
    if now.saturating_sub(text.looked) < LOOK {
        return;
    }
    text.bypass_change_detection().looked = now;
    let saved = Stamp::of(&file);
    if saved.is_none() || saved == text.saved {
        return;
    }
    text.saved = saved;
    read(
        &mut text,
        &shown,
        (&places, *level),
        &mut commands,
        Change::Version,
    );
    let layout = text.game.as_ref().map(|game| game.layout.layout());
    text.awaited = layout.filter(|_| text.wrong.is_none());
}

fn read(
    text: &mut OpenText,
    shown: &Shown,
    (places, level): (&BoardPlaces, UsualLevel),
    commands: &mut MessageWriter<WindowCommand>,
    change: Change,
) {
    let Some(choice) = text.choice.clone() else {
        return;
    };
    let game = match text.compiled(&choice) {
        Ok(game) => game,
        Err(error) => {
            text.wrong = Some(error.to_string());
            return;
        }
    };
    text.wrong = None;
    text.random = Random::Nothing;
    let layout = game.layout.layout();
    text.game = Some(Arc::new(game));
    text.of_layouts.retain(|(of, _)| *of != layout);
    text.of_layouts.push((layout, choice));
    if change == Change::Version && layout == shown.layout {
        return;
    }
    let seed = places.current.seed.unwrap_or_default();
    let done = match change {
        Change::Choice => Vec::new(),
        Change::Version => text.course.of_this_game(),
    };
    let before = shown.status.settings;
    // The board's own player does not move in between: a board that was just switched on
    // has level 0.
    commands.write(WindowCommand::Do(Deed::Reset { seed, layout }));
    // The author of a text wants to go on immediately; a player first chooses whom to play
    // against.
    let goes_on = change == Change::Version && phase(&shown.status).is_on();
    if text.is_edited() || goes_on || !done.is_empty() {
        for input in written::still_played(layout, seed, &done) {
            commands.write(WindowCommand::from(input));
        }
    }
    let game = firmware_core::games::LAYOUTS_OWN;
    let as_switched_on = Settings::default().for_game(game, 0);
    let settings = match change {
        Change::Choice => level.of_game(before.for_game(game, 0), layout),
        Change::Version => Settings {
            game,
            mode: 0,
            ..before
        },
    };
    if settings != as_switched_on {
        commands.write(WindowCommand::Do(Deed::Settings(settings)));
    }
}

/// Takes the result of random games when it is ready.
fn take_random_games(mut text: ResMut<OpenText>) {
    let Random::Playing(work) = &mut text.bypass_change_detection().random else {
        return;
    };
    if let Some(report) = work.outcome() {
        text.random = Random::Came(report);
    }
}
