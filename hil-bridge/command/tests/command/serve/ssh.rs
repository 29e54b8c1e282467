//! Sharing over SSH, with a stand-in for `ssh`, and with a real server on this machine.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

use super::{Secrets, folder_of_command, succeeded};
use crate::common::{command, file};

/// A program that is called as `ssh` is, and runs the command in a shell of this machine
/// after these lines.
fn stand_in(secrets: &Secrets, first: &str) -> String {
    let script = format!(
        "#!/bin/sh\n[ \"$1 $2 $3\" = \"-T -- lab\" ] || {{ echo \"called with $*\" >&2; exit 1; }}\n{first}\nPATH='{}':$PATH exec sh -c \"$4\"\n",
        folder_of_command().display()
    );
    let path = secrets.write("stand in", &script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
    format!("'{path}'")
}

fn over(ssh: &str, arguments: &[&str]) -> Output {
    let mut asked = command();
    asked.args(arguments).env("TOUCHBOARD_SSH", ssh);
    asked.output().unwrap()
}

fn is_refused(output: &Output, words: &str) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(words), "{told}");
}

#[test]
fn a_board_of_another_machine_is_driven_over_ssh() {
    let secrets = Secrets::new();
    // What a login shell says is no part of the line.
    let ssh = stand_in(
        &secrets,
        "echo 'Welcome to the lab.'; printf '\\033[1mBold\\n'",
    );
    let script = file("script", "start\ntap d7\nexpect turn red\n");
    for what in [
        &["check", "--steps", "60"][..],
        &["shell", &script],
        &["info", "--baud", "9600"],
    ] {
        succeeded(&over(&ssh, &[what, &["--at", "ssh:lab:virtual"]].concat()));
    }
}

#[test]
fn the_other_machine_says_why_there_is_no_board() {
    let secrets = Secrets::new();
    let ssh = stand_in(&secrets, "");
    let at = "ssh:lab:/dev/no such 'port'";
    is_refused(
        &over(&ssh, &["info", "--at", at]),
        "the serial port /dev/no such 'port' does not open",
    );
    let ssh = stand_in(&secrets, "echo 'ssh: no host is called lab' >&2; exit 255");
    is_refused(
        &over(&ssh, &["info", "--at", "ssh:lab:virtual"]),
        "there is no line to ssh:lab:virtual: ssh: no host is called lab",
    );
    is_refused(
        &over("no-such-program", &["info", "--at", "ssh:lab:virtual"]),
        "no-such-program does not start",
    );
    is_refused(
        &over("", &["info", "--at", "ssh:lab:virtual"]),
        "TOUCHBOARD_SSH is no command",
    );
}

/// The server's program, which has to be called by its whole path.
const SSHD: &str = "/usr/sbin/sshd";

/// A real server at a port of this machine, with keys that are made for the test.
#[test]
fn a_board_is_driven_over_a_real_ssh_server() {
    let has = |program: &str| Command::new(program).arg("-V").output().is_ok();
    if !has("ssh") || !std::path::Path::new(SSHD).exists() {
        let why = "there is no ssh or no sshd: `cargo xtask setup` tries to install them";
        return law::excuse("a board over a real ssh server", why);
    }
    let secrets = Secrets::new();
    for key in ["host", "own"] {
        let mut made = Command::new("ssh-keygen");
        made.args(["-q", "-t", "ed25519", "-N", "", "-f"])
            .arg(secrets.path(key));
        assert!(made.status().unwrap().success());
    }
    let public = std::fs::read_to_string(secrets.path("own.pub")).unwrap();
    secrets.write("known", &public);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let path = |name: &str| secrets.path(name).display().to_string();
    let command = format!(
        "PATH={}:$PATH exec sh -c \"$SSH_ORIGINAL_COMMAND\"",
        folder_of_command().display()
    );
    let configuration = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nForceCommand {command}\n",
        path("host"),
        path("known")
    );
    let configuration = secrets.write("configuration", &configuration);
    // It wants this folder for its processes without rights.
    let _ = std::fs::create_dir_all("/run/sshd");
    let mut server = Command::new(SSHD)
        .args(["-D", "-e", "-f", &configuration])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A connection to try the port would occupy it, if it came too early.
    let told = BufReader::new(server.stderr.take().unwrap()).lines();
    let mut told = told.map_while(Result::ok);
    let mut first = told.next().unwrap_or_default();
    while !first.contains("listening") {
        first = told
            .next()
            .unwrap_or_else(|| panic!("sshd has ended: {first}"));
    }
    let ssh = format!(
        "ssh -F none -p {port} -i {} -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR",
        path("own")
    );
    let at = "ssh:127.0.0.1:virtual";
    let output = over(&ssh, &["check", "--steps", "60", "--at", at]);
    server.kill().unwrap();
    server.wait().unwrap();
    succeeded(&output);
}
