//! A board on the raster of a drawing: its points as they appear on a screen and on a
//! board of lights.
//!
//! Points of a drawing are numbered row by row from the top, sites from the bottom; a
//! [`RasterBoard`] converts between them. A way of the drawing is a compass direction in
//! which sites step across a side, or across a corner to a cell that touches there;
//! hexagons have six. Layers are placed side by side, the lowest on the left, and so are
//! boards that would cover each other.
//!
//! Every board of up to 256 sites has a drawing. The drawing shows how the board looks;
//! the facts that rules need are in [`Sites`]. It omits what exceeds a drawing's limits:
//! of more than twelve ways those across corners, and of more than twelve steps of a site
//! the remaining ones. Its points are named like all points of drawings, by the lines
//! that players count. On boards of squares and hexagons these are also the names of the
//! sites; on other tilings they may differ.
//!
//! Invariants: different sites are on different points; a way only leads where a step
//! leads.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{Drawing, MAX_POINTS, Place, Point, Sketch, Way};

use super::board::{BoardGraph, Sites};
use super::direction::Direction;
use super::geometry::{Spot, extent};
use super::graph::SiteType;
use super::step::BoardStep;

/// The maximum number of ways of a drawing.
const MOST_WAYS: usize = protocol::MAX_WAYS;

/// The largest coordinate on a raster.
const FURTHEST: f64 = 254.0;

/// A board on a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct RasterBoard {
    /// The sketch of the board's points.
    pub sketch: Sketch,
    /// The point of each site.
    pub points: Vec<Point>,
    /// The site of each point.
    pub sites: Vec<usize>,
}

/// The error that a board has more sites than a board of lights can have points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this board has {sites} sites: a board shows at most 256")]
pub struct TooManySites {
    /// The number of sites of the board.
    pub sites: usize,
}

impl BoardGraph {
    /// The board on a raster.
    ///
    /// # Errors
    /// [`TooManySites`] if it has more than 256 sites.
    pub fn raster(&self) -> Result<RasterBoard, TooManySites> {
        self.sites().raster()
    }
}

impl Sites {
    /// These sites on a raster.
    ///
    /// # Errors
    /// [`TooManySites`] if there are more than 256.
    pub fn raster(&self) -> Result<RasterBoard, TooManySites> {
        let error = TooManySites { sites: self.len() };
        if self.is_empty() || self.len() > MAX_POINTS {
            return Err(error);
        }
        let places = places(self);
        let mut sites: Vec<usize> = (0..self.len()).collect();
        sites.sort_by_key(|site| places[*site]);
        let mut points = vec![Point(0); self.len()];
        for (index, site) in sites.iter().enumerate() {
            points[*site] = Point(index as u8);
        }
        let (ways, tables) = ways(self);
        let mut sketch = Sketch {
            places: sites.iter().map(|site| places[*site]).collect(),
            ways,
            ..Sketch::default()
        };
        for (site, table) in tables.iter().enumerate() {
            for way in 0..sketch.ways.len() {
                let to = table.get(&way).map(|to| points[*to]);
                sketch.steps.insert((points[site], way), to);
            }
        }
        let bytes = sketch.bytes().map_err(|_| error)?;
        let drawing = Drawing::new(&bytes).map_err(|_| error)?;
        // Writes each way only once, with exceptions for single points.
        let sketch = Sketch::of(drawing);
        Ok(RasterBoard {
            sketch,
            points,
            sites,
        })
    }

    /// The number of columns and rows, if the sites form a full grid that is numbered row
    /// by row from the bottom.
    #[must_use]
    pub fn grid(&self) -> Option<(u8, u8)> {
        const NEAR: f64 = 0.001;
        let first = *self.spots().first()?;
        let in_first_row = self
            .spots()
            .iter()
            .filter(|spot| (spot.y - first.y).abs() < NEAR);
        let columns = in_first_row.count();
        let rows = self.len() / columns;
        // The second site: the next in the row, or the first of the next row if rows have
        // one site.
        let second = self.spots().get(1).copied().unwrap_or_default();
        let step = first.distance(second);
        let fits = |site: usize| {
            let place = Spot::new(
                (site % columns) as f64 * step,
                (site / columns) as f64 * step,
            );
            self.spot(site).is_at(first.plus(place), NEAR)
        };
        let is_grid = columns * rows == self.len() && (0..self.len()).all(fits);
        let (columns, rows) = (u8::try_from(columns).ok()?, u8::try_from(rows).ok()?);
        is_grid.then_some((columns, rows))
    }
}

