//! The arrangement of the dock in the form in which it is saved.
//!
//! Invariants: any arrangement that is read from a file becomes a dock that has the board
//! once and every other pane at most once; panes in windows of their own come back
//! docked.

use std::collections::HashSet;

use egui_dock::{DockState, Node, NodeIndex, Split, Tree};
use serde::{Deserialize, Serialize};

use super::{Dock, Pane};

/// Panes next to or above each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Arrangement {
    /// Tabs in one place, the front one first.
    Tabs(Vec<Pane>),
    /// Two parts next to each other; the first has this share of the width, in per cent.
    Beside(u8, Box<[Arrangement; 2]>),
    /// Two parts above each other; the first has this share of the height, in per cent.
    Above(u8, Box<[Arrangement; 2]>),
}

impl Default for Arrangement {
    fn default() -> Arrangement {
        Arrangement::Tabs(vec![Pane::Board])
    }
}

impl Arrangement {
    /// The arrangement of a dock.
    pub(super) fn of(dock: &DockState<Pane>) -> Arrangement {
        Arrangement::of_node(dock.main_surface(), NodeIndex::root()).unwrap_or_default()
    }

    fn of_node(tree: &Tree<Pane>, index: NodeIndex) -> Option<Arrangement> {
        if index.0 >= tree.len() {
            return None;
        }
        let two = |fraction: f32| {
            let [left, right] = [index.left(), index.right()];
            let [left, right] = [left, right].map(|index| Arrangement::of_node(tree, index));
            let percent = (fraction * 100.0).round().clamp(0.0, 100.0) as u8;
            Some((percent, Box::new([left?, right?])))
        };
        match &tree[index] {
            Node::Empty => None,
            Node::Leaf(leaf) => {
                let front = leaf.tabs.get(leaf.active.0);
                let others = leaf.tabs.iter().filter(|pane| Some(*pane) != front);
                let tabs: Vec<Pane> = front.into_iter().chain(others).copied().collect();
                Some(Arrangement::Tabs(tabs))
            }
            Node::Horizontal(split) => {
                two(split.fraction).map(|(share, both)| Arrangement::Beside(share, both))
            }
            Node::Vertical(split) => {
                two(split.fraction).map(|(share, both)| Arrangement::Above(share, both))
            }
        }
    }

    /// Creates a dock with this arrangement.
    pub(super) fn dock(&self) -> DockState<Pane> {
        let mut seen = HashSet::new();
        let Some(sound) = self
            .sound(&mut seen)
            .filter(|_| seen.contains(&Pane::Board))
        else {
            return Dock::default().0;
        };
        let mut dock = DockState::new(sound.first_tabs());
        sound.split(dock.main_surface_mut(), NodeIndex::root());
        dock
    }

    /// This arrangement without repeated panes and without empty places.
    fn sound(&self, seen: &mut HashSet<Pane>) -> Option<Arrangement> {
        let mut both = |both: &[Arrangement; 2]| {
            let [first, second] = both.each_ref().map(|one| one.sound(seen));
            (first, second)
        };
        match self {
            Arrangement::Tabs(panes) => {
                let panes: Vec<Pane> = panes
                    .iter()
                    .copied()
                    .filter(|pane| seen.insert(*pane))
                    .collect();
                (!panes.is_empty()).then_some(Arrangement::Tabs(panes))
            }
            Arrangement::Beside(share, two) => match both(two) {
                (Some(first), Some(second)) => Some(Arrangement::Beside(
                    (*share).clamp(5, 95),
                    Box::new([first, second]),
                )),
                (first, second) => first.or(second),
            },
            Arrangement::Above(share, two) => match both(two) {
                (Some(first), Some(second)) => Some(Arrangement::Above(
                    (*share).clamp(5, 95),
                    Box::new([first, second]),
                )),
                (first, second) => first.or(second),
            },
        }
    }

