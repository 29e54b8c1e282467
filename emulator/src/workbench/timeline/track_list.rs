//! The list of the signals that are drawn: their order, colours, and groups.
//!
//! A name may stand for several signals, as `light` does for all lights. If it adds more
//! than two, they form a group, which can be folded to one line.
//!
//! Invariants: no signal is drawn twice; the signals of a group are next to each other;
//! no group is empty.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

/// The least number of signals added by one name that form a group.
const LEAST_GROUP: usize = 3;

/// A colour that the user may choose for a waveform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrackColour {
    Yellow,
    Orange,
    Pink,
    Violet,
    Cyan,
    Grey,
}

impl TrackColour {
    /// All colours, in the order of the menu.
    pub const ALL: [TrackColour; 6] = [
        TrackColour::Yellow,
        TrackColour::Orange,
        TrackColour::Pink,
        TrackColour::Violet,
        TrackColour::Cyan,
        TrackColour::Grey,
    ];

    /// The name of the colour for the user.
    pub fn name(self) -> &'static str {
        match self {
            TrackColour::Yellow => "yellow",
            TrackColour::Orange => "orange",
            TrackColour::Pink => "pink",
            TrackColour::Violet => "violet",
            TrackColour::Cyan => "cyan",
            TrackColour::Grey => "grey",
        }
    }
}

/// A signal that is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// The name of the signal.
    pub name: String,
    /// The colour that the user chose, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tint: Option<TrackColour>,
    /// The group of the signal, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

impl Track {
    fn new(name: &str) -> Track {
        Track {
            name: name.to_owned(),
            tint: None,
            group: None,
        }
    }
}

/// A line below the strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// The head of a group.
    Group {
        /// The name of the group.
        name: String,
        /// The index of its first signal.
        first: usize,
    },
    /// A signal, by its index.
    Track(usize),
}

/// All signals that are drawn, from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrackList {
    tracks: Vec<Track>,
    /// The groups of which only the head is visible.
    folded: HashSet<String>,
}

