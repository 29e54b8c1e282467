//! The settings that the window remembers between runs, in a small file in the user's
//! configuration folder.
//!
//! The command line takes precedence. Screenshots, films and tests neither read nor write
//! the file, so that they are the same everywhere.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use firmware_core::games;
use protocol::{Deed, Layout, Settings};
use serde::{Deserialize, Serialize};
use touchboard_files::keep::{self, KeepFile};
use touchboard_files::{WritingError, read_bounded_text, whole_file};
use touchboard_links::At;

use super::options::{Options, SIDES};
use crate::scene::camera::Viewpoint;
use crate::scene::quality::{Quality, WantedQuality};
use crate::sound::Volume;
use crate::source::{BoardLink, BoardPlaces, Shown, UsualLevel, WindowCommand};
use crate::switches::WindowSwitches;
use crate::theme::WindowTone;
use crate::theme::{ChosenPalette, Palette};
use crate::workbench::arrangements::Arrangements;
use crate::workbench::dock::{Arrangement, Dock};
use crate::workbench::folds::{Fold, Folds};
use crate::workbench::timeline::{TimelineView, TrackList};
use crate::workbench::{RoomForTools, SidePanel};

/// A change is written when nothing else has changed for this many seconds, so that
/// resizing a window writes the file only once.
const REST_S: f32 = 1.0;

/// The most bytes of the file; it has some thousands.
const MOST_BYTES: u64 = 1 << 20;

/// The remembered settings; missing ones have their initial values.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Remembered {
    /// Width and height of the window, in pixels.
    pub window: Option<(u32, u32)>,
    /// The place of the last board, in the form of the option `--at`.
    pub at: Option<String>,
    /// The settings of the board in this process.
    pub settings: Option<Settings>,
    /// True if sounds are muted.
    pub is_muted: bool,
    /// The volume of sounds, in per cent.
    pub volume_percent: Option<u8>,
    /// True if the camera looks from above.
    pub is_from_above: bool,
    /// The palette for the colours of the two sides.
    pub palette: Palette,
    /// True if the side panel is hidden.
    pub is_panel_hidden: bool,
    /// The quality, if the user chose one.
    pub quality: Option<Quality>,
    /// True if pieces jump to their places without motion.
    pub is_still: bool,
    /// True if the effect of a touch under the mouse is not shown.
    pub is_without_preview: bool,
    /// Whether the card of board time is folded, if the user chose.
    pub is_timeline_folded: Option<bool>,
    /// The same for the card of the connection.
    pub is_connection_folded: Option<bool>,
    /// The same for the card of the view.
    pub is_view_folded: Option<bool>,
    /// Whether panels are dark or light.
    pub tone: WindowTone,
    /// The arrangement of the dock's panes.
    pub panes: Arrangement,
    /// The signals in the timeline, if the user chose some.
    pub signals: Option<TrackList>,
    /// The named arrangements of panes.
    pub arrangements: Arrangements,
}

/// The file of the settings; without this resource, nothing is written.
#[derive(Resource, Clone, Debug)]
pub struct SettingsFile {
    /// The path of the settings file.
    pub file: PathBuf,
    /// True if the command line muted the window, which only applies to this run.
    pub is_silence_given: bool,
    /// True if the command line asked for no motion, which only applies to this run.
    pub is_stillness_given: bool,
    /// True if the command line set a quality, which only applies to this run.
    pub is_quality_given: bool,
    /// True if the command line chose signals, which only applies to this run.
    pub are_signals_given: bool,
}

/// The file of the settings; `None` if these options rule out remembering anything.
#[must_use]
pub fn file(options: &Options) -> Option<PathBuf> {
    let is_picture = options.is_for_a_picture();
    let folder = dirs::config_dir().filter(|_| !options.fresh && !is_picture)?;
    Some(folder.join("touchboard").join("window.json"))
}

/// True if the window begins with a board to play on, not with a recording or with
/// firmware that is being changed.
#[must_use]
pub fn is_play(options: &Options) -> bool {
    options.session.is_none() && options.scenario.is_none() && options.watch.is_none()
}

/// The file of best scores for the board in this process, next to the settings; `None` if
/// these options rule it out. A damaged file is renamed and reported.
#[must_use]
pub fn best(options: &Options) -> Option<PathBuf> {
    let path = file(options).filter(|_| is_play(options))?;
    let path = path.with_file_name("best");
    let folder = path.parent()?;
    let aside = fs::create_dir_all(folder)
        .ok()
        .and_then(|()| keep::set_aside(&path));
    if let Some(sentence) = aside {
        eprintln!("emulator: {sentence}");
    }
    // If the scores cannot be stored, the game can still be played.
    KeepFile::open(&path)
        .map_err(|error| eprintln!("emulator: {error}"))
        .ok()?;
    Some(path)
}

