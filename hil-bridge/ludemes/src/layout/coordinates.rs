//! The names of sites as players write them: letters for the column, and a number for the
//! row, from the bottom (`A1`); also the rows, columns and layers.
//!
//! Rows are at the slant, a multiple of 15 degrees, at which sites fall into the fewest
//! and sharpest lines. Columns are found likewise, at least a right angle further.
//! Invariants: each site has one row, one column and one layer.

use super::geometry::{Spot, extent};
use super::graph::{Graph, SiteType};

/// Rows, columns, layers and names of the elements of one type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coordinates {
    /// The row of each element, from 0 at the bottom.
    pub row: Vec<usize>,
    /// The column of each element, from 0 at the left.
    pub column: Vec<usize>,
    /// The layer of each element, from 0 at the page.
    pub layer: Vec<usize>,
    /// The name of each site.
    pub name: Vec<String>,
}

impl Coordinates {
    /// The elements of each line; `along` is the number of each element's line.
    #[must_use]
    pub fn lines(along: &[usize]) -> Vec<Vec<usize>> {
        let many = along.iter().max().map_or(0, |most| most + 1);
        let mut lines = vec![Vec::new(); many];
        for (element, line) in along.iter().enumerate() {
            lines[*line].push(element);
        }
        lines
    }
}

/// The coordinates of vertices, edges and cells.
pub fn coordinates(graph: &Graph) -> [Coordinates; 3] {
    let mut slants = (0.0, 0.5);
    SiteType::ALL.map(|of| {
        let spots: Vec<Spot> = graph.spots(of).collect();
        // Edges use the slants found for vertices.
        if of != SiteType::Edge
            && let Some(found) = best_slants(&spots)
        {
            slants = found;
        }
        let (row, _) = buckets(&spots, Along::Rows(slants.0));
        let (column, _) = buckets(&spots, Along::Columns(slants.1));
        let (layer, _) = buckets(&spots, Along::Layers);
        let name = names(&row, &column, &layer);
        let mut found = Coordinates {
            row,
            column,
            layer,
            name,
        };
        let is_double = {
            let mut names: Vec<&String> = found.name.iter().collect();
            names.sort_unstable();
            names.windows(2).any(|pair| pair[0] == pair[1])
        };
        if is_double {
            found.row = distinct(&spots, |spot| spot.y);
            found.column = distinct(&spots, |spot| spot.x);
            found.layer = distinct(&spots, |spot| spot.z);
            let flat = vec![0; spots.len()];
            found.name = names(&found.row, &found.column, &flat);
        } else if spots.iter().any(|spot| spot.z != 0.0) {
            found.row = distinct(&spots, |spot| spot.y);
            found.column = distinct(&spots, |spot| spot.x);
        }
        found
    })
}

fn names(row: &[usize], column: &[usize], layer: &[usize]) -> Vec<String> {
    let in_layers = layer.windows(2).any(|pair| pair[0] != pair[1]);
    let all = row.iter().zip(column).zip(layer);
    all.map(|((row, column), layer)| {
        let mut name = letters(*column) + &(row + 1).to_string();
        if in_layers {
            name += &format!("/{layer}");
        }
        name
    })
    .collect()
}

fn letters(column: usize) -> String {
    let letter = char::from(b'A' + (column % 26) as u8);
    match column / 26 {
        0 => letter.to_string(),
        more => format!("{}{letter}", letters(more - 1)),
    }
}

#[derive(Clone, Copy)]
enum Along {
    Rows(f64),
    Columns(f64),
    Layers,
}

/// The slants of rows and of columns, in radians.
fn best_slants(spots: &[Spot]) -> Option<(f64, f64)> {
    if spots.is_empty() {
        return None;
    }
    let best = |degrees: &mut dyn Iterator<Item = u32>, along: &dyn Fn(f64) -> Along| {
        // Errors below this count as equally good.
        const GOOD: f64 = 0.01;
        let mut best = (1000.0, 0.0);
        for slant in degrees {
            let slant = f64::from(slant) / 180.0 * std::f64::consts::PI;
            let (_, error) = buckets(spots, along(slant));
            if error < best.0 {
                best = (error, slant);
                if error < GOOD {
                    break;
                }
            }
        }
        best.1
    };
    let rows = best(&mut (0..=60).step_by(15), &Along::Rows);
    let columns = best(&mut (90..=120).step_by(15), &|slant| {
        Along::Columns(rows + slant)
    });
    Some((rows, rows + columns))
}

/// Sorts spots into lines of a slant, nearest first. Returns each spot's line, and a
/// measure of how badly the lines fit, which grows with their number.
fn buckets(spots: &[Spot], along: Along) -> (Vec<usize>, f64) {
    let Some([least, most]) = extent(spots.iter().copied()) else {
        return (Vec::new(), 0.0);
    };
    let (width, height) = (most.x - least.x, most.y - least.y);
    let unit = (width + height) / 2.0 / (spots.len() as f64).sqrt();
    let distance = |spot: &Spot| {
        let (from, slant) = match along {
            Along::Layers => return spot.z,
            Along::Rows(slant) => (Spot::new(least.x + width / 2.0, least.y - height), slant),
            Along::Columns(slant) => (Spot::new(least.x - width, least.y + height / 2.0), slant),
        };
        let reach = if width > 0.0 { width } else { 1.0 };
        spot.distance_to_line(from, from.plus(Spot::polar(reach, slant)))
    };
    let mut order: Vec<(f64, usize)> = spots.iter().map(distance).zip(0..).collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let margin = 0.6 * unit;
    let mut lines: Vec<(f64, Vec<(f64, usize)>)> = Vec::new();
    for item in order {
        let fits = |(sum, line): &(f64, Vec<(f64, usize)>)| {
            (item.0 - sum / line.len() as f64).abs() <= margin
        };
        match lines.last_mut().filter(|line| fits(line)) {
            Some((sum, line)) => {
                *sum += item.0;
                line.push(item);
            }
            None => lines.push((item.0, vec![item])),
        }
    }
    let mut numbers = vec![0; spots.len()];
    let mut error = 0.0;
    for (number, (sum, line)) in lines.iter().enumerate() {
        let mean = sum / line.len() as f64;
        line.iter().for_each(|(_, spot)| numbers[*spot] = number);
        // The furthest spot of a line determines its width.
        let last = line
            .last()
            .map_or(0.0, |(distance, _)| (mean - distance).powi(2));
        error += last / line.len() as f64;
    }
    // The penalty prefers fits with fewer lines.
    (numbers, error + 0.01 * lines.len() as f64)
}

/// The rank of each spot among the different heights or widths.
fn distinct(spots: &[Spot], along: impl Fn(&Spot) -> f64) -> Vec<usize> {
    const ALIKE: f64 = 0.001;
    let mut values: Vec<f64> = spots.iter().map(&along).collect();
    values.sort_by(f64::total_cmp);
    values.dedup_by(|next, before| *next - *before < ALIKE);
    let place = |spot: &Spot| {
        let value = along(spot);
        let at = values.partition_point(|other| *other <= value + ALIKE);
        at.saturating_sub(1)
    };
    spots.iter().map(place).collect()
}
