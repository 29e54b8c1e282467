use std::vec::Vec;

use proptest::prelude::*;
use protocol::{Button, Input, Position, Settings};

use super::*;
use crate::AnyBoard;
use crate::games::number;

type Own = Keeping<AnyBoard>;

fn layout() -> Layout {
    Layout::grid(12, 8).unwrap()
}

fn settings(mode: u8, level: u8) -> Settings {
    Settings {
        game: number::ISHIDO,
        mode,
        level,
        // No stone is taken back, so that a game has no pauses.
        speed: 9,
        ..Settings::default()
    }
}

fn bare(seed: u64) -> Own {
    Own::with_games(layout(), Roster::of(&[number::ISHIDO]), seed).unwrap()
}

fn keeping(seed: u64) -> Own {
    let mut board = bare(seed);
    board.keep(BestScores::new());
    board
}

/// Carries out this deed and returns the reports of best scores.
fn does(board: &mut Own, deed: impl Into<Deed>) -> Vec<(u8, u32)> {
    let mut told = Vec::new();
    let done = board.carry_out(&deed.into(), &mut |_, event| {
        if let Event::Best { place, points } = event {
            told.push((place, points));
        }
    });
    done.expect("it can be done");
    told
}

fn starts(board: &mut Own, mode: u8) {
    does(board, Deed::Settings(settings(mode, 0)));
    does(board, Input::Press(Button::Start));
    does(board, Input::Lift(Button::Start));
}

/// Makes the touches that `choices` select among the points where something fits, until
/// the game is over.
fn plays_on(board: &mut Own, choices: &[u8]) -> Vec<(u8, u32)> {
    let mut choices = choices.iter().cycle();
    let mut told = Vec::new();
    for _ in 0..200 {
        if board.status().outcome.is_some() {
            return told;
        }
        let last = board.board().ishido().expect("Ishido").laid.field;
        let mut fits = Vec::new();
        board.legal(&mut |point| {
            let place = crate::games::ishido::field::place_of(point, layout().sides().unwrap());
            if place.and_then(|place| last.at(place)).is_none() {
                fits.push(point);
            }
        });
        let choice = usize::from(*choices.next().unwrap_or(&0));
        let point = fits[choice % fits.len()];
        told.extend(does(board, Input::Touch(point)));
        told.extend(does(board, Input::Release(point)));
    }
    panic!("the game does not end");
}

fn plays(board: &mut Own, mode: u8, choices: &[u8]) -> Vec<(u8, u32)> {
    starts(board, mode);
    plays_on(board, choices)
}

fn kept_by(board: &Own) -> BestScores {
    board.best().expect("it keeps them").0.clone()
}

fn display(board: &Own) -> &str {
    &board.frame().display
}

#[test]
fn a_finished_game_enters_once_and_is_shown_for_a_while() {
    let mut board = keeping(1);
    assert_eq!(board.status().best, Some([0; 5]));
    let told = plays(&mut board, 0, &[0]);
    let points = board.status().score.expect("a score")[0];
    assert!(points > 0);
    assert_eq!(told, [(1, points)]);
    assert_eq!(board.status().best, Some([points, 0, 0, 0, 0]));
    assert_eq!(display(&board), "New best");
    // Everything except the display comes from the inner board.
    let mut below = board.board().frame().clone();
    below.display = Text::clipped("New best");
    assert_eq!(board.frame(), &below);
    let mut more = Vec::new();
    board.advance(SHOW_MS - 1, &mut |_, event| more.push(event));
    assert_eq!(display(&board), "New best");
    board.advance(1, &mut |_, event| more.push(event));
    assert_eq!(board.frame(), board.board().frame());
    board.advance(60_000, &mut |_, event| more.push(event));
    assert!(!more.iter().any(|event| matches!(event, Event::Best { .. })));
}

#[test]
fn a_button_press_replaces_the_best_score_news() {
    let mut board = keeping(1);
    plays(&mut board, 0, &[0]);
    does(&mut board, Input::Press(Button::Time));
    assert_eq!(board.frame(), board.board().frame());
}

#[test]
fn a_board_without_store_has_no_best_scores() {
    let mut board = bare(1);
    assert_eq!(plays(&mut board, 0, &[0]), []);
    assert!(board.best().is_none());
    assert_eq!(board.status().best, None);
    assert_eq!(board.clear_best(), Err(Refusal::KeepsNoBest));
    assert_eq!(board.frame(), board.board().frame());
}

