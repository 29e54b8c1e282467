//! Low pieces: discs, stones, tiles, drums, tokens with a letter.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use bevy::prelude::*;

use super::lathe::Lathe;
use super::{FOOT, FigureShapes, SKIRT};
use crate::scene::lettering;
use crate::scene::shape::{Shape, Slab};

/// Radius of a disc; its light is visible around it.
const DISC: f32 = 0.345;
/// Thickness of a disc, which is the distance between stacked ones.
const THICK: f32 = 0.135;
/// Height of print above its surface.
const INK: f32 = 0.004;

/// A low turned piece with a round head.
pub fn man() -> FigureShapes {
    let body = Lathe::at(0.26, FOOT)
        .to(0.26, FOOT + 0.04)
        .bead(0.012, FOOT + 0.085)
        .curve([0.15, 0.17], [0.125, 0.235])
        .edge(0.175, 0.25)
        .bead(0.010, 0.275)
        .edge(0.12, 0.285)
        .ball(0.16, 0.385);
    FigureShapes::of(body.turned())
}

/// The edge of a disc, up to its top.
fn edge() -> Lathe {
    let top = SKIRT + THICK;
    Lathe::at(DISC - 0.015, SKIRT)
        .to(DISC, SKIRT + 0.015)
        .to(DISC, top - 0.03)
        .curve([DISC, top], [DISC - 0.03, top])
}

/// A disc of draughts, with rings in its top.
pub fn counter() -> FigureShapes {
    let top = SKIRT + THICK;
    let low = top - 0.030;
    let body = edge()
        .edge(0.275, top)
        .edge(0.26, low)
        .edge(0.215, low)
        .edge(0.20, top)
        .edge(0.135, top)
        .edge(0.12, low)
        .to(0.0, low);
    FigureShapes::of(body.turned()).stacked(THICK)
}

/// Two stacked discs, the upper one with a crown.
pub fn crowned() -> FigureShapes {
    let mut body = counter().body;
    let upper = edge().to(0.0, SKIRT + THICK).turned();
    body.add(&upper, Transform::from_xyz(0.0, THICK, 0.0));
    let crown = [
        [-0.20, -0.15],
        [0.20, -0.15],
        [0.25, 0.13],
        [0.115, 0.0],
        [0.0, 0.19],
        [-0.115, 0.0],
        [-0.25, 0.13],
    ];
    let mut ink = Shape::default();
    let over = Transform::from_xyz(0.0, SKIRT + 2.0 * THICK + INK, 0.0);
    ink.add(&Shape::filled(&crown.map(Vec2::from)), over);
    FigureShapes::of(body).with_ink(ink)
}

/// A stone of Go, round above and below.
pub fn stone() -> FigureShapes {
    let (radius, middle) = (0.365, SKIRT + 0.105);
    let profile: Vec<Vec2> = (-2..=8_i8)
        .map(|step| {
            let angle = FRAC_PI_2 * f32::from(step) / 8.0;
            let out = angle.cos().max(0.0).powf(0.80);
            Vec2::new(radius * out, middle + 0.135 * angle.sin())
        })
        .collect();
    FigureShapes::of(Shape::turned(&profile, 32)).stacked(0.20)
}

/// A flat disc with a raised rim.
pub fn disc() -> FigureShapes {
    let top = SKIRT + THICK;
    let body = edge()
        .edge(0.265, top)
        .curve([0.24, top - 0.045], [0.19, top - 0.045])
        .to(0.0, top - 0.04);
    FigureShapes::of(body.turned()).stacked(THICK)
}

/// Two crossed bars.
pub fn cross() -> FigureShapes {
    let bar = Shape::slab(Slab {
        size: Vec3::new(0.80, THICK, 0.20),
        corner: 0.06,
        fillet: 0.035,
    });
    let mut body = Shape::default();
    for (turn, lift) in [(FRAC_PI_4, 0.0), (-FRAC_PI_4, 0.0005)] {
        let place = Transform::from_xyz(0.0, SKIRT + 0.06 + THICK + lift, 0.0)
            .with_rotation(Quat::from_rotation_y(turn));
        body.add(&bar, place);
    }
    FigureShapes::of(body).stacked(THICK)
}

