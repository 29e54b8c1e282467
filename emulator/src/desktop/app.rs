//! Builds the program from its plugins, with or without a window.

use std::path::Path;
use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::audio::AudioPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{ExitCondition, WindowResolution};
use bevy::winit::WinitPlugin;
use protocol::Deed;
use touchboard_links::At;

use super::capture::{self, Capture, CapturePlugin};
use super::film::{Film, FilmPlugin};
use super::loading::{Loading, LoadingPlugin};
use super::options::Options;
use super::own_panel;
use super::prepare::{self, Start};
use super::remembered::{self, Remembered};
use super::start_error::StartError;
use super::unfinished;
use crate::WindowPlugins;
use crate::first_picture::OpeningPlugin;
use crate::scene::camera::Viewpoint;
use crate::scene::quality::{Quality, WantedQuality};
use crate::sound::SoundPlugin;
use crate::source::written::OpenText;
use crate::source::{BoardPace, BoardPlaces, SaveOnRequest, Shown, ShownBoard, WindowCommand};
use crate::switches::WindowSwitches;
use crate::theme::ChosenPalette;
use crate::theme::WindowTone;
use crate::workbench::dock::Dock;
use crate::workbench::folds::{Fold, Folds};
use crate::workbench::panes::line::LinePane;
use crate::workbench::timeline::TimelineView;
use crate::workbench::{Drawer, HowToDrawer, SidePanel, Unattended};

/// Renderers log a lot, so only their errors are shown; of the program's own messages,
/// level `info` and above.
const LOG_FILTER: &str = "error,wgpu_hal=off,emulator=info";

/// The time that passes with each picture while a screenshot is prepared: almost none, so
/// that it shows the moment after the scenario, however long drawing takes. (A board in
/// another process has its own time.)
const STANDSTILL: Duration = Duration::from_micros(1);

/// Pictures per second without a window, because no display sets the rate.
const HEADLESS_RATE: f64 = 60.0;

/// The message if there is no display for a window.
const NO_DISPLAY: &str = "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set): add --headless --screenshot FILE for a picture without one";

/// The message if a film is requested of a board that keeps its own time.
const NO_FILM: &str = "a film is only possible of the board in this process: leave --at out";