/// The file of the settings exists, but cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(
    "the window's settings cannot be read from {}, so it starts with the defaults: {error}",
    file.display()
)]
pub struct SettingsFileError {
    file: PathBuf,
    error: io::Error,
}

/// Reads the file; a missing file means the initial settings.
///
/// # Errors
/// If the file exists but cannot be used.
pub fn read(file: &Path) -> Result<Remembered, SettingsFileError> {
    let text = match read_bounded_text(file, MOST_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Remembered::default()),
        text => text,
    };
    text.and_then(|text| Ok(serde_json::from_str(&text)?))
        .map_err(|error| SettingsFileError {
            file: file.to_owned(),
            error,
        })
}

/// Writes the file, completely or not at all.
fn write(file: &Path, remembered: &Remembered) -> Result<(), WritingError> {
    let folder = file.parent().unwrap_or(Path::new("."));
    serde_json::to_vec_pretty(remembered)
        .map_err(io::Error::from)
        .and_then(|text| fs::create_dir_all(folder).map(|()| text))
        .and_then(|text| whole_file::write(file, &text))
        .map_err(WritingError::about(file))
}

impl Remembered {
    /// Fills in what the command line left out.
    #[must_use]
    pub fn under(&self, mut options: Options) -> Options {
        let sane = |(width, height): &(u32, u32)| SIDES.contains(width) && SIDES.contains(height);
        if let Some((width, height)) = self.window.filter(sane) {
            options.size = options.size.or(Some(UVec2::new(width, height)));
        }
        let at = self.at.as_deref().and_then(|at| at.parse().ok());
        if let Some(at) = at.filter(|_| !options.at_is_given && options.session.is_none()) {
            options.place.at = at;
        }
        options.palette = options.palette.or(Some(self.palette));
        options.top |= self.is_from_above;
        options
    }

    /// The remembered settings, if they are to be put on the board. A board at the end of
    /// a line keeps its own, a session or a scenario brings some, and a text is the game
    /// itself.
    #[must_use]
    pub fn settings_for(&self, options: &Options) -> Option<Settings> {
        let is_free =
            options.session.is_none() && options.scenario.is_none() && options.text.is_none();
        let is_own = options.place.at == At::Core;
        self.settings.filter(|_| is_free && is_own)
    }
}

/// The settings of the board when nothing is remembered: those of a freshly switched-on
/// board, except for the level. The user is probably alone, so START should begin a game
/// for one person. `None` if the options determine the board.
#[must_use]
pub fn first_settings(options: &Options) -> Option<Settings> {
    let place = &options.place;
    let is_picture = options.is_for_a_picture();
    let is_chosen = options.session.is_some()
        || options.scenario.is_some()
        || options.watch.is_some()
        || options.text.is_some()
        || place.layout().is_some()
        || place.games.is_some();
    let is_first = !is_picture && !is_chosen && place.at == At::Core;
    is_first.then_some(Settings {
        level: 1,
        ..Settings::default()
    })
}

/// The settings of a text that the options name: those with which its game also begins
/// from the list, at the level that was used last. `None` if the options determine more.
#[must_use]
pub fn settings_of_text(options: &Options, remembered: &Remembered) -> Option<Settings> {
    let is_picture = options.is_for_a_picture();
    let is_own = is_play(options) && options.place.at == At::Core && !is_picture;
    let layout = options.place.layout().filter(|_| is_own)?;
    let last = remembered.settings.unwrap_or_default();
    let level = match remembered.settings {
        // A game of the board's own has as many players on every layout.
        Some(last) => UsualLevel::default().after(&last, Layout::MALDOO),
        None => UsualLevel::default(),
    };
    let game = last.for_game(games::LAYOUTS_OWN, 0);
    Some(level.of_game(game, layout))
}

/// Writes settings to the file when they change.
pub struct RememberPlugin;

impl Plugin for RememberPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Remembered>()
            .add_systems(Last, remember.run_if(resource_exists::<SettingsFile>));
    }
}

