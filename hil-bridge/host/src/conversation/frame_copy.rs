//! A copy of the board's frame, assembled from whole frames and deltas.
//!
//! Invariants: [`FrameCopy::frame`] is a frame that the board has shown; while
//! [`FrameCopy::is_current`], it is the newest one reported.

use protocol::{Frame, FrameDelta, Tick};

/// A copy of the board's frame.
#[derive(Clone, Debug, Default)]
pub struct FrameCopy {
    frame: Frame,
    tick: Tick,
    /// The number of the last frame or delta; `None` if one is missing.
    number: Option<u32>,
}

impl FrameCopy {
    /// The latest frame of the board.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The tick from which the board has shown it.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// False if a delta is missing, so that a whole frame is needed.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.number.is_some()
    }

    /// True if something before `next` is missing: the number that the board will use next.
    #[must_use]
    pub fn lacks(&self, next: u32) -> bool {
        self.number
            .is_none_or(|number| (next.wrapping_sub(number) as i32) > 1)
    }

    /// Replaces the copy by a whole frame.
    pub fn whole(&mut self, number: u32, tick: Tick, frame: Frame) {
        self.frame = frame;
        self.tick = tick;
        self.number = Some(number);
    }

    /// Applies a delta, if it follows the current frame.
    pub fn change(&mut self, number: u32, tick: Tick, delta: &FrameDelta) {
        match self.number {
            Some(before) if number == before => {}
            Some(before) if number == before.wrapping_add(1) => {
                self.frame.apply(delta);
                self.tick = tick;
                self.number = Some(number);
            }
            _ => self.number = None,
        }
    }

    /// Marks the copy as outdated, because a damaged message may have been a delta.
    pub fn doubt(&mut self) {
        self.number = None;
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Colour, Point};

    use super::*;

    fn lit(points: &[u8]) -> Frame {
        let mut frame = Frame::default();
        for point in points {
            frame.points.set(Point(*point), Colour::GREEN);
        }
        frame
    }

    #[test]
    fn changes_in_order_give_the_frame() {
        let mut copy = FrameCopy::default();
        copy.whole(7, 10, lit(&[1]));
        copy.change(8, 20, &lit(&[1]).delta(&lit(&[1, 2])).unwrap());
        copy.change(8, 20, &lit(&[1]).delta(&lit(&[1, 2])).unwrap());
        assert!(copy.is_current());
        assert_eq!((copy.frame(), copy.tick()), (&lit(&[1, 2]), 20));
    }

    #[test]
    fn after_a_missing_change_only_a_whole_frame_helps() {
        let mut copy = FrameCopy::default();
        copy.whole(7, 10, lit(&[1]));
        copy.change(9, 30, &lit(&[1, 2]).delta(&lit(&[1, 2, 3])).unwrap());
        assert!(!copy.is_current());
        assert_eq!(copy.frame(), &lit(&[1]));
        copy.change(10, 40, &FrameDelta::default());
        assert!(!copy.is_current());
        copy.whole(11, 50, lit(&[5]));
        assert!(copy.is_current());
        copy.doubt();
        assert!(!copy.is_current());
    }
}