#[test]
fn best_scores_belong_to_modes_for_one_only() {
    let mut board = keeping(1);
    plays(&mut board, 0, &[0]);
    does(&mut board, Deed::Settings(settings(1, 0)));
    assert_eq!(board.status().best, Some([0; 5]));
    assert_eq!(plays(&mut board, 2, &[0]), []);
    assert_eq!(board.status().best, None);
}

#[test]
fn a_reset_keeps_best_scores_and_clearing_empties_them() {
    let mut board = keeping(1);
    plays(&mut board, 0, &[0]);
    let before = kept_by(&board);
    does(
        &mut board,
        Deed::Reset {
            seed: 2,
            layout: layout(),
        },
    );
    assert_eq!(kept_by(&board), before);
    assert_eq!(board.frame(), board.board().frame());
    assert_eq!(board.clear_best(), Ok(()));
    assert_eq!(board.best(), Some((&BestScores::new(), 2)));
}

#[test]
fn the_same_game_played_again_does_not_enter_again() {
    let mut board = keeping(0);
    let replay = |board: &mut Own| {
        does(
            board,
            Deed::Reset {
                seed: 5,
                layout: layout(),
            },
        );
        plays(board, 0, &[3, 1, 4])
    };
    assert_eq!(replay(&mut board).len(), 1);
    assert_eq!(replay(&mut board), []);
}

#[test]
fn a_game_from_a_set_up_position_does_not_enter() {
    let mut board = keeping(1);
    starts(&mut board, 0);
    let laid = board.board().ishido().expect("Ishido").laid;
    let own = Position::Own {
        game: number::ISHIDO,
        bytes: laid.bytes().into_iter().collect(),
    };
    does(&mut board, Deed::Position(own));
    assert_eq!(plays_on(&mut board, &[0]), []);
    // A game that is played does enter.
    assert_eq!(plays(&mut board, 0, &[0]).len(), 1);
}

#[test]
fn a_loaded_game_does_not_enter() {
    let mut board = keeping(1);
    starts(&mut board, 0);
    let mut buffer = std::vec![0; crate::SNAPSHOT_BYTES];
    let saved = board.save(&mut buffer).expect("room").to_vec();
    board.load(&saved).expect("its own");
    assert_eq!(plays_on(&mut board, &[0]), []);
}

#[test]
fn a_game_with_moves_of_the_board_does_not_enter() {
    let mut board = keeping(1);
    starts(&mut board, 0);
    does(&mut board, Deed::Settings(settings(0, 4)));
    board.advance(20_000, &mut |_, _| {});
    does(&mut board, Deed::Settings(settings(0, 0)));
    assert_eq!(plays_on(&mut board, &[0]), []);
    // A game that the board plays alone does not count either.
    does(&mut board, Deed::Settings(settings(0, 4)));
    does(&mut board, Input::Press(Button::Start));
    let mut told = false;
    board.advance(3_600_000, &mut |_, event| {
        told |= matches!(event, Event::Best { .. })
    });
    assert!(board.status().outcome.is_some() && !told);
}

#[test]
fn a_game_played_without_counting_does_not_enter() {
    let mut board = keeping(1);
    starts(&mut board, 0);
    board.count_best(false);
    board.count_best(true);
    assert_eq!(plays_on(&mut board, &[0]), []);
    board.count_best(false);
    assert_eq!(plays(&mut board, 0, &[1]), []);
    assert_eq!(board.frame(), board.board().frame());
    board.count_best(true);
    assert_eq!(plays(&mut board, 0, &[2]).len(), 1);
}

