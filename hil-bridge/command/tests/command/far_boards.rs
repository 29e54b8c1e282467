//! The command at the far end of a line: what is not a board, or one of another version,
//! busy or late, is reported; any other board answers as the one in this process.

use std::io::Write;
use std::net::TcpListener;

use protocol::wire;
use touchboard_host::happening::Happening;
use touchboard_links::Where;
use touchboard_links::client::LineState;

use crate::common::{command, file, hil_bridge, refused, send_signal, switch_on_at};

/// A server that answers a connection with these bytes, and then stays silent.
fn answers_with(bytes: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(&bytes);
            open.push(stream);
        }
    });
    format!("tcp:{address}")
}

#[test]
fn garbage_on_the_line_is_not_taken_for_a_board() {
    let garbage = (0..5_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8);
    let at = answers_with(garbage.collect());
    refused(
        &["info", "--at", &at, "--timeout-ms", "400"],
        "did not answer within",
    );
}

#[test]
fn a_board_of_another_version_is_refused_with_both_versions() {
    // The first two fields of a hello are the same in all versions.
    let hello = wire::encoded(&(0_u32, 99_u16, 0x1234_u64, [7_u8; 9]));
    let at = answers_with(hello);
    refused(&["info", "--at", &at], "speaks protocol 99");
}

#[test]
fn a_busy_board_names_its_host() {
    let board = switch_on_at("127.0.0.1:0".parse().unwrap());
    let at = format!("tcp:{}", board.tcp.unwrap());
    let first = Where::new(at.parse().unwrap()).client().unwrap();
    for _ in 0..5 {
        refused(&["info", "--at", &at], "is busy: 127.0.0.1:");
        first.request(protocol::Command::Ping).unwrap();
    }
    assert_eq!(first.view().link, LineState::Connected);
    assert_eq!(first.view().counters.reconnects, 0);
    let lost = |happening| matches!(happening, Happening::Lost(_));
    assert!(!first.happenings().try_iter().any(lost));
    drop(first);
    let output = hil_bridge(&["info", "--at", &at]);
    assert_eq!(output.status.code(), Some(0));
}

/// The answer arrives while the program is suspended, by Ctrl-Z or because the lid was
/// closed.
#[cfg(unix)]
#[test]
fn a_program_suspended_past_its_timeout_finds_the_answer() {
    use std::io::Read;
    use std::net::TcpStream;
    use std::process::Stdio;
    use std::time::Duration;

    let board = switch_on_at("127.0.0.1:0".parse().unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("tcp:{}", listener.local_addr().unwrap());
    let child = command()
        .args(["info", "--at", &at, "--timeout-ms", "400"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut host, _) = listener.accept().unwrap();
    let mut far = TcpStream::connect(board.tcp.unwrap()).unwrap();
    far.set_read_timeout(Some(Duration::from_millis(50)))
        .unwrap();
    let mut buffer = [0; 4096];
    // After each send, the host is suspended for longer than its time limit; the answer
    // is there when it continues.
    for _ in 0..3 {
        let length = host.read(&mut buffer).unwrap();
        send_signal("STOP", &child);
        far.write_all(&buffer[..length]).unwrap();
        while let Ok(length @ 1..) = far.read(&mut buffer) {
            host.write_all(&buffer[..length]).unwrap();
        }
        std::thread::sleep(Duration::from_millis(600));
        send_signal("CONT", &child);
    }
    // From here on it is no longer suspended.
    let (mut to_host, mut from_board) = (host.try_clone().unwrap(), far.try_clone().unwrap());
    from_board.set_read_timeout(None).unwrap();
    std::thread::spawn(move || std::io::copy(&mut from_board, &mut to_host));
    std::thread::spawn(move || std::io::copy(&mut host, &mut far));
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn the_same_commands_at_both_boards_give_the_same_answers() {
    let script = file(
        "script",
        "set game=reversi\nstart\ntap e4\nwait 500\nshow\ndigest\n",
    );
    let core = hil_bridge(&["shell", "--json", &script]);
    let remote = hil_bridge(&["shell", "--json", &script, "--at", "virtual"]);
    assert_eq!(core.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&core.stdout),
        String::from_utf8_lossy(&remote.stdout)
    );
}

#[test]
fn in_the_boards_turn_no_point_is_legal_over_a_line_either() {
    let script = file(
        "own-turn",
        "set game=reversi level=1\nstart\ntap d7\nlegal\nexpect legal none\nwait 10000\nlegal\n",
    );
    let said = |at: &str| {
        let output = hil_bridge(&["shell", "--json", "--at", at, &script]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let core = said("core");
    assert!(
        core.contains("\"points\":[],\"boards_turn\":true"),
        "{core}"
    );
    assert_eq!(said("virtual"), core);
}

#[test]
fn a_pass_is_refused_over_a_line_as_in_process() {
    let script = file(
        "passes",
        "set game=speedgo level=0\nstart\npass\nset game=reversi\npass\nstart\npass\n",
    );
    let said = |at: &str| {
        let output = hil_bridge(&["shell", "--keep-going", "--at", at, &script]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(said("virtual"), said("core"));
    assert!(said("core").contains("line 7: the turn cannot be given away"));
}
