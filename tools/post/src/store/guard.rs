//! The only place where a panic of the database is caught.
//!
//! The database trusts its file: a damaged page makes it panic. That is not an error of
//! this program, which should then end with a proper message. Any other panic is an error
//! of this program and is propagated.

use std::cell::{Cell, RefCell};
use std::panic::{
    AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook,
};
use std::sync::Once;

use crate::store::StoreError;

thread_local! {
    /// True while this thread accesses the store.
    static IS_READING: Cell<bool> = const { Cell::new(false) };
    /// The message of the database's panic.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// True if the database panicked, or the standard library called by it.
fn is_of_database(info: &PanicHookInfo<'_>) -> bool {
    let file = info.location().map_or("", |location| location.file());
    let file = file.replace('\\', "/");
    file.contains("/redb-") || file.contains("/redb/") || file.starts_with("/rustc/")
}

/// Suppresses the printed message of panics of the database.
fn listen() {
    let before = take_hook();
    set_hook(Box::new(move |info| {
        if IS_READING.get() && is_of_database(info) {
            let said = info.payload_as_str().unwrap_or("it cannot be read");
            let said = said.lines().next().unwrap_or_default().to_owned();
            SAID.set(Some(said));
        } else {
            before(info);
        }
    }));
}

/// Accesses the store.
///
/// # Errors
/// The error of `read`, or that the store is damaged.
pub fn guarded<T>(read: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    HOOK.call_once(listen);
    let was_reading = IS_READING.replace(true);
    SAID.take();
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_READING.set(was_reading);
    match (read, SAID.take()) {
        (Ok(read), _) => read,
        (Err(_), Some(said)) => Err(StoreError::Damaged(said)),
        (Err(panic), None) => resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_not_taken_for_a_damaged_store() {
        let thread = std::thread::spawn(|| {
            let none: Result<(), StoreError> = guarded(|| panic!("a mistake"));
            none.unwrap();
        });
        let panic = thread.join().unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a mistake"));
    }
}
