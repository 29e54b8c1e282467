//! A virtual monome grid is found, lit and read by a third-party library for programs
//! that use serialosc.

use std::io::{BufRead, BufReader};
use std::net::UdpSocket;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use law::wait_until;
use virtual_board::grid::{GridDevice, GridKind, RunningGrid};

fn grid(columns: u8, rows: u8) -> RunningGrid {
    let device = GridDevice::new(GridKind::Monome, columns, rows);
    RunningGrid::plug_in(device, None).expect("a pseudo-terminal")
}

/// The program, if `cargo xtask test` has installed it with its library.
fn client() -> Option<PathBuf> {
    let program = std::env::current_exe().expect("this program");
    let mut folders = program.ancestors().map(|folder| folder.join("grid-client"));
    let folder = folders.find(|folder| folder.join("node_modules/serialosc").is_dir())?;
    Some(folder.join("client.mjs"))
}

#[test]
fn the_serialosc_library_finds_lights_and_hears_the_grid() {
    let Some(client) = client() else {
        return law::excuse(
            "the_serialosc_library_finds_lights_and_hears_the_grid",
            "there is no serialosc for node: install nodejs and npm, then run `cargo xtask test`",
        );
    };
    let mut grid = grid(16, 8);
    let address = grid.listen_for_osc(0).expect("a port");
    let mut child = Command::new("node")
        .arg(client)
        .arg(address.port().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut said = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut next = || said.next().expect("it goes on").expect("a line");
    assert_eq!(next(), "grid m0000000 16 8");
    assert_eq!(next(), "lit");
    let expected = [
        "0000000001234567",
        "f000000fff000000",
        "0000000912345678",
        "00f0000a89abcdef",
        "00f0000b01234567",
        "0000000c89abcdef",
        "0000000d01234567",
        "0000000e89abcd5f",
    ];
    wait_until("it shows all of it", || grid.device().picture() == expected);

    for (name, is_down, line) in [
        (["3", "2"], true, "key 3 2 1"),
        (["15", "7"], true, "key 15 7 1"),
        (["3", "2"], false, "key 3 2 0"),
    ] {
        grid.key(&name, is_down).expect("a key");
        assert_eq!(next(), line);
    }
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_taken_port_and_a_launchpad_are_refused_with_advice() {
    let taken = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its address").port();
    let refused = grid(8, 8).listen_for_osc(port).unwrap_err().to_string();
    assert!(refused.contains("end serialosc"), "{refused}");
    let launchpad = GridDevice::new(GridKind::LaunchpadX, 8, 8);
    let mut launchpad = RunningGrid::plug_in(launchpad, None).expect("a pseudo-terminal");
    let refused = launchpad.listen_for_osc(0).unwrap_err().to_string();
    assert!(refused.contains("--as monome"), "{refused}");
}
