//! Serves a folder of files to browsers on this machine.

use std::fs::File;
use std::path::{Component, Path, PathBuf};

use anyhow::anyhow;
use tiny_http::{Header, Request, Response, Server};

/// The types of the page's files, by their endings.
const TYPES: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("webmanifest", "application/manifest+json"),
    ("session", "application/jsonl"),
];

/// Serves the folder until the program is ended. Prints the address first.
pub fn serve(folder: &Path, port: u16) -> anyhow::Result<()> {
    let server = Server::http(("127.0.0.1", port)).map_err(|error| {
        anyhow!("port {port} cannot be used: {error}; choose another with --port")
    })?;
    let port = server
        .server_addr()
        .to_ip()
        .map_or(port, |address| address.port());
    println!("http://127.0.0.1:{port}/");
    for request in server.incoming_requests() {
        // A visitor who left is no trouble of the server.
        let _ = answer(folder, request);
    }
    Ok(())
}

fn answer(folder: &Path, request: Request) -> std::io::Result<()> {
    let file = path(folder, request.url()).and_then(|path| Some((File::open(&path).ok()?, path)));
    let Some((file, path)) = file else {
        return request
            .respond(Response::from_string("There is no such file.").with_status_code(404));
    };
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let kind = TYPES.iter().find(|(known, _)| *known == ending);
    let kind = kind.map_or("application/octet-stream", |(_, kind)| *kind);
    let mut response = Response::from_file(file);
    for (name, value) in [("Content-Type", kind), ("Cache-Control", "no-cache")] {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    request.respond(response)
}

/// The file of an address; `None` if the address leads out of the folder.
fn path(folder: &Path, address: &str) -> Option<PathBuf> {
    let address = address.split(['?', '#']).next()?;
    let relative = Path::new(address.trim_start_matches('/'));
    let is_inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
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
        for address in ["/../secret", "/a/../../secret", "//etc/../x", "/./../x"] {
            let found = path(folder, address);
            assert!(
                found.is_none_or(
                    |path| path.starts_with(folder) && !path.to_string_lossy().contains("..")
                ),
                "{address}"
            );
        }
        assert_eq!(path(folder, "/../secret"), None);
    }
}
