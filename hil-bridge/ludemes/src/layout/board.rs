//! A board: the sites of a layout, with their numbers, steps, lines and names.
//!
//! Invariants: sites are numbered from 0; steps and radials lead to sites of the same
//! board; a board never changes.

use std::sync::OnceLock;

use super::coordinates::{Coordinates, coordinates};
use super::direction::{Direction, Directions};
use super::geometry::Spot;
use super::graph::{Graph, SiteType};
use super::radials::{Radial, Radials, radials};
use super::regions::{NamedRegion, PHASES, Regions, regions};
use super::shapes::{self, Diagonals, Hexes};
use super::step::BoardStep;
use super::steps::steps;

/// A board: a graph, and the type of sites on which the game is played.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardGraph {
    graph: Graph,
    used: SiteType,
    sites: [Sites; 3],
}

impl BoardGraph {
    /// A board on the vertices, edges or cells of a graph.
    #[must_use]
    pub fn new(graph: Graph, used: SiteType) -> BoardGraph {
        let mut steps = steps(&graph);
        let mut regions = regions(&graph);
        let mut coordinates = coordinates(&graph);
        let sites = SiteType::ALL.map(|of| {
            let index = of as usize;
            let steps = std::mem::take(&mut steps[index]);
            Sites {
                of,
                spots: graph.spots(of).collect(),
                radials: OnceLock::new(),
                steps,
                regions: std::mem::take(&mut regions[index]),
                coordinates: std::mem::take(&mut coordinates[index]),
            }
        });
        BoardGraph { graph, used, sites }
    }

    /// The graph of vertices, edges and cells.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The type of sites on which the game is played.
    #[must_use]
    pub fn used(&self) -> SiteType {
        self.used
    }

    /// The sites on which the game is played.
    #[must_use]
    pub fn sites(&self) -> &Sites {
        self.of(self.used)
    }

    /// The sites of this type.
    #[must_use]
    pub fn of(&self, of: SiteType) -> &Sites {
        &self.sites[of as usize]
    }

    /// The centre of the board: the mean of its central cells.
    #[must_use]
    pub fn centre(&self) -> Spot {
        let cells = self.of(SiteType::Cell);
        let middle = cells.region(NamedRegion::Centre);
        let sum = middle
            .iter()
            .map(|cell| cells.spot(*cell))
            .fold(Spot::default(), Spot::plus);
        sum.times(1.0 / middle.len().max(1) as f64)
    }
}

/// The sites of one type: vertices, edges or cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Sites {
    of: SiteType,
    spots: Vec<Spot>,
    steps: Vec<Vec<BoardStep>>,
    /// Computed at the first request, because few boards are played on edges.
    radials: OnceLock<Vec<Radials>>,
    regions: Regions,
    coordinates: Coordinates,
}

impl Sites {
    /// The type of the sites.
    #[must_use]
    pub fn site_type(&self) -> SiteType {
        self.of
    }

    /// The number of sites.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    /// True if there are no sites.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }

    /// The coordinates of a site.
    ///
    /// # Panics
    /// If there is no site with this number, like all methods that take a site.
    #[must_use]
    pub fn spot(&self, site: usize) -> Spot {
        self.spots[site]
    }

    /// The coordinates of the sites.
    #[must_use]
    pub fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// The steps of a site to others of its type, clockwise from north.
    pub fn steps(&self, site: usize) -> impl Iterator<Item = &BoardStep> + Clone {
        let steps = self.steps[site].iter();
        steps.filter(|step| step.to_type == self.of)
    }

    /// The sites that steps of this name lead to, clockwise from north.
    pub fn next(&self, site: usize, direction: Direction) -> impl Iterator<Item = usize> + Clone {
        let named = self
            .steps(site)
            .filter(move |step| step.directions.has(direction));
        named.map(|step| step.to)
    }

    /// The lines of a site in one direction, clockwise from north.
    #[must_use]
    pub fn radials(&self, site: usize, direction: Direction) -> &[Radial] {
        self.all_radials(site).of(direction)
    }

    /// The lines of a site in all directions.
    #[must_use]
    pub fn all_radials(&self, site: usize) -> &Radials {
        let radials = self
            .radials
            .get_or_init(|| radials(&self.spots, self.of, &self.steps));
        &radials[site]
    }

    /// The specific directions (compass points, and those up and down) that steps of a
    /// relation have anywhere on the board, clockwise from north.
    #[must_use]
    pub fn directions(&self, relation: Direction) -> Vec<Direction> {
        let sites = 0..self.len();
        let all = sites.map(|site| self.directions_from(site, relation));
        specific(all.fold(Directions::NONE, Directions::or))
    }

