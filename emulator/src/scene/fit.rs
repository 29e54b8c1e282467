//! The distance and target of the camera for which the whole board is centred in the
//! picture.

use bevy::prelude::*;

use touchboard_host::case::CASE_HEIGHT;

/// The share of the picture's height or width, whichever is tighter, that the board
/// fills.
pub const FILLS: f32 = 0.90;
/// Height of the display, the highest part of the board.
const TOP: f32 = 0.3;
/// Steps of the search. Each step makes half of the correction that would be exact
/// without perspective, because at close range less is needed.
const STEPS: usize = 40;

/// The position and direction of the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// The place that the camera looks at.
    pub focus: Vec3,
    /// The distance from there to the camera.
    pub distance: f32,
    /// The angle around the board, in radians; a player sits at 0.
    pub yaw: f32,
    /// The angle above the table, in radians.
    pub pitch: f32,
}

/// The part of the picture that a board with this case covers. Coordinates go
/// from -1 to 1, left to right and bottom to top.
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

/// The stance at which the whole case is centred in a picture of this aspect
/// ratio (width by height). `lens` is the vertical field of view, in radians.
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
    fn the_whole_board_is_centred_in_every_picture() {
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
