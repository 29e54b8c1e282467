//! How far the eye has to be, and where it has to look, for the whole board to
//! stand in the middle of the picture.

use bevy::prelude::*;

use touchboard_host::case::CASE_HEIGHT;

/// How much of the picture's height or width, whichever is the tighter, the
/// board fills.
pub const FILLS: f32 = 0.90;
/// The display is the highest part of the board.
const TOP: f32 = 0.3;
/// Each step of the search goes half of the way that would be the whole one
/// without perspective: from near by it is less.
const STEPS: usize = 40;

/// The position and direction of the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// The place that the eye looks at.
    pub focus: Vec3,
    /// How far from there it is.
    pub distance: f32,
    /// How far around the board it is, in radians; a player sits at 0.
    pub yaw: f32,
    /// How far over the table it is, in radians.
    pub pitch: f32,
}

/// The part of the picture that a board takes whose case is this rectangle: -1 to 1
/// from the left to the right edge, and from the lower to the upper one.
#[must_use]
pub fn outline(case: Rect, stance: &Stance, lens: f32, aspect: f32) -> Rect {
    let back = rotation(stance.yaw, stance.pitch).inverse();
    let reach = (lens / 2.0).tan();
    let seen = corners(case).map(|corner| {
        let place = back * (corner - stance.focus);
        let ahead = (stance.distance - place.z).max(0.01) * reach;
        Vec2::new(place.x / (ahead * aspect), place.y / ahead)
    });
    seen.iter()
        .fold(Rect::EMPTY, |all, place| all.union_point(*place))
}

/// From where all of a case is seen in the middle of a picture of this width
/// by height, through this lens (its field of view up and down, in radians).
#[must_use]
pub fn whole_board(case: Rect, yaw: f32, pitch: f32, lens: f32, aspect: f32) -> Stance {
    let mut stance = Stance {
        focus: case.center().extend(0.0).xzy(),
        distance: case.height() / lens,
        yaw,
        pitch,
    };
    let reach = (lens / 2.0).tan() * Vec2::new(aspect, 1.0);
    for _ in 0..STEPS {
        let seen = outline(case, &stance, lens, aspect);
        let aside = seen.center() * reach * stance.distance / 2.0;
        stance.focus += rotation(yaw, pitch) * aside.extend(0.0);
        stance.distance *= (seen.half_size().max_element() / FILLS).sqrt();
    }
    stance
}

fn rotation(yaw: f32, pitch: f32) -> Quat {
    Quat::from_rotation_y(yaw) * Quat::from_rotation_x(-pitch)
}

fn corners(case: Rect) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        let x = if corner & 1 == 0 {
            case.min.x
        } else {
            case.max.x
        };
        let z = if corner >> 1 & 1 == 0 {
            case.min.y
        } else {
            case.max.y
        };
        let y = if corner >> 2 == 0 { TOP } else { -CASE_HEIGHT };
        Vec3::new(x, y, z)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_stands_whole_in_the_middle_of_every_picture() {
        let cases = [(10.6, 13.0), (10.6, 9.0), (12.0, 14.4)];
        let cases = cases.map(|(x, y)| Rect::from_center_size(Vec2::NEG_Y, Vec2::new(x, y)));
        for aspect in [0.3, 0.57, 1.0, 1.08, 1.44, 2.4, 4.0] {
            let ways = [(0.0, 0.98), (0.0, 1.57), (0.7, 0.4), (-2.0, 0.15)];
            for ((yaw, pitch), case) in ways
                .into_iter()
                .flat_map(|way| cases.map(|case| (way, case)))
            {
                let stance = whole_board(case, yaw, pitch, 0.40, aspect);
                let seen = outline(case, &stance, 0.40, aspect);
                assert!(
                    seen.center().abs().max_element() < 0.01,
                    "{aspect} {seen:?}"
                );
                let fills = seen.half_size().max_element();
                assert!((fills - FILLS).abs() < 0.01, "{aspect} {fills}");
            }
        }
    }
}