/// The settings of the window as they are now.
#[derive(SystemParam)]
struct WindowState<'w, 's> {
    shown: Res<'w, Shown>,
    places: Res<'w, BoardPlaces>,
    switches: Res<'w, WindowSwitches>,
    volume: Res<'w, Volume>,
    view: Res<'w, Viewpoint>,
    side_panel: Res<'w, SidePanel>,
    palette: Res<'w, ChosenPalette>,
    quality: Res<'w, WantedQuality>,
    folds: Res<'w, Folds>,
    dock: Res<'w, Dock>,
    tone: Res<'w, WindowTone>,
    timeline: Res<'w, TimelineView>,
    named: Res<'w, Arrangements>,
    room: Res<'w, RoomForTools>,
    windows: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl WindowState<'_, '_> {
    /// What is to be remembered: the settings as they are now, and those
    /// remembered before where the command line set one for this run.
    fn over(&self, remembered: &Remembered, memory: &SettingsFile) -> Remembered {
        let mut now = Remembered {
            at: Some(self.places.current.at.to_string()),
            is_from_above: *self.view == Viewpoint::Top,
            palette: self.palette.0,
            volume_percent: Some(self.volume.percent()),
            panes: match &self.room.put_away {
                Some(away) if !self.dock.has_tools() => away.clone(),
                _ => self.dock.arrangement(),
            },
            tone: *self.tone,
            is_without_preview: !self.switches.preview,
            arrangements: Arrangements::clone(&self.named),
            ..remembered.clone()
        };
        if !memory.are_signals_given && *self.timeline.chosen() != *TimelineView::default().chosen()
        {
            now.signals = Some(self.timeline.chosen().clone());
        }
        if !memory.is_silence_given {
            now.is_muted = !self.switches.sound;
        }
        if !memory.is_stillness_given {
            now.is_still = !self.switches.motion;
        }
        if !memory.is_quality_given {
            now.quality = self.quality.0;
        }
        if self.folds.is_changed() && !self.folds.is_added() {
            now.is_timeline_folded = Some(self.folds.timeline == Fold::Folded);
            now.is_connection_folded = Some(self.folds.connection == Fold::Folded);
            now.is_view_folded = Some(self.folds.view == Fold::Folded);
        }
        // A window without any panel is only requested for one run.
        if *self.side_panel != SidePanel::Bare && !self.room.is_hidden_for_it {
            now.is_panel_hidden = *self.side_panel == SidePanel::Hidden;
        }
        if let Some(window) = self.windows.iter().next() {
            now.window = Some((window.physical_width(), window.physical_height()));
        }
        if self.shown.link == BoardLink::Direct {
            now.settings = Some(self.shown.status.settings);
        }
        now
    }
}

/// Writes the settings once they have changed and then been stable for [`REST_S`].
fn remember(
    memory: Res<SettingsFile>,
    time: Res<Time<Real>>,
    current: WindowState,
    mut remembered: ResMut<Remembered>,
    mut changed: Local<Option<(Remembered, f32)>>,
    mut exits: MessageReader<AppExit>,
) {
    let now = current.over(&remembered, &memory);
    if now == *remembered {
        *changed = None;
        return;
    }
    let since = match &*changed {
        Some((before, since)) if *before == now => *since,
        _ => time.elapsed_secs(),
    };
    *changed = Some((now.clone(), since));
    let is_over = exits.read().count() > 0;
    if is_over || time.elapsed_secs() - since >= REST_S {
        if let Err(error) = write(&memory.file, &now) {
            eprintln!("emulator: {error}");
        }
        // An error is only reported once.
        *remembered = now;
    }
}

/// Applies the remembered settings before the first picture.
pub fn restore(app: &mut App, remembered: Remembered, file: PathBuf, options: &Options) {
    if let Some(settings) = remembered.settings_for(options) {
        app.world_mut()
            .write_message(WindowCommand::Do(Deed::Settings(settings)));
    }
    if remembered.is_panel_hidden && !options.no_panel {
        app.insert_resource(SidePanel::Hidden);
    }
    let mut folds = app.world_mut().get_resource_or_init::<Folds>();
    let as_last_time = |now: Fold, before: Option<bool>| before.map_or(now, Fold::of);
    *folds = Folds {
        timeline: as_last_time(folds.timeline, remembered.is_timeline_folded),
        connection: as_last_time(folds.connection, remembered.is_connection_folded),
        view: as_last_time(folds.view, remembered.is_view_folded),
        ..*folds
    };
    let mut dock = Dock::arranged(&remembered.panes);
    // Panes that the command line asks for are opened in a window of any size.
    let had_tools = dock.has_tools() && options.panes().next().is_none();
    for pane in options.panes() {
        dock.open(pane);
    }
    app.insert_resource(dock);
    app.insert_resource(RoomForTools::with_remembered_tools(had_tools));
    app.insert_resource(remembered.arrangements.clone());
    let mut asked = options.timeline.iter().flatten();
    let are_signals_given = asked.any(|name| !name.is_empty());
    if let Some(signals) = remembered.signals.clone().filter(|_| !are_signals_given) {
        let mut timeline = TimelineView::default();
        timeline.choose(signals);
        app.insert_resource(timeline);
    }
    if !options.light {
        app.insert_resource(remembered.tone);
    }
    let mut switches = app.world_mut().get_resource_or_init::<WindowSwitches>();
    switches.sound &= !remembered.is_muted;
    switches.motion &= !remembered.is_still;
    switches.preview &= !remembered.is_without_preview;
    if options.quality.is_none() {
        app.insert_resource(WantedQuality(remembered.quality));
    }
    if let Some(percent) = remembered.volume_percent {
        app.insert_resource(Volume::of_percent(percent));
    }
    app.insert_resource(remembered)
        .insert_resource(SettingsFile {
            file,
            is_silence_given: options.mute,
            is_stillness_given: options.still,
            is_quality_given: options.quality.is_some(),
            are_signals_given,
        });
    app.add_plugins(RememberPlugin);
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;
    use crate::workbench::arrangements::NamedArrangement;

    fn options(arguments: &[&str]) -> Options {
        Options::read_from(std::iter::once(&"emulator").chain(arguments)).unwrap()
    }

    fn full() -> Remembered {
        Remembered {
            window: Some((1000, 700)),
            at: Some("virtual".to_owned()),
            settings: Some(Settings {
                game: 8,
                mode: 7,
                ..Settings::default()
            }),
            is_muted: true,
            volume_percent: Some(35),
            is_from_above: true,
            palette: Palette::BlueOrange,
            is_panel_hidden: true,
            quality: Some(Quality::Fine),
            is_without_preview: true,
            is_still: true,
            is_timeline_folded: Some(false),
            is_connection_folded: Some(true),
            is_view_folded: Some(true),
            tone: WindowTone::Light,
            panes: Dock::with([crate::workbench::dock::Pane::State]).arrangement(),
            signals: Some(TrackList::of(["turn", "light.d4"])),
            arrangements: Arrangements(vec![NamedArrangement {
                name: "lights".to_owned(),
                panes: Dock::with([crate::workbench::dock::Pane::Timeline]).arrangement(),
                signals: TrackList::of(["light.d4"]),
            }]),
        }
    }

    #[test]
    fn written_settings_are_read_back_and_no_other_file_remains() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("deep").join("window.json");
        assert_eq!(read(&file).unwrap(), Remembered::default());
        write(&file, &full()).unwrap();
        assert_eq!(read(&file).unwrap(), full());
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn the_error_for_a_broken_file_names_it() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("window.json");
        for text in ["", "{", "[1]", "{\"window\": \"large\"}", "{\"moon\": 1}"] {
            fs::write(&file, text).unwrap();
            let sentence = read(&file).unwrap_err().to_string();
            assert!(sentence.contains("window.json"), "{sentence}");
        }
    }

