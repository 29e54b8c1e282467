//! The touch board in a browser page.
//!
//! The page is the window of `emulator`, drawn on a canvas, in an HTML document that offers
//! what a canvas cannot: a text editor, files, links, and the board in words for screen
//! readers. The two talk by JSON: [`request`] lists what the document asks of the board,
//! [`report`] what the board tells the document.
//!
//! `cargo xtask page` builds it for WebAssembly, with the document in `site/`, into a
//! folder that any server of files can serve. For other targets only the tests are of
//! use.

#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod at_table;
#[cfg(target_arch = "wasm32")]
mod exchange;
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod launchpad;
#[cfg(target_arch = "wasm32")]
mod line;
#[cfg(target_arch = "wasm32")]
mod panel;
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod replay;
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod report;
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod request;
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod table;

#[cfg(target_arch = "wasm32")]
fn main() {
    app::run();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!(
        "page: this program is for browsers: `cargo xtask page --serve` builds and serves it"
    );
    std::process::exit(2);
}
