//! Chess: the number of positions after some moves is the well-known one (perft).
//!
//! Promotion is a separate touch here, so the positions are ones in which no pawn gets
//! that far.

use firmware_core::cartridge::{Action, Cartridge, Machine, Scratch, verify};
use ludemes::replay::compiled;

/// The game, set up from a position in Forsyth-Edwards notation: the pieces and the
/// castling rights.
fn begun_from(board: &str, castling: &str) -> Vec<u8> {
    let mut places = String::new();
    for (row, line) in (1..=8).rev().zip(board.split('/')) {
        let mut column = b'A';
        for letter in line.chars() {
            if let Some(empty) = letter.to_digit(10) {
                column += empty as u8;
                continue;
            }
            let player = if letter.is_uppercase() { 1 } else { 2 };
            let name = match letter.to_ascii_lowercase() {
                'p' => "Pawn",
                'r' => "Rook",
                'n' => "Knight",
                'b' => "Bishop",
                'q' => "Queen",
                _ => "King",
            };
            let at = format!("{}{row}", char::from(column));
            let may = |right| castling.contains(right);
            let unmoved = match at.as_str() {
                "E1" => name == "King" && (may('K') || may('Q')),
                "E8" => name == "King" && (may('k') || may('q')),
                "A1" => may('Q'),
                "H1" => may('K'),
                "A8" => may('q'),
                "H8" => may('k'),
                _ => false,
            };
            let state = if unmoved { " state:1" } else { "" };
            places += &format!("(place \"{name}{player}\" coord:\"{at}\"{state})\n");
            column += 1;
        }
    }
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/games/chess.lud");
    let text = std::fs::read_to_string(game).unwrap();
    let start = text.find("(start {").unwrap();
    let end = start + text[start..].find("(play").unwrap();
    // Pawns may start anywhere here, so the double step is allowed from their home rows
    // rather than from where they start.
    let home = "(sites Start (piece (what at:(from))))";
    assert!(text.contains(home));
    let text = format!("{}(start {{\n{places}}})\n{}", &text[..start], &text[end..]);
    let text = text.replace(home, "(union (sites Row 1) (sites Row 6))");
    compiled(&text, &[]).unwrap().bytes
}

/// The number of move sequences of this length.
fn count(machine: &mut Machine<'_, u64>, deep: u32) -> u64 {
    let mut moves: Vec<([i16; 2], Vec<Action>)> = Vec::new();
    let _ = machine.legal(&mut |machine, draft| {
        let actions = machine.actions(draft).to_vec();
        moves.push(([draft.from, draft.to], actions));
        std::ops::ControlFlow::Continue(())
    });
    if deep == 1 {
        return moves.len() as u64;
    }
    let before = machine.left();
    let mut all = 0;
    for (sites, actions) in moves {
        machine.resume(&before, &[]);
        machine.play(sites, &actions);
        all += count(machine, deep - 1);
    }
    all
}

fn counts(board: &str, castling: &str, deep: u32) -> Vec<u64> {
    let bytes = begun_from(board, castling);
    let cartridge: Cartridge<'_> = verify(&bytes, &mut Scratch::new()).unwrap();
    let mut machine = Machine::<u64>::new(&cartridge).unwrap();
    (1..=deep)
        .map(|deep| {
            machine.start();
            count(&mut machine, deep)
        })
        .collect()
}

#[test]
fn chess_perft_from_the_start_is_correct() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(counts(board, "KQkq", 3), [20, 400, 8_902]);
}

/// A position with all kinds of castling, pinned pieces, and captures en passant.
#[test]
fn chess_perft_with_castling_and_pins_is_correct() {
    let board = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
    assert_eq!(counts(board, "KQkq", 3), [48, 2_039, 97_862]);
}

/// An endgame in which a capture en passant would expose the king.
#[test]
fn chess_perft_with_en_passant_is_correct() {
    let board = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8";
    assert_eq!(counts(board, "", 4), [14, 191, 2_812, 43_238]);
}

/// A player who has no legal move and is not in check draws, and the game ends at once.
#[test]
fn stalemate_is_a_draw_at_once() {
    let bytes = begun_from("7k/8/5KQ1/8/8/8/8/8", "");
    let cartridge: Cartridge<'_> = verify(&bytes, &mut Scratch::new()).unwrap();
    let mut machine = Machine::<u64>::new(&cartridge).unwrap();
    machine.start();
    let [queen, there] = [8 * 5 + 6, 8 * 6 + 5];
    let mut found = None;
    let _ = machine.legal(&mut |machine, draft| {
        if [draft.from, draft.to] == [queen, there] {
            found = Some(machine.actions(draft).to_vec());
        }
        std::ops::ControlFlow::Continue(())
    });
    machine.play([queen, there], &found.unwrap());
    assert!(machine.state.over);
    assert_eq!(machine.state.winner, 0);
}
