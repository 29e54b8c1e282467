//! A program at the other end of a pipe plays every mode of every game to its end, and
//! checks after each step that the shell's answers are consistent: a legal touch is
//! accepted and has an effect, an illegal one has none, the score agrees with the rows,
//! and the winner agrees with the score.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread;

use firmware_core::Rng;
use firmware_core::games;
use protocol::Layout;
use serde_json::Value;
use touchboard_host::CoreDriver;
use touchboard_shell::{Answers, OnTrouble, Reader, ShellOptions, ShellSession};
use touchboard_tests::judge::{self, Rows};

/// The maximum number of commands in a game; none takes as many.
const MOST_COMMANDS: u32 = 60_000;

/// The client's ends of the two pipes of a shell.
struct Client {
    to: PipeWriter,
    from: BufReader<PipeReader>,
    commands: u32,
}

/// The state of a board according to an answer.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    rows: Vec<String>,
    turn: Option<String>,
    score: [u64; 2],
    over: bool,
    winner: Option<String>,
}

impl Client {
    /// Runs `hil-bridge shell --json` at the other ends of the pipes.
    fn new(seed: u64) -> Client {
        let (commands, to) = pipe().expect("the system has pipes");
        let (from, answers) = pipe().expect("the system has pipes");
        thread::spawn(move || {
            let mut driver = CoreDriver::new(Layout::MALDOO, seed).expect("9x9 is a layout");
            let options = ShellOptions {
                layout: touchboard_links::games::layout,
                answers: Answers::Json,
                reader: Reader::Script,
                on_trouble: OnTrouble::GoOn,
                seed,
            };
            let input = BufReader::new(commands);
            // If the client has ended first, the test has already failed.
            let _ = ShellSession::new(&mut driver, &options).run(input, answers, std::io::sink());
        });
        Client {
            to,
            from: BufReader::new(from),
            commands: 0,
        }
    }

    fn say(&mut self, line: &str) -> Value {
        self.commands += 1;
        writeln!(self.to, "{line}").expect("the shell listens");
        let mut answer = String::new();
        self.from.read_line(&mut answer).expect("the shell answers");
        let answer: Value = serde_json::from_str(&answer).expect("an object a line");
        assert_eq!(answer["ok"], true, "{line}: {answer}");
        answer
    }

    fn see(&mut self, line: &str) -> Seen {
        let answer = self.say(line);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let list = |name: &str| answer[name].as_array().expect("a list").iter();
        Seen {
            rows: list("rows").filter_map(text).collect(),
            turn: text(&answer["turn"]),
            score: [0, 1].map(|side| answer["score"][side].as_u64().expect("a number")),
            over: answer["over"] == true,
            winner: text(&answer["winner"]),
        }
    }

    fn legal(&mut self) -> Vec<String> {
        let answer = self.say("legal");
        let points = answer["points"].as_array().expect("a list");
        let name = |point: &Value| point.as_str().expect("a name").to_owned();
        points.iter().map(name).collect()
    }
}

/// A game in progress.
struct Game {
    client: Client,
    rng: Rng,
    name: &'static str,
    mode: u8,
    /// The number of points to copy in a game of Symmetry.
    pattern: u64,
}

impl Game {
    fn begin(number: u8, mode: u8, seed: u64) -> Game {
        let mut client = Client::new(seed);
        // Slow for games in which all points must be touched in time, fast for the
        // others.
        let name = games::about(number).map_or("?", |about| about.name);
        let speed = if name == "Symmetry" && mode.is_multiple_of(2) {
            0
        } else {
            9
        };
        client.say(&format!(
            "set game={name} mode={mode} level=0 time=9 speed={speed}"
        ));
        let begun = client.see("start");
        assert!(!begun.over);
        Game {
            client,
            rng: Rng::new(seed),
            name,
            mode,
            pattern: Rows(&begun.rows).count('g'),
        }
    }

    fn below(&mut self, most: usize) -> usize {
        self.rng.below(most as u32) as usize
    }

    fn any_point(&mut self) -> String {
        let (column, row) = (self.below(9) as u8, self.below(9) + 1);
        format!("{}{row}", char::from(b'a' + column))
    }

    /// Touches a point without letting time pass, and returns the result.
    fn touch(&mut self, point: &str) -> Seen {
        let seen = self.client.see(&format!("touch {point}"));
        self.client.say(&format!("release {point}"));
        seen
    }

