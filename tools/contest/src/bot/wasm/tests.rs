//! Malicious bots, and a harmless one.

use std::time::Instant;

use firmware_core::games::ticdabtoe::Position;
use protocol::Outcome;

use super::*;
use crate::bot::{Body, Bot};
use crate::game::{Played, play};

/// A module with these items and this body of `play`; the other required parts are added.
fn module(items: &str, play: &str) -> Vec<u8> {
    let text = format!(
        "(module {items}
           (memory (export \"memory\") 1)
           (func (export \"state\") (result i32) (i32.const 64))
           (func (export \"play\") (result i32) {play}))"
    );
    binary(&text)
}

fn binary(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("it is WebAssembly text")
}

fn bot(bytes: &[u8]) -> Bot {
    Bot {
        name: "it".to_owned(),
        digest: String::new(),
        body: Body::Wasm(Arc::new(Module::read(bytes))),
    }
}

fn played(bytes: &[u8], limits: &Limits) -> Played {
    let random = Bot::built_in("random").expect("it is built in");
    play([&bot(bytes), &random], 1, limits, &mut |_, _, _| {})
}

/// The fault by which the bot loses 0-16, and the resources that it used.
fn fault_with(bytes: &[u8], limits: &Limits) -> (BotFault, Played) {
    let played = played(bytes, limits);
    assert_eq!(played.result(), (Outcome::Won(Side::Red), [0, 16]));
    let lost = played.lost.clone().expect("it is at fault");
    assert_eq!(lost.by, 'x');
    (lost.fault, played)
}

fn fault(bytes: &[u8]) -> BotFault {
    fault_with(bytes, &Limits::TEST).0
}

#[track_caller]
fn is_of(fault: &BotFault, kind: BotFaultKind, words: &str) {
    assert_eq!(fault.kind, kind, "{fault}");
    assert!(fault.reason.contains(words), "{fault}");
}

/// Marks the first empty cell in an open block, in the text format.
const FIRST_LEGAL: &str = r"
    (local $cell i32)
    (loop $next
      (if (i32.eqz (i32.and
            (i32.eqz (i32.load8_u offset=64 (local.get $cell)))
            (i32.load8_u offset=336
              (i32.add
                (i32.mul (i32.div_u (local.get $cell) (i32.const 64)) (i32.const 4))
                (i32.div_u (i32.rem_u (local.get $cell) (i32.const 16)) (i32.const 4))))))
        (then
          (local.set $cell (i32.add (local.get $cell) (i32.const 1)))
          (br_if $next (i32.lt_u (local.get $cell) (i32.const 256))))))
    (local.get $cell)";

#[test]
fn a_module_that_reads_the_state_plays_to_the_end() {
    let played = played(&module("", FIRST_LEGAL), &Limits::TEST);
    assert_eq!(played.lost, None);
    let usage = played.usage[0];
    assert!(
        usage.fuel > 100 && usage.memory_bytes == 65_536,
        "{usage:?}"
    );
}

#[test]
fn an_endless_module_is_stopped_by_fuel_or_time() {
    let endless = module("", "(loop $on (br $on)) (i32.const 0)");
    is_of(
        &fault(&endless),
        BotFaultKind::Fuel,
        "50000000 units of fuel",
    );
    let limits = Limits {
        move_ms: 100,
        fuel: 1 << 50,
        ..Limits::TEST
    };
    let began = Instant::now();
    let (late, _) = fault_with(&endless, &limits);
    is_of(&late, BotFaultKind::Time, "within 100 ms");
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn a_slow_call_of_the_contest_costs_fuel_too() {
    let chatters = module(
        r#"(import "game" "log" (func $log (param i32 i32)))"#,
        "(loop $on (call $log (i32.const 0) (i32.const 200)) (br $on)) (i32.const 0)",
    );
    let (fault, played) = fault_with(&chatters, &Limits::TEST);
    is_of(&fault, BotFaultKind::Fuel, "fuel");
    assert_eq!(played.words[0].len(), crate::bot::tail::LINES);
}

#[test]
fn an_endless_start_function_is_stopped() {
    let text = r#"(module (memory (export "memory") 1)
        (func $start (loop $on (br $on))) (start $start)
        (func (export "state") (result i32) (i32.const 0))
        (func (export "play") (result i32) (i32.const 0)))"#;
    is_of(&fault(&binary(text)), BotFaultKind::Fuel, "start function");
}

#[test]
fn a_module_that_grows_without_end_is_stopped() {
    let grows = "(loop $on (drop (memory.grow (i32.const 1))) (br $on)) (i32.const 0)";
    is_of(
        &fault(&module("", grows)),
        BotFaultKind::Memory,
        "more than the 4 MiB",
    );
    let text = r#"(module (memory (export "memory") 1000)
        (func (export "state") (result i32) (i32.const 0))
        (func (export "play") (result i32) (i32.const 0)))"#;
    is_of(
        &fault(&binary(text)),
        BotFaultKind::Memory,
        "begins with 62 MiB",
    );
}

#[test]
fn endless_recursion_traps() {
    let items = "(func $deep (result i32) (i32.add (call $deep) (i32.const 1)))";
    is_of(
        &fault(&module(items, "(call $deep)")),
        BotFaultKind::Trap,
        "broke down",
    );
}

#[test]
fn foreign_imports_are_refused() {
    let import = |from: &str, name: &str| {
        let items = format!("(import \"{from}\" \"{name}\" (func (param i32) (result i32)))");
        fault(&module(&items, "(i32.const 0)"))
    };
    let wasi = import("wasi_snapshot_preview1", "fd_close");
    is_of(
        &wasi,
        BotFaultKind::Import,
        "imports wasi_snapshot_preview1.fd_close: a system call",
    );
    is_of(
        &import("wasi", "thread-spawn"),
        BotFaultKind::Threads,
        "no bot may have threads",
    );
    is_of(
        &import("env", "fetch"),
        BotFaultKind::Import,
        "a bot may import game.log",
    );
    is_of(
        &import("game", "cheat"),
        BotFaultKind::Import,
        "imports game.cheat",
    );
    let wrong_type = import("game", "log");
    is_of(
        &wrong_type,
        BotFaultKind::Import,
        "it imports game.log as (i32) -> i32; its type is (i32, i32) -> ()",
    );
    let global = module(
        "(import \"game\" \"fuel_left\" (global i64))",
        "(i32.const 0)",
    );
    is_of(
        &fault(&global),
        BotFaultKind::Import,
        "it imports game.fuel_left as a global; its type is () -> i64",
    );
    let many = format!(
        "(import \"game\" \"log\" (func (param{})))",
        " i32".repeat(900)
    );
    is_of(
        &fault(&module(&many, "(i32.const 0)")),
        BotFaultKind::Import,
        "i32, ...) -> ()",
    );
    is_of(
        &import(r"a\1b[2J", r"b\0ac"),
        BotFaultKind::Import,
        "it imports a\\u{1b}[2J.b\\nc, which",
    );
}

#[test]
fn own_and_imported_shared_memory_are_refused() {
    let own = r#"(module (memory (export "memory") 1 1 shared)
        (func (export "state") (result i32) (i32.const 0))
        (func (export "play") (result i32) (i32.const 0)))"#;
    let imported = r#"(module (import "env" "memory" (memory 1 1 shared)))"#;
    for text in [own, imported] {
        is_of(&fault(&binary(text)), BotFaultKind::Threads, "no bot may");
    }
}

#[test]
fn a_module_that_traps_has_lost() {
    is_of(
        &fault(&module("", "unreachable")),
        BotFaultKind::Trap,
        "unreachable",
    );
    let zero = "(i32.div_u (i32.const 1) (i32.const 0))";
    is_of(&fault(&module("", zero)), BotFaultKind::Trap, "zero");
    let outside = "(i32.load (i32.const 70000))";
    is_of(&fault(&module("", outside)), BotFaultKind::Trap, "memory");
}

#[test]
fn an_answer_without_a_legal_cell_is_an_invalid_move() {
    for (answer, words) in [
        ("1000", "it answered 1000, and cells are 0 to 255"),
        ("256", "it answered 256"),
        ("-1", "it answered -1"),
    ] {
        let answers = format!("(i32.const {answer})");
        is_of(&fault(&module("", &answers)), BotFaultKind::Move, words);
    }
    // The bot always answers cell 0. Once that is taken, its next answer is illegal.
    let first = module("", "(i32.const 0)");
    let fault = fault(&first);
    is_of(&fault, BotFaultKind::Move, "row 0, column 0");
}

#[test]
fn marked_cells_and_closed_blocks_are_different_faults() {
    let position = Position::start().play(Point(0)).expect("it is free");
    let taken = cell_at(&position, 0, 0).unwrap_err();
    is_of(&taken, BotFaultKind::Move, "has a mark already");
    let closed = cell_at(&position, 0, 4).unwrap_err();
    is_of(&closed, BotFaultKind::Move, "block is not open");
    assert_eq!(cell_at(&position, 0, 1), Ok(Point(1)));
    for (row, column) in [(16, 0), (0, 16), (-1, 3), (i64::MAX, i64::MIN)] {
        is_of(
            &cell_at(&position, row, column).unwrap_err(),
            BotFaultKind::Move,
            "not on the board",
        );
    }
}

#[test]
fn a_missing_or_wrong_export_is_named() {
    let without = binary(r#"(module (memory (export "memory") 1))"#);
    is_of(
        &fault(&without),
        BotFaultKind::Interface,
        "function \"state\"",
    );
    let no_memory = binary(
        r#"(module (func (export "state") (result i32) (i32.const 0))
           (func (export "play") (result i32) (i32.const 0)))"#,
    );
    is_of(&fault(&no_memory), BotFaultKind::Interface, "memory");
    let other_type = binary(
        r#"(module (memory (export "memory") 1)
           (func (export "state") (result i32) (i32.const 0))
           (func (export "play") (param i32) (result i32) (i32.const 0)))"#,
    );
    is_of(
        &fault(&other_type),
        BotFaultKind::Interface,
        "function \"play\"",
    );
    for place in ["65233", "65536", "-1", "-304"] {
        let text = format!(
            r#"(module (memory (export "memory") 1)
               (func (export "state") (result i32) (i32.const {place}))
               (func (export "play") (result i32) (i32.const 0)))"#
        );
        is_of(&fault(&binary(&text)), BotFaultKind::Interface, "304 bytes");
    }
}

#[test]
fn a_file_without_a_module_is_refused() {
    for bytes in [&b""[..], b"\0asm", b"#!/usr/bin/env python3", &[0; 4_096]] {
        is_of(
            &fault(bytes),
            BotFaultKind::Start,
            "not a WebAssembly module",
        );
    }
    is_of(
        &fault(b"#!/bin/sh"),
        BotFaultKind::Start,
        "does not begin with",
    );
    // The text format of WebAssembly is refused, so that an author does not submit it by
    // mistake.
    is_of(
        &fault(b"(module)"),
        BotFaultKind::Start,
        "not a WebAssembly module",
    );
    is_of(&fault(b"\n(module)"), BotFaultKind::Start, "wat2wasm");
    // The interpreter's message about an unknown version has many lines.
    let told = fault(b"\0asm\x07\0\0\0").to_string();
    assert!(!told.contains('\n'), "{told}");
    is_of(
        &fault(&vec![0; MOST_MODULE_BYTES + 1]),
        BotFaultKind::Start,
        "at most",
    );
}

#[test]
fn a_module_cut_at_any_byte_is_a_fault() {
    // Without the names, which are at the end and may be missing.
    let whole = module("", "(i32.const 0)");
    for length in 0..whole.len() {
        assert!(Module::read(&whole[..length]).is_err(), "{length}");
    }
    assert!(Module::read(&whole).is_ok());
}

#[test]
fn logging_outside_the_memory_traps() {
    let log = |pointer: i64, length: i64| {
        let items = "(import \"game\" \"log\" (func $log (param i32 i32)))
             (data (i32.const 1000) \"hello\")";
        // In the text, data must follow the memory to which it belongs.
        let play =
            format!("(call $log (i32.const {pointer}) (i32.const {length})) (i32.const 300)");
        fault_with(&module(items, &play), &Limits::TEST)
    };
    let (fault, played) = log(1_000, 5);
    is_of(&fault, BotFaultKind::Move, "300");
    assert_eq!(played.words[0], ["hello"]);
    for (pointer, length) in [(65_536, 1), (0, -1), (-1, 1), (-1, -1)] {
        let (fault, _) = log(pointer, length);
        is_of(&fault, BotFaultKind::Trap, "outside its memory");
    }
}

#[test]
fn a_module_can_read_its_fuel_and_time_left() {
    let items = r#"(import "game" "fuel_left" (func $fuel (result i64)))
        (import "game" "time_left_ms" (func $time (result i32)))"#;
    // 1 if both values are as expected, and some fuel has been used.
    let play = "(i32.and
        (i64.gt_u (call $fuel) (i64.const 49000000))
        (i32.and (i64.lt_u (call $fuel) (i64.const 50000000))
          (i32.and (i32.gt_s (call $time) (i32.const 1000))
            (i32.le_s (call $time) (i32.const 10000)))))";
    let mut seen = Vec::new();
    let random = Bot::built_in("random").expect("it is built in");
    play_one(&bot(&module(items, play)), &random, &mut seen);
    assert_eq!(seen.first(), Some(&Point(1)));
}

fn play_one(x: &Bot, o: &Bot, seen: &mut Vec<Point>) {
    play([x, o], 1, &Limits::TEST, &mut |_, point, _| {
        seen.push(point)
    });
}

#[test]
fn the_state_has_the_layout_of_the_page() {
    let mut position = Position::start();
    for point in [Point(7 * 16 + 3), Point(15 * 16 + 14)] {
        position = position.play(point).expect("it is legal");
    }
    let turn = TurnRequest {
        position: &position,
        moves: 2,
        time: std::time::Duration::from_secs(1),
    };
    let mut state = [0xAA; STATE_BYTES];
    describe(&mut state, &turn, Side::Green, 0x0102_0304_0506_0708);
    assert_eq!((state[115], state[254]), (1, 2));
    assert_eq!(state[..256].iter().filter(|cell| **cell != 0).count(), 2);
    assert_eq!(state[256..272], [0; 16]);
    // Row 15 and column 14 of the board are row 3 and column 2 of their block.
    let open: Vec<usize> = (0..16).filter(|block| state[272 + block] == 1).collect();
    assert_eq!(open, [14]);
    assert_eq!(state[288..294], [15, 14, 1, VERSION, 2, 0]);
    assert_eq!(state[296..304], [8, 7, 6, 5, 4, 3, 2, 1]);
    describe(&mut state, &turn, Side::Red, 0);
    assert_eq!((state[115], state[254], state[290]), (2, 1, 2));
}