impl TrackList {
    /// Creates a list of these signals, each without a group.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> TrackList {
        let mut chosen = TrackList::default();
        for name in names {
            chosen.add([name], None);
        }
        chosen
    }

    /// All signals, from the top.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The names of all signals, from the top.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tracks.iter().map(|track| track.name.as_str())
    }

    /// True if this signal is in the list.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// True if only the head of this group is visible.
    pub fn is_folded(&self, group: &str) -> bool {
        self.folded.contains(group)
    }

    /// Adds signals that one name stands for at the end of the list.
    pub fn add<'a>(&mut self, names: impl IntoIterator<Item = &'a str>, stands_for: Option<&str>) {
        let mut new: Vec<Track> = Vec::new();
        for name in names {
            if !self.has(name) && new.iter().all(|track| track.name != name) {
                new.push(Track::new(name));
            }
        }
        if let Some(group) = stands_for.filter(|_| new.len() >= LEAST_GROUP) {
            let group = Some(self.free_group(group));
            new.iter_mut()
                .for_each(|track| track.group.clone_from(&group));
        }
        self.tracks.append(&mut new);
    }

    /// Replaces each name that stands for several signals by these signals, in the same
    /// place.
    pub fn expand(&mut self, others: impl Fn(&str) -> Vec<String>) {
        let before = std::mem::take(&mut self.tracks);
        for track in before {
            let names = others(&track.name);
            if names.len() < 2 {
                let is_new = !self.has(&track.name);
                self.tracks.extend(is_new.then_some(track));
                continue;
            }
            let group = match &track.group {
                None => Some(track.name.as_str()),
                Some(_) => None,
            };
            let from = self.tracks.len();
            self.add(names.iter().map(String::as_str), group);
            for new in &mut self.tracks[from..] {
                new.tint = track.tint;
                new.group = new.group.take().or_else(|| track.group.clone());
            }
        }
    }

    /// A name based on this one that no group has.
    fn free_group(&self, name: &str) -> String {
        let is_taken = |name: &str| {
            let mut groups = self
                .tracks
                .iter()
                .filter_map(|track| track.group.as_deref());
            groups.any(|group| group == name)
        };
        let numbered = (2..).map(|number| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }

    /// Removes this signal.
    pub fn remove(&mut self, name: &str) {
        self.tracks.retain(|track| track.name != name);
        self.forget_folds();
    }

    /// Removes all signals of this group.
    pub fn remove_group(&mut self, group: &str) {
        self.tracks
            .retain(|track| track.group.as_deref() != Some(group));
        self.forget_folds();
    }

    /// Dissolves a group; its signals stay.
    pub fn ungroup(&mut self, group: &str) {
        for track in &mut self.tracks {
            track.group.take_if(|own| own == group);
        }
        self.forget_folds();
    }

    /// Puts the signal and the one above it into one group.
    pub fn group_with_above(&mut self, name: &str) {
        let Some(place) = self.place(name).filter(|place| *place > 0) else {
            return;
        };
        let group = match self.tracks[place - 1].group.clone() {
            Some(group) => group,
            None => self.free_group("group"),
        };
        // The rest of its former group stays together.
        self.tracks[place].group = Some(group.clone());
        self.tracks[place - 1].group = Some(group);
        self.forget_folds();
    }

    /// Takes the signal out of its group, and moves it below the group.
    pub fn leave_group(&mut self, name: &str) {
        let Some(place) = self.place(name) else {
            return;
        };
        let Some(group) = self.tracks[place].group.take() else {
            return;
        };
        let track = self.tracks.remove(place);
        let is_in = |track: &Track| track.group.as_ref() == Some(&group);
        let after = self.tracks.iter().rposition(is_in);
        self.tracks
            .insert(after.map_or(place, |last| last + 1), track);
        self.forget_folds();
    }

    /// Folds a group to its head, or unfolds it.
    pub fn fold(&mut self, group: &str) {
        if !self.folded.remove(group) {
            self.folded.insert(group.to_owned());
        }
    }

    /// Draws this signal in a colour, or in the usual one.
    pub fn tint(&mut self, name: &str, tint: Option<TrackColour>) {
        if let Some(place) = self.place(name) {
            self.tracks[place].tint = tint;
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.tracks.iter().position(|track| track.name == name)
    }

    fn forget_folds(&mut self) {
        let tracks = &self.tracks;
        let is_there = |group: &String| {
            let mut groups = tracks.iter().filter_map(|track| track.group.as_ref());
            groups.any(|own| own == group)
        };
        self.folded.retain(is_there);
    }

    /// The lines, from the top.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut before: Option<&str> = None;
        for (place, track) in self.tracks.iter().enumerate() {
            let group = track.group.as_deref();
            if let Some(name) = group.filter(|_| group != before) {
                rows.push(Row::Group {
                    name: name.to_owned(),
                    first: place,
                });
            }
            before = group;
            if group.is_none_or(|group| !self.is_folded(group)) {
                rows.push(Row::Track(place));
            }
        }
        rows
    }

    /// Moves a line before another one; `before` may be the number of lines, for the end.
    /// A signal that comes between two of a group, or below its head, joins that group.
    pub fn move_row(&mut self, row: usize, before: usize) {
        let rows = self.rows();
        if row >= rows.len() || before == row || before == row + 1 {
            return;
        }
        let before = before.min(rows.len());
        match &rows[row] {
            Row::Track(place) => self.move_track(*place, &rows, before),
            Row::Group { name, .. } => self.move_group(&name.clone(), &rows, before),
        }
        self.forget_folds();
    }

    /// The index of the first signal at or below a line.
    fn place_of(&self, rows: &[Row], row: usize) -> usize {
        match rows.get(row) {
            Some(Row::Group { first, .. } | Row::Track(first)) => *first,
            None => self.tracks.len(),
        }
    }

    fn move_track(&mut self, place: usize, rows: &[Row], before: usize) {
        let target = self.place_of(rows, before);
        let above = before.checked_sub(1).and_then(|above| rows.get(above));
        let group_below = match rows.get(before) {
            Some(Row::Track(below)) => self.tracks[*below].group.clone(),
            _ => None,
        };
        let own = self.tracks[place].group.clone();
        let group = match above {
            Some(Row::Group { name, .. }) if !self.is_folded(name) => Some(name.clone()),
            Some(Row::Track(above)) => {
                let group = self.tracks[*above].group.clone();
                // At the end of a group, a signal keeps its own group and joins no other.
                group.filter(|group| {
                    group_below.as_ref() == Some(group) || own.as_ref() == Some(group)
                })
            }
            _ => None,
        };
        let mut track = self.tracks.remove(place);
        track.group = group;
        let target = if place < target { target - 1 } else { target };
        self.tracks.insert(target, track);
    }

    fn move_group(&mut self, group: &str, rows: &[Row], before: usize) {
        let mut target = self.place_of(rows, before);
        // A group does not go between two signals of another one, but before all of it.
        while target > 0
            && target < self.tracks.len()
            && self.tracks[target].group.is_some()
            && self.tracks[target].group == self.tracks[target - 1].group
        {
            target -= 1;
        }
        let is_in = |track: &Track| track.group.as_deref() == Some(group);
        let left = self.tracks[..target]
            .iter()
            .filter(|track| is_in(track))
            .count();
        let moved: Vec<Track> = self.tracks.extract_if(.., |track| is_in(track)).collect();
        let target = target - left;
        self.tracks.splice(target..target, moved);
    }
}

