use firmware_core::AnyBoard;
use firmware_core::rng::Rng;
use protocol::{Button, Input};
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let level: u8 = std::env::args().nth(2).map_or(0, |l| l.parse().unwrap());
    let text = std::fs::read_to_string(format!("tools/ludemes/games/{name}.lud")).unwrap();
    let layout = ludemes::replay::pool::compiled(&text, &[])
        .unwrap()
        .layout()
        .unwrap();
    let mut rng = Rng::new(5);
    let mut taps = 0;
    for seed in 0..10 {
        let mut board = AnyBoard::new(layout, seed).unwrap();
        for _ in 0..level {
            board.input(Input::Press(Button::Level), &mut |_, _| {});
            board.input(Input::Lift(Button::Level), &mut |_, _| {});
        }
        board.input(Input::Press(Button::Start), &mut |_, _| {});
        board.input(Input::Lift(Button::Start), &mut |_, _| {});
        for _ in 0..30 {
            let mut legal = Vec::new();
            board.legal(|point| legal.push(point));
            if board.outcome().is_some() {
                break;
            }
            if legal.is_empty() || board.turn() != Some(protocol::Side::Green) && level > 0 {
                board.advance(30, &mut |_, _| {});
                continue;
            }
            let p = legal[rng.below(legal.len() as u32) as usize];
            board.input(Input::Touch(p), &mut |_, _| {});
            board.input(Input::Release(p), &mut |_, _| {});
            taps += 1;
        }
    }
    println!("{taps} taps");
}
