//! Computes the constants of Reversi's player.
//!
//! ```text
//! cargo run --release -p firmware-core --example reversi_lab weights
//! cargo run --release -p firmware-core --example reversi_lab match 8 0 100
//! ```
//!
//! `weights` plays each mode against itself and fits the weights of `evaluate.rs` to the
//! results of the games. `match SIDE MODE GAMES` plays each level against the one below
//! it, against a random player, and against a player that always captures the most. They
//! play on a square board and alternate colours; the games won as green and as red are
//! counted.

use firmware_core::games::reversi::Reversi;
use firmware_core::games::reversi::evaluate::{
    FEATURES, Features, STONE, Terrain, Weights, features, weights,
};
use firmware_core::games::reversi::line::{ReversiSearch, Views};
use firmware_core::minds::alphabeta::AlphaBeta;
use firmware_core::minds::pace::EARLIEST_MS;
use firmware_core::minds::thinker::{LATEST_MS, ThinkerOf};
use firmware_core::{BoardTurn, Context, Game, Ground, Player, Points, Rng, Rules, Touch};
use protocol::{Layout, Point, Side};

/// Wide enough for all boards that are used here.
type Word = u128;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|text| text.parse().ok());
    match arguments.first().map(String::as_str) {
        Some("weights") => (0..6).for_each(|mode| print_weights(mode, number(1).unwrap_or(4_000))),
        Some("match") => print_matches(
            number(1).unwrap_or(8) as u8,
            number(2).unwrap_or(0) as u8,
            number(3).unwrap_or(100),
        ),
        _ => eprintln!("say `weights [GAMES]` or `match [SIDE] [MODE] [GAMES]`"),
    }
}

/// A square board and its game.
struct Table {
    ground: Ground<Word>,
    rng: Rng,
    game: Reversi<Word>,
}

impl Table {
    fn new(side: u8, mode: u8, seed: u64) -> Table {
        let layout = Layout::grid(side, side).expect("a side of 1 to 16");
        let ground = Ground::new(layout).expect("a side of at most 11");
        let mut rng = Rng::new(seed);
        let game = Reversi::start(
            mode,
            &mut Context {
                ground: &ground,
                rng: &mut rng,
                now: 0,
                speed: 5,
                events: &mut heapless::Vec::new(),
            },
        )
        .expect("a mode of 0 to 5 and a side of at least 2");
        Table { ground, rng, game }
    }

    fn context<T>(
        &mut self,
        now: u64,
        ask: impl FnOnce(&mut Reversi<Word>, &mut Context<'_, Word>) -> T,
    ) -> T {
        let mut context = Context {
            ground: &self.ground,
            rng: &mut self.rng,
            now,
            speed: 5,
            events: &mut heapless::Vec::new(),
        };
        ask(&mut self.game, &mut context)
    }

    fn play(&mut self, point: Point) {
        let touch = self.context(0, |game, context| game.touch(point, context));
        assert!(matches!(touch, Touch::Move(_)), "{point:?} is not a move");
    }

    fn random(&mut self) -> Point {
        let legal = self.game.legal(&self.ground);
        self.rng.pick(legal).expect("a side to move has a move")
    }
}

// The part that fits the weights.

/// The sums of a least-squares fit, with early and late features side by side.
struct Fit {
    products: [[f64; 2 * FEATURES]; 2 * FEATURES],
    sums: [f64; 2 * FEATURES],
}

impl Fit {
    fn add(&mut self, features: &Features, full: f64, end: f64) {
        let row: Vec<f64> = [1.0 - full, full]
            .iter()
            .flat_map(|part| features.iter().map(move |f| f64::from(*f) * part))
            .collect();
        for (i, a) in row.iter().enumerate() {
            for (j, b) in row.iter().enumerate() {
                self.products[i][j] += a * b;
            }
            self.sums[i] += a * end;
        }
    }