#[cfg(test)]
mod tests {
    use law::{Judged, Weight, law};
    use proptest::prelude::*;

    use super::*;

    fn is_sound(chosen: &TrackList) -> bool {
        let names: HashSet<&str> = chosen.names().collect();
        let mut groups: Vec<&str> = Vec::new();
        for track in chosen.tracks() {
            let group = track.group.as_deref().unwrap_or_default();
            if groups.last() != Some(&group) {
                groups.push(group);
            }
        }
        let named: Vec<&str> = groups
            .into_iter()
            .filter(|group| !group.is_empty())
            .collect();
        let different: HashSet<&str> = named.iter().copied().collect();
        let folds_exist = chosen
            .folded
            .iter()
            .all(|fold| different.contains(fold.as_str()));
        names.len() == chosen.tracks().len() && named.len() == different.len() && folds_exist
    }

    #[test]
    fn groups_stay_together_and_no_track_is_drawn_twice() {
        let act = (0..7_u8, 0..12_usize, 0..12_usize);
        law(
            Weight::of(300, 40),
            prop::collection::vec(act, 1..24),
            |acts| {
                let mut chosen = TrackList::of(["turn", "beeper"]);
                let mut has_moved = false;
                for (act, one, other) in acts {
                    let name = chosen.names().nth(one).unwrap_or("none").to_owned();
                    let group = chosen
                        .tracks()
                        .get(one)
                        .and_then(|track| track.group.clone());
                    match (act, group) {
                        (0, _) => {
                            let names = [one, one + 1, one + 2].map(|part| format!("light.{part}"));
                            chosen.add(names.iter().map(String::as_str), Some("light"));
                        }
                        (1, _) => chosen.remove(&name),
                        (2, _) => chosen.group_with_above(&name),
                        (3, _) => chosen.leave_group(&name),
                        (4, Some(group)) => chosen.fold(&group),
                        (5, Some(group)) if other % 4 == 0 => chosen.ungroup(&group),
                        _ => {
                            let before: Vec<String> = chosen.names().map(str::to_owned).collect();
                            chosen.move_row(one, other);
                            let mut after: Vec<&str> = chosen.names().collect();
                            has_moved |= before != after;
                            let mut before: Vec<&str> = before.iter().map(String::as_str).collect();
                            before.sort_unstable();
                            after.sort_unstable();
                            prop_assert_eq!(before, after);
                        }
                    }
                    prop_assert!(is_sound(&chosen), "{:?}", chosen);
                }
                let text = serde_json::to_string(&chosen).unwrap();
                prop_assert_eq!(serde_json::from_str::<TrackList>(&text).unwrap(), chosen);
                Ok(Judged::if_any(has_moved))
            },
        );
    }

    fn row_names(chosen: &TrackList) -> Vec<String> {
        let row = |row: &Row| match row {
            Row::Group { name, .. } => format!("[{name}]"),
            Row::Track(place) => chosen.tracks()[*place].name.clone(),
        };
        chosen.rows().iter().map(row).collect()
    }

    #[test]
    fn a_name_of_many_signals_is_a_group_that_folds_and_moves() {
        let mut chosen = TrackList::of(["turn", "event", "score", "beeper"]);
        chosen.expand(|name| match name {
            "event" => ["a", "b", "c"].map(|part| format!("event.{part}")).into(),
            "score" => ["green", "red"].map(|side| format!("score.{side}")).into(),
            other => vec![other.to_owned()],
        });
        let all = [
            "turn",
            "[event]",
            "event.a",
            "event.b",
            "event.c",
            "score.green",
            "score.red",
            "beeper",
        ];
        assert_eq!(row_names(&chosen), all);
        chosen.fold("event");
        assert_eq!(
            row_names(&chosen),
            ["turn", "[event]", "score.green", "score.red", "beeper"]
        );
        chosen.move_row(1, 4);
        assert_eq!(
            row_names(&chosen),
            ["turn", "score.green", "score.red", "[event]", "beeper"]
        );
        // Nothing can be put into a folded group below its head.
        chosen.move_row(0, 4);
        assert_eq!(
            row_names(&chosen),
            ["score.green", "score.red", "[event]", "turn", "beeper"]
        );
        chosen.fold("event");
        chosen.move_row(0, 3);
        assert_eq!(chosen.tracks()[1].group.as_deref(), Some("event"));
        chosen.leave_group("score.green");
        assert_eq!(row_names(&chosen)[5], "score.green");
        chosen.remove_group("event");
        assert_eq!(
            row_names(&chosen),
            ["score.red", "score.green", "turn", "beeper"]
        );
    }
}