/// False if a window certainly cannot be opened.
fn display_is_there() -> bool {
    let unix_without_x = cfg!(all(unix, not(target_os = "macos")));
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !unix_without_x || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Builds the program for these options.
///
/// # Errors
/// What is not possible, and why.
pub fn build(options: &Options) -> Result<App, StartError> {
    check(options)?;
    let memory = remembered::file(options);
    let past = past(memory.as_deref());
    let loading = Loading::begin();
    let (options, start) = board(options, &past, &loading)?;
    let options = &options;
    let is_frozen = start.is_frozen;
    let mut app = App::new();
    shown(&mut app, options, start);
    looks(&mut app, options);
    window(&mut app, options);
    if !options.headless {
        loading.stage("opening the window");
        app.insert_resource(loading).add_plugins(LoadingPlugin);
    }
    if let Some(choice) = options.panel.clone() {
        let plugged = own_panel::plug_in(&mut app, choice);
        let cannot = |error| StartError::bad_input(format!("the panel cannot be used: {error}"));
        plugged.map_err(cannot)?;
    }
    app.world_mut()
        .write_message(WindowCommand::Pace(BoardPace {
            frozen: is_frozen,
            speed: options.rate,
        }));
    let settings = match &options.text {
        Some(_) => remembered::settings_of_text(options, &past),
        None => remembered::first_settings(options).filter(|_| past.settings.is_none()),
    };
    if let Some(settings) = settings {
        app.world_mut()
            .write_message(WindowCommand::Do(Deed::Settings(settings)));
    }
    if let Some(file) = memory {
        if remembered::is_play(options) {
            let text = options.text.as_ref();
            unfinished::restore(&mut app, file.with_file_name("unfinished"), text);
        }
        remembered::restore(&mut app, past, file, options);
    }
    if let Some(file) = &options.screenshot {
        app.insert_resource(Capture { file: file.clone() });
        app.insert_resource(TimeUpdateStrategy::ManualDuration(STANDSTILL));
    }
    if options.headless {
        app.insert_resource(SaveOnRequest);
    }
    if let Some(file) = &options.film {
        app.insert_resource(Film::new(file.clone(), options.film_s, options.rate))
            .insert_resource(Unattended);
    }
    Ok(app)
}

/// Checks that everything that the options request is possible here.
fn check(options: &Options) -> Result<(), StartError> {
    if !options.headless && !display_is_there() {
        return Err(StartError::bad_input(NO_DISPLAY));
    }
    if options.film.is_some() && options.place.at != At::Core {
        return Err(StartError::bad_input(NO_FILM));
    }
    for (file, ending) in [(&options.screenshot, "png"), (&options.film, "gif")] {
        if let Some(file) = file {
            prepare::output(file, ending).map_err(StartError::bad_input)?;
        }
    }
    let checked = options.place.check_keeping();
    checked.map_err(StartError::bad_input)
}

/// The settings remembered from the last run. A file that cannot be read is reported and
/// left unchanged.
fn past(memory: Option<&Path>) -> Remembered {
    let read = memory.map(remembered::read).transpose();
    read.unwrap_or_else(|error| {
        eprintln!("emulator: {error}");
        None
    })
    .unwrap_or_default()
}

/// The options, completed by the remembered settings, and the board that they describe.
fn board(
    given: &Options,
    past: &Remembered,
    loading: &Loading,
) -> Result<(Options, Start), StartError> {
    let mut options = past.under(given.clone());
    let kept = options.place.keep.take();
    options.place.keep = kept.or_else(|| remembered::best(given));
    let start = match prepare::board(&options, loading) {
        // If the remembered board cannot be opened, the one of the command line is used.
        Err(error) if options.place.at != given.place.at => {
            eprintln!("emulator: the last board cannot be opened: {error}");
            options.place.at = given.place.at.clone();
            prepare::board(&options, loading)?
        }
        start => start?,
    };
    Ok((options, start))
}

/// Puts the board into the window.
fn shown(app: &mut App, options: &Options, start: Start) {
    let text = options.text.clone();
    app.insert_resource(ShownBoard(start.source))
        .insert_resource(start.log)
        .insert_resource(BoardPlaces::at(options.place.clone()))
        .insert_resource(text.map_or_else(OpenText::default, OpenText::of))
        .insert_resource(Shown {
            layout: start.layout,
            ..default()
        });
}

/// Sets the initial look and sound of board and panels.
fn looks(app: &mut App, options: &Options) {
    // A screenshot is fine by default, since it may take its time; a film has too many
    // pictures for that.
    let kept_quality = match (&options.screenshot, &options.film) {
        (Some(_), _) => Some(Quality::Fine),
        (None, Some(_)) => Some(Quality::Standard),
        (None, None) => None,
    };
    app.insert_resource(WantedQuality(options.quality.or(kept_quality)))
        .insert_resource(ChosenPalette(options.palette.unwrap_or_default()))
        .insert_resource(WindowSwitches {
            sound: !options.mute,
            motion: !options.still,
            ..default()
        })
        .insert_resource(match options.top {
            true => Viewpoint::Top,
            false => Viewpoint::Seat,
        })
        .insert_resource(match options.no_panel {
            true => SidePanel::Bare,
            false => SidePanel::Shown,
        })
        .insert_resource(match options.light {
            true => WindowTone::Light,
            false => WindowTone::Dark,
        })
        .insert_resource(folds(options))
        .insert_resource(timeline(options))
        .insert_resource(Dock::with(options.panes()))
        .insert_resource(line(options))
        .insert_resource(match options.how_to_play {
            true => HowToDrawer(Drawer::Open),
            false => HowToDrawer(Drawer::Closed),
        });
}

/// The timeline, with the requested signals.
fn timeline(options: &Options) -> TimelineView {
    let Some(names) = &options.timeline else {
        return TimelineView::default();
    };
    let names = names.iter().filter(|name| !name.is_empty()).cloned();
    TimelineView::of(names.collect())
}

/// The pane of the line, with the requested filter.
fn line(options: &Options) -> LinePane {
    let names = options.line.iter().flatten();
    let names = names.filter(|name| !name.is_empty()).cloned();
    LinePane::of(names.collect())
}

/// The cards that are folded at first.
fn folds(options: &Options) -> Folds {
    let to_play = Folds::to_play(options.first_size().y);
    match (&options.session, &options.place.at) {
        // Also with a text: its card is for its author, and opens itself for an error.
        (None, At::Core) => to_play,
        _ => Folds {
            text: Fold::Folded,
            ..Folds::default()
        },
    }
}

/// Opens the window, or prepares a picture without one.
fn window(app: &mut App, options: &Options) {
    let size = options.first_size();
    let is_kept = options.screenshot.is_some() || options.film.is_some();
    let plugins = DefaultPlugins
        .set(LogPlugin {
            filter: LOG_FILTER.to_owned(),
            ..default()
        })
        .set(RenderPlugin {
            // A screenshot or film must not lack parts whose shaders are still being
            // compiled.
            synchronous_pipeline_compilation: is_kept,
            ..default()
        });
    if options.headless {
        app.add_plugins(
            plugins
                .set(WindowPlugin {
                    primary_window: None,
                    exit_condition: ExitCondition::DontExit,
                    ..default()
                })
                .disable::<WinitPlugin>()
                .disable::<AudioPlugin>(),
        )
        .add_plugins(ScheduleRunnerPlugin::run_loop(Duration::from_secs_f64(
            1.0 / HEADLESS_RATE,
        )));
        let mut images = app.world_mut().resource_mut::<Assets<Image>>();
        let canvas = capture::canvas(&mut images, size);
        app.insert_resource(canvas);
    } else {
        let plugins = plugins.set(WindowPlugin {
            primary_window: Some(Window {
                title: "touchboard".to_owned(),
                name: Some("touchboard".to_owned()),
                resolution: WindowResolution::new(size.x, size.y),
                // A window to play in stays hidden until there is something to show.
                visible: is_kept,
                ..default()
            }),
            ..default()
        });
        // If the program is started muted, it opens no audio device.
        if options.mute {
            app.add_plugins(plugins.disable::<AudioPlugin>());
        } else {
            app.add_plugins(plugins);
        }
    }
    let plugins = WindowPlugins
        .build()
        .add_after::<SoundPlugin>(CapturePlugin);
    app.add_plugins(plugins.add_after::<CapturePlugin>(FilmPlugin));
    if !is_kept {
        app.add_plugins(OpeningPlugin);
    }
}
