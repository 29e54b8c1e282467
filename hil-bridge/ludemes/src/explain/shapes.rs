//! The name of a walk's shape, on boards of squares or hexagons.
use std::collections::BTreeSet;

type Place = (i32, i32);

/// The steps in all directions, in turning order, on squares and on hexagons.
const SQUARE: [Place; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const HEXAGON: [Place; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The words for a walk's shape; `None` if it has no name.
pub(super) fn name(walk: &[&str], turns: u8) -> Option<String> {
    let steps: &[Place] = if turns == 4 { &SQUARE } else { &HEXAGON };
    let places = visited(walk, steps)?;
    let count = super::values::small(places.len() as i64);
    if is_line(&places) {
        return Some(format!("a line of {count} that ends with the last piece"));
    }
    let block = turns == 4 && places.len() == 4 && spread(&places) == (1, 1);
    if block {
        return Some("a block of two by two".to_owned());
    }
    let around = |centre: &Place| {
        steps
            .iter()
            .all(|step| places.contains(&(centre.0 + step.0, centre.1 + step.1)))
    };
    let centres = || {
        places.iter().flat_map(|place| {
            steps
                .iter()
                .map(move |step| (place.0 + step.0, place.1 + step.1))
        })
    };
    if turns == 6 && places.len() == 6 && centres().any(|centre| around(&centre)) {
        return Some("a ring of six".to_owned());
    }
    if turns == 6 && places.len() == 6 && is_triangle(&places) {
        return Some("a triangle of six".to_owned());
    }
    None
}

fn visited(walk: &[&str], steps: &[Place]) -> Option<BTreeSet<Place>> {
    let (mut at, mut way) = ((0, 0), 0);
    let mut places = BTreeSet::from([at]);
    for step in walk {
        match *step {
            "F" => {
                at = (at.0 + steps[way].0, at.1 + steps[way].1);
                places.insert(at);
            }
            "R" => way = (way + 1) % steps.len(),
            "L" => way = (way + steps.len() - 1) % steps.len(),
            _ => return None,
        }
    }
    Some(places)
}

fn spread(places: &BTreeSet<Place>) -> Place {
    let range = |of: fn(&Place) -> i32| {
        let values = places.iter().map(of);
        values.clone().max().unwrap_or(0) - values.min().unwrap_or(0)
    };
    (range(|place| place.0), range(|place| place.1))
}

fn is_line(places: &BTreeSet<Place>) -> bool {
    let all: Vec<&Place> = places.iter().collect();
    let gaps: BTreeSet<Place> = all
        .windows(2)
        .map(|pair| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1))
        .collect();
    gaps.len() == 1
}

/// True for rows of three, two and one sites, pointing either way.
fn is_triangle(places: &BTreeSet<Place>) -> bool {
    let corner = |sign: i32| {
        places.iter().any(|at| {
            (0..3).all(|i| (0..3 - i).all(|j| places.contains(&(at.0 + sign * i, at.1 + sign * j))))
        })
    };
    corner(1) || corner(-1)
}
