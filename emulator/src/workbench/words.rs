//! Events and times in words.

use firmware_core::games;
use protocol::{Event, Input, Layout, Outcome, Settings, Stop, Tick};

/// A tick in seconds, to the millisecond.
#[must_use]
pub fn seconds(tick: Tick) -> String {
    format!("{}.{:03}", tick / 1000, tick % 1000)
}

/// An event in a few words.
#[must_use]
pub fn event(event: &Event, layout: Layout) -> String {
    match event {
        Event::Settings(settings) => format!("settings {}", self::settings(settings)),
        Event::Taken(input) => self::input(input, layout),
        Event::Digest(digest) => format!("digest {digest:016x}"),
        Event::Started(settings) => format!("started {}", self::settings(settings)),
        Event::Stopped(Stop::Settings) => "stopped: other settings".to_owned(),
        Event::Stopped(Stop::Restart) => "stopped: restart".to_owned(),
        Event::Stopped(Stop::Impossible) => "not playable on this layout".to_owned(),
        Event::Held(true) => "held".to_owned(),
        Event::Held(false) => "goes on".to_owned(),
        Event::Move { side, point, changed } => {
            let name = layout.name(*point);
            match changed {
                0 => format!("{} {name}", side.name()),
                changed => format!("{} {name}, {changed} changed", side.name()),
            }
        }
        Event::Illegal { side, point } => {
            format!("{} may not {}", side.name(), layout.name(*point))
        }
        Event::Passed { side } => format!("{} passes", side.name()),
        Event::TimedOut { side } => format!("{} out of time", side.name()),
        Event::Turn(side) => format!("{} to move", side.name()),
        Event::Score([green, red]) => format!("score {green} : {red}"),
        Event::Over(Outcome::Won(side)) => format!("{} wins", side.name()),
        Event::Over(Outcome::Draw) => "a draw".to_owned(),
        Event::Bleep(hz) => format!("bleep {hz} Hz"),
    }
}

fn input(input: &Input, layout: Layout) -> String {
    match input {
        Input::Touch(point) => format!("touch {}", layout.name(*point)),
        Input::Release(point) => format!("release {}", layout.name(*point)),
        Input::Press(button) => format!("press {}", button.name()),
        Input::Lift(button) => format!("lift {}", button.name()),
        Input::Pass => "pass".to_owned(),
    }
}

fn settings(settings: &Settings) -> String {
    let name = games::about(settings.game).map_or("game ?", |about| about.name);
    format!(
        "{name} mode {} level {} time {} speed {}",
        settings.mode, settings.level, settings.time, settings.speed
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Point, Side};

    #[test]
    fn points_are_named_as_on_the_case() {
        let moved = Event::Move { side: Side::Red, point: Point(0), changed: 2 };
        assert_eq!(event(&moved, Layout::MALDOO), "red a9, 2 changed");
    }

    #[test]
    fn a_tick_is_a_thousandth_of_a_second() {
        assert_eq!(seconds(61_007), "61.007");
    }
}
