//! Tests of the list of games, and of the choices next to it: the board of Reversi, the
//! level.

use protocol::{Button, Input};

use super::*;

/// The events of a key that is pressed and released.
fn key(key: egui::Key) -> Vec<egui::Event> {
    [true, false]
        .into_iter()
        .map(|pressed| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        })
        .collect()
}

/// A world with this game, in which all built-in texts have been read.
fn with_texts(game: u8) -> World {
    let mut world = with_game(game);
    while world.resource_mut::<lists::library::Library>().read_one() {}
    world
}

/// The head of the list when it contains all games.
const ALL: &str = "39 games";

fn brought(world: &mut World) -> Vec<Bring> {
    world.resource_mut::<Messages<Bring>>().drain().collect()
}

fn written_commands(world: &mut World) -> Vec<WindowCommand> {
    world
        .resource_mut::<Messages<WindowCommand>>()
        .drain()
        .collect()
}

#[test]
fn a_game_is_searched_and_chosen_by_keys() {
    let mut world = with_texts(0);
    let size = (1280.0, 720.0);
    let words = picture(&mut world, size, Vec::new()).words();
    picture(&mut world, size, click(&words, "Reversi"));
    assert!(world.resource::<lists::picker::Picker>().is_open());
    let words = picture(&mut world, size, Vec::new()).words();
    assert!(words.iter().any(|(text, ..)| text == ALL), "{words:?}");
    // Each picture here is of a new window, in which nothing has the keyboard.
    world.insert_resource(lists::picker::Picker::default());
    world.resource_mut::<lists::picker::Picker>().toggle();
    let search = vec![egui::Event::Text("surround go:".to_owned())];
    let words = picture(&mut world, size, search).words();
    let is_there = |name| words.iter().any(|(text, ..)| text == name);
    assert!(is_there("SpeedGo") && is_there("1 game"), "{words:?}");
    let words = picture(&mut world, size, key(egui::Key::Enter)).words();
    assert!(
        words.iter().all(|(text, ..)| text != "Games"),
        "it is closed"
    );
    assert_eq!(
        written_commands(&mut world),
        [WindowCommand::Do(protocol::Deed::Choose(9))]
    );
}

#[test]
fn the_list_brings_boards_and_rereads_opened_texts() {
    let mut world = with_game(0);
    let file = std::path::PathBuf::from("/tmp/my-game.lud");
    world.resource_mut::<OpenText>().open(file.clone().into());
    world.resource_mut::<lists::picker::Picker>().toggle();
    let size = (2560.0, 1440.0);
    let words = picture(&mut world, size, Vec::new()).words();
    picture(&mut world, size, click(&words, "Ishido"));
    assert_eq!(brought(&mut world), [Bring::Game(11)]);
    world.resource_mut::<lists::picker::Picker>().toggle();
    let words = picture(&mut world, size, Vec::new()).words();
    // A text without a picture has a dark board instead, and no word.
    assert!(words.iter().all(|(text, ..)| text != ".lud"));
    picture(&mut world, size, click(&words, "my-game"));
    let choice = world.resource::<OpenText>().choice().cloned();
    assert_eq!(choice.map(|choice| choice.file), Some(file));
}

#[test]
fn no_entry_of_the_list_is_cut() {
    for size in SIZES {
        let mut world = with_texts(0);
        world.resource_mut::<lists::picker::Picker>().toggle();
        let picture = picture(&mut world, size, Vec::new());
        assert_eq!(picture.cut(), [""; 0], "{size:?}");
        // The words of an entry that is partly scrolled away are partly hidden, too.
        let (_, list, _) = *picture
            .words()
            .iter()
            .find(|(text, ..)| text == ALL)
            .expect("the list is open");
        for (text, place, clip) in picture.words() {
            let is_of_an_entry = clip.height() > 90.0 && clip.height() < 101.0;
            if is_of_an_entry && place.top() > list.bottom() {
                assert!(
                    clip.expand(1.0).contains_rect(place),
                    "{size:?}: `{text}` {place} {clip}"
                );
            }
        }
    }
}

#[test]
fn a_built_in_text_is_found_and_opened() {
    let mut world = with_texts(0);
    world.resource_mut::<lists::picker::Picker>().toggle();
    let size = (1280.0, 720.0);
    let search = vec![egui::Event::Text("castle king mate".to_owned())];
    let words = picture(&mut world, size, search).words();
    assert!(words.iter().any(|(text, ..)| text == "1 game"), "{words:?}");
    picture(&mut world, size, key(egui::Key::Enter));
    let choice = world.resource::<OpenText>().choice().cloned();
    assert_eq!(choice.map(|choice| choice.file), Some("chess.lud".into()));
}

#[test]
fn escape_closes_the_list_without_a_choice() {
    let mut world = with_game(0);
    world.resource_mut::<lists::picker::Picker>().toggle();
    picture(&mut world, (1280.0, 720.0), key(egui::Key::Escape));
    assert!(!world.resource::<lists::picker::Picker>().is_open());
    assert_eq!(written_commands(&mut world), []);
}

