//! What the lights of the board mean now, colour by colour, for the drawer of the rules.
//!
//! Invariants: each colour and rhythm that is on the board is named once with each of its
//! meanings; the board itself is not changed, as a copy of it is asked; while the drawer is
//! closed, nothing is looked up.

use std::collections::BTreeMap;

use bevy::prelude::*;
use firmware_core::AnyBoard;
use protocol::Colour;
use touchboard_host::{light_meaning, words};

use super::HowToDrawer;
use crate::source::{Shown, ShownBoard, SourceSet};

/// The most lights that are told: more would be a list of the board.
const MOST: usize = 16;

/// A light, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LightMeaning {
    /// The colour of the light.
    pub colour: Colour,
    /// The light in words: `green`, `red slow`.
    pub light: String,
    /// What it means.
    pub meaning: String,
}

/// The lights that are on the board, and what they mean.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Legend(pub Vec<LightMeaning>);

/// Updates the [`Legend`] while the drawer of the rules is open.
pub struct LegendPlugin;

impl Plugin for LegendPlugin {
    fn build(&self, app: &mut App) {
        let read = read
            .after(SourceSet::Exchange)
            .run_if(resource_changed::<Shown>.or_else(resource_changed::<HowToDrawer>));
        app.init_resource::<Legend>()
            .init_resource::<HowToDrawer>()
            .add_systems(Update, read);
    }
}

fn read(
    shown: Res<Shown>,
    drawer: Res<HowToDrawer>,
    mut board: Option<ResMut<ShownBoard>>,
    mut legend: ResMut<Legend>,
) {
    let is_open = drawer.is_open() && shown.link.answers();
    let copy = board.as_mut().filter(|_| is_open);
    let copy = copy.and_then(|board| board.0.copy());
    let lights = copy.map_or_else(Vec::new, |board| lights(&board));
    legend.set_if_neq(Legend(lights));
}

/// The lights of this board with their meanings, in the order of the colours.
fn lights(board: &AnyBoard) -> Vec<LightMeaning> {
    let mut all = BTreeMap::new();
    for point in board.layout().iter() {
        let light = board.frame().light(point);
        let meaning = light_meaning::of(board, point);
        let meaning = meaning.strip_suffix(", the last move").unwrap_or(&meaning);
        if light.colour() != Colour::OFF {
            let key = (
                light.colour().index(),
                words::light(light),
                meaning.to_owned(),
            );
            all.entry(key).or_insert(light.colour());
        }
    }
    let told = all
        .into_iter()
        .map(|((_, light, meaning), colour)| LightMeaning {
            colour,
            light,
            meaning,
        });
    told.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use protocol::{Button, Input, Layout, Side};
    use touchboard_host::written::{library, of_text};

    use super::*;

    fn started(layout: Layout) -> AnyBoard {
        let mut board = AnyBoard::new(layout, 1).unwrap();
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            board.input(input, &mut |_, _| ());
        }
        board.advance(500, &mut |_, _| ());
        board
    }

    #[test]
    fn each_colour_on_the_board_is_explained_once() {
        let told = lights(&started(Layout::MALDOO));
        let sides: Vec<_> = told
            .iter()
            .map(|told| (told.light.as_str(), told.meaning.as_str()))
            .collect();
        // In the order of the colours' numbers.
        assert_eq!(sides, [("green", "green's light"), ("red", "red's light")]);
        let text = library::text("chess").unwrap();
        let chess = of_text("chess", text, &[]).unwrap();
        let told = lights(&started(*chess.layout));
        for side in Side::BOTH {
            let knights = format!("{}'s knight", side.name());
            let of = told.iter().filter(|told| told.meaning == knights);
            assert!(of.count() > 0, "{told:?}");
        }
    }
}
