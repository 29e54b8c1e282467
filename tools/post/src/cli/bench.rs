//! `post bench`: measures how fast commands are carried out, and how much space games
//! take.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use post::password::Cost;
use post::server::{Options, Server};
use post::store::MailStore;
use post::transcript::Stage;

use super::{CommandEnd, PostError, print, size};

/// What is measured.
#[derive(Args)]
pub struct BenchOptions {
    /// The number of games to play, with random legal moves
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// The folder for the store that is measured; the store is created for this, and
    /// removed at the end
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub fn run(options: &BenchOptions) -> CommandEnd {
    let own = format!("touchboard-post-bench-{}", std::process::id());
    let folder = match &options.folder {
        Some(folder) => folder.join(own),
        None => std::env::temp_dir().join(own),
    };
    let wrong = PostError::file(&folder);
    std::fs::create_dir_all(&folder).map_err(&wrong)?;
    let measured = measure(options, &folder.join("post.redb"));
    std::fs::remove_dir_all(&folder).map_err(&wrong)?;
    print(&measured?)
}

fn measure(options: &BenchOptions, path: &Path) -> Result<String, PostError> {
    let checks = password_checks(path)?;
    let server = server(path, Cost::NEXT_TO_NOTHING)?;
    done(&server, "user password alice bench-alice bench-alice2")?;
    done(&server, "user register bob bench-bob2")?;
    let empty = size(path)?;
    let (mut moves, mut commands) = (0_u32, 0_u32);
    let began = Instant::now();
    for game in 0..options.games {
        let (all, moved) = play(&server, game)?;
        commands += all;
        moves += moved;
    }
    let per_s = f64::from(commands) / began.elapsed().as_secs_f64();
    let (shown_per_s, verified_ms) = reading(&server)?;
    let of_games = bytes_of_games(&server)?;
    let full = size(path)?;
    server.store().compact()?;
    drop(server);
    let compact = size(path)?;
    let games = f64::from(options.games);
    Ok(format!(
        "{checks}\
         commands with next to no hash: {per_s:.0}/s, each on the disk before it is answered\n\
         `malaka show`: {shown_per_s:.0}/s\n\
         a game: {:.1} moves, {:.0} bytes of records; `malaka verify` of one: {verified_ms:.1} ms\n\
         the file: {empty} bytes with no game, {full} with {}, {compact} after `post compact`\n",
        f64::from(moves) / games,
        of_games as f64 / games,
        options.games
    ))
}

fn server(path: &Path, cost: Cost) -> Result<Server, PostError> {
    let store = MailStore::open(path)?;
    let options = Options {
        cost,
        ..Options::default()
    };
    Ok(Server::new(store, options)?)
}

/// How fast commands are whose password is checked as on a real server.
fn password_checks(path: &Path) -> Result<String, PostError> {
    let hashed = Cost::default();
    let server = server(path, hashed)?;
    let commands = 40;
    done(&server, "user register alice bench-alice")?;
    let began = Instant::now();
    for turn in 0..commands {
        let (old, new) = if turn % 2 == 0 {
            ("alice", "other")
        } else {
            ("other", "alice")
        };
        done(
            &server,
            &format!("user address alice bench-alice {old}-{new}@example.org"),
        )?;
    }
    let per_s = f64::from(commands) / began.elapsed().as_secs_f64();
    Ok(format!(
        "commands that check a password of {} KiB and {} passes: {per_s:.0}/s\n",
        hashed.memory_kib, hashed.passes
    ))
}

/// How often a second a board is shown, and how long it takes to verify one, in ms.
fn reading(server: &Server) -> Result<(f64, f64), PostError> {
    let shown = 2_000;
    let began = Instant::now();
    for _ in 0..shown {
        done(server, "malaka show 1")?;
    }
    let shown_per_s = f64::from(shown) / began.elapsed().as_secs_f64();
    let began = Instant::now();
    done(server, "malaka verify 1")?;
    Ok((shown_per_s, began.elapsed().as_secs_f64() * 1e3))
}

fn bytes_of_games(server: &Server) -> Result<u64, PostError> {
    let tables = server.store().sizes()?;
    let of_games = tables
        .iter()
        .filter(|(name, _)| ["lines", "boards", "open"].contains(&name.as_str()));
    Ok(of_games.map(|(_, bytes)| bytes).sum())
}

/// Carries out a command that must succeed.
fn done(server: &Server, line: &str) -> Result<String, PostError> {
    let reply = server.carry_out(line)?;
    if reply.is_done {
        Ok(reply.text)
    } else {
        Err(PostError::Refused(reply))
    }
}

/// Plays a game. Returns the number of commands, and how many of them were moves.
fn play(server: &Server, game: u32) -> Result<(u32, u32), PostError> {
    let told = done(server, "malaka challenge alice bob")?;
    let board: u64 = told
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .ok_or(PostError::NoNumber)?;
    done(
        server,
        &format!("malaka accept {board} alice bench-alice2 nonce={game}"),
    )?;
    done(
        server,
        &format!("malaka accept {board} bob bench-bob2 nonce={game}"),
    )?;
    let (mut moves, mut choice) = (0_u32, game);
    loop {
        let kept = server.store().change(|tables| tables.board(board))?;
        let kept = kept.ok_or(PostError::NoBoard)?;
        let Stage::Move(side) = kept.play.stage else {
            return Ok((moves + 3, moves));
        };
        let (name, password) = match kept.play.name(side) {
            "alice" => ("alice", "bench-alice2"),
            _ => ("bob", "bench-bob2"),
        };
        let legal = kept.play.standing()?.legal(32);
        choice = choice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let chosen = &legal[(choice >> 16) as usize % legal.len()];
        done(
            server,
            &format!("malaka move {board} {name} {password} {chosen} nonce={choice}"),
        )?;
        moves += 1;
    }
}
