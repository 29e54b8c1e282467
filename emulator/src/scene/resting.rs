//! How long the mouse has rested on something.

use std::time::Duration;

/// What the mouse rests on, and since when.
#[derive(Clone, Copy, Debug)]
pub struct Resting<T>(Option<(T, Duration)>);

impl<T> Default for Resting<T> {
    fn default() -> Resting<T> {
        Resting(None)
    }
}

impl<T: PartialEq> Resting<T> {
    /// How long it has rested on this by now, in time of the window; `None` on nothing.
    pub fn on(&mut self, what: Option<T>, now: Duration) -> Option<Duration> {
        let began = match self.0.take() {
            Some((before, began)) if Some(&before) == what.as_ref() => began,
            _ => now,
        };
        self.0 = what.map(|what| (what, began));
        self.0.is_some().then(|| now.saturating_sub(began))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_to_another_target_restarts_the_rest_of_the_mouse() {
        let ms = Duration::from_millis;
        let mut resting = Resting::default();
        let mut on = |what, now| resting.on(what, ms(now));
        assert_eq!(on(Some('a'), 100), Some(ms(0)));
        assert_eq!(on(Some('a'), 350), Some(ms(250)));
        assert_eq!(on(Some('b'), 400), Some(ms(0)));
        assert_eq!(on(None, 500), None);
        assert_eq!(on(Some('b'), 600), Some(ms(0)));
    }
}
