//! Trouble around a server: damaged files, people who keep connections open, mail servers
//! that do not respond.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

use post::transcript::verify;

use crate::common::{
    ADDRESS, Folder, PATIENCE, Running, board_of, client, files, mail, next_move, program, run,
    text, wait_for,
};

/// A store with Alice and Bob, a board with some moves, and enough further users and
/// boards for many pages.
fn with_board(store: &Path, games: usize) {
    let mut lines = String::new();
    for user in ["alice", "bob"] {
        lines += &format!("user register {user} {user}-secret {user}@play.test\n");
    }
    for user in 0..games {
        lines += &format!("user register user{user} user-secret\n");
    }
    for board in 1..=games {
        lines += "malaka challenge alice bob\n";
        for user in ["alice", "bob"] {
            lines += &format!("malaka accept {board} {user} {user}-secret nonce=n{board}\n");
        }
    }
    let output = run(program(store).arg("run"), lines.as_bytes());
    assert!(output.status.success(), "{}", text(&output.stdout));
}

fn terminate(running: &Running) {
    let id = running.child.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(killed.success());
}

#[test]
fn a_copy_is_never_the_store_itself() {
    let folder = Folder::new("itself");
    let store = folder.path("post.redb");
    with_board(&store, 1);
    let (link, hard) = (folder.path("link"), folder.path("hard"));
    std::os::unix::fs::symlink(&store, &link).unwrap();
    fs::hard_link(&store, &hard).unwrap();
    fs::create_dir(folder.path("x")).unwrap();
    for copy in [
        store.clone(),
        link,
        hard,
        "post.redb".into(),
        "./x/../post.redb".into(),
        folder.path("x/../post.redb"),
    ] {
        for task in [
            &["backup"][..],
            &["serve", "--tcp", "127.0.0.1:0", "--backup"],
        ] {
            let mut command = program(&store);
            command.current_dir(folder.whole()).args(task).arg(&copy);
            let output = run(&mut command, b"");
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{}: {said}", copy.display());
            assert!(said.contains("the store itself"), "{said}");
        }
    }
    // The same by a link to the store.
    let mut command = program(&folder.path("link"));
    let output = run(command.arg("backup").arg(&store), b"");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let output = run(
        program(&store).args(["command", "malaka", "show", "1"]),
        b"",
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn remains_of_a_killed_copy_are_removed_and_reported() {
    let folder = Folder::new("parts");
    let store = folder.path("post.redb");
    with_board(&store, 1);
    let copy = folder.path("copy");
    let left = [
        folder.path("copy.17.part"),
        folder.path("copy.4000000.part"),
    ];
    let others = [folder.path("copy.x.part"), folder.path("other.17.part")];
    for path in left.iter().chain(&others) {
        fs::write(path, "cut off").unwrap();
    }
    let output = run(program(&store).arg("backup").arg(&copy), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("copy.17.part"),
        "{}",
        text(&output.stderr)
    );
    assert!(left.iter().all(|path| !path.exists()));
    assert!(others.iter().all(|path| path.exists()) && copy.exists());
}

#[test]
fn a_silent_mail_server_delays_neither_players_nor_exit() {
    let folder = Folder::new("silent");
    let store = folder.path("post.redb");
    with_board(&store, 1);
    let maildir = folder.path("mail");
    for part in ["tmp", "new", "cur"] {
        fs::create_dir_all(maildir.join(part)).unwrap();
    }
    // A mail server that accepts connections but never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let way = format!("smtp:{}", silent.local_addr().unwrap());
    let mut arguments = vec!["--tcp", "127.0.0.1:0", "--send", &way, "--maildir"];
    arguments.push(maildir.to_str().unwrap());
    arguments.extend(ADDRESS);
    let mut running = Running::serve(&store, &arguments);
    let tcp = running.port("tcp");
    // A mail to Bob is pending, and delivery is attempted.
    let mut asking = client(tcp);
    let told = asking.carry_out("malaka challenge alice bob").unwrap();
    assert!(told.is_done, "{}", told.text);
    let (_held, _) = silent.accept().unwrap();
    // Meanwhile the server accepts mails and commands.
    let challenge = mail("alice@play.test", "1@x", "malaka show 1");
    fs::write(maildir.join("new/1.a.b"), challenge).unwrap();
    wait_for("the mail to be taken", || {
        (files(&maildir.join("new")).is_empty() && !files(&maildir.join("cur")).is_empty())
            .then_some(())
    });
    assert!(asking.carry_out("malaka show 2").unwrap().is_done);
    // Delivery is still being attempted: the connection was not closed.
    terminate(&running);
    let code = wait_for("the process to end", || running.child.try_wait().unwrap());
    assert_eq!(code.code(), Some(0));
    silent.set_nonblocking(true).unwrap();
    assert!(
        silent.accept().is_err(),
        "the first mail was still being tried"
    );
}

#[test]
fn odd_names_in_a_maildir_lose_no_mail() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("names");
    let store = folder.path("post.redb");
    with_board(&store, 1);
    let maildir = folder.path("mail");
    for part in ["tmp", "new", "cur"] {
        fs::create_dir_all(maildir.join(part)).unwrap();
    }
    let new = maildir.join("new");
    let mut names: Vec<Vec<u8>> = vec![
        vec![b'1'; 253],
        vec![b'2'; 255],
        b"a:1".to_vec(),
        b"a:2".to_vec(),
        b"a".to_vec(),
        b":2,S".to_vec(),
        b"x\xff\xfe".to_vec(),
        b"x\xff\xfd".to_vec(),
        "\u{e9}".repeat(127).into_bytes(),
        b"new\nline".to_vec(),
    ];
    names.sort();
    for (number, name) in names.iter().enumerate() {
        let text = mail("alice@play.test", &format!("{number}@x"), "malaka show 1");
        fs::write(new.join(std::ffi::OsStr::from_bytes(name)), text).unwrap();
    }
    fs::create_dir(new.join("folder")).unwrap();
    std::os::unix::fs::symlink("/nowhere", new.join("link")).unwrap();
    // A file that nobody but root may read.
    let locked = new.join("locked");
    fs::write(
        &locked,
        mail("alice@play.test", "locked@x", "malaka show 1"),
    )
    .unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o0)).unwrap();
    let mut command = program(&store);
    command.args(ADDRESS).arg("maildir").arg(&maildir);
    let output = run(&mut command, b"");
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    let is_read = said.contains(&format!("done {}", names.len() + 1));
    let is_told = said.contains("passed over 1") && said.contains("locked");
    assert!(is_read || is_told, "{said}");
    let in_new = fs::read_dir(&new).unwrap().flatten();
    let left = in_new
        .filter(|entry| entry.file_type().unwrap().is_file())
        .count();
    assert_eq!(left, usize::from(!is_read), "{said}");
    let taken = files(&maildir.join("cur"));
    assert_eq!(taken.len() + left, names.len() + 1);
    for (path, _) in taken {
        assert!(
            path.to_string_lossy().ends_with(":2,S"),
            "{}",
            path.display()
        );
    }
}