pub fn ball() -> FigureShapes {
    let body = Lathe::at(0.10, FOOT).ball(0.265, FOOT + 0.245);
    FigureShapes::of(body.turned())
}

/// A pointed peg.
pub fn arrow() -> FigureShapes {
    let body = Lathe::at(0.22, FOOT)
        .edge(0.22, FOOT + 0.05)
        .curve([0.07, FOOT + 0.10], [0.022, 0.44])
        .ball(0.024, 0.445);
    FigureShapes::of(body.turned())
}

/// Radius of a piece of a pile. It covers its light, whose glow is seen around it.
const DRUM: f32 = 0.385;
/// Height of a piece, with the groove between two.
const DRUM_STEP: f32 = 0.185;
/// Depth of the dish in its top.
const DISH: f32 = 0.028;

/// A piece of a pile: its number is engraved in the dish of the uppermost one.
pub fn drum() -> FigureShapes {
    let top = DRUM_STEP - 0.018;
    let body = Lathe::at(DRUM - 0.035, 0.0)
        .to(DRUM, 0.035)
        .to(DRUM, top - 0.050)
        .curve([DRUM, top], [DRUM - 0.045, top])
        .edge(DRUM - 0.075, top)
        .edge(DRUM - 0.105, top - DISH)
        .to(0.0, top - DISH);
    FigureShapes::of(body.turned()).stacked(DRUM_STEP)
}

/// A polished tile with its symbol.
pub fn tile(symbol: char) -> FigureShapes {
    let height = 0.20;
    let slab = Shape::slab(Slab {
        size: Vec3::new(0.74, height - 0.02, 0.74),
        corner: 0.20,
        fillet: 0.085,
    });
    let mut body = Shape::default();
    body.add(&slab, Transform::from_xyz(0.0, height, 0.0));
    let mut ink = Shape::default();
    ink.add(
        &sign(symbol, 0.46),
        Transform::from_xyz(0.0, height + INK, 0.0),
    );
    FigureShapes::of(body).with_ink(ink).stacked(height)
}

/// A disc with its letter.
pub fn token(letter: char) -> FigureShapes {
    let top = SKIRT + THICK;
    let body = edge().to(0.0, top).turned();
    let mut letters = Shape::default();
    let letter = lettering::words(&letter.to_string(), 0.38);
    letters.add(&letter, Transform::from_xyz(0.0, top + INK, 0.0));
    FigureShapes::of(body).with_letters(letters).stacked(THICK)
}

/// A symbol, drawn so that all symbols are equally bold.
fn sign(symbol: char, size: f32) -> Shape {
    let bold = 0.11;
    let bar = |length: f32, turn: f32, z: f32| {
        let place = Transform::from_xyz(0.0, 0.0, z).with_rotation(Quat::from_rotation_y(turn));
        (Shape::plate(length, bold), place)
    };
    let bars: Vec<(Shape, Transform)> = match symbol {
        '-' => vec![bar(size, 0.0, 0.0)],
        '=' => vec![bar(size, 0.0, -bold), bar(size, 0.0, bold)],
        '+' => vec![bar(size, 0.0, 0.0), bar(size, FRAC_PI_2, 0.0)],
        'x' => [FRAC_PI_4, -FRAC_PI_4]
            .map(|turn| bar(1.1 * size, turn, 0.0))
            .to_vec(),
        '*' => (0..3_u8)
            .map(|arm| bar(size, f32::from(arm) * FRAC_PI_2 * 2.0 / 3.0, 0.0))
            .collect(),
        'o' => {
            let radii = [size / 2.0 - bold, size / 2.0];
            let round = Shape::arc(radii, 0.0, 4.0 * FRAC_PI_2);
            vec![(round, Transform::IDENTITY)]
        }
        other => vec![(
            lettering::words(&other.to_string(), size),
            Transform::IDENTITY,
        )],
    };
    let mut sign = Shape::default();
    for (bar, place) in bars {
        sign.add(&bar, place);
    }
    sign
}
