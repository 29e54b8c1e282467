//! The built-in games, which can be played without a file.

/// The name of each game's file without its extension, and the text.
pub const TEXTS: [(&str, &str); 25] = [
    ("amazons", include_str!("../games/amazons.lud")),
    ("ataxx", include_str!("../games/ataxx.lud")),
    ("breakthrough", include_str!("../games/breakthrough.lud")),
    ("chess", include_str!("../games/chess.lud")),
    ("connect-four", include_str!("../games/connect-four.lud")),
    (
        "english-draughts",
        include_str!("../games/english-draughts.lud"),
    ),
    ("game-of-life", include_str!("../games/game-of-life.lud")),
    ("go", include_str!("../games/go.lud")),
    ("gomoku", include_str!("../games/gomoku.lud")),
    ("halma", include_str!("../games/halma.lud")),
    ("havannah", include_str!("../games/havannah.lud")),
    ("hex", include_str!("../games/hex.lud")),
    ("hexade", include_str!("../games/hexade.lud")),
    ("konane", include_str!("../games/konane.lud")),
    ("lights-out", include_str!("../games/lights-out.lud")),
    (
        "lines-of-action",
        include_str!("../games/lines-of-action.lud"),
    ),
    (
        "nine-mens-morris",
        include_str!("../games/nine-mens-morris.lud"),
    ),
    ("pente", include_str!("../games/pente.lud")),
    ("reversi", include_str!("../games/reversi.lud")),
    ("tablut", include_str!("../games/tablut.lud")),
    ("teeko", include_str!("../games/teeko.lud")),
    ("tic-tac-toe", include_str!("../games/tic-tac-toe.lud")),
    (
        "ultimate-tic-tac-toe",
        include_str!("../games/ultimate-tic-tac-toe.lud"),
    ),
    ("y-hex", include_str!("../games/y-hex.lud")),
    ("yavalath", include_str!("../games/yavalath.lud")),
];

/// The text of the built-in game with this file name, with or without `.lud`.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".lud").unwrap_or(name);
    let named = TEXTS.iter().find(|(known, _)| *known == name);
    named.map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::check;

    #[test]
    fn every_game_of_the_folder_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
        let files = folder.read_dir().expect("the games are here");
        let mut names: Vec<_> = files
            .map(|file| file.expect("a file").file_name().into_string().unwrap())
            .collect();
        names.sort();
        let known: Vec<_> = TEXTS.map(|(name, _)| format!("{name}.lud")).into();
        assert_eq!(names, known);
        assert!(text("hex").is_some() && text("hex") == text("hex.lud"));
        assert_eq!(text("hexx"), None);
    }

    #[test]
    fn every_game_has_a_description_and_rules() {
        for (name, text) in TEXTS {
            let (reading, _) = check::made(text, &[]).expect(name);
            let metadata = reading.metadata;
            let about = metadata.description.as_deref().expect(name);
            assert!(about.ends_with('.') && about.len() < 130, "{name}: {about}");
            let rules: Vec<_> = metadata.rules().collect();
            assert!(rules.len() > 2, "{name}: {rules:?}");
            for rule in rules {
                assert!(rule.ends_with('.'), "{name}: {rule}");
            }
        }
    }
}
