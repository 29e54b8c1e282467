//! A film of a board, as an animated GIF.
//!
//! Invariants: while the board shows the same, the film has a single picture with that
//! duration; the same pictures give the same film, byte for byte.

use gif::{Encoder, Frame, Repeat};

use crate::{BoardPicture, PictureError};

/// The minimum duration of a picture, in hundredths of a second; browsers slow shorter
/// ones down.
pub const HUNDREDTHS_A_PICTURE: u16 = 4;

/// How many pixels are sampled to choose colours: 1 for all of them, 30 for few.
const SAMPLING: i32 = 8;

/// A film to which pictures are added.
pub struct BoardFilm {
    encoder: Encoder<Vec<u8>>,
    size: [u16; 2],
    /// The last picture, and its duration so far, in hundredths of a second.
    last: Option<(BoardPicture, u32)>,
}

impl BoardFilm {
    /// An empty film of pictures of this size, which repeats endlessly.
    ///
    /// # Errors
    /// [`PictureError::TooLargeForFilm`].
    pub fn new(size: (u32, u32)) -> Result<BoardFilm, PictureError> {
        let [width, height] = [size.0, size.1].map(u16::try_from);
        let (Ok(width), Ok(height)) = (width, height) else {
            return Err(PictureError::TooLargeForFilm);
        };
        let mut encoder = Encoder::new(Vec::new(), width, height, &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(BoardFilm {
            encoder,
            size: [width, height],
            last: None,
        })
    }

    /// Shows this picture for a duration in hundredths of a second.
    ///
    /// # Errors
    /// [`PictureError::LayoutChanges`], if its size differs from that of the film.
    pub fn show(&mut self, picture: &BoardPicture, hundredths: u16) -> Result<(), PictureError> {
        let hundredths = u32::from(hundredths);
        match &mut self.last {
            Some((last, stays)) if last == picture => *stays += hundredths,
            _ => {
                self.write_last()?;
                self.last = Some((picture.clone(), hundredths));
            }
        }
        Ok(())
    }

    /// The film as the bytes of a GIF.
    ///
    /// # Errors
    /// [`PictureError::Empty`].
    pub fn finish(mut self) -> Result<Vec<u8>, PictureError> {
        if self.last.is_none() {
            return Err(PictureError::Empty);
        }
        self.write_last()?;
        Ok(self.encoder.into_inner()?)
    }

    fn write_last(&mut self) -> Result<(), PictureError> {
        let Some((picture, mut stays)) = self.last.take() else {
            return Ok(());
        };
        let [width, height] = self.size;
        if picture.size() != (width.into(), height.into()) {
            return Err(PictureError::LayoutChanges);
        }
        let mut pixels = picture.0.data().to_vec();
        let mut frame = Frame::from_rgba_speed(width, height, &mut pixels, SAMPLING);
        while stays > 0 {
            let delay = u16::try_from(stays).unwrap_or(u16::MAX);
            stays -= u32::from(delay);
            frame.delay = delay;
            self.encoder.write_frame(&frame)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};
    use protocol::{Colour, Frame as BoardFrame, Layout, Point};

    use super::*;

    fn picture(colour: Colour) -> BoardPicture {
        let mut frame = BoardFrame::default();
        frame.points.set(Point(5), colour);
        BoardPicture::of(Layout::grid(4, 4).unwrap(), &frame, 0).unwrap()
    }

    #[test]
    fn equal_pictures_of_a_film_are_merged() {
        let [green, red] = [Colour::GREEN, Colour::RED].map(picture);
        let mut film = BoardFilm::new(green.size()).unwrap();
        for (picture, hundredths) in [(&green, 10), (&green, 10), (&red, 30)] {
            film.show(picture, hundredths).unwrap();
        }
        let bytes = film.finish().unwrap();
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let mut seen = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            seen.push((frame.delay, frame.buffer.to_vec()));
        }
        let delays: Vec<u16> = seen.iter().map(|(delay, _)| *delay).collect();
        assert_eq!(delays, [20, 30]);
        // A film has 256 colours, which are almost those of the picture.
        for ((_, pixels), picture) in seen.iter().zip([&green, &red]) {
            let far = pixels
                .iter()
                .zip(picture.0.data())
                .filter(|(one, other)| one.abs_diff(**other) > 24);
            assert!(far.count() * 100 < pixels.len());
        }
    }

    #[test]
    fn empty_films_and_films_of_two_layouts_are_refused() {
        let small = picture(Colour::GREEN);
        let empty = BoardFilm::new(small.size()).unwrap().finish();
        assert!(matches!(empty, Err(PictureError::Empty)), "{empty:?}");
        let large =
            BoardPicture::of(Layout::grid(16, 2).unwrap(), &BoardFrame::default(), 0).unwrap();
        let mut film = BoardFilm::new(small.size()).unwrap();
        film.show(&large, 10).unwrap();
        let mixed = film.finish();
        assert!(
            matches!(mixed, Err(PictureError::LayoutChanges)),
            "{mixed:?}"
        );
    }
}
