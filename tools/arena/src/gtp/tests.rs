//! Games against engines with scripted answers.

use std::collections::VecDeque;

use protocol::{Layout, Outcome, Point, Side};

use super::duel::{self, DuelRecord, Ending, Terms};
use super::engine::{Engine, Trouble};
use super::serve::Server;
use super::words::{self, Answer, Notation};
use super::{Outcomes, Tally, sgf};
use crate::played_game::MatchSetup;

const FIVE: Layout = match Layout::grid(5, 5) {
    Ok(layout) => layout,
    Err(_) => Layout::MALDOO,
};

/// SpeedGo on an empty 5x5 board against level 1.
fn terms() -> Terms {
    let setup = MatchSetup {
        game: 9,
        mode: 1,
        speed: 5,
        layout: FIVE,
        random_moves: 0,
    };
    Terms {
        setup,
        level: 1,
        komi: 0.0,
        notation: Notation::Go,
    }
}

/// An engine that answers `genmove` from a list and then passes. It refuses the named
/// commands, and records all that it receives.
#[derive(Default)]
struct Fake {
    moves: VecDeque<&'static str>,
    refuses: Option<&'static str>,
    dead: &'static str,
    told: Vec<String>,
}

impl Fake {
    fn playing(moves: &[&'static str]) -> Fake {
        Fake {
            moves: moves.iter().copied().collect(),
            ..Fake::default()
        }
    }
}

impl Engine for Fake {
    fn command(&mut self, command: &str) -> Result<String, Trouble> {
        self.told.push(command.to_owned());
        let word = command.split(' ').next().unwrap_or_default();
        if self.refuses == Some(word) {
            let why = "not today".to_owned();
            return Err(Trouble::Refused {
                command: command.to_owned(),
                why,
            });
        }
        Ok(match word {
            "genmove" => self.moves.pop_front().unwrap_or("pass").to_owned(),
            "final_status_list" => self.dead.to_owned(),
            _ => String::new(),
        })
    }
}

fn play(terms: &Terms, side: Side, engine: &mut impl Engine) -> DuelRecord {
    duel::play::<u64, _>(terms, side, 1, engine).unwrap()
}

#[test]
fn an_engine_that_only_passes_hears_every_move_and_loses() {
    let mut engine = Fake::default();
    let record = play(&terms(), Side::Green, &mut engine);
    assert_eq!(record.ending, Ending::Played);
    assert_eq!(record.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(engine.told[..3], ["boardsize 5", "clear_board", "komi 0"]);
    let told = engine
        .told
        .iter()
        .filter(|line| line.starts_with("play "))
        .count();
    let own = record
        .moves
        .iter()
        .filter(|(side, _)| *side == Side::Green)
        .count();
    assert_eq!(told, own);
    let last = engine.told.last().unwrap();
    assert_eq!(last, "final_status_list dead");
}

#[test]
fn the_engine_has_the_agreed_colour() {
    for (side, colour) in [(Side::Green, "white"), (Side::Red, "black")] {
        let mut engine = Fake::playing(&["c3"]);
        let record = play(&terms(), side, &mut engine);
        assert!(engine.told.contains(&format!("genmove {colour}")));
        assert!(!engine.told.contains(&format!("play {colour} c3")));
        assert!(record.moves.contains(&(side.other(), Some(Point(12)))));
    }
}

#[test]
fn an_engine_that_gives_up_has_lost() {
    let record = play(&terms(), Side::Red, &mut Fake::playing(&["resign"]));
    assert_eq!(record.ending, Ending::Resigned);
    assert_eq!(record.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn a_forbidden_engine_move_is_undone_and_counts_as_a_pass() {
    let mut engine = Fake::playing(&["c3", "c3"]);
    let record = play(&terms(), Side::Red, &mut engine);
    assert_eq!((record.refused, &record.ending), (1, &Ending::Played));
    let undo = engine.told.iter().position(|line| line == "undo").unwrap();
    assert_eq!(engine.told[undo + 1], "play black pass");
}

#[test]
fn a_game_with_an_engine_without_undo_is_not_counted() {
    let mut engine = Fake {
        refuses: Some("undo"),
        ..Fake::playing(&["c3", "c3"])
    };
    let record = play(&terms(), Side::Red, &mut engine);
    assert!(matches!(record.ending, Ending::BrokenOff(_)));
    assert_eq!(record.outcome(), None);
}

#[test]
fn a_game_with_a_refused_board_move_is_not_counted() {
    let mut engine = Fake {
        refuses: Some("play"),
        ..Fake::default()
    };
    let record = play(&terms(), Side::Green, &mut engine);
    let Ending::BrokenOff(why) = &record.ending else {
        panic!("{record:?}")
    };
    assert!(why.to_string().contains("refused `play black"), "{why}");
}

#[test]
fn an_answer_without_a_point_breaks_the_game_off() {
    for said in ["z9", "", "a6", "= a1"] {
        let record = play(&terms(), Side::Red, &mut Fake::playing(&[said]));
        assert!(matches!(record.ending, Ending::BrokenOff(_)), "{said}");
    }
}

#[test]
fn an_engine_that_does_not_know_the_board_is_an_error() {
    let mut engine = Fake {
        refuses: Some("boardsize"),
        ..Fake::default()
    };
    let played = duel::play::<u64, _>(&terms(), Side::Green, 1, &mut engine);
    assert!(played.unwrap_err().to_string().contains("boardsize"));
}

#[test]
fn dead_stones_are_removed_from_the_second_count_only() {
    // The board's player passes after the other side has passed, if it leads. All its
    // stones are declared dead.
    let mut engine = Fake {
        dead: "A1 A2 A3 A4 A5 B1 B2 B3 B4 B5 C1 C2 C3 C4 C5\nD1 D2 D3 D4 D5 E1 E2 E3 E4 E5",
        ..Fake::default()
    };
    let record = play(&terms(), Side::Green, &mut engine);
    assert!(record.lead > 0.0);
    assert_eq!(record.lead_of_living, Some(0.0));
    assert_eq!(record.outcome_of_living(), Some(Outcome::Draw));
}

#[test]
fn the_komi_is_sent_and_counted() {
    let komi = Terms {
        komi: 30.5,
        ..terms()
    };
    let mut engine = Fake::default();
    let record = play(&komi, Side::Green, &mut engine);
    assert!(engine.told.contains(&"komi 30.5".to_owned()));
    assert_eq!(record.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn stones_of_the_start_are_sent_before_the_first_move() {
    let mut terms = terms();
    terms.setup = MatchSetup {
        mode: 2,
        layout: Layout::MALDOO,
        ..terms.setup
    };
    let mut engine = Fake {
        refuses: Some("genmove"),
        ..Fake::default()
    };
    let record = duel::play::<u128, _>(&terms, Side::Red, 1, &mut engine).unwrap();
    let stones = |colour: &str| {
        let start = format!("play {colour}");
        engine
            .told
            .iter()
            .filter(|line| line.starts_with(&start))
            .count()
    };
    assert_eq!((stones("black"), stones("white")), (9, 9));
    assert!(record.moves.is_empty());
}

#[test]
fn the_board_plays_itself_through_gtp() {
    struct Own(Server);
    impl Engine for Own {
        fn command(&mut self, command: &str) -> Result<String, Trouble> {
            let (text, _) = self.0.answer(command).unwrap();
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            match words::answer(&lines).unwrap() {
                Answer::Done(text) => Ok(text),
                Answer::Refused(why) => Err(Trouble::Refused {
                    command: command.to_owned(),
                    why,
                }),
            }
        }
    }
    let reversi = MatchSetup {
        game: 0,
        mode: 0,
        layout: FIVE,
        random_moves: 4,
        speed: 5,
    };
    let reversi = Terms {
        setup: reversi,
        notation: Notation::Othello,
        ..terms()
    };
    for (terms, game) in [(terms(), 9), (reversi, 0)] {
        for side in Side::BOTH {
            let mut engine = Own(Server::new(game, 1, 1).unwrap());
            let record = play(&terms, side, &mut engine);
            assert_eq!((&record.ending, record.refused), (&Ending::Played, 0));
            // Both programs have the same position at the end.
            let expected = match record.lead {
                lead if lead > 0.0 => format!("B+{lead}"),
                lead if lead < 0.0 => format!("W+{}", -lead),
                _ => "0".to_owned(),
            };
            assert_eq!(engine.command("final_score"), Ok(expected));
        }
    }
}

#[test]
fn the_server_undoes_moves_and_refuses_unknown_commands() {
    let mut server = Server::new(9, 1, 1).unwrap();
    let mut say = |line: &str| server.answer(line).map(|(text, _)| text);
    assert_eq!(say("boardsize 5").as_deref(), Some("="));
    assert_eq!(say("3 play b c3").as_deref(), Some("=3"));
    assert_eq!(say("play w c3").as_deref(), Some("? illegal move"));
    assert_eq!(say("final_score").as_deref(), Some("= B+25"));
    assert_eq!(say("undo").as_deref(), Some("="));
    assert_eq!(say("undo").as_deref(), Some("? cannot undo"));
    assert_eq!(say("final_score").as_deref(), Some("= 0"));
    assert_eq!(say("boardsize 99").as_deref(), Some("? unacceptable size"));
    assert_eq!(say("dance").as_deref(), Some("? unknown command"));
    assert_eq!(say("play b"), Some("? syntax error".to_owned()));
    assert_eq!(say("# nothing"), None);
    assert_eq!(say(""), None);
    let refused = Server::new(4, 1, 1).err().map(|error| error.to_string());
    let sentence = "the protocol has no words for Symmetry: take SpeedGo or Reversi";
    assert_eq!(refused.as_deref(), Some(sentence));
}

#[test]
fn a_pass_out_of_turn_repeats_the_boards_own() {
    let mut server = Server::new(9, 1, 1).unwrap();
    let mut say = |line: &str| server.answer(line).map(|(text, _)| text);
    // If the move were repeated, with green's move before it, the game would be over.
    for line in ["boardsize 5", "play w pass", "play b c3", "play w c4"] {
        assert_eq!(say(line).as_deref(), Some("="), "{line}");
    }
}

fn record(side: Side, ending: Ending, lead: f32, lead_of_living: Option<f32>) -> DuelRecord {
    DuelRecord {
        side,
        ending,
        lead,
        lead_of_living,
        moves: Vec::new(),
        refused: 0,
    }
}

#[test]
fn results_are_counted_by_side_with_disputes_apart() {
    let mut outcomes = Outcomes::default();
    let ended = Trouble::Ended("genmove black".to_owned());
    outcomes.add(&record(Side::Green, Ending::Played, 3.0, Some(-1.0)));
    outcomes.add(&record(Side::Red, Ending::Played, 3.0, Some(3.0)));
    outcomes.add(&record(Side::Red, Ending::Resigned, 0.0, None));
    outcomes.add(&record(
        Side::Red,
        Ending::BrokenOff(ended.clone()),
        0.0,
        None,
    ));
    let tally = |won, drawn, lost| Tally { won, drawn, lost };
    assert_eq!(outcomes.by_side, [tally(1, 0, 0), tally(1, 0, 1)]);
    assert_eq!(
        (outcomes.all(), outcomes.living),
        (tally(2, 0, 1), tally(1, 0, 2))
    );
    assert_eq!(
        (outcomes.disputed, outcomes.resigned, outcomes.counted),
        (1, 1, 2)
    );
    assert_eq!(outcomes.broken_off, [ended.to_string()]);
    assert_eq!(outcomes.lead, 0.0);
}

#[test]
fn a_game_is_written_as_sgf() {
    let mut record = record(Side::Red, Ending::Played, -2.0, None);
    record.moves = vec![(Side::Green, Some(Point(0))), (Side::Red, Some(Point(24)))];
    record.moves.push((Side::Green, None));
    let text = sgf::write(&terms(), "a]b", &record);
    assert!(text.starts_with("(;FF[4]GM[1]SZ[5]KM[0]PB[a\\]b]PW[touchboard level 1]RE[W+2]"));
    assert!(text.ends_with(";B[aa]\n;W[ee]\n;B[]\n)\n"), "{text}");
}
