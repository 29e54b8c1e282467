//! The difference between two pictures.

use tiny_skia::{Pixmap, PixmapPaint, Transform};

use crate::{BoardPicture, PictureError};

/// Pixels are alike if each of their parts differs by no more than this. It hides rounding
/// differences at smoothed edges.
pub const ALIKE: u8 = 8;

/// The colour of pixels that differ, in a marked picture.
const MARK: [u8; 4] = [0xff, 0x20, 0xd0, 0xff];
/// The divisor by which other pixels are darkened.
const DIMMED: u8 = 4;

/// The difference of a picture from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureDifference {
    /// The number of pixels that differ; all of them if the sizes differ.
    pub pixels: u64,
    /// The number of pixels of the larger picture.
    pub of: u64,
}

impl PictureDifference {
    /// Compares a picture with the expected one.
    #[must_use]
    pub fn between(expected: &BoardPicture, found: &BoardPicture) -> PictureDifference {
        let count = |picture: &BoardPicture| picture.0.pixels().len() as u64;
        let of = count(expected).max(count(found));
        let pixels = match expected.size() == found.size() {
            true => differing(expected, found)
                .filter(|differs| *differs)
                .count() as u64,
            false => of,
        };
        PictureDifference { pixels, of }
    }

    /// The part of the picture that differs, in percent.
    #[must_use]
    pub fn percent(&self) -> f64 {
        100.0 * self.pixels as f64 / self.of.max(1) as f64
    }

    /// A picture with three parts side by side: the expected picture, the found one, and
    /// the found one with the differences marked.
    ///
    /// # Errors
    /// [`PictureError::NoMemory`].
    pub fn shown(
        expected: &BoardPicture,
        found: &BoardPicture,
    ) -> Result<BoardPicture, PictureError> {
        let marked = marked(expected, found);
        let all = [expected, found, &marked];
        let width = all.iter().map(|picture| picture.0.width()).sum();
        let height = all.iter().map(|picture| picture.0.height()).max();
        let beside = Pixmap::new(width, height.unwrap_or(1));
        let mut beside = beside.ok_or(PictureError::NoMemory)?;
        let mut left = 0;
        for BoardPicture(picture) in all {
            let paint = PixmapPaint::default();
            beside.draw_pixmap(
                left,
                0,
                picture.as_ref(),
                &paint,
                Transform::identity(),
                None,
            );
            left += picture.width() as i32;
        }
        Ok(BoardPicture(beside))
    }
}

/// For each pixel, whether it differs, for pictures of the same size.
fn differing(expected: &BoardPicture, found: &BoardPicture) -> impl Iterator<Item = bool> {
    let pairs = expected.0.pixels().iter().zip(found.0.pixels());
    pairs.map(|(one, other)| {
        let parts = [
            (one.red(), other.red()),
            (one.green(), other.green()),
            (one.blue(), other.blue()),
            (one.alpha(), other.alpha()),
        ];
        parts
            .iter()
            .any(|(one, other)| one.abs_diff(*other) > ALIKE)
    })
}

/// The found picture, darkened, with the differences in a colour that no board has.
fn marked(expected: &BoardPicture, found: &BoardPicture) -> BoardPicture {
    let mut marked = found.clone();
    if expected.size() != found.size() {
        return marked;
    }
    let differing: Vec<bool> = differing(expected, found).collect();
    for (pixel, differs) in marked.0.data_mut().chunks_exact_mut(4).zip(differing) {
        match differs {
            true => pixel.copy_from_slice(&MARK),
            false => pixel[..3].iter_mut().for_each(|part| *part /= DIMMED),
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::{Colour, Frame, Layout, Point};

    use super::*;

    /// A small board with these points lit.
    fn picture(lit: &[u8]) -> BoardPicture {
        let layout = Layout::grid(4, 4).unwrap();
        let mut frame = Frame::default();
        for point in lit {
            frame.points.set(Point(*point), Colour::GREEN);
        }
        BoardPicture::of(layout, &frame, 0).unwrap()
    }

    #[test]
    fn one_differing_light_is_shown_beside_both_pictures() {
        let (expected, found) = (picture(&[3, 5]), picture(&[3]));
        let difference = PictureDifference::between(&expected, &found);
        assert!(
            difference.percent() > 0.5 && difference.percent() < 5.0,
            "{difference:?}"
        );
        let shown = PictureDifference::shown(&expected, &found).unwrap();
        let (width, height) = expected.size();
        assert_eq!(shown.size(), (3 * width, height));
        let marked = shown
            .0
            .pixels()
            .iter()
            .filter(|pixel| [pixel.red(), pixel.green(), pixel.blue()] == MARK[..3]);
        assert_eq!(marked.count() as u64, difference.pixels);
    }

    #[test]
    fn a_picture_of_another_size_differs_completely() {
        let other = BoardPicture::of(Layout::MALDOO, &Frame::default(), 0).unwrap();
        let difference = PictureDifference::between(&picture(&[]), &other);
        assert_eq!(difference.pixels, difference.of);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn pictures_are_equal_exactly_if_the_same_is_lit(
            one in proptest::collection::btree_set(0..16_u8, 0..6),
            other in proptest::collection::btree_set(0..16_u8, 0..6),
        ) {
            let [first, second] = [&one, &other].map(|lit| picture(&lit.iter().copied().collect::<Vec<_>>()));
            let difference = PictureDifference::between(&first, &second);
            prop_assert_eq!(difference.pixels == 0, one == other);
            prop_assert_eq!(PictureDifference::between(&second, &first), difference);
        }
    }
}
