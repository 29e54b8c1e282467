//! Serves a folder of files to browsers on this machine.

use std::fs::File;
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};

use anyhow::anyhow;
use tiny_http::{Header, Request, Response, Server};

/// The types of the page's files, by their endings.
const TYPES: [(&str, &str); 11] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("wasm", "application/wasm"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("webmanifest", "application/manifest+json"),
    ("gif", "image/gif"),
    ("woff2", "font/woff2"),
    ("session", "application/jsonl"),
];

/// The number of files that can be sent at a time.
const THREADS: usize = 8;

/// The file in which the page looks for a relay.
const RELAY: &str = "/relay.json";

/// A folder that is served.
pub struct Site {
    folder: PathBuf,
    server: Server,
    address: String,
    /// The address of the relay that is served beside the page.
    relay: SocketAddr,
}

impl Site {
    /// Opens the port; 0 for any that is free. The page is told of this relay.
    ///
    /// # Errors
    /// If the port is in use.
    pub fn open(folder: &Path, port: u16, relay: SocketAddr) -> anyhow::Result<Site> {
        let server = Server::http(("127.0.0.1", port)).map_err(|error| {
            anyhow!("port {port} cannot be used: {error}; choose another with --port")
        })?;
        let port = server.server_addr().to_ip().map_or(port, |own| own.port());
        Ok(Site {
            folder: folder.to_owned(),
            server,
            address: format!("http://127.0.0.1:{port}/"),
            relay,
        })
    }

    /// The address for a browser on this machine.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Serves until it is [closed](Site::close). A visitor who does not read on holds up
    /// one thread only.
    pub fn serve(&self) {
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for request in self.server.incoming_requests() {
                        // A visitor who left is not an error of the server.
                        let _ = self.answer(request);
                    }
                });
            }
        });
    }

    /// Ends [`Site::serve`].
    pub fn close(&self) {
        for _ in 0..THREADS {
            self.server.unblock();
        }
    }

    fn answer(&self, request: Request) -> std::io::Result<()> {
        if request.url() == RELAY {
            let relay = serde_json::json!({ "relay": format!("ws://{}/", self.relay) });
            let response = Response::from_string(relay.to_string());
            return request.respond(typed(response, "json"));
        }
        let path = path(&self.folder, request.url());
        let file = path.and_then(|path| Some((File::open(&path).ok()?, path)));
        let Some((file, path)) = file else {
            let none = Response::from_string("There is no such file.");
            return request.respond(none.with_status_code(404));
        };
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        request.respond(typed(Response::from_file(file), &ending))
    }
}

/// The response with the type that belongs to this ending. A browser asks again each time.
fn typed<R: Read>(mut response: Response<R>, ending: &str) -> Response<R> {
    let kind = TYPES.iter().find(|(known, _)| *known == ending);
    let kind = kind.map_or("application/octet-stream", |(_, kind)| *kind);
    for (name, value) in [("Content-Type", kind), ("Cache-Control", "no-cache")] {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    response
}

/// The file of an address; `None` if the address leads out of the folder.
fn path(folder: &Path, address: &str) -> Option<PathBuf> {
    let address = address.split(['?', '#']).next()?;
    let relative = Path::new(address.trim_start_matches('/'));
    let mut parts = relative.components();
    let is_inside = parts.all(|part| matches!(part, Component::Normal(_)));
    let path = folder.join(relative);
    is_inside.then(|| match path.is_dir() {
        true => path.join("index.html"),
        false => path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_leads_out_of_the_folder() {
        let folder = Path::new("/no-such-folder");
        assert_eq!(path(folder, "/a.js?v=1"), Some(folder.join("a.js")));
        assert_eq!(path(folder, "/"), Some(folder.to_owned()));
        for address in ["/../secret", "/a/../../secret", "/a/../secret", "/.."] {
            assert_eq!(path(folder, address), None, "{address}");
        }
    }
}
