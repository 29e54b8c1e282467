//! The command list: finds every command by typing its name: each key of the table, each
//! pane, each setting of the view, and each game.
//!
//! `tim` finds the timeline and the Time button, `che` finds Chess. Enter carries out the
//! chosen command, which is shown with its key.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{In, MessageWriter, Res, ResMut, World};
use bevy_egui::egui::{
    self, Align2, Color32, CornerRadius, CursorIcon, Key, Label, Rect, RichText, ScrollArea, Sense,
    Ui, vec2,
};
use protocol::Button;

use super::picker::{self, Item, OfferedGames};
use super::popup::Popup;
use crate::keys::{Group, Meaning, Stroke, StrokePhase, TABLE};
use crate::scene::quality::Quality;
use crate::source::Shown;
use crate::switches::WindowSwitch;
use crate::theme::{Palette, WindowTone};
use crate::workbench::arrangements::{self, ArrangementForm, Arrangements};
use crate::workbench::dock::{Dock, Pane};
use crate::workbench::parts::{OverBoard, run};
use crate::workbench::search_list::{self, Arrows, EntryState, SearchList};
use crate::workbench::style;
use crate::workbench::timeline::{self, Timeline};
use crate::workbench::view_settings::{self, ViewRequest};

/// The maximum width of the list.
const WIDTH: f32 = 520.0;
/// The height of a line, in points.
const LINE: f32 = 26.0;
/// The maximum number of lines that are visible at once.
const SEEN: f32 = 11.0;

/// The list of commands.
pub type CommandList = Popup<SearchList>;

/// The effect of an entry.
#[derive(Clone, Debug, PartialEq)]
enum Action {
    /// Has the effect of this key.
    Key(Meaning),
    /// Changes the view or the sound.
    View(ViewRequest),
    /// Acts on the timeline.
    Timeline(TimelineAction),
    /// Acts on arrangements of panes.
    Arrangement(ArrangementAction),
    /// Chooses this game.
    Game(Box<Item>),
}

/// An action on arrangements of panes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ArrangementAction {
    /// Saves the current arrangement under a new name.
    Save,
    /// Closes all panes.
    BoardAlone,
    /// Restores the arrangement of this name.
    Choose(String),
    /// Deletes the arrangement of this name.
    Delete(String),
}

/// An action on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimelineAction {
    /// Opens the list of signals.
    Signals,
    /// Opens the list of stop conditions.
    Stops,
    /// Zooms to the cursors.
    Cursors,
    /// Goes back to the branch with this index.
    Branch(usize),
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    /// The effect in words.
    words: String,
    /// The key with the same effect, or the kind of the command.
    aside: String,
    action: Action,
}

/// What there are commands for, besides keys and settings.
#[derive(SystemParam)]
struct CommandSources<'w> {
    shown: Res<'w, Shown>,
    arrangements: Res<'w, Arrangements>,
    games: OfferedGames<'w>,
}

/// All lines that contain each word of the search, those that begin with it
/// first.
fn found(sources: &CommandSources, search: &str) -> Vec<Line> {
    let search = search.trim().to_lowercase();
    let mut found: Vec<(usize, Line)> = lines(sources)
        .into_iter()
        .filter_map(|line| Some((rank(&line, &search)?, line)))
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, line)| line).collect()
}

/// The rank of a line among the results, 0 for the best; `None` if it does not
/// match.
fn rank(line: &Line, search: &str) -> Option<usize> {
    let text = format!("{} {}", line.words, line.aside).to_lowercase();
    let has_all = search.split_whitespace().all(|word| text.contains(word));
    let begins = text.split_whitespace().any(|word| word.starts_with(search));
    has_all.then_some(match text.starts_with(search) {
        true => 0,
        false if begins => 1,
        false => 2,
    })
}

