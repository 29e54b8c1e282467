//! `ludemes compile`: a text becomes a cartridge, or a layout that brings its game with
//! it, as every program takes it that asks for the file of a layout.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

/// What to compile.
#[derive(Args)]
pub struct Options {
    /// The text.
    file: PathBuf,
    /// Where the cartridge goes.
    #[arg(short)]
    output: Option<PathBuf>,
    /// Where the layout goes that brings the game with it: a text, as `virtual-board
    /// --layout` reads it.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    /// Options, each as `Heading/Item`.
    #[arg(long)]
    option: Vec<String>,
}

/// Compiles, and reports the size.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let file = &options.file;
    let (_, compiled) = super::compiled(file, &options.option)?;
    if let Some(output) = &options.output {
        let written = std::fs::write(output, &compiled.bytes);
        written.map_err(|error| format!("{}: {error}", output.display()))?;
    }
    if let Some(output) = &options.layout {
        let sketch = compiled.sketch();
        let sketch = sketch.map_err(|error| format!("{}: {error}", file.display()))?;
        let written = std::fs::write(output, sketch.to_string());
        written.map_err(|error| format!("{}: {error}", output.display()))?;
    }
    println!(
        "{} bytes, {} words of program, {} sites, {} kinds of pieces",
        compiled.bytes.len(),
        compiled.words,
        compiled.sites,
        compiled.pieces.len() - 1
    );
    Ok(ExitCode::SUCCESS)
}
