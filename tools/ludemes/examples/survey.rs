use firmware_core::cartridge::{Machine, Scratch, verify};
use firmware_core::rng::Rng;
use firmware_core::word::Wide;
fn main() {
    let mut names: Vec<_> = std::fs::read_dir("tools/ludemes/games")
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    names.sort();
    for path in names {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(compiled) = ludemes::replay::pool::compiled(&text, &[]) else {
            continue;
        };
        let mut scratch = Scratch::new();
        let bytes = &compiled.bytes;
        let game = verify(bytes, &mut scratch).unwrap();
        let mut m: Machine<'_, Wide> = Machine::new(&game).unwrap();
        m.limit();
        m.start();
        let mut rng = Rng::new(3);
        println!("== {}", path.file_stem().unwrap().to_string_lossy());
        for i in 0..60 {
            if m.state.over {
                break;
            }
            if i % 9 == 0 {
                let (s, one, two) = m.survey();
                println!(
                    "  move {i}: batches {} ({} moves, asks {}) drafts {}; fuel batches {one} walk {two}",
                    s.batches, s.singles, s.asks, s.drafts
                );
            }
            let _ = m.play_random(&mut rng);
            if i % 9 == 0 {
                println!("       random {}", m.steps_taken());
            }
        }
    }
}
