//! The drawings can be cut, printed and wired, and agree with the window.

use std::collections::BTreeMap;
use std::fs;

use protocol::Button;
use touchboard_host::case::Flat;
use touchboard_links::pico::pins::PINS;

use super::drawing::Cut;
use super::solid::Spot;
use super::*;

const PITCH_MM: f32 = 50.0 / 3.0;

fn layout(name: &str) -> KnownLayout {
    touchboard_links::games::layout(name).unwrap()
}

/// The tested layouts: small, large, wide, and drawn ones.
fn layouts() -> [KnownLayout; 6] {
    ["3x3", "8x8", "9x9", "12x8", "16x16", "hex.lud#5x5"].map(layout)
}

fn distance(cut: &Cut, other: &Cut) -> f32 {
    if let (
        Cut::Circle { middle, radius },
        Cut::Circle {
            middle: there,
            radius: other,
        },
    ) = (cut, other)
    {
        return (*middle - *there).length() - radius - other;
    }
    let [[one, two], [three, four]] = [cut.extent(), other.extent()];
    let apart = (one - four).max(three - two);
    apart.x.max(apart.y)
}

#[test]
fn holes_of_a_plate_neither_touch_nor_leave_it() {
    for layout in layouts() {
        let plan = CasePlan::new(layout.clone());
        let measures = Measures::new(&plan, PITCH_MM, 34.0);
        let holes = layout.points() + Button::ALL.len() + 2 + 1 + 4;
        for plate in plates::all(&plan, &measures) {
            let more = match plate.name {
                "carrier" => layout.points(),
                _ => 0,
            };
            assert_eq!(plate.cuts.len(), 1 + holes + more, "{}", plate.name);
            let (outer, holes) = plate.cuts.split_first().unwrap();
            let [least, most] = outer.extent();
            for (index, hole) in holes.iter().enumerate() {
                let [from, to] = hole.extent();
                assert!(from.greater_than(least).all() && to.lower_than(most).all());
                for other in &holes[..index] {
                    // At least a millimetre of material remains between holes; less would
                    // break.
                    let left = distance(hole, other);
                    assert!(
                        left > 0.9,
                        "{}: {left} mm between {hole:?} and {other:?}",
                        plate.name
                    );
                }
            }
        }
    }
}

#[test]
fn points_have_the_pitch_of_an_led_strip() {
    // The points of a drawn board lie on its raster, at least one step apart.
    let grids = layouts()
        .into_iter()
        .filter(|layout| layout.sides().is_some());
    for layout in grids {
        let plan = CasePlan::new(layout.clone());
        let measures = Measures::new(&plan, PITCH_MM, 34.0);
        let places: Vec<Flat> = layout
            .iter()
            .map(|point| plan.point(point) * measures.unit)
            .collect();
        let others = |place: &Flat| {
            let away = places.iter().map(|other| (*other - *place).length());
            away.filter(|away| *away > 0.1).fold(f32::MAX, f32::min)
        };
        assert!(
            places
                .iter()
                .all(|place| (others(place) - PITCH_MM).abs() < 0.02)
        );
    }
}

#[test]
fn every_shell_of_the_box_is_closed_and_has_room_inside() {
    for layout in layouts() {
        let plan = CasePlan::new(layout);
        let measures = Measures::new(&plan, PITCH_MM, 34.0);
        let solid = solid::case(&plan, &measures);
        let key = |spot: Spot| spot.map(|length| (length * 1_000.0).round() as i64);
        let mut edges: BTreeMap<([i64; 3], [i64; 3]), i32> = BTreeMap::new();
        for corners in &solid.triangles {
            for at in 0..3 {
                let [from, to] = [corners[at], corners[(at + 1) % 3]].map(key);
                *edges.entry((from, to)).or_default() += 1;
                *edges.entry((to, from)).or_default() -= 1;
            }
        }
        // Each edge is used once in each direction.
        assert!(edges.values().all(|sum| *sum == 0));
        let [least, most] = plan.outline().extent();
        let size = (most - least) * measures.unit;
        let all = size.x * size.y * measures.depth;
        let part = solid.volume() / all;
        assert!(part > 0.05 && part < 0.5, "{part}");
        assert_eq!(solid.stl().len(), 84 + 50 * solid.triangles.len());
    }
}

