//! The table of lines as a picture: for each speed, the time from a touch to its light over
//! the messages that are lost, with the physical floor of each line.
//!
//! Invariant: the same cells give the same picture, byte for byte.

use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::sweep::SweepCell;

/// The size of the picture in pixels.
const SIZE: (u32, u32) = (960, 420);
/// The times of the vertical axis, in ms.
const FROM_MS: f64 = 0.03;
const UP_TO_MS: f64 = 2_000.0;
/// A colour for each latency, in the order of the table.
const COLOURS: [RGBColor; 3] = [
    RGBColor(0x1f, 0x77, 0xb4),
    RGBColor(0xd9, 0x6a, 0x00),
    RGBColor(0x8a, 0x3f, 0xa0),
];

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the plot was not drawn: {0}")]
pub struct PlotError(String);

type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The measured lines as a picture in SVG.
///
/// # Errors
/// If the library that draws refuses.
pub fn plot(cells: &[SweepCell]) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw(&mut svg, cells).map_err(|error| PlotError(error.to_string()))?;
    Ok(svg)
}

fn draw(svg: &mut String, cells: &[SweepCell]) -> Result<(), Box<dyn std::error::Error>> {
    let whole = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    whole.fill(&WHITE)?;
    let mut speeds: Vec<u64> = cells.iter().map(|cell| cell.bytes_per_s).collect();
    speeds.dedup();
    let panels = whole.split_evenly((1, speeds.len().max(1)));
    for (place, (panel, speed)) in panels.iter().zip(speeds).enumerate() {
        let own: Vec<&SweepCell> = cells
            .iter()
            .filter(|cell| cell.bytes_per_s == speed)
            .collect();
        draw_speed(panel, speed, &own, place == 0)?;
    }
    whole.present()?;
    Ok(())
}

/// A chart of times over the places of lines.
type TimeChart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, LogCoord<f64>>>;

/// Draws the lines of one speed and latency, in this colour.
fn draw_latency(
    chart: &mut TimeChart<'_, '_>,
    latency_ms: u64,
    cells: &[&SweepCell],
    colour: RGBColor,
) -> Result<(), Box<dyn std::error::Error>> {
    let points = |us: fn(&SweepCell) -> u64| {
        let points = cells.iter().enumerate().map(move |(place, cell)| {
            let ms = us(cell) as f64 / 1_000.0;
            (place as f64, ms.max(FROM_MS))
        });
        points.collect::<Vec<_>>()
    };
    let median = points(|cell| cell.median_us);
    let percentile_99 = points(|cell| cell.percentile_99_us);
    let floor = points(|cell| cell.floor_us);
    let thin = colour.stroke_width(1);
    chart
        .draw_series(LineSeries::new(median.clone(), colour.stroke_width(2)))?
        .label(format!("p50, latency {latency_ms} ms"))
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
    chart.draw_series(median.iter().map(|at| Circle::new(*at, 3, colour.filled())))?;
    chart.draw_series(DashedLineSeries::new(percentile_99.clone(), 6, 4, thin))?;
    chart.draw_series(percentile_99.iter().map(|at| Circle::new(*at, 3, colour)))?;
    chart.draw_series(DashedLineSeries::new(floor, 1, 3, thin))?;
    Ok(())
}

/// Draws the lines of one speed.
fn draw_speed(
    panel: &Panel<'_>,
    bytes_per_s: u64,
    cells: &[&SweepCell],
    has_legend: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut losses: Vec<u64> = cells.iter().map(|cell| cell.flip_ppm).collect();
    losses.sort_unstable();
    losses.dedup();
    let mut latencies: Vec<u64> = cells.iter().map(|cell| cell.latency_ms).collect();
    latencies.dedup();
    let last = losses.len().saturating_sub(1) as f64;
    let mut chart = ChartBuilder::on(panel)
        .caption(format!("{bytes_per_s} bytes/s"), ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(-0.2..last + 0.2, (FROM_MS..UP_TO_MS).log_scale())?;
    // The share of lost messages in the first line of each row of the table.
    let lost = |place: f64| {
        let loss = losses.get(place.round() as usize);
        let cell = cells.iter().find(|cell| Some(&cell.flip_ppm) == loss);
        let percent = cell.map_or(0.0, |cell| cell.lost_per_myriad as f64 / 100.0);
        format!("{percent:.0} %")
    };
    chart
        .configure_mesh()
        .x_labels(losses.len())
        .x_label_formatter(&|place| lost(*place))
        .y_label_formatter(&|ms| format!("{ms}"))
        .x_desc("messages lost")
        .y_desc("ms from a touch to its light")
        .light_line_style(WHITE)
        .draw()?;
    for (latency_ms, colour) in latencies.iter().zip(COLOURS) {
        let own = cells.iter().filter(|cell| cell.latency_ms == *latency_ms);
        let own: Vec<&SweepCell> = own.copied().collect();
        draw_latency(&mut chart, *latency_ms, &own, colour)?;
    }
    if has_legend {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerLeft)
            .label_font(("sans-serif", 12))
            .draw()?;
    }
    Ok(())
}