    fn directions_from(&self, site: usize, relation: Direction) -> Directions {
        let steps = self
            .steps(site)
            .filter(|step| step.directions.has(relation));
        steps.fold(Directions::NONE, |all, step| all.or(step.directions))
    }

    /// The sites of a region, in ascending order.
    #[must_use]
    pub fn region(&self, region: NamedRegion) -> &[usize] {
        self.regions.of(region)
    }

    /// The sites of the side in this direction, one of eight; `None` if the board has no
    /// such side.
    #[must_use]
    pub fn side(&self, direction: Direction) -> Option<&[usize]> {
        let mut sides = self.regions.sides.iter();
        sides.find_map(|(side, sites)| (*side == direction).then_some(sites.as_slice()))
    }

    /// The sides that the board has, clockwise from north.
    #[must_use]
    pub fn sides(&self) -> &[(Direction, Vec<usize>)] {
        &self.regions.sides
    }

    /// The phase of a site in the board's colouring, less than [`PHASES`].
    #[must_use]
    pub fn phase(&self, site: usize) -> usize {
        self.regions.phase[site]
    }

    /// The sites of each phase.
    #[must_use]
    pub fn phases(&self) -> Vec<Vec<usize>> {
        let mut phases = Coordinates::lines(&self.regions.phase);
        phases.resize(PHASES, Vec::new());
        phases
    }

    /// The row of a site, from 0 at the bottom.
    #[must_use]
    pub fn row(&self, site: usize) -> usize {
        self.coordinates.row[site]
    }

    /// The column of a site, from 0 at the left.
    #[must_use]
    pub fn column(&self, site: usize) -> usize {
        self.coordinates.column[site]
    }

    /// The layer of a site, from 0 at the page.
    #[must_use]
    pub fn layer(&self, site: usize) -> usize {
        self.coordinates.layer[site]
    }

    /// The sites of each row, from the bottom.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<usize>> {
        Coordinates::lines(&self.coordinates.row)
    }

    /// The sites of each column, from the left.
    #[must_use]
    pub fn columns(&self) -> Vec<Vec<usize>> {
        Coordinates::lines(&self.coordinates.column)
    }

    /// The sites of each layer, from the page.
    #[must_use]
    pub fn layers(&self) -> Vec<Vec<usize>> {
        Coordinates::lines(&self.coordinates.layer)
    }

    /// The name of a site, such as `A1`.
    #[must_use]
    pub fn name(&self, site: usize) -> &str {
        &self.coordinates.name[site]
    }

    /// The site with this name; of several, the first.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<usize> {
        self.coordinates.name.iter().position(|other| other == name)
    }

    /// The number of steps of a relation from each site to each other, as `[from][to]`;
    /// `None` if no steps lead there.
    #[must_use]
    pub fn distances(&self, relation: Direction) -> Vec<Vec<Option<u16>>> {
        let from = |site: usize| {
            let mut distance = vec![None; self.len()];
            distance[site] = Some(0);
            let mut edge = vec![site];
            for steps in 1.. {
                let next = edge.iter().flat_map(|site| self.next(*site, relation));
                let mut fresh: Vec<usize> = next.filter(|site| distance[*site].is_none()).collect();
                fresh.sort_unstable();
                fresh.dedup();
                fresh.iter().for_each(|site| distance[*site] = Some(steps));
                edge = fresh;
                if edge.is_empty() {
                    break;
                }
            }
            distance
        };
        (0..self.len()).map(from).collect()
    }
}

fn specific(directions: Directions) -> Vec<Direction> {
    directions
        .iter()
        .filter(|direction| direction.is_specific())
        .collect()
}

/// Boards that are made without a text.
impl BoardGraph {
    /// A board of `side` by `side` square cells.
    #[must_use]
    pub fn square(side: usize) -> BoardGraph {
        BoardGraph::rectangle(side, side)
    }

    /// Rows and columns of cells.
    #[must_use]
    pub fn rectangle(rows: usize, columns: usize) -> BoardGraph {
        let used = SiteType::Cell;
        BoardGraph::new(
            shapes::rectangle(rows, columns, Diagonals::None, used),
            used,
        )
    }

    /// Rows and columns of points.
    #[must_use]
    pub fn points(rows: usize, columns: usize) -> BoardGraph {
        let used = SiteType::Vertex;
        BoardGraph::new(
            shapes::rectangle(rows, columns, Diagonals::None, used),
            used,
        )
    }

    /// A hexagon of hexagons, `side` along each side.
    #[must_use]
    pub fn hex(side: usize) -> BoardGraph {
        BoardGraph::new(shapes::hex(&Hexes::Hexagon(side)), SiteType::Cell)
    }
}
