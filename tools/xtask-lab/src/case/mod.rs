//! The drawings for building a board: plates for a laser cutter, a box for a 3D printer,
//! the wiring, and the list of parts.
//!
//! All positions come from [`touchboard_host::case`], which the window also uses.
//!
//! Invariants: lengths are millimetres; x goes right and y towards the player, as in the
//! window.

mod drawing;
mod parts;
mod plates;
mod solid;
mod wiring;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use protocol::KnownLayout;
use touchboard_host::case::CasePlan;

pub use drawing::escaped;
use plates::Measures;

/// What to draw.
#[derive(Args)]
pub struct Options {
    /// Columns and rows, or a file with a drawing or the text of a game
    #[arg(long, value_name = "COLUMNSxROWS|FILE", default_value = "9x9")]
    layout: String,
    /// The distance between points, in millimetres; strips of 60 lights per metre have
    /// 16.67
    #[arg(long, default_value_t = 50.0 / 3.0)]
    pitch_mm: f32,
    /// The depth of the box with its plates, in millimetres
    #[arg(long, default_value_t = 34.0)]
    depth_mm: f32,
    /// The output folder, which is created if necessary
    #[arg(long, value_name = "FOLDER", default_value = "target/case")]
    out: PathBuf,
}

/// With a smaller pitch, a switch and a light do not fit under a cap.
const LEAST_PITCH_MM: f32 = 12.5;
/// With a larger pitch, a plate does not fit into any laser cutter.
const MOST_PITCH_MM: f32 = 60.0;
/// The allowed depths: there must be room between the floor and the plates, and the
/// result must still be a box.
const DEPTHS_MM: std::ops::RangeInclusive<f32> = 26.0..=120.0;

/// Draws all parts of a case.
pub fn make(options: &Options) -> anyhow::Result<()> {
    let layout = touchboard_links::games::layout(&options.layout).map_err(anyhow::Error::msg)?;
    ensure!(
        (LEAST_PITCH_MM..=MOST_PITCH_MM).contains(&options.pitch_mm),
        "points {} mm apart cannot be built: --pitch-mm is {LEAST_PITCH_MM} to {MOST_PITCH_MM}",
        options.pitch_mm
    );
    ensure!(
        DEPTHS_MM.contains(&options.depth_mm),
        "a box {} mm deep cannot be built: --depth-mm is {} to {}",
        options.depth_mm,
        DEPTHS_MM.start(),
        DEPTHS_MM.end()
    );
    let files = draw(&layout, options.pitch_mm, options.depth_mm);
    fs::create_dir_all(&options.out)
        .with_context(|| format!("{} cannot be made", options.out.display()))?;
    for (name, bytes) in files {
        write(&options.out.join(name), &bytes)?;
    }
    Ok(())
}

/// The contents of the files, by name.
fn draw(layout: &KnownLayout, pitch_mm: f32, depth_mm: f32) -> Vec<(String, Vec<u8>)> {
    let plan = CasePlan::new(layout.clone());
    let measures = Measures::new(&plan, pitch_mm, depth_mm);
    let mut files = Vec::new();
    for plate in plates::all(&plan, &measures) {
        files.push((format!("{}.svg", plate.name), plate.svg().into_bytes()));
        files.push((format!("{}.dxf", plate.name), plate.dxf().into_bytes()));
    }
    let solid = solid::case(&plan, &measures);
    files.push(("box.stl".to_owned(), solid.stl()));
    files.push((
        "wiring.svg".to_owned(),
        wiring::svg(plan.layout()).into_bytes(),
    ));
    files.push((
        "parts.md".to_owned(),
        parts::list(plan.layout()).into_bytes(),
    ));
    files
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    println!("{} ({} bytes)", path.display(), bytes.len());
    Ok(())
}

#[cfg(test)]
mod tests;