    /// A random legal point; in Life's race a living cell, so that turns end.
    fn choose(&mut self, legal: &[String], seen: &Seen) -> String {
        let alive: Vec<&String> = legal.iter().filter(|name| is_lit(seen, name)).collect();
        if self.name == "Life" && self.mode == 0 && !alive.is_empty() {
            let place = self.below(alive.len());
            return alive[place].clone();
        }
        let place = self.below(legal.len());
        legal[place].clone()
    }

    /// Touches an illegal point, if there is one, and checks that nothing happens.
    fn try_in_vain(&mut self, legal: &[String]) {
        let point = self.any_point();
        if legal.contains(&point) {
            return;
        }
        let before = self.client.see("score");
        let after = self.touch(&point);
        let what = |seen: Seen| (seen.turn, seen.score, seen.over, seen.winner);
        assert_eq!(what(before), what(after), "{} {point}", self.name);
        assert_eq!(self.client.legal(), legal, "{} {point}", self.name);
    }

    /// Touches a legal point, and checks that something happens.
    fn play(&mut self, legal: &[String], before: &Seen) -> Seen {
        let point = self.choose(legal, before);
        let after = self.touch(&point);
        assert_ne!(*before, after, "{} {} {point}", self.name, self.mode);
        self.check_score(before, &after);
        after
    }

    fn check_score(&self, before: &Seen, after: &Seen) {
        let mode = self.mode.into();
        let judge = if after.over {
            judge::final_score
        } else {
            judge::score
        };
        let by_the_rows = judge(self.name, mode, Rows(&after.rows), self.pattern);
        // FindThem shows its whole pattern at the end.
        if let Some(score) = by_the_rows
            && !(after.over && self.name == "FindThem")
        {
            assert_eq!(after.score, score, "{} {mode} {after:?}", self.name);
        }
        if matches!(self.name, "Ghost" | "TouchIt") {
            let sum = |seen: &Seen| seen.score.iter().sum::<u64>();
            assert!(sum(after) - sum(before) <= 1);
        }
    }

    fn play_out(&mut self) -> Seen {
        let mut seen = self.client.see("score");
        while !seen.over {
            assert!(
                self.client.commands < MOST_COMMANDS,
                "{} {}",
                self.name,
                self.mode
            );
            let legal = self.client.legal();
            if self.client.commands.is_multiple_of(3) {
                self.try_in_vain(&legal);
            }
            // The flash of the legal points does not count as a change of the board.
            seen = self.client.see("score");
            if legal.is_empty() {
                seen = self.client.see("wait 100");
                continue;
            }
            seen = self.play(&legal, &seen);
            if matches!(self.name, "Ghost" | "Life" | "TouchIt" | "Symmetry") && !seen.over {
                let ms = self.below(300);
                seen = self.client.see(&format!("wait {ms}"));
            }
        }
        seen
    }
}

/// True if this point is lit.
fn is_lit(seen: &Seen, name: &str) -> bool {
    let column = usize::from(name.as_bytes()[0] - b'a');
    let row: usize = name[1..].parse().expect("the number of a row");
    seen.rows[9 - row].as_bytes()[column] != b'.'
}

fn play_every_mode(number: u8) {
    let about = games::about(number).expect("it is in the table");
    for mode in 0..about.modes {
        let mut game = Game::begin(number, mode, 100 + u64::from(mode));
        let end = game.play_out();
        let winner = judge::winner(game.name, mode.into(), end.score, game.pattern);
        assert_eq!(
            end.winner.as_deref(),
            Some(winner),
            "{} {mode} {end:?}",
            about.name
        );
        assert_eq!(end.turn, None);
        assert_eq!(game.client.legal(), Vec::<String>::new());
        let point = game.any_point();
        assert_eq!(game.touch(&point), end, "a touch after the end");
        eprintln!(
            "{} {mode}: {winner} after {} commands",
            about.name, game.client.commands
        );
    }
}

touchboard_tests::test_each_game! { play_every_mode:
    reversi_is_played_by_pipe = 0;
    ghost_is_played_by_pipe = 1;
    life_is_played_by_pipe = 2;
    touchit_is_played_by_pipe = 3;
    symmetry_is_played_by_pipe = 4;
    countlines_is_played_by_pipe = 5;
    fillit_is_played_by_pipe = 6;
    findthem_is_played_by_pipe = 7;
    visiput_is_played_by_pipe = 8;
    speedgo_is_played_by_pipe = 9;
}