/// The places of the sites on the raster.
fn places(sites: &Sites) -> Vec<Place> {
    let spots = flat(sites);
    let Some([least, most]) = extent(spots.iter().copied()) else {
        return Vec::new();
    };
    let (wide, high) = scales(&spots, least, most);
    let mut taken = BTreeSet::new();
    let mut places = Vec::new();
    for spot in spots {
        let x = ((spot.x - least.x) * wide).round() as i32;
        let y = ((most.y - spot.y) * high).round() as i32;
        let place = free(&taken, x, y);
        taken.insert(place);
        places.push(place);
    }
    let least = |side: fn(&Place) -> u8| places.iter().map(side).min().unwrap_or_default();
    let (left, top) = (least(|place| place.x), least(|place| place.y));
    places
        .iter()
        .map(|place| Place {
            x: place.x - left,
            y: place.y - top,
        })
        .collect()
}

/// The free place that is nearest to these coordinates.
fn free(taken: &BTreeSet<Place>, x: i32, y: i32) -> Place {
    let around = (0..255_i32).flat_map(|ring| {
        let side = -ring..=ring;
        let all = side
            .clone()
            .flat_map(move |dy| side.clone().map(move |dx| (dx, dy)));
        all.filter(move |(dx, dy)| dx.abs().max(dy.abs()) == ring)
    });
    let mut places = around.filter_map(|(dx, dy)| {
        let inside = |along: i32| {
            u8::try_from(along)
                .ok()
                .filter(|along| f64::from(*along) <= FURTHEST)
        };
        Some(Place {
            x: inside(x + dx)?,
            y: inside(y + dy)?,
        })
    });
    places
        .find(|place| !taken.contains(place))
        .unwrap_or_default()
}

/// The coordinates of the sites on the page, with layers next to each other.
fn flat(sites: &Sites) -> Vec<Spot> {
    let mut spots: Vec<Spot> = (0..sites.len()).map(|site| sites.spot(site)).collect();
    let mut heights: Vec<f64> = spots.iter().map(|spot| spot.z).collect();
    heights.sort_by(f64::total_cmp);
    heights.dedup_by(|next, before| *next - *before < 0.001);
    let layers = heights.into_iter().flat_map(|height| {
        let on_layer = (0..spots.len()).filter(|site| (spots[*site].z - height).abs() < 0.001);
        uncovered(sites, &on_layer.collect::<Vec<_>>())
    });
    let mut across = 0.0;
    for layer in layers.collect::<Vec<_>>() {
        let Some([least, most]) = extent(layer.iter().map(|site| spots[*site])) else {
            continue;
        };
        for site in layer {
            let spot = spots[site];
            spots[site] = Spot::new(spot.x - least.x + across, spot.y);
        }
        // A gap separates layers.
        across += most.x - least.x + 2.0;
    }
    spots
}

/// The sites in layers without overlaps: boards on top of each other that no step
/// connects become separate layers.
fn uncovered(sites: &Sites, on_layer: &[usize]) -> Vec<Vec<usize>> {
    let spots: Vec<Spot> = on_layer.iter().map(|site| sites.spot(*site)).collect();
    let near = nearest(&spots) / 4.0;
    let mut layers: Vec<Vec<usize>> = Vec::new();
    for part in joined(sites, on_layer) {
        let is_free = |layer: &&mut Vec<usize>| {
            let mut pairs = layer
                .iter()
                .flat_map(|one| part.iter().map(move |other| (*one, *other)));
            pairs.all(|(one, other)| sites.spot(one).distance(sites.spot(other)) > near)
        };
        match layers.iter_mut().find(is_free) {
            Some(layer) => layer.extend(&part),
            None => layers.push(part),
        }
    }
    layers
}

/// The connected parts of these sites, each beginning with its lowest number.
fn joined(sites: &Sites, among: &[usize]) -> Vec<Vec<usize>> {
    let mut left: BTreeSet<usize> = among.iter().copied().collect();
    let mut parts = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut part = vec![first];
        let mut next = 0;
        while let Some(site) = part.get(next).copied() {
            part.extend(
                sites
                    .steps(site)
                    .map(|step| step.to)
                    .filter(|to| left.remove(to)),
            );
            next += 1;
        }
        parts.push(part);
    }
    parts
}

