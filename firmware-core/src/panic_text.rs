//! What a caught panic said.

use std::any::Any;
use std::string::String;

/// The text of a caught panic; `None` if it has none.
#[must_use]
pub fn panic_text(panic: &(dyn Any + Send)) -> Option<&str> {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied())
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, resume_unwind};
    use std::string::ToString;

    use super::*;

    #[test]
    fn the_text_of_a_panic_is_found_however_it_is_stored() {
        let said = |panic: fn()| catch_unwind(panic).unwrap_err();
        let fixed = said(|| resume_unwind(std::boxed::Box::new("as it is")));
        assert_eq!(panic_text(&*fixed), Some("as it is"));
        let made = said(|| resume_unwind(std::boxed::Box::new("made up".to_string())));
        assert_eq!(panic_text(&*made), Some("made up"));
        let number = said(|| resume_unwind(std::boxed::Box::new(3)));
        assert_eq!(panic_text(&*number), None);
    }
}