/// Connects, and sends the beginning of a command.
fn slow(port: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(port).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(b"N").unwrap();
    stream
}

#[test]
fn silent_connections_shut_no_player_out() {
    let folder = Folder::new("slow");
    let store = folder.path("post.redb");
    with_board(&store, 1);
    let mut arguments = vec!["--tcp", "127.0.0.1:0", "--lmtp", "127.0.0.1:0"];
    arguments.extend(["--smtp", "127.0.0.1:0"]);
    arguments.extend(ADDRESS);
    let mut running = Running::serve(&store, &arguments);
    for (name, words) in [("tcp", "no 1\n"), ("lmtp", "421 "), ("smtp", "421 ")] {
        let port = running.port(name);
        let mut first = slow(port);
        let others: Vec<TcpStream> = (0..80).map(|_| slow(port)).collect();
        // Further connections keep arriving from the same address.
        for _ in 0..12 {
            if name == "tcp" {
                let reply = client(port)
                    .carry_out("user password alice alice-secret alice-secret")
                    .unwrap();
                assert!(reply.is_done, "{}", reply.text);
            } else {
                let mut stream = TcpStream::connect(port).unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                stream.write_all(b"NOOP\r\nQUIT\r\n").unwrap();
                let said: Vec<String> = BufReader::new(stream)
                    .lines()
                    .map(|line| line.unwrap())
                    .collect();
                let codes: Vec<&str> = said.iter().map(|line| &line[..3]).collect();
                assert_eq!(codes, ["220", "250", "221"]);
            }
        }
        // The closed connections got a message.
        let mut said = Vec::new();
        // Unread data may turn the end of a connection into an error.
        let _ = first.read_to_end(&mut said);
        assert!(text(&said).contains(words), "{name}: {}", text(&said));
        drop(others);
    }
}

#[test]
fn guessing_passwords_does_not_block_players() {
    let folder = Folder::new("guess");
    let store = folder.path("post.redb");
    with_board(&store, 1);
    let mut running = Running::serve(&store, &["--tcp", "127.0.0.1:0"]);
    let port = running.port("tcp");
    // Guesses from the same address, each on its own connection.
    let guessing: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(port).unwrap();
            let _ = stream.write_all(b"malaka resign 1 alice wrong-secret\n");
            stream
        })
        .collect();
    for _ in 0..12 {
        let line = "user password alice alice-secret alice-secret";
        // While the guesses have all places of this address, the reply says so.
        wait_for("a place", || {
            let reply = client(port).carry_out(line).ok();
            reply.filter(|reply| reply.is_done)
        });
    }
    drop(guessing);
}