/// All lines: a player's commands, then tools and other keys, the timeline, arrangements,
/// settings, games.
fn lines(sources: &CommandSources) -> Vec<Line> {
    let is_sound = |line: &Line| {
        matches!(
            line.action,
            Action::View(ViewRequest::Set(WindowSwitch::Sound, _))
        )
    };
    let (sound, settings): (Vec<Line>, Vec<Line>) = setting_lines().partition(is_sound);
    let mut keys: Vec<Line> = key_lines().collect();
    // The sort is stable: other keys keep their order.
    keys.sort_by_key(|line| players_rank(&line.action));
    let is_players = |line: &Line| players_rank(&line.action) < PLAYERS.len();
    let (players, others): (Vec<Line>, Vec<Line>) = keys.into_iter().partition(is_players);
    (players.into_iter())
        .chain(sound)
        .chain(others)
        .chain(timeline_lines(&sources.shown))
        .chain(arrangement_lines(&sources.arrangements))
        .chain(settings)
        .chain(game_lines(&sources.games))
        .collect()
}

/// The keys that a player needs, in the order in which they are listed.
const PLAYERS: [Meaning; 10] = [
    Meaning::Press(Button::Start),
    Meaning::Games,
    Meaning::Press(Button::Level),
    Meaning::TakeBack,
    Meaning::Pass,
    Meaning::Press(Button::Stop),
    Meaning::HowTo,
    Meaning::View,
    Meaning::Pieces,
    Meaning::SidePanel,
];

/// The place of an action among the commands of a player, which come first.
fn players_rank(action: &Action) -> usize {
    let place = PLAYERS
        .iter()
        .position(|meaning| *action == Action::Key(*meaning));
    place.unwrap_or(PLAYERS.len())
}

fn key_lines() -> impl Iterator<Item = Line> {
    // Tools come before other entries.
    let is_tool = |group: &&Group| group.title == "TOOLS";
    let tools = TABLE.iter().filter(is_tool);
    let others = TABLE.iter().rev().filter(move |group| !is_tool(group));
    let keys = tools.chain(others).flat_map(|group| group.lines);
    keys.flat_map(|binding| {
        // Keys that move the cursor are too many to be listed.
        let meant = binding
            .chords
            .iter()
            .filter(|(_, meaning)| is_command(*meaning));
        meant.map(|(chord, meaning)| Line {
            words: key_description(*meaning, binding.words),
            aside: chord.cap(),
            action: Action::Key(*meaning),
        })
    })
}

fn setting_lines() -> impl Iterator<Item = Line> {
    let lines = [
        ("draw in automatic quality", ViewRequest::Quality(None)),
        (
            "draw in plain quality",
            ViewRequest::Quality(Some(Quality::Plain)),
        ),
        (
            "draw in standard quality",
            ViewRequest::Quality(Some(Quality::Standard)),
        ),
        (
            "draw in fine quality",
            ViewRequest::Quality(Some(Quality::Fine)),
        ),
        ("standard colours", ViewRequest::Palette(Palette::Board)),
        (
            "colour-blind colours",
            ViewRequest::Palette(Palette::BlueOrange),
        ),
        ("dark window", ViewRequest::Tone(WindowTone::Dark)),
        ("light window", ViewRequest::Tone(WindowTone::Light)),
        ("mute", ViewRequest::Set(WindowSwitch::Sound, false)),
        ("unmute", ViewRequest::Set(WindowSwitch::Sound, true)),
    ];
    lines.into_iter().map(|(words, request)| Line {
        words: words.to_owned(),
        aside: "view".to_owned(),
        action: Action::View(request),
    })
}

fn timeline_lines(shown: &Shown) -> impl Iterator<Item = Line> {
    let actions = [
        ("add a signal to the timeline", TimelineAction::Signals),
        ("stop when something happens", TimelineAction::Stops),
        ("zoom to the cursors", TimelineAction::Cursors),
    ];
    let actions = actions.map(|(words, action)| (words.to_owned(), action));
    // The latest branches come first.
    let branches = shown.past.branches.iter().enumerate().rev();
    let branches = branches.map(|(place, branch)| {
        let [name, told] = [
            timeline::branch_name(branch),
            timeline::branch_words(branch),
        ];
        let words = format!("go back to {name}, {told}");
        (words, TimelineAction::Branch(place))
    });
    let all = actions.into_iter().chain(branches);
    all.map(|(words, action)| Line {
        words,
        aside: "timeline".to_owned(),
        action: Action::Timeline(action),
    })
}

