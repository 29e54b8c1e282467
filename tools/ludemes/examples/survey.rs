use firmware_core::cartridge::candidates::*;
use firmware_core::cartridge::{Action, Machine, Scratch, verify};
use firmware_core::rng::Rng;

#[derive(Default)]
struct All(Vec<Number>);
impl Seek<u64> for All {
    fn wants(&self, _: [i16; 2]) -> bool {
        true
    }
    fn found(&mut self, n: Number, _: [i16; 2], _: Option<Action>) {
        self.0.push(n)
    }
}
fn main() {
    let only = std::env::args().nth(1);
    let mut names: Vec<_> = std::fs::read_dir("tools/ludemes/games")
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    names.sort();
    for path in names {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if only.as_ref().is_some_and(|o| *o != name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(compiled) = ludemes::replay::pool::compiled(&text, &[]) else {
            continue;
        };
        let mut scratch = Scratch::new();
        let game = verify(&compiled.bytes, &mut scratch).unwrap();
        let mut m: Machine<'_, u64> = Machine::new(&game).unwrap();
        m.limit();
        let (mut gen_, mut seek, mut play) = (vec![], vec![], vec![]);
        for seed in 0..4 {
            m.start();
            let mut rng = Rng::new(seed);
            for _ in 0..100 {
                if m.state.over {
                    break;
                }
                let mut all = All::default();
                m.seek(Stretch::UNASKED, &mut all);
                gen_.push(m.steps_taken());
                let mut all = All::default();
                m.seek(
                    Stretch {
                        asks: true,
                        ..Stretch::UNASKED
                    },
                    &mut all,
                );
                seek.push(m.steps_taken());
                if all.0.is_empty() {
                    m.play_number(FORCED);
                    continue;
                }
                let n = all.0[rng.below(all.0.len() as u32) as usize];
                m.with_number(n, false, &mut |_, _| {});
                m.play_number(n);
                play.push(m.steps_taken());
            }
        }
        for v in [&mut gen_, &mut seek, &mut play] {
            v.sort()
        }
        let show = |v: &Vec<u32>| {
            if v.is_empty() {
                "-".into()
            } else {
                format!(
                    "mean {} 90% {} max {}",
                    v.iter().sum::<u32>() / v.len() as u32,
                    v[v.len() * 9 / 10],
                    v[v.len() - 1]
                )
            }
        };
        println!(
            "{name}: gen {} | seek {} | play {}",
            show(&gen_),
            show(&seek),
            show(&play)
        );
    }
}