#[test]
fn the_opening_for_the_cable_is_in_the_back_wall() {
    let plan = CasePlan::new(layout("9x9"));
    let measures = Measures::new(&plan, PITCH_MM, 34.0);
    let low = solid::case(&plan, &measures);
    let back = plan.outline().extent()[0].y * measures.unit;
    let in_opening = |spot: &Spot| (spot[1] - back).abs() < 0.01 && spot[2] > 1.0 && spot[2] < 10.0;
    let spots = low
        .triangles
        .iter()
        .flatten()
        .filter(|spot| in_opening(spot));
    let xs: Vec<f32> = spots.map(|spot| spot[0]).collect();
    let most = xs.iter().copied().fold(f32::MIN, f32::max);
    let least = xs.iter().copied().fold(f32::MAX, f32::min);
    assert!((most - least - 13.0).abs() < 0.01, "{least} to {most}");
}

#[test]
fn a_drawing_reads_back_from_both_formats() {
    let plan = CasePlan::new(layout("9x9"));
    let measures = Measures::new(&plan, PITCH_MM, 34.0);
    for plate in plates::all(&plan, &measures) {
        let is_circle = |cut: &&Cut| matches!(cut, Cut::Circle { .. });
        let circles = plate.cuts.iter().filter(is_circle).count();
        let (svg, dxf) = (plate.svg(), plate.dxf());
        assert_eq!(svg.matches("<circle ").count(), circles);
        assert_eq!(svg.matches("<polygon ").count(), plate.cuts.len() - circles);
        assert_eq!(dxf.matches("\nCIRCLE\n").count(), circles);
        assert_eq!(
            dxf.matches("\nPOLYLINE\n").count(),
            plate.cuts.len() - circles
        );
        assert_eq!(
            dxf.matches("\nSEQEND\n").count(),
            plate.cuts.len() - circles
        );
        // A DXF file is a list of pairs: a code, which is a number, and a value.
        let lines: Vec<&str> = dxf.lines().collect();
        assert_eq!(lines.len() % 2, 0);
        assert!(
            lines
                .iter()
                .step_by(2)
                .all(|code| code.parse::<u16>().is_ok())
        );
    }
}

#[test]
fn boards_need_two_or_three_shift_registers() {
    let needs = |name| parts::MatrixNeeds::of(layout(name).layout());
    assert_eq!(needs("9x9").registers(), 2);
    assert_eq!(needs("16x16").registers(), 3);
    assert_eq!((needs("9x9").rows, needs("3x3").rows), (9, 7));
    assert_eq!(needs("9x9").keys, 88);
    let list = parts::list(layout("9x9").layout());
    assert!(list.contains("| 83 | WS2812B"), "{list}");
}

#[test]
fn diagram_and_guide_have_every_pin_of_the_firmware() {
    let svg = wiring::svg(layout("9x9").layout());
    let guide = xtask::cargo::root().join("tools/book/src/boards/building.md");
    let guide = fs::read_to_string(guide).unwrap();
    for (first, last, part) in PINS {
        let row = format!("| {} | {part} |", wiring::pins(first, last));
        assert!(guide.contains(&row), "the guide lacks {row}");
        assert!(svg.contains(&escaped(part)), "{part}");
    }
    // The pictures in the book are what `cargo xtask case` draws.
    let pictures = xtask::cargo::root().join("tools/book/src/boards/building");
    for (name, bytes) in draw(&layout("9x9"), PITCH_MM, 34.0) {
        if let Ok(picture) = fs::read(pictures.join(&name)) {
            assert!(picture == bytes, "cargo xtask case draws another {name}");
        }
    }
    for name in ["front.svg", "wiring.svg"] {
        assert!(pictures.join(name).is_file(), "{name}");
    }
    // The shopping list in the guide is the list of parts.
    let list = parts::list(layout("9x9").layout());
    for row in list.lines() {
        assert!(guide.contains(row), "the guide lacks {row}");
    }
}

#[test]
fn an_impossible_case_is_refused_with_the_limits() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("case");
    let options = |layout: &str, pitch_mm, depth_mm| Options {
        layout: layout.to_owned(),
        pitch_mm,
        depth_mm,
        out: folder.clone(),
    };
    for (options, part) in [
        (options("9x9", 5.0, 34.0), "--pitch-mm is 12.5 to 60"),
        (options("9x9", PITCH_MM, 3.0), "--depth-mm is 26 to 120"),
        (options("0x9", PITCH_MM, 34.0), "0x9"),
        (options("9x9", f32::NAN, 34.0), "--pitch-mm"),
    ] {
        let sentence = make(&options).unwrap_err().to_string();
        assert!(sentence.contains(part), "{sentence}");
    }
    assert!(!folder.exists());
}