    /// The tabs at the upper left.
    fn first_tabs(&self) -> Vec<Pane> {
        match self {
            Arrangement::Tabs(panes) => panes.clone(),
            Arrangement::Beside(_, both) | Arrangement::Above(_, both) => both[0].first_tabs(),
        }
    }

    /// Adds the other tabs to a tree whose node at `index` has the first tabs.
    fn split(&self, tree: &mut Tree<Pane>, index: NodeIndex) {
        let (way, share, both) = match self {
            Arrangement::Tabs(_) => return,
            Arrangement::Beside(share, both) => (Split::Right, share, both),
            Arrangement::Above(share, both) => (Split::Below, share, both),
        };
        let share = f32::from(*share) / 100.0;
        let [old, new] = tree.split_tabs(index, way, share, both[1].first_tabs());
        both[0].split(tree, old);
        both[1].split(tree, new);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pane() -> impl Strategy<Value = Pane> {
        proptest::sample::select(vec![
            Pane::Board,
            Pane::Timeline,
            Pane::State,
            Pane::Thinking,
            Pane::Twin,
            Pane::Faults,
            Pane::Line,
            Pane::Console,
        ])
    }

    fn arrangement() -> impl Strategy<Value = Arrangement> {
        let tabs = proptest::collection::vec(pane(), 0..3).prop_map(Arrangement::Tabs);
        tabs.prop_recursive(4, 16, 2, |inner| {
            let two = (any::<u8>(), inner.clone(), inner.clone());
            let above = (any::<u8>(), inner.clone(), inner);
            prop_oneof![
                two.prop_map(|(share, a, b)| Arrangement::Beside(share, Box::new([a, b]))),
                above.prop_map(|(share, a, b)| Arrangement::Above(share, Box::new([a, b]))),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_arrangement_file_shows_every_pane_at_most_once(arrangement in arrangement()) {
            let dock = Dock::arranged(&arrangement);
            let mut panes: Vec<Pane> = dock.0.iter_all_tabs().map(|(_, pane)| *pane).collect();
            let all = panes.len();
            prop_assert!(dock.is_open(Pane::Board));
            panes.sort_by_key(|pane| pane.name());
            panes.dedup();
            prop_assert_eq!(panes.len(), all);
        }

        #[test]
        fn an_arrangement_survives_saving_and_loading(arrangement in arrangement()) {
            let first = Dock::arranged(&arrangement).arrangement();
            prop_assert_eq!(Dock::arranged(&first).arrangement(), first.clone());
            let text = serde_json::to_string(&first).unwrap();
            prop_assert_eq!(serde_json::from_str::<Arrangement>(&text).unwrap(), first);
        }
    }

    #[test]
    fn a_detached_pane_is_restored_docked() {
        let mut dock = Dock::with([Pane::State, Pane::Twin]);
        let docked = dock.arrangement();
        let path = dock.0.find_tab(&Pane::Twin).unwrap();
        dock.0.detach_tab(path, bevy_egui::egui::Rect::ZERO);
        assert!(dock.is_open(Pane::Twin));
        assert!(Dock::arranged(&dock.arrangement()).is_open(Pane::Twin));
        assert_eq!(dock.arrangement(), docked);
    }

    #[test]
    fn panes_open_beside_and_below_the_board_and_close() {
        let mut dock = Dock::with([Pane::State, Pane::Timeline, Pane::Faults]);
        assert_eq!(
            serde_json::to_string(&dock.arrangement()).unwrap(),
            r#"{"above":[62,[{"beside":[66,[{"tabs":["board"]},{"tabs":["faults","state"]}]]},{"tabs":["timeline"]}]]}"#
        );
        assert!(dock.is_seen(Pane::Faults) && !dock.is_seen(Pane::State));
        dock.toggle(Pane::State);
        assert!(dock.is_seen(Pane::State));
        for pane in Pane::TOOLS.iter().copied() {
            dock.close(pane);
        }
        assert!(!dock.has_tools());
        dock.close(Pane::Board);
        assert_eq!(dock.arrangement(), Arrangement::default());
    }
}