/// The number of raster places for a unit across and down: equal, or almost equal if rows
/// and columns then fall on places.
fn scales(spots: &[Spot], least: Spot, most: Spot) -> (f64, f64) {
    // The distance between neighbouring points, in raster places.
    const PITCH: f64 = 8.0;
    const ALIKE: f64 = 0.035;
    let (width, height) = (most.x - least.x, most.y - least.y);
    let nearest = nearest(spots);
    let room = FURTHEST / width.max(height).max(1e-9);
    let scale = room.min(PITCH / nearest);
    let across = measure(spots.iter().map(|spot| spot.x - least.x));
    let down = measure(spots.iter().map(|spot| spot.y - least.y));
    let mut best: Option<(f64, (f64, f64))> = None;
    if let (Some(across), Some(down)) = (across, down) {
        for x in 1..=64 {
            for y in 1..=64 {
                let (wide, high) = (f64::from(x) / across, f64::from(y) / down);
                let skew = (wide / high - 1.0).abs();
                let fits = width * wide <= FURTHEST && height * high <= FURTHEST;
                let far = (wide / (PITCH / nearest)).ln().abs();
                let badness = far + 8.0 * skew;
                if fits && skew <= ALIKE && best.is_none_or(|(known, _)| badness < known) {
                    best = Some((badness, (wide, high)));
                }
            }
        }
    }
    let even = |only: Option<f64>, other: Option<f64>| match (only, other) {
        // All sites are in one row or column, so any scale fits the other direction.
        (Some(step), None) => Some(((PITCH / nearest * step).round().max(1.0) / step).min(room)),
        _ => None,
    };
    let straight = even(across, down).or_else(|| even(down, across));
    match (best, straight) {
        (Some((_, scales)), _) => scales,
        (None, Some(scale)) if width < 1e-9 || height < 1e-9 => (scale, scale),
        _ => (scale, scale),
    }
}

/// The smallest distance of two spots that do not coincide.
fn nearest(spots: &[Spot]) -> f64 {
    let pairs = spots.iter().enumerate();
    let distances =
        pairs.flat_map(|(index, one)| spots[..index].iter().map(|other| one.distance(*other)));
    let least = distances
        .filter(|distance| *distance > 1e-6)
        .fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// The largest length of which all these lengths are multiples; `None` if it is very
/// small, or if all are 0.
fn measure(lengths: impl Iterator<Item = f64>) -> Option<f64> {
    const SAME: f64 = 0.004;
    const SMALL: f64 = 0.15;
    let common = lengths.fold(0.0_f64, |common, length| {
        let (mut one, mut other) = (common.max(length), common.min(length));
        while other > SAME {
            let rest = one - (one / other).round() * other;
            (one, other) = (other, rest.abs());
        }
        one
    });
    (common > SMALL).then_some(common)
}

/// The ways of the drawing, and for each site where they lead.
fn ways(sites: &Sites) -> (Vec<Way>, Vec<BTreeMap<usize, usize>>) {
    let mut kinds: Vec<(bool, Direction)> = Vec::new();
    for straight in [true, false] {
        for direction in Direction::ALL
            .iter()
            .filter(|direction| direction.is_bearing())
        {
            let leads_there = |step: &BoardStep| kind(step) == Some((straight, *direction));
            if (0..sites.len()).any(|site| sites.steps(site).any(leads_there)) {
                kinds.push((straight, *direction));
            }
        }
    }
    let straight = kinds.iter().filter(|(straight, _)| *straight).count();
    if kinds.len() > MOST_WAYS {
        kinds.truncate(straight.min(MOST_WAYS));
    }
    let table = |site: usize| {
        let mut table = BTreeMap::new();
        let mut left = Vec::new();
        for step in sites.steps(site) {
            let own = kinds.iter().position(|other| kind(step) == Some(*other));
            match own.filter(|way| !table.contains_key(way)) {
                Some(way) => drop(table.insert(way, step.to)),
                None => left.push(step),
            }
        }
        // A step without a way of its own takes the nearest free one.
        for step in left {
            let Some((straight, direction)) = kind(step) else {
                continue;
            };
            let free = (0..kinds.len())
                .filter(|way| kinds[*way].0 == straight && !table.contains_key(way));
            let turn = |way: &usize| apart(kinds[*way].1, direction);
            if let Some(way) = free.min_by_key(turn) {
                table.insert(way, step.to);
            }
        }
        table
    };
    let tables = (0..sites.len()).map(table).collect();
    let way = |(straight, _): &(bool, Direction)| Way {
        dx: 0,
        dy: 0,
        straight: *straight,
    };
    (kinds.iter().map(way).collect(), tables)
}

/// Whether a step leads across a side, and its direction; `None` if it leads to a cell
/// that does not touch.
fn kind(step: &BoardStep) -> Option<(bool, Direction)> {
    let touches = step.to_type != SiteType::Cell || step.directions.has(Direction::Adjacent);
    let straight = step.directions.has(Direction::Orthogonal);
    step.compass()
        .filter(|_| touches)
        .map(|compass| (straight, compass))
}

/// The angle between two directions, in sixteenths of a turn; up and down are far from
/// all others.
fn apart(one: Direction, other: Direction) -> usize {
    match (one.sector(), other.sector()) {
        (Some(one), Some(other)) => {
            let turn = one.abs_diff(other);
            turn.min(16 - turn)
        }
        _ => 16,
    }
}
