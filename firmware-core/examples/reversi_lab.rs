//! Computes the constants of Reversi's player.
//!
//! ```text
//! cargo run --release -p firmware-core --example reversi_lab weights
//! ```
//!
//! `weights` plays each mode against itself and fits the weights of `evaluate.rs` to the
//! results of the games. How strong the levels then are is measured by `arena match`.

use firmware_core::games::reversi::Reversi;
use firmware_core::games::reversi::evaluate::{
    FEATURES, Features, STONE, Terrain, Weights, features, weights,
};
use firmware_core::games::reversi::line::{ReversiSearch, Views};
use firmware_core::minds::alphabeta::AlphaBeta;
use firmware_core::table::Table;
use firmware_core::{Game, Rng, Rules, Touch};
use protocol::{Layout, Point, Side};

/// Wide enough for all boards that are used here.
type Word = u128;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|text| text.parse().ok());
    match arguments.first().map(String::as_str) {
        Some("weights") => (0..6).for_each(|mode| print_weights(mode, number(1).unwrap_or(4_000))),
        _ => eprintln!("say `weights [GAMES]`"),
    }
}

/// A square board and its game.
struct PlayedGame {
    board: Table<Word>,
    rng: Rng,
    game: Reversi<Word>,
}

impl PlayedGame {
    fn new(side: u8, mode: u8, seed: u64) -> PlayedGame {
        let layout = Layout::grid(side, side).expect("a side of 1 to 16");
        let board = Table::new(layout, 5).expect("a side of at most 11");
        let mut rng = Rng::new(seed);
        let game = board.with(&mut rng, |context| Reversi::start(mode, context));
        let game = game.expect("a mode of 0 to 5 and a side of at least 2");
        PlayedGame { board, rng, game }
    }

    fn play(&mut self, point: Point) {
        let Self { board, rng, game } = self;
        let touch = board.with(rng, |context| game.touch(point, context));
        assert!(matches!(touch, Touch::Move(_)), "{point:?} is not a move");
    }

    fn random(&mut self) -> Point {
        let legal = self.game.legal(&self.board.ground);
        self.rng.pick(legal).expect("a side to move has a move")
    }
}

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
        let mut table = PlayedGame::new(8 + (seed % 2) as u8, mode, seed);
        let kernel = table.game.kernel(table.board.ground.grid());
        let terrain = Terrain::new(table.board.ground.grid());
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
                seen.push((
                    side,
                    features,
                    stones / table.board.ground.all().len() as f64,
                ));
            }
            table.play(point);
        }
        let [green, red] = table.game.score(&table.board.ground).map(f64::from);
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