/// Zeroes this many pages of a store.
fn damage(bytes: &[u8], seed: u64) -> Vec<u8> {
    const PAGE: usize = 4_096;
    let mut bytes = bytes.to_vec();
    let pages = bytes.len() / PAGE;
    let mut random = seed;
    for _ in 0..3 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // The first page is spared, because it contains the locations of all others.
        let page = 1 + (random >> 33) as usize % (pages - 1);
        bytes[page * PAGE..(page + 1) * PAGE].fill(0);
    }
    bytes
}

#[test]
fn a_damaged_store_is_reported_and_salvaged() {
    const STORES: u64 = 40;
    let folder = Folder::new("damaged");
    let store = folder.path("post.redb");
    with_board(&store, 40);
    let history = |store: &Path, board: usize| {
        let mut command = program(store);
        let output = run(
            command.args(["command", "malaka", "history", &board.to_string()]),
            b"",
        );
        output.status.success().then(|| text(&output.stdout))
    };
    let first = history(&store, 1).unwrap();
    let (user, moves) = next_move(&board_of(&first)).unwrap();
    let whole = fs::read(&store).unwrap();
    let damaged = folder.path("damaged.redb");
    let (mut told, mut saved, mut lost) = (0, 0, 0);
    for seed in 0..STORES {
        let bytes = damage(&whole, seed);
        for arguments in [
            &["check"][..],
            &["command", "malaka", "list", "alice"],
            &[
                "command",
                "malaka",
                "move",
                "1",
                &user,
                &format!("{user}-secret"),
                &moves,
            ],
        ] {
            fs::write(&damaged, &bytes).unwrap();
            let output = run(program(&damaged).args(arguments), b"");
            let said = text(&output.stderr);
            assert!(!said.contains("panicked"), "{seed} {arguments:?}: {said}");
            let code = output.status.code();
            assert!(
                matches!(code, Some(0..=2)),
                "{seed} {arguments:?}: {code:?} {said}"
            );
            if code == Some(2) && said.contains("salvage") {
                told += 1;
            }
        }
        fs::write(&damaged, &bytes).unwrap();
        let new = folder.path(&format!("new{seed}.redb"));
        let output = run(program(&damaged).arg("salvage").arg(&new), b"");
        let said = text(&output.stderr);
        assert!(!said.contains("panicked"), "{seed}: {said}");
        assert_eq!(
            fs::read(&damaged).unwrap(),
            bytes,
            "{seed}: it is not changed"
        );
        if output.status.code() != Some(0) {
            assert_eq!(output.status.code(), Some(2), "{said}");
            lost += 1;
            continue;
        }
        let output = run(program(&new).arg("check"), b"");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        // A board that was saved is complete.
        for board in [1, 20, 40] {
            if let Some(history) = history(&new, board) {
                assert!(verify(&history).unwrap().has_end);
                saved += 1;
            }
        }
        let again = run(program(&damaged).arg("salvage").arg(&new), b"");
        assert_eq!(
            again.status.code(),
            Some(2),
            "what is there is not written over"
        );
    }
    assert!(told > 10, "{told}");
    assert!(
        saved > 20 && lost < STORES / 2,
        "{saved} boards saved, {lost} stores lost"
    );
}

#[test]
fn a_store_damaged_in_use_ends_the_server_with_a_sentence() {
    let folder = Folder::new("under");
    let store = folder.path("post.redb");
    with_board(&store, 40);
    let whole = fs::read(&store).unwrap();
    let mut told = 0;
    for seed in 0..20 {
        fs::write(&store, damage(&whole, seed)).unwrap();
        let mut command = program(&store);
        command.args(["serve", "--tcp", "127.0.0.1:0"]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        if let Some(port) = line.trim().strip_prefix("tcp ") {
            for board in 1..=40 {
                let Ok(mut client) = post::transport::lines::RemoteServer::connect(port, PATIENCE)
                else {
                    break;
                };
                let _ = client.carry_out(&format!("malaka history {board}"));
            }
        }
        let _ = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status();
        let output = child.wait_with_output().unwrap();
        let said = text(&output.stderr);
        assert!(!said.contains("panicked"), "{seed}: {said}");
        assert!(
            matches!(output.status.code(), Some(0 | 2)),
            "{seed}: {:?} {said}",
            output.status
        );
        told += usize::from(said.contains("salvage"));
    }
    assert!(told >= 3, "{told}");
}