#[test]
fn reversi_is_offered_on_both_boards() {
    use protocol::Deed;
    let mut world = with_game(0);
    let size = (1280.0, 720.0);
    let words = picture(&mut world, size, Vec::new()).words();
    picture(&mut world, size, click(&words, "8x8"));
    let layout = Layout::grid(8, 8).unwrap();
    let settings = world.resource::<Shown>().status.settings;
    let wanted = [Deed::Reset { seed: 0, layout }, Deed::Settings(settings)];
    assert_eq!(written_commands(&mut world), wanted.map(WindowCommand::Do));
    let words = picture(&mut with_game(9), size, Vec::new()).words();
    assert!(words.iter().all(|(text, ..)| text != "8x8"));
}

#[test]
fn a_kept_level_is_mentioned_if_the_opponent_changes() {
    let mut world = with_game(0);
    world.resource_mut::<Shown>().status.settings.level = 3;
    let size = (1280.0, 720.0);
    let says = |world: &mut World, sentence: &str| {
        let words = picture(world, size, Vec::new()).words();
        words.iter().any(|(text, ..)| text == sentence)
    };
    assert!(!says(&mut world, "The level is still 3."));
    world.resource_mut::<Shown>().status.settings.game = 5;
    assert!(
        !says(&mut world, "The level is still 3."),
        "the board plays both"
    );
    world.resource_mut::<Shown>().status.settings.game = 4;
    assert!(says(
        &mut world,
        "Level 3 is kept for games that the board plays."
    ));
    world.resource_mut::<Shown>().status.settings.game = 5;
    assert!(says(&mut world, "The level is still 3."));
}

#[test]
fn enter_chooses_the_game_named_like_the_search() {
    let mut world = with_texts(0);
    world.resource_mut::<lists::picker::Picker>().toggle();
    let mut typed = vec![egui::Event::Text("chess".to_owned())];
    typed.extend(key(egui::Key::Enter));
    picture(&mut world, (1280.0, 720.0), typed);
    let choice = world.resource::<OpenText>().choice().cloned();
    assert_eq!(choice.map(|choice| choice.file), Some("chess.lud".into()));
}

#[test]
fn unread_texts_are_found_by_their_other_names() {
    for (search, file) in [
        ("checkers", "english-draughts.lud"),
        ("draughts", "english-draughts.lud"),
        ("weiqi", "go.lud"),
        ("gomoku", "gomoku.lud"),
        ("five in a row", "gomoku.lud"),
        ("connect 4", "connect-four.lud"),
        ("noughts", "tic-tac-toe.lud"),
        ("tic tac toe", "tic-tac-toe.lud"),
        ("four in a row", "connect-four.lud"),
        ("hnefatafl", "tablut.lud"),
        ("morris", "nine-mens-morris.lud"),
        ("chess", "chess.lud"),
        ("go", "go.lud"),
    ] {
        let mut world = with_game(1);
        world.resource_mut::<lists::picker::Picker>().toggle();
        let mut typed = vec![egui::Event::Text(search.to_owned())];
        typed.extend(key(egui::Key::Enter));
        picture(&mut world, (1280.0, 720.0), typed);
        let choice = world.resource::<OpenText>().choice().cloned();
        let found = choice.map(|choice| choice.file);
        assert_eq!(found, Some(file.into()), "{search}");
    }
}

#[test]
fn scrolling_never_cuts_a_heading_of_the_list() {
    let mut seen = 0;
    let mut world = with_texts(0);
    for size in SIZES {
        for far in (0..900).step_by(100) {
            world.insert_resource(lists::picker::Picker::default());
            world.resource_mut::<lists::picker::Picker>().toggle();
            let middle = egui::pos2(size.0 * 0.3, size.1 * 0.6);
            let turned = egui::Event::MouseWheel {
                unit: egui::MouseWheelUnit::Point,
                delta: egui::vec2(0.0, -far as f32),
                phase: egui::TouchPhase::Move,
                modifiers: egui::Modifiers::NONE,
            };
            let events = vec![vec![egui::Event::PointerMoved(middle)], vec![turned]];
            let words = drawn(&mut world, size, events).words();
            for (text, place, clip) in words.iter().filter(|(text, ..)| text == "MORE GAMES") {
                seen += 1;
                assert!(
                    clip.contains_rect(*place),
                    "{size:?}, {far}: {text} {place} {clip}"
                );
            }
        }
    }
    assert!(seen > 2, "{seen}");
}

#[test]
fn an_entry_names_the_other_name_that_matched() {
    let mut world = with_texts(0);
    world.resource_mut::<lists::picker::Picker>().toggle();
    let search = vec![egui::Event::Text("othello".to_owned())];
    let words = picture(&mut world, (1280.0, 720.0), search).words();
    let says = |part: &str| words.iter().any(|(text, ..)| text.starts_with(part));
    assert!(says("Also called Othello."), "{words:?}");
}

