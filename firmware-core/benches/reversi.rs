//! The speed of Reversi on 8x8, in games per second. For the speed of move generation,
//! see `arena perft`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use firmware_core::games::reversi::Reversi;
use firmware_core::table::Table;
use firmware_core::{Ground, Rng, Rules};
use protocol::Layout;

fn main() {
    divan::main();
}

/// The start position of a mode on 8x8.
fn start(mode: u8) -> (Ground<u64>, Reversi<u64>) {
    let table = Table::new(Layout::grid(8, 8).unwrap(), 5).unwrap();
    let game = table.with(&mut Rng::new(1), |context| Reversi::start(mode, context));
    (table.ground, game.unwrap())
}

#[divan::bench(args = [0, 1, 2, 3, 4, 5], sample_count = 20, sample_size = 10_000)]
fn playouts(bencher: Bencher, mode: u8) {
    let (ground, game) = start(mode);
    let mut rng = Rng::new(7);
    bencher
        .counter(ItemsCount::new(1u64))
        .bench_local(|| black_box(&game).playout(black_box(ground.grid()), &mut rng));
}
