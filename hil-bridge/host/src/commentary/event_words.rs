//! Events in words, for the shell, the mirror and the window.

use protocol::{Event, Layout, Settings, Side, Stop};

use crate::games;
use crate::malaka::tale::Did;
use crate::words::bleeps;
use crate::{standing, written};

/// Puts all five settings in words.
#[must_use]
pub fn settings(settings: &Settings, layout: Layout) -> String {
    let Settings {
        game,
        time,
        speed,
        level,
        mode,
    } = settings;
    format!(
        "{} mode={mode} level={level} time={time} speed={speed}",
        written::game_name(*game, layout)
    )
}

/// The score, with what each number counts.
#[must_use]
pub fn score(settings: &Settings, [first, second]: [u32; 2]) -> String {
    let [one, other] = standing::score_names(settings);
    let unit = standing::score_unit(settings);
    format!("{one} {first}, {other} {second}{unit}")
}

/// An event of a game with these settings, in words; `None` for events that only
/// programs need (accepted inputs, contacts, digests).
#[must_use]
pub fn event(event: &Event, settings: &Settings, layout: Layout) -> Option<String> {
    Some(match event {
        Event::Taken(_) | Event::Digest(_) | Event::Contact(_) => return None,
        Event::Settings(new) => self::settings(new, layout),
        Event::Started(new) => format!("{} begins", written::game_name(new.game, layout)),
        Event::Stopped(Stop::Settings) => "the game ends: other settings".to_owned(),
        Event::Stopped(Stop::Restart) => "the game ends: a new one begins".to_owned(),
        Event::Stopped(Stop::Impossible) if layout.sides().is_none() => {
            "this game needs a rectangular board".to_owned()
        }
        Event::Stopped(Stop::Impossible) => "this board is too small for the game".to_owned(),
        Event::Paused(true) => "the game is paused".to_owned(),
        Event::Paused(false) => "the game is resumed".to_owned(),
        Event::Move {
            side,
            point,
            changed: 0,
        } => format!("{} {}", side.name(), layout.name(*point)),
        Event::Move {
            side,
            point,
            changed,
        } => format!("{} {} (+{changed})", side.name(), layout.name(*point)),
        Event::Part { side, point } if games::guide(settings.game).has_help() => {
            format!("{} touches {} for help", side.name(), layout.name(*point))
        }
        Event::Part { side, point } => {
            format!("{} touches {}", side.name(), layout.name(*point))
        }
        Event::TakenBack { side, point } => {
            format!("{} takes {} back", side.name(), layout.name(*point))
        }
        Event::Illegal { side, point } => {
            let guide = games::guide(settings.game);
            let said = guide.illegal(*side, &layout.name(*point).to_string());
            let whose = format!(" for {}", side.name());
            match said.strip_suffix(&whose) {
                Some(said) if standing::is_alone(settings, layout) => said.to_owned(),
                _ => said,
            }
        }
        Event::Passed { side } => format!("{} passes", side.name()),
        Event::TimedOut { side } => format!("{}'s time is up", side.name()),
        Event::Turn(side) => format!("{} to move", side.name()),
        Event::Score(new) if standing::is_score_of_points(settings) => {
            format!("score {} {}", new[0], new[1])
        }
        Event::Score(new) => score(settings, *new),
        Event::Over(end) => format!("over: {}", standing::how_it_ended(settings, *end)),
        Event::Best { place, points } => {
            format!("{} with {points} points", standing::best_place(*place))
        }
        Event::Bleep(pitch_hz) => bleeps(*pitch_hz, 1),
    })
}

/// The effect of a player's touch in a game of Malaka.
#[must_use]
pub fn touch(side: Side, did: &Did) -> String {
    format!("{} {did}", side.name())
}

#[cfg(test)]
mod tests {
    use protocol::Point;

    use super::*;

    #[test]
    fn a_part_of_a_move_names_side_and_point() {
        let event = Event::Part {
            side: Side::Green,
            point: Point(1),
        };
        assert_eq!(
            super::event(&event, &Settings::default(), Layout::MALDOO).as_deref(),
            Some("green touches b9")
        );
    }

    #[test]
    fn a_single_player_sees_no_side_in_a_refusal() {
        let event = Event::Illegal {
            side: Side::Green,
            point: Point(1),
        };
        let said = |game| {
            let settings = Settings {
                game,
                ..Settings::default()
            };
            super::event(&event, &settings, Layout::MALDOO)
        };
        assert_eq!(said(0).as_deref(), Some("b9 is no move for green"));
        assert_eq!(said(4).as_deref(), Some("b9 is no move"));
    }

    #[test]
    fn a_move_names_side_point_and_changes() {
        let event = |changed| Event::Move {
            side: Side::Red,
            point: Point(0),
            changed,
        };
        assert_eq!(
            super::event(&event(0), &Settings::default(), Layout::MALDOO).as_deref(),
            Some("red a9")
        );
        assert_eq!(
            super::event(&event(3), &Settings::default(), Layout::MALDOO).as_deref(),
            Some("red a9 (+3)")
        );
    }
}
