//! What remains when the process, or the power, fails at any moment.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use post::dice::{Hash, RandomError, hex_of_hash};
use post::mail::{Incoming, Sender};
use post::password::Cost;
use post::server::{Options, Server};
use post::store::{BoardRecord, MailStore, StoreError, User};
use post::transcript::{Match, Stage, TranscriptLine};
use post::transport::lines::RemoteServer;
use redb::StorageBackend;

use crate::common::{self, Folder, PATIENCE, Running, board_of, client, next_move};

/// A request of the store to the disk.
#[derive(Clone, Debug)]
enum Asked {
    Length(u64),
    Bytes(u64, Vec<u8>),
    Sync,
}

/// A disk that records its requests, and fails after a number of bytes.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    asked: Vec<Asked>,
    /// How many more bytes the disk accepts; unlimited if `None`.
    left: Option<usize>,
}

impl Disk {
    fn with(bytes: Vec<u8>, left: Option<usize>) -> Disk {
        let asked = Vec::new();
        Disk(Arc::new(Mutex::new(State { bytes, asked, left })))
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().bytes.clone()
    }

    fn take_asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.0.lock().unwrap().asked)
    }
}

impl State {
    fn request(&mut self, asked: Asked) -> io::Result<()> {
        let mut done = asked.clone();
        let mut is_cut = false;
        if let Some(left) = &mut self.left {
            let cost = match &asked {
                Asked::Bytes(_, bytes) => bytes.len(),
                _ => 1,
            };
            is_cut = *left < cost;
            if let (true, Asked::Bytes(_, bytes)) = (is_cut, &mut done) {
                bytes.truncate(*left);
            }
            *left = left.saturating_sub(cost);
            if is_cut && matches!(done, Asked::Length(_) | Asked::Sync) {
                return Err(io::Error::other("the disk is cut off"));
            }
        }
        apply(&mut self.bytes, &done);
        self.asked.push(done);
        if is_cut {
            return Err(io::Error::other("the disk is cut off"));
        }
        Ok(())
    }
}

