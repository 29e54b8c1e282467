//! Serves the book to browsers on this machine, and rebuilds it when a document changes.

use std::fs::{self, File};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::anyhow;
use tiny_http::{Header, Request, Response, Server};

/// The interval between two checks of the documents.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// The number of pages that can be sent at a time: a browser that does not read on holds
/// up one of them.
const THREADS: usize = 8;

/// Serves the folder until the program is stopped.
pub fn serve(folder: &Path, port: u16, sources: Vec<PathBuf>) -> anyhow::Result<()> {
    let server = Server::http(("127.0.0.1", port)).map_err(|error| anyhow!("{error}"))?;
    println!("http://{}", server.server_addr());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for request in server.incoming_requests() {
                    // An error here means that a browser has disconnected.
                    let _ = answer(folder, request);
                }
            });
        }
        rebuild(folder, sources)
    })
}

/// Builds the book again after each change, until the program is stopped.
fn rebuild(folder: &Path, mut sources: Vec<PathBuf>) -> ! {
    let mut built = newest(&sources);
    loop {
        thread::sleep(LOOK_AGAIN);
        let now = newest(&sources);
        if now != built {
            built = now;
            match crate::build(folder, None) {
                Ok(read) => sources = read,
                Err(error) => eprintln!("error: {error:#}"),
            }
        }
    }
}

/// The time of the latest change to any of the files.
fn newest(files: &[PathBuf]) -> Option<SystemTime> {
    let times = files.iter().filter_map(|file| {
        let data = fs::metadata(file).ok()?;
        data.modified().ok()
    });
    times.max()
}

fn answer(folder: &Path, request: Request) -> std::io::Result<()> {
    let path = request.url().split(['?', '#']).next().unwrap_or_default();
    let path = Path::new(path.trim_start_matches('/'));
    let is_inside = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let mut file = folder.join(path);
    if file.is_dir() {
        file.push("index.html");
    }
    match File::open(&file) {
        Ok(opened) if is_inside => {
            let kind = format!("Content-Type: {}", kind(&file));
            let header: Header = kind.parse().expect("a header of letters");
            request.respond(Response::from_file(opened).with_header(header))
        }
        _ => request.respond(Response::from_string("no such page").with_status_code(404)),
    }
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("gif") => "image/gif",
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}