    /// Gaussian elimination, with a small weight on the diagonal for features that never
    /// vary.
    fn solve(mut self) -> Weights {
        const N: usize = 2 * FEATURES;
        for i in 0..N {
            self.products[i][i] += 10.0;
        }
        for i in 0..N {
            for j in 0..N {
                if i != j {
                    let factor = self.products[j][i] / self.products[i][i];
                    for k in i..N {
                        self.products[j][k] -= factor * self.products[i][k];
                    }
                    self.sums[j] -= factor * self.sums[i];
                }
            }
        }
        let weight =
            |i: usize| (f64::from(STONE) * self.sums[i] / self.products[i][i]).round() as i16;
        Weights {
            early: std::array::from_fn(weight),
            late: std::array::from_fn(|i| weight(FEATURES + i)),
        }
    }
}

/// Plays games with these weights, and fits new weights to them.
fn fit(mode: u8, games: u64, old: &Weights) -> Weights {
    let mut fit = Fit {
        products: Default::default(),
        sums: [0.0; 2 * FEATURES],
    };
    for seed in 0..games {
        let mut table = Table::new(8 + (seed % 2) as u8, mode, seed);
        let kernel = table.game.kernel(table.ground.grid());
        let terrain = Terrain::new(table.ground.grid());
        let random_moves = table.rng.below(16);
        let mut seen = Vec::new();
        for number in 0.. {
            let Some(side) = table.game.turn() else { break };
            let view = table.game.view(side);
            let point = if number < random_moves || table.rng.percent(8) {
                table.random()
            } else {
                let mut line = ReversiSearch {
                    kernel,
                    terrain,
                    weights: old,
                    from: view,
                    views: &mut Views::default(),
                };
                let mut search = AlphaBeta::<Word, [u8; 2]>::default();
                let mut search = search.on(&mut line, 0, &mut table.rng);
                search.begin_iteration(2);
                search.run(u32::MAX);
                search.best().expect("a side to move has a move").point
            };
            if let Some(features) = features(&kernel, &terrain, view) {
                let stones = (view.own | view.other).len() as f64;
                seen.push((side, features, stones / table.ground.all().len() as f64));
            }
            table.play(point);
        }
        let [green, red] = table.game.score(&table.ground).map(f64::from);
        for (side, features, full) in seen {
            let end = if side == Side::Green {
                green - red
            } else {
                red - green
            };
            fit.add(&features, full, end);
        }
    }
    fit.solve()
}

fn print_weights(mode: u8, games: u64) {
    let first = fit(mode, games, weights(mode));
    let Weights { early, late } = fit(mode, games, &first);
    println!("    Weights {{\n        early: {early:?},\n        late: {late:?},\n    }},");
}

// The part that plays matches.

/// A player in a match.
#[derive(Clone, Copy, Debug)]
enum Hand {
    Random,
    Greedy,
    Level(u8),
}

impl Hand {
    /// The move, and how many milliseconds it took.
    fn choose(self, table: &mut Table) -> (Point, u64) {
        match self {
            Hand::Random => (table.random(), 0),
            Hand::Greedy => {
                let kernel = table.game.kernel(table.ground.grid());
                let view = table
                    .game
                    .view(table.game.turn().expect("a game under way"));
                let most = kernel
                    .legal(view)
                    .max_by_key(|point| kernel.caught(view, Points::one(*point)).len());
                (most.expect("a side to move has a move"), 0)
            }
            Hand::Level(level) => {
                let mut player = ThinkerOf::<Word, Reversi<Word>>::default();
                let mut now = 0;
                loop {
                    let act = table.context(now, |game, context| player.wake(game, level, context));
                    if let BoardTurn::Touch(point) = act {
                        assert!(
                            (EARLIEST_MS..LATEST_MS).contains(&now),
                            "an answer after {now} ms"
                        );
                        return (point, now);
                    }
                    now = Player::<Word, Reversi<Word>>::wakes_at(&player).max(now + 1);
                }
            }
        }
    }
}

fn print_matches(side: u8, mode: u8, games: u64) {
    println!("{side}x{side}, mode {mode}, {games} games each");
    let pairs = [
        (Hand::Level(1), Hand::Random),
        (Hand::Level(1), Hand::Greedy),
        (Hand::Level(2), Hand::Greedy),
        (Hand::Level(2), Hand::Level(1)),
        (Hand::Level(3), Hand::Level(2)),
        (Hand::Level(4), Hand::Level(3)),
    ];
    for (better, worse) in pairs {
        let (mut won, mut drawn, mut lead) = ([0; 2], 0, 0);
        let (mut moves, mut time_ms) = (0, 0);
        let begin = std::time::Instant::now();
        for seed in 0..games {
            let mut table = Table::new(side, mode, seed / 2);
            let mine = Side::BOTH[(seed % 2) as usize];
            // Two games, with the colours exchanged, start with the same two random
            // moves.
            for _ in 0..4 {
                let point = table.random();
                table.play(point);
            }
            while let Some(turn) = table.game.turn() {
                let hand = if turn == mine { better } else { worse };
                let (point, ms) = hand.choose(&mut table);
                if turn == mine {
                    moves += 1;
                    time_ms += ms;
                }
                table.play(point);
            }
            let score = table.game.score(&table.ground).map(i64::from);
            let by = score[mine.index()] - score[mine.other().index()];
            won[mine.index()] += u64::from(by > 0);
            drawn += u64::from(by == 0);
            lead += by;
        }
        println!(
            "{better:?} against {worse:?}: {} + {} won, {drawn} drawn, {} lost; {:+.1} stones; {} ms a move; {:.1} s",
            won[0],
            won[1],
            games - won[0] - won[1] - drawn,
            lead as f64 / games as f64,
            time_ms / moves.max(1),
            begin.elapsed().as_secs_f64(),
        );
    }
}