fn arrangement_lines(arrangements: &Arrangements) -> impl Iterator<Item = Line> {
    let named = || arrangements.0.iter().map(|named| &named.name);
    let chosen = named().map(|name| {
        let words = format!("arrangement {name}");
        (words, ArrangementAction::Choose(name.clone()))
    });
    let others = [
        (
            "save this arrangement of panes …".to_owned(),
            ArrangementAction::Save,
        ),
        (
            "close all panes: the board alone".to_owned(),
            ArrangementAction::BoardAlone,
        ),
    ];
    let deleted = named().map(|name| {
        let words = format!("delete arrangement {name}");
        (words, ArrangementAction::Delete(name.clone()))
    });
    let all = chosen.chain(others).chain(deleted);
    all.map(|(words, action)| Line {
        words,
        aside: "panes".to_owned(),
        action: Action::Arrangement(action),
    })
}

fn game_lines(games: &OfferedGames) -> impl Iterator<Item = Line> {
    games.items("").into_iter().map(|item| Line {
        words: format!("play {}", item.name()),
        aside: "game".to_owned(),
        action: Action::Game(Box::new(item)),
    })
}

/// True for commands that are worth finding by name.
fn is_command(meaning: Meaning) -> bool {
    !matches!(
        meaning,
        Meaning::Move(_)
            | Meaning::Column(_)
            | Meaning::Digit(_)
            | Meaning::Touch
            | Meaning::Enter
            | Meaning::Leave
            | Meaning::Close
            | Meaning::Commands
    )
}

/// The description of a key, in case one line of the table describes several
/// keys.
fn key_description(meaning: Meaning, table: &str) -> String {
    match meaning {
        Meaning::Press(Button::Start) => "new game: press Start".to_owned(),
        Meaning::Press(Button::Level) => "change the level: press Level".to_owned(),
        Meaning::Press(Button::Stop) => table.to_owned(),
        Meaning::Press(button) => format!("press {}", button.name()),
        Meaning::Faster => "let time go faster".to_owned(),
        Meaning::Slower => "let time go slower".to_owned(),
        Meaning::Step(ticks) => format!("freeze, then step {ticks} ms on"),
        Meaning::StepBack(ticks) => format!("freeze, then step {ticks} ms back"),
        _ => table.to_owned(),
    }
}

/// Shows the list, if it is open, and carries out the command that the user chooses.
pub(in crate::workbench) fn show(over: OverBoard, world: &mut World) {
    if let Some(action) = run(world, draw, over) {
        carry_out(action, world);
    }
}

/// Draws the list, if it is open, at the top of the board's part of the window. Returns the
/// action that the user chose.
fn draw(
    In(OverBoard { context, part }): In<OverBoard>,
    mut command_list: ResMut<CommandList>,
    sources: CommandSources,
) -> Option<Action> {
    let mut typed = command_list.take()?;
    let width = WIDTH.min(part.width() - 24.0);
    let frame = style::popup_frame(style::panel(), 12);
    let area = style::popup_area(
        "commands",
        Align2::CENTER_TOP,
        part.center_top() + vec2(0.0, 12.0),
        part,
    );
    let height = (part.height() - 90.0).min(SEEN * LINE);
    let shown = area.show(&context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(width - 24.0);
            typed.field(ui, ASKED);
            let is_over = ui.input(|input| input.key_pressed(Key::Escape));
            let lines = found(&sources, &typed.search);
            (is_over, list(ui, &mut typed, &lines, height))
        })
    });
    let (is_over, chosen) = shown.inner.inner;
    if chosen.is_none() && !is_over {
        command_list.open(typed);
    }
    chosen
}

/// The hint in the empty field.
const ASKED: &str = "What do you want to do? A command, a pane, a game";

