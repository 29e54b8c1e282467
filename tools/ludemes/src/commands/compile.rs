//! `ludemes compile`: compiles a text to a cartridge, or to a layout that contains its
//! game, in the form that programs accept as a layout file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use touchboard_files::whole_file;

/// What to compile.
#[derive(Args)]
pub struct Options {
    /// The text.
    file: PathBuf,
    /// The file for the cartridge.
    #[arg(short)]
    output: Option<PathBuf>,
    /// The file for the layout with its game: a text, as `virtual-board --layout` reads
    /// it.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    /// Options, each as `Heading/Item`.
    #[arg(long)]
    option: Vec<String>,
}

/// Compiles the text, and reports the size.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let file = &options.file;
    let (_, compiled) = super::compiled(file, &options.option)?;
    if let Some(output) = &options.output {
        let written = whole_file::write(output, &compiled.bytes);
        written.map_err(|error| format!("{}: {error}", output.display()))?;
    }
    if let Some(output) = &options.layout {
        let sketch = compiled.sketch();
        let sketch = sketch.map_err(|error| format!("{}: {error}", file.display()))?;
        let written = whole_file::write(output, sketch.to_string().as_bytes());
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