#[test]
fn an_unfinished_game_does_not_enter() {
    let mut board = keeping(1);
    starts(&mut board, 0);
    does(&mut board, Deed::Settings(settings(1, 0)));
    board.advance(10_000, &mut |_, _| {});
    assert!(kept_by(&board).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Stored data does not influence play: boards with different data, and one without
    /// any, are equal at every tick.
    #[test]
    fn stored_best_scores_do_not_influence_play(
        seed: u64,
        known in proptest::collection::vec((0..80_u32, any::<u64>()), 0..6),
        games in proptest::collection::vec(
            (0..2_u8, proptest::collection::vec(any::<u8>(), 1..20), 0..5_000_u64),
            1..4,
        ),
    ) {
        let mut best = BestScores::new();
        for (points, game) in known {
            best.enter(number::ISHIDO, 0, BestScore { points, game });
        }
        let [mut one, mut other, mut none] = [keeping(seed), bare(seed), bare(seed)];
        other.keep(best);
        for (mode, choices, ticks) in games {
            for board in [&mut one, &mut other, &mut none] {
                plays(board, mode, &choices);
            }
            let digest = none.digest();
            prop_assert_eq!([one.digest(), other.digest()], [digest; 2]);
            prop_assert_eq!(one.board().frame(), none.frame());
            for board in [&mut one, &mut other, &mut none] {
                board.advance(ticks, &mut |_, _| {});
            }
            let digest = none.digest();
            prop_assert_eq!([one.digest(), other.digest()], [digest; 2]);
            prop_assert!(kept_by(&one).is_sound());
        }
    }

    /// As for every board, one long wait equals many short ones, the news included.
    #[test]
    fn one_long_wait_equals_many_short_ones(choices: [u8; 4], steps in proptest::collection::vec(1..900_u64, 1..8)) {
        let mut often = keeping(3);
        plays(&mut often, 0, &choices);
        let mut once = often.clone();
        for ticks in &steps {
            often.advance(*ticks, &mut |_, _| {});
        }
        once.advance(steps.iter().sum(), &mut |_, _| {});
        prop_assert_eq!(once.frame(), often.frame());
        prop_assert_eq!(once.digest(), often.digest());
        prop_assert_eq!(once.wakes_at(), often.wakes_at());
    }
}

mod at_the_end_of_a_line {
    use protocol::wire::{self, MAX_FRAME_BYTES, Receiver};
    use protocol::{
        Command, Done, PROTOCOL_VERSION, Reply, Request, SCHEMA_HASH, ToDevice, ToHost,
    };

    use super::*;
    use crate::{Device, Identity, SNAPSHOT_BYTES};

    type Line = Device<Own, Vec<u8>>;

    fn line(board: Own) -> Line {
        let identity = Identity {
            board: "test",
            boot: 1,
            sensors: false,
        };
        Device::new(board, identity, std::vec![0; SNAPSHOT_BYTES])
    }

    /// Sends a message and returns the device's reply.
    fn send(line: &mut Line, message: &ToDevice) -> Option<Result<Done, Refusal>> {
        let bytes = wire::encoded(message);
        let mut bytes = &bytes[..];
        let (mut receiver, mut answer) = (Receiver::<MAX_FRAME_BYTES>::new(), None);
        while !bytes.is_empty() || !line.output().is_empty() {
            bytes = &bytes[line.feed(bytes)..];
            let output = line.output().to_vec();
            line.sent(output.len());
            for byte in output {
                if let Some(Ok(plain)) = receiver.feed(byte)
                    && let Ok(ToHost::Reply(Reply { result, .. })) = wire::parse(plain)
                {
                    answer = Some(result);
                }
            }
        }
        answer
    }

    fn hello(line: &mut Line, host: u32) {
        let (version, schema) = (PROTOCOL_VERSION, SCHEMA_HASH);
        let hello = ToDevice::Hello {
            version,
            schema,
            host,
        };
        assert_eq!(send(line, &hello), None);
    }

    fn request(line: &mut Line, number: u32, command: Command) -> Result<Done, Refusal> {
        let request = Request {
            number,
            seen: 0,
            command,
        };
        send(line, &ToDevice::Request(request)).expect("an answer")
    }

    fn counts(line: &Line) -> bool {
        line.board().kept.as_ref().expect("it keeps").counts
    }

    #[test]
    fn count_best_false_lasts_until_another_host_comes() {
        let mut line = line(keeping(1));
        hello(&mut line, 1);
        assert!(counts(&line));
        assert_eq!(
            request(&mut line, 1, Command::CountBest(false)),
            Ok(Done::Done)
        );
        // The same host returns after its line was lost.
        hello(&mut line, 1);
        assert!(!counts(&line));
        hello(&mut line, 2);
        assert!(counts(&line));
    }

    #[test]
    fn clearing_best_scores_is_refused_without_a_store() {
        let mut board = keeping(1);
        plays(&mut board, 0, &[0]);
        let mut with = line(board);
        hello(&mut with, 1);
        let Ok(Done::Status(status)) = request(&mut with, 1, Command::Status) else {
            panic!("it has a status");
        };
        assert!(status.best.is_some_and(|best| best[0] > 0));
        assert_eq!(request(&mut with, 2, Command::ClearBest), Ok(Done::Done));
        assert_eq!(kept_by(with.board()), BestScores::new());
        let mut without = line(bare(1));
        hello(&mut without, 1);
        let refused = request(&mut without, 1, Command::ClearBest);
        assert_eq!(refused, Err(Refusal::KeepsNoBest));
    }
}