fn apply(bytes: &mut Vec<u8>, asked: &Asked) {
    match asked {
        Asked::Length(length) => bytes.resize(*length as usize, 0),
        Asked::Bytes(offset, data) => {
            let offset = *offset as usize;
            bytes[offset..offset + data.len()].copy_from_slice(data);
        }
        Asked::Sync => {}
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> Result<u64, io::Error> {
        Ok(self.0.lock().unwrap().bytes.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        let state = self.0.lock().unwrap();
        let offset = offset as usize;
        let bytes = state.bytes.get(offset..offset + out.len());
        let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
        out.copy_from_slice(bytes.ok_or_else(end)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> Result<(), io::Error> {
        self.0.lock().unwrap().request(Asked::Length(len))
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        self.0.lock().unwrap().request(Asked::Sync)
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        self.0
            .lock()
            .unwrap()
            .request(Asked::Bytes(offset, data.to_vec()))
    }
}

fn secret() -> Result<Hash, RandomError> {
    Ok([7; 32])
}

fn server(disk: &Disk) -> Result<Server, StoreError> {
    let options = Options {
        cost: Cost::NEXT_TO_NOTHING,
        address: Some("post@post.test".parse().unwrap()),
        now_s: || 1_000_000_000,
        secret,
    };
    let store = MailStore::on(disk.clone())?;
    Ok(Server::new(store, options).unwrap())
}

/// Everything that a command can change.
#[derive(Debug, PartialEq)]
struct Whole {
    users: Vec<Option<User>>,
    boards: Vec<Option<BoardRecord>>,
    lines: Vec<Vec<(u64, String)>>,
    open: Vec<Vec<u64>>,
    mails: (u64, u64, u64),
}

fn whole(server: &Server) -> Whole {
    let users = ["alice", "bob", "carol"].map(|name| name.parse().unwrap());
    let told = server.store().change(|tables| {
        Ok(Whole {
            users: users
                .iter()
                .map(|user| tables.user(user))
                .collect::<Result<_, _>>()?,
            boards: (1..4)
                .map(|board| tables.board(board))
                .collect::<Result<_, _>>()?,
            lines: (1..4)
                .map(|board| tables.lines(board))
                .collect::<Result<_, _>>()?,
            open: users
                .iter()
                .map(|user| tables.boards_of(user, 9))
                .collect::<Result<_, _>>()?,
            mails: (
                tables.queued()?,
                tables.number("mail")?,
                tables.number("mails seen")?,
            ),
        })
    });
    told.unwrap()
}

/// Does one thing to a server.
type Deed = fn(&Server) -> Result<(), StoreError>;

fn line(server: &Server, line: &str) -> Result<(), StoreError> {
    let reply = server.carry_out(line)?;
    assert!(reply.is_done, "{}", reply.text);
    Ok(())
}

fn a_move(server: &Server) -> Result<(), StoreError> {
    let kept = server.store().change(|tables| tables.board(1))?;
    let kept = kept.expect("a board");
    let (user, moves) = next_move(&kept.play).expect("it goes on");
    line(
        server,
        &format!("malaka move 1 {user} {user}-secret {moves} nonce=x"),
    )
}

fn a_mail(server: &Server) -> Result<(), StoreError> {
    let mail = common::mail(
        "alice@play.test",
        "m@play.test",
        "malaka challenge alice bob",
    );
    let mail = Incoming::read(mail.as_bytes(), &Sender::Unknown);
    server.take_in(&mail).map(drop)
}

/// A game that has begun, and what can happen next.
const BEGUN: [Deed; 5] = [
    |server| line(server, "user register alice alice-secret alice@play.test"),
    |server| line(server, "user register bob bob-secret bob@play.test"),
    |server| line(server, "malaka challenge alice bob"),
    |server| line(server, "malaka accept 1 alice alice-secret nonce=a"),
    |server| line(server, "malaka accept 1 bob bob-secret nonce=b"),
];
const DEEDS: [Deed; 4] = [
    |server| line(server, "user register carol carol-secret carol@play.test"),
    a_move,
    a_mail,
    |server| line(server, "malaka resign 1 bob bob-secret"),
];

fn begun() -> Disk {
    let disk = Disk::default();
    let server = server(&disk).unwrap();
    for deed in BEGUN {
        deed(&server).unwrap();
    }
    drop(server);
    disk.take_asked();
    disk
}

/// The places at which a write to this image is cut off, in steps; a short write, which
/// decides what counts, is cut at every byte. A cut after bytes that are the same as
/// before is left out, because it has the same effect as the previous one.
fn cuts(image: &[u8], offset: u64, bytes: &[u8], step: usize) -> Vec<usize> {
    const SHORT: usize = 600;
    let step = if bytes.len() <= SHORT { 1 } else { step };
    let there = |place: usize| image.get(offset as usize + place);
    let mut last = 0;
    let mut places = vec![0];
    for cut in (step..=bytes.len()).step_by(step) {
        if (last..cut).any(|place| there(place) != Some(&bytes[place])) {
            places.push(cut);
        }
        last = cut;
    }
    places
}

/// Every write of every command is cut off at its n-th byte, as if the process were
/// killed. What remains is the state before the command or after it.
#[test]
fn a_cut_write_leaves_a_command_done_or_not_begun() {
    // A move at every single byte.
    const STEPS: [usize; DEEDS.len()] = [509, 1, 509, 509];
    for (deed, step) in DEEDS.into_iter().zip(STEPS) {
        let disk = begun();
        let server_before = server(&disk).unwrap();
        let before = whole(&server_before);
        disk.take_asked();
        let mut image = disk.bytes();
        deed(&server_before).unwrap();
        let asked = disk.take_asked();
        let after = whole(&server_before);
        assert_ne!(before, after);
        let (mut olds, mut news) = (0, 0);
        let mut judge = |image: &[u8]| {
            let server = server(&Disk::with(image.to_vec(), None)).expect("it opens");
            let now = whole(&server);
            assert!(now == before || now == after, "{now:?}");
            olds += u32::from(now == before);
            news += u32::from(now == after);
        };
        for asked in &asked {
            if let Asked::Bytes(offset, bytes) = asked {
                for cut in cuts(&image, *offset, bytes, step) {
                    let mut image = image.clone();
                    apply(&mut image, &Asked::Bytes(*offset, bytes[..cut].to_vec()));
                    judge(&image);
                }
            }
            apply(&mut image, asked);
        }
        judge(&image);
        assert!(olds > 50 && news >= 1, "{olds} {news}");
    }
}

/// As in a power failure: any part of what was written since the last sync may be on the
/// disk, in any order.
#[test]
fn a_power_cut_leaves_the_command_done_or_not_begun() {
    let mut random = 12_345_u64;
    let mut next = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        random >> 33
    };
    for deed in DEEDS {
        let disk = begun();
        let server_before = server(&disk).unwrap();
        let before = whole(&server_before);
        disk.take_asked();
        let mut synced = disk.bytes();
        deed(&server_before).unwrap();
        let asked = disk.take_asked();
        let after = whole(&server_before);
        let is_sync = |asked: &Asked| matches!(asked, Asked::Sync);
        assert!(asked.iter().filter(|asked| is_sync(asked)).count() >= 2);
        for batch in asked.split_inclusive(is_sync) {
            for _ in 0..40 {
                let mut image = synced.clone();
                for asked in batch {
                    match asked {
                        Asked::Length(_) => apply(&mut image, asked),
                        Asked::Bytes(offset, bytes) if next() % 2 == 0 => {
                            let until = match next() % 3 {
                                0 => next() as usize % bytes.len(),
                                _ => bytes.len(),
                            };
                            apply(&mut image, &Asked::Bytes(*offset, bytes[..until].to_vec()));
                        }
                        _ => {}
                    }
                }
                let server = server(&Disk::with(image, None)).expect("it opens");
                let now = whole(&server);
                assert!(now == before || now == after, "{now:?}");
            }
            batch.iter().for_each(|asked| apply(&mut synced, asked));
        }
        let server = server(&Disk::with(synced, None)).unwrap();
        assert!(whole(&server) == after, "what was answered is there");
    }
}

/// A failing disk is reported, however much of the command was done.
#[test]
fn a_failing_disk_gives_an_error_or_a_done_command() {
    let bytes = begun().bytes();
    let (mut failed, mut done) = (0, 0);
    for left in (0..200_000).step_by(4_999) {
        let disk = Disk::with(bytes.clone(), Some(left));
        let answered = server(&disk).and_then(|server| a_move(&server)).is_ok();
        let again = server(&Disk::with(disk.bytes(), None)).expect("it opens");
        let kept = whole(&again).boards[0].clone().unwrap();
        if answered {
            assert_eq!(kept.play.moved, [true, false]);
            done += 1;
        } else {
            failed += 1;
        }
    }
    assert!(failed > 3 && done > 3, "{failed} failed, {done} done");
}

/// The last message to a player about their own board.
#[derive(Clone, Debug, Default)]
struct Told {
    lines: u32,
    hash: String,
}

fn told(reply: &str) -> Told {
    let line = reply
        .lines()
        .rfind(|line| line.starts_with("The transcript has"));
    let line = line.expect("every answer about a board ends with its hash");
    let words: Vec<&str> = line.split_whitespace().collect();
    Told {
        lines: words[3].parse().unwrap(),
        hash: words.last().unwrap().trim_end_matches('.').to_owned(),
    }
}

/// The board after the first lines of a transcript.
fn beginning(transcript: &str, lines: u32) -> Match {
    let mut board = Match::default();
    for line in transcript.lines().take(lines as usize) {
        let line: TranscriptLine = line.split(" # ").next().unwrap().parse().unwrap();
        board.apply(&line).unwrap();
    }
    board
}

/// Plays both sides until the server is gone, and returns the last answer.
fn play_until_killed(port: std::net::SocketAddr, board: u64, names: &[String; 2]) -> Option<Told> {
    let mut last = None;
    let mut client = RemoteServer::connect(&port.to_string(), PATIENCE).ok()?;
    loop {
        let history = client.carry_out(&format!("malaka history {board}")).ok();
        let Some(history) = history else { return last };
        let Some((user, moves)) = next_move(&board_of(&history.text)) else {
            return last;
        };
        assert!(names.contains(&user));
        let line = format!("malaka move {board} {user} {user}-secret {moves} nonce=n");
        let Ok(reply) = client.carry_out(&line) else {
            return last;
        };
        assert!(reply.is_done, "{}", reply.text);
        last = Some(told(&reply.text));
    }
}

#[test]
fn a_killed_server_forgets_no_answered_command() {
    const PAIRS: usize = 3;
    const KILLS: usize = 10;
    let folder = Folder::new("kill");
    let store = folder.path("post.redb");
    let pairs: Vec<[String; 2]> = (0..PAIRS)
        .map(|pair| [format!("o{pair}"), format!("x{pair}")])
        .collect();
    let mut running = Running::serve(&store, &["--tcp", "127.0.0.1:0"]);
    let mut asking = client(running.port("tcp"));
    let mut ask = |line: &str| {
        let reply = asking.carry_out(line).unwrap();
        assert!(reply.is_done, "{line}: {}", reply.text);
    };
    for (pair, [o, x]) in pairs.iter().enumerate() {
        for user in [o, x] {
            ask(&format!("user register {user} {user}-secret"));
        }
        ask(&format!("malaka challenge -large -many {o} {x}"));
        for user in [o, x] {
            ask(&format!(
                "malaka accept {} {user} {user}-secret nonce=k",
                pair + 1
            ));
        }
    }
    running.kill();
    let mut answered = 0;
    for kill in 0..KILLS {
        let mut running = Running::serve(&store, &["--tcp", "127.0.0.1:0"]);
        let port = running.port("tcp");
        let players: Vec<_> = pairs
            .iter()
            .cloned()
            .zip(1..)
            .map(|(names, board)| {
                std::thread::spawn(move || play_until_killed(port, board, &names))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(20 + 37 * kill as u64 % 90));
        running.kill();
        let told: Vec<Option<Told>> = players
            .into_iter()
            .map(|player| player.join().unwrap())
            .collect();
        let mut running = Running::serve(&store, &["--tcp", "127.0.0.1:0"]);
        let mut asking = client(running.port("tcp"));
        for (last, board) in told.iter().zip(1..) {
            let history = asking
                .carry_out(&format!("malaka history {board}"))
                .unwrap()
                .text;
            let whole = board_of(&history);
            // The dice and the end are recorded in the same transaction.
            assert!(
                matches!(whole.stage, Stage::Move(_) | Stage::Over(_)),
                "{:?}",
                whole.stage
            );
            let Some(last) = last else { continue };
            answered += 1;
            assert!(whole.lines >= last.lines);
            let board = beginning(&history, last.lines);
            assert!(hex_of_hash(&board.written).starts_with(&last.hash));
            let verified = asking
                .carry_out(&format!("malaka verify {}", board.board))
                .unwrap();
            assert!(verified.is_done, "{}", verified.text);
        }
    }
    assert!(answered > KILLS, "{answered}");
}