#[test]
fn the_shell_knows_every_game_of_the_list() {
    use touchboard_host::game_names::{NamedGame, find};
    let mut world = with_texts(0);
    fn names(games: lists::picker::OfferedGames) -> Vec<String> {
        let items = games.items("").into_iter();
        items.map(|item| item.name().to_owned()).collect()
    }
    let names = parts::run(&mut world, names, ());
    assert!(names.len() > 30);
    for name in names {
        assert!(find(&name).is_some(), "{name}");
    }
    assert_eq!(find("Reversi, as a text"), Some(NamedGame::Text("reversi")));
}

#[test]
fn othello_opens_reversi() {
    let mut world = with_game(1);
    world.resource_mut::<lists::picker::Picker>().toggle();
    let mut typed = vec![egui::Event::Text("othello".to_owned())];
    typed.extend(key(egui::Key::Enter));
    picture(&mut world, (1280.0, 720.0), typed);
    let commands = written_commands(&mut world);
    assert_eq!(commands, [WindowCommand::Do(protocol::Deed::Choose(0))]);
}

#[test]
fn the_bright_button_is_what_start_does() {
    let size = (1280.0, 720.0);
    let levels = [(0, "▶ Two players"), (1, "▶ One player")];
    // In the panel, and without it on the card over the board.
    let panels = [SidePanel::Shown, SidePanel::Hidden];
    for ((level, bright), panel) in levels.into_iter().flat_map(|of| panels.map(|at| (of, at))) {
        let mut world = with_game(0);
        world.insert_resource(panel);
        world.resource_mut::<Shown>().status.settings.level = level;
        let picture = picture(&mut world, size, Vec::new());
        let is_bright = |place: &egui::Rect| {
            let lies_under = |shape: &egui::epaint::ClippedShape| match &shape.shape {
                egui::Shape::Rect(rect) => {
                    rect.fill == style::next_fill() && rect.rect.contains_rect(*place)
                }
                _ => false,
            };
            picture.shapes.iter().any(lies_under)
        };
        let words = picture.words();
        let found: Vec<&str> = words
            .iter()
            .filter(|(_, place, _)| is_bright(place))
            .map(|(text, ..)| text.as_str())
            .collect();
        assert_eq!(found, [bright], "level {level}, {panel:?}");
    }
}

#[test]
fn a_game_for_one_does_not_inherit_the_board_as_player() {
    let mut world = with_game(0);
    world.resource_mut::<Shown>().status.settings.level = 3;
    world.resource_mut::<lists::picker::Picker>().toggle();
    let size = (2560.0, 1440.0);
    let words = picture(&mut world, size, Vec::new()).words();
    picture(&mut world, size, click(&words, "Ishido"));
    let [Bring::Settings(settings)] = brought(&mut world)[..] else {
        panic!("another board is brought, with its settings");
    };
    assert_eq!((settings.game, settings.level), (11, 0));
}

#[test]
fn choosing_a_game_replaces_an_unusual_board() {
    let mut world = with_game(11);
    world.resource_mut::<Shown>().layout = Layout::grid(12, 8).unwrap();
    world.resource_mut::<lists::picker::Picker>().toggle();
    let size = (2560.0, 1440.0);
    let words = picture(&mut world, size, Vec::new()).words();
    picture(&mut world, size, click(&words, "Ghost"));
    assert_eq!(brought(&mut world), [Bring::Game(1)]);
}

#[test]
fn new_game_asks_before_it_replaces_a_game() {
    let mut world = with_game(0);
    world.resource_mut::<Shown>().status.score = Some([3, 2]);
    world.resource_mut::<Shown>().status.last_move = Some(LastMove {
        side: Side::Green,
        point: Point(3),
        by: Mover::Finger,
    });
    let size = (1280.0, 720.0);
    let words = picture(&mut world, size, Vec::new()).words();
    picture(&mut world, size, click(&words, "New game"));
    assert_eq!(written_commands(&mut world), []);
    // A second click at once would be a double click, and no answer.
    let second = std::time::Duration::from_secs(1);
    world.resource_mut::<Time<Real>>().advance_by(second);
    let words = picture(&mut world, size, Vec::new()).words();
    picture(&mut world, size, click(&words, "Leave this game?"));
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    let start = start.map(|input| WindowCommand::Do(protocol::Deed::Input(input)));
    assert_eq!(written_commands(&mut world), start);
}

#[test]
fn before_the_first_game_the_opponent_is_chosen() {
    let mut world = with_game(0);
    world.resource_mut::<Shown>().status.score = None;
    let size = (1280.0, 720.0);
    let words = picture(&mut world, size, Vec::new()).words();
    assert!(words.iter().any(|(text, ..)| text == "▶ Two players"));
    picture(&mut world, size, click(&words, "▶ One player"));
    let level = world.resource::<Shown>().status.settings;
    let level = Settings { level: 1, ..level };
    let commands = written_commands(&mut world);
    assert_eq!(
        commands[0],
        WindowCommand::Do(protocol::Deed::Settings(level))
    );
    assert_eq!(
        commands[1],
        WindowCommand::from(Input::Press(Button::Start))
    );
}