/// Shows the lines. Returns the action that the user chose, if any.
fn list(ui: &mut Ui, typed: &mut SearchList, lines: &[Line], height: f32) -> Option<Action> {
    if lines.is_empty() {
        style::note(ui, "Nothing has this name. Try a single word.");
        return None;
    }
    let last = lines.len() - 1;
    let along = |at: usize, down: usize, up: usize| (at + down).min(last).saturating_sub(up);
    let mut chosen = typed.follow_keys(ui, lines.len(), Arrows::Lines, along);
    // Use the full height, even if the previous list was shorter.
    ScrollArea::vertical()
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (number, line) in lines.iter().enumerate() {
                let size = vec2(ui.available_width(), LINE);
                let (place, response) = ui.allocate_exact_size(size, Sense::click());
                typed.keep_in_sight(number, &response);
                if ui.is_rect_visible(place) {
                    let state = EntryState {
                        is_selected: number == typed.at,
                        is_hovered: response.hovered(),
                    };
                    paint(ui, place, line, &typed.search, state);
                }
                if response.on_hover_cursor(CursorIcon::PointingHand).clicked() {
                    chosen = Some(number);
                }
            }
        });
    chosen.map(|number| lines[number].action.clone())
}

/// Draws a line, with the letters that match the search marked.
fn paint(ui: &mut Ui, place: Rect, line: &Line, search: &str, state: EntryState) {
    let fill = match (state.is_selected, state.is_hovered) {
        (true, _) => style::widget_hovered(),
        (false, true) => style::widget(),
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(place, CornerRadius::same(6), fill);
    let inner = place.shrink2(vec2(10.0, 3.0));
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(inner));
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.label(RichText::new(&line.aside).small().color(style::accent()));
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let places = search_list::places(&line.words, search);
            let font = search_list::font(ui, egui::TextStyle::Body);
            let words = search_list::marked(&line.words, &places, &font, style::text());
            ui.add(Label::new(words).truncate());
        });
    });
}

fn carry_out(action: Action, world: &mut World) {
    match action {
        // At once: until the next picture, typed letters would go to the board.
        Action::Key(Meaning::Games) => world.resource_mut::<picker::Picker>().toggle(),
        Action::Key(meaning) => run(world, strike, meaning),
        Action::View(request) => run(world, view_settings::carry_out, request),
        Action::Arrangement(action) => match action {
            ArrangementAction::Save => world.resource_mut::<ArrangementForm>().open(),
            ArrangementAction::BoardAlone => *world.resource_mut::<Dock>() = Dock::default(),
            ArrangementAction::Choose(name) => run(world, arrangements::choose, name),
            ArrangementAction::Delete(name) => world.resource_mut::<Arrangements>().delete(&name),
        },
        Action::Timeline(action) => run(world, act_on_timeline, action),
        Action::Game(item) => picker::choose(*item, world),
    }
}

/// Strikes the key with this meaning.
fn strike(In(meaning): In<Meaning>, mut strokes: MessageWriter<Stroke>) {
    for phase in [StrokePhase::Down, StrokePhase::Up] {
        strokes.write(Stroke { meaning, phase });
    }
}

fn act_on_timeline(In(action): In<TimelineAction>, mut dock: ResMut<Dock>, mut timeline: Timeline) {
    dock.open(Pane::Timeline);
    match action {
        TimelineAction::Signals => timeline.toggle_signals(),
        TimelineAction::Stops => timeline.toggle_stops(),
        TimelineAction::Cursors => timeline.see_cursors(),
        TimelineAction::Branch(place) => timeline.go_to_branch(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &str, aside: &str) -> Line {
        Line {
            words: words.to_owned(),
            aside: aside.to_owned(),
            action: Action::View(ViewRequest::Set(WindowSwitch::Sound, true)),
        }
    }

    #[test]
    fn a_player_finds_a_new_game_and_the_games_first() {
        let mut keys: Vec<Line> = key_lines().collect();
        keys.sort_by_key(|line| players_rank(&line.action));
        let first: Vec<&Action> = keys.iter().map(|line| &line.action).collect();
        for (place, meaning) in PLAYERS.into_iter().enumerate() {
            assert_eq!(*first[place], Action::Key(meaning));
        }
    }

    #[test]
    fn search_needs_all_words_and_puts_prefixes_first() {
        let state = line("the state, field by field", "F4");
        assert_eq!(rank(&state, "the st"), Some(0));
        assert_eq!(rank(&state, "state"), Some(1));
        assert_eq!(rank(&state, "tate"), Some(2));
        assert_eq!(rank(&state, "field f4"), Some(2));
        assert_eq!(rank(&state, "field f5"), None);
        assert_eq!(rank(&state, ""), Some(0));
    }
}
