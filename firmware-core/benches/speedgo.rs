//! Random games of Go per second. Run with `cargo bench -p firmware-core --bench
//! speedgo`.
//!
//! Each sample plays [`GAMES`] games on one thread, each from an empty 9x9 board to two
//! passes. Moves are uniformly random, except that no side fills its own eyes.

use divan::Bencher;
use divan::counter::ItemsCount;
use firmware_core::games::speedgo::playout::{MOVES_PER_POINT, PlayoutBoard, SMALL, Style};
use firmware_core::games::speedgo::stones::Stones;
use firmware_core::{Grid, Ground, Points, Rng};
use protocol::{Layout, Side};

/// The number of games in one sample.
const GAMES: u32 = 1_000;

fn main() {
    divan::main();
}

fn games(bencher: Bencher, style: Style) {
    let ground = Ground::<u128>::new(Layout::MALDOO).expect("81 points are in 128 bits");
    let grid = ground.grid();
    let moves = 81 * MOVES_PER_POINT;
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut rng = Rng::new(1);
        let empty = PlayoutBoard::<SMALL>::new(grid, &Stones::default(), Side::Green, None);
        (0..GAMES)
            .map(|_| i32::from(empty.clone().finish(style, moves, &mut rng)))
            .sum::<i32>()
    });
}

/// The figure that is comparable to the light playouts of other programs.
#[divan::bench]
fn light_9x9(bencher: Bencher) {
    games(bencher, Style::Light);
}

/// As above, with answers to the last stone, as the player uses them.
#[divan::bench]
fn answering_9x9(bencher: Bencher) {
    games(bencher, Style::Answering);
}

/// The same games by the rules on sets of points, to show what the fast board gains.
#[divan::bench]
fn sets_9x9(bencher: Bencher) {
    let ground = Ground::<u128>::new(Layout::MALDOO).expect("81 points are in 128 bits");
    let grid = ground.grid();
    let games = GAMES / 100;
    bencher.counter(ItemsCount::new(games)).bench_local(|| {
        let mut rng = Rng::new(1);
        (0..games)
            .map(|_| by_sets(grid, &mut rng).all().len())
            .sum::<usize>()
    });
}

fn by_sets(grid: &Grid<u128>, rng: &mut Rng) -> Stones<u128> {
    let mut stones = Stones::default();
    let (mut turn, mut passes) = (Side::Green, 0);
    for _ in 0..81 * MOVES_PER_POINT {
        let own = stones.of(turn);
        let open = |p: &protocol::Point| {
            let near = grid.straight_neighbours(Points::one(*p));
            !near.without(own).is_empty()
        };
        let moves = stones.moves(grid, turn);
        let mut left = moves;
        let chosen = loop {
            match rng.pick(left) {
                Some(point) if !open(&point) => left.remove(point),
                other => break other,
            }
        };
        match chosen.and_then(|point| stones.place(grid, turn, point)) {
            Some((next, _)) => (stones, passes) = (next, 0),
            None => passes += 1,
        }
        if passes == 2 {
            break;
        }
        turn = turn.other();
    }
    stones
}