    #[test]
    fn the_command_line_overrides_remembered_settings() {
        let remembered = full();
        let bare = remembered.under(options(&[]));
        assert_eq!(bare.size, Some(UVec2::new(1000, 700)));
        assert_eq!(bare.place.at, At::Virtual);
        assert!(bare.top);
        // The audio device is still opened, because sound can be switched on.
        assert!(!bare.mute);
        let given = remembered.under(options(&["--size", "800x600", "--at", "core"]));
        assert_eq!(given.size, Some(UVec2::new(800, 600)));
        assert_eq!(given.place.at, At::Core);
    }

    #[test]
    fn a_board_on_a_line_keeps_its_settings() {
        let remembered = full();
        assert_eq!(
            remembered.settings_for(&options(&["--at", "virtual"])),
            None
        );
        assert_eq!(remembered.settings_for(&options(&["a.session"])), None);
        let text = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../hil-bridge/ludemes/games/chess.lud"
        );
        assert_eq!(remembered.settings_for(&options(&[text])), None);
        assert_eq!(remembered.settings_for(&options(&[])), remembered.settings);
    }

    #[test]
    fn the_first_start_is_a_game_against_the_board() {
        let level = |arguments: &[&str]| {
            let first = first_settings(&options(arguments));
            first.map(|settings| settings.level)
        };
        assert_eq!(level(&[]), Some(1));
        assert_eq!(level(&["--fresh"]), Some(1));
        for chosen in [
            &["--at", "virtual"][..],
            &["a.session"],
            &["--scenario", "a.txt"],
            &["--games", "5"],
            &["--layout", "8x8"],
            &["--headless", "--screenshot", "a.png"],
        ] {
            assert_eq!(level(chosen), None, "{chosen:?}");
        }
    }

    #[test]
    fn an_impossible_window_size_is_ignored() {
        let remembered = Remembered {
            window: Some((0, 90_000)),
            ..Remembered::default()
        };
        assert_eq!(remembered.under(options(&[])).size, None);
    }

    #[test]
    fn pictures_and_a_fresh_start_remember_nothing() {
        for arguments in [
            &["--fresh"][..],
            &["--screenshot", "a.png"],
            &["--headless", "--film", "a.gif"],
        ] {
            assert_eq!(file(&options(arguments)), None, "{arguments:?}");
            assert_eq!(best(&options(arguments)), None, "{arguments:?}");
        }
    }
}
