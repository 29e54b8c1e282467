//! The error of a text as a sentence, which names the macro that contains it.

use super::library;
use super::trouble::TextError;

impl TextError {
    /// The error as a sentence. If it is in the expansion of a macro, names the macro.
    #[must_use]
    pub fn sentence(&self, text: &str) -> String {
        let sentence = self.problem.to_string();
        let place = &text[self.place(text)];
        let name = place.trim_start_matches('(').strip_prefix('"');
        let name = name.and_then(|rest| rest.split('"').next());
        match name.filter(|name| library::is_defined(text, name)) {
            Some(name) => format!("in what \"{name}\" stands for: {sentence}"),
            None => sentence,
        }
    }
}
