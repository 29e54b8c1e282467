//! Images with some of the games.

use protocol::{Button, Deed, Input, Roster};
use touchboard_host::Session;
use touchboard_links::SessionInFile;
use touchboard_shell::{
    AnswerColours, Answers, ExitKind, OnTrouble, Reader, ShellOptions, ShellSession,
};

use super::*;

/// Reversi, CountLines and SpeedGo; the image contains no code of other games.
const THREE: &str = "059";

/// The steps of each comparison.
const STEPS: u64 = 300;

/// The image with three games, and a board that runs it.
fn three_games() -> RemoteDriver {
    with_games(LM3S6965EVB, THREE)
}

/// For a longer test by hand: `hil-bridge check --at qemu:lm3s6965evb-059`.
#[test]
fn an_image_with_three_games_agrees_with_a_host_that_has_ten() {
    let mut board = three_games();
    let roster: Roster = THREE.parse().expect("three games");
    assert_eq!(board.roster(), roster);
    let agreement = agreement(&mut board, 3, STEPS, &Layout::MALDOO.into());
    assert!(agreement.games >= 3, "{agreement:?}");
}

/// A layout that is not built into the image is sent over the line.
#[test]
fn a_game_for_any_layout_agrees_on_a_drawn_hexagon() {
    let mut board = with_games(LM3S6965EVB, "D");
    let hexagon = include_str!("../../../../tests/drawings/hexagon.txt");
    let layout: KnownLayout = hexagon.parse().expect("a drawing");
    let agreement = agreement(&mut board, 5, STEPS, &layout);
    assert_eq!(board.layout(), layout);
    assert!(agreement.games >= 3, "{agreement:?}");
}

/// Malaka, Ishido and TicDabToe, which need a board of up to 256 points.
#[test]
fn larger_games_agree_and_replay_on_netduinoplus2() {
    let mut board = with_games(NETDUINOPLUS2, "ABC");
    let layout = Layout::grid(16, 16).expect("a layout");
    let agreement = agreement(&mut board, 7, STEPS, &layout.into());
    assert!(agreement.games >= 3, "{agreement:?}");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    for game in ["malaka", "ishido", "ticdabtoe"] {
        let modes = (0..16).map(|mode| Roster::letter(mode).to_ascii_lowercase());
        let names = modes.map(|mode| format!("sessions/{game}-{mode}.session"));
        let mut replayed = 0;
        for path in names
            .map(|name| tests.join(name))
            .filter(|path| path.exists())
        {
            let session = Session::load(&path).unwrap_or_else(|error| panic!("{error}"));
            let mismatch = session.replay(&mut board, &mut |_| ());
            assert_eq!(mismatch.expect("it answers"), None, "{}", path.display());
            replayed += 1;
        }
        assert!(replayed > 1, "{game}");
    }
    for entry in std::fs::read_dir(tests.join("scenarios-ABC")).expect("they are there") {
        let path = entry.expect("a file").path();
        let script = std::fs::read_to_string(&path).expect("a scenario is text");
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let options = ShellOptions {
            layout: touchboard_links::games::layout,
            answers: Answers::Plain(AnswerColours::Letters),
            reader: Reader::Script,
            on_trouble: OnTrouble::GoOn,
            seed: 7,
        };
        let ending = ShellSession::new(&mut board, &options).run(
            script.as_bytes(),
            &mut output,
            &mut errors,
        );
        let errors = String::from_utf8_lossy(&errors);
        let ending = ending.expect("memory is writable");
        assert_eq!(ending, ExitKind::Done, "{}: {errors}", path.display());
    }
}

#[test]
fn an_image_with_three_games_refuses_a_fourth() {
    let mut board = three_games();
    let mut games = Vec::new();
    for _ in 0..4 {
        let press = [Input::Press(Button::Game), Input::Lift(Button::Game)];
        board.step(&press, 10).expect("it answers");
        games.push(board.status().expect("it answers").settings.game);
    }
    assert_eq!(games, [5, 9, 0, 5]);
    let options = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::Stop,
        seed: 0,
    };
    let session = ShellSession::new(&mut board, &options);
    let ran = session.run_to_text(&b"set game=touchit"[..]);
    assert_eq!(ran.ending, ExitKind::Bad);
    assert_eq!(
        ran.errors,
        "line 1: TouchIt is not on this board, which has 0 Reversi, 5 CountLines and 9 SpeedGo: one that is started here with `--games 3` has it\n"
    );
}

#[test]
fn a_layout_that_does_not_fit_the_smaller_chip_is_refused() {
    let (_qemu, mut host) = switch_on(LM3S6965EVB);
    host.hello();
    let layout = Layout::grid(16, 16).expect("a layout");
    assert_eq!(
        host.request(Ask::Do(Deed::Reset { seed: 1, layout })),
        Err(Refusal::Layout(layout))
    );
}
