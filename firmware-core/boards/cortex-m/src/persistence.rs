//! The data that a board keeps over a power-off, and its store. The data is read at
//! power-on and written when it changes.
//!
//! Invariants: if a store refuses a write, or contains data that this firmware cannot
//! read, this is reported to the host, and the board works nevertheless.

use firmware_core::{AnyWidth, BEST_BYTES, BestScores, Device};
use protocol::{Drawing, Settings, Severity};

use crate::store::{FlashStore, StoredPart};

/// The store of the data that a board keeps, and which changes have been written.
#[derive(Debug)]
pub struct Persistence<S> {
    store: S,
    /// The number of changes of the best scores at the last write.
    changes: u32,
    /// The number of changes of the layout at the last write.
    insertions: u32,
    /// A sentence about each part that is still to be sent to a host.
    news: [Option<&'static str>; StoredPart::ALL.len()],
}

impl<S: FlashStore> Persistence<S> {
    /// Restores what the store contains, and makes the board keep it from now on. To be
    /// called before the hello.
    // A separate function, so that the copies it makes leave the stack with it.
    #[inline(never)]
    pub fn begin<B: AnyWidth, M: AsMut<[u8]>>(mut store: S, device: &mut Device<B, M>) -> Self {
        let inserted = device.restore_layout(|buffer| store.read(StoredPart::Layout, buffer));
        let mut buffer = [0; BEST_BYTES];
        let length = store.read(StoredPart::Best, &mut buffer);
        let bytes = length.and_then(|length| buffer.get(..length));
        let known = bytes.map(BestScores::load);
        let is_unknown = matches!(known, Some(None));
        device.keep(known.flatten().unwrap_or_default());
        if S::HAS_SETTINGS {
            begin_settings(&mut store, device);
        }
        Persistence {
            store,
            changes: 0,
            insertions: 0,
            news: [
                is_unknown.then_some("the best scores are of another firmware: new ones are kept"),
                inserted.is_err().then_some(
                    "the game that was kept is not played by this firmware: insert it again",
                ),
            ],
        }
    }

    /// Writes the best scores of the board to the store.
    // Rarely called; a separate function keeps the stack frame of the main loop small.
    #[inline(never)]
    fn write_best(&mut self, best: &BestScores) {
        let mut buffer = [0; BEST_BYTES];
        let bytes = best.save(&mut buffer).unwrap_or_default();
        let news = "the best scores were not kept: the flash does not take them";
        self.write(StoredPart::Best, bytes, news);
    }

    #[inline(never)]
    fn write(&mut self, part: StoredPart, bytes: &[u8], or_say: &'static str) {
        if self.store.write(part, bytes).is_err()
            && let Some(news) = self.news.get_mut(part as usize)
        {
            *news = Some(or_say);
        }
    }

    /// Writes what has changed, and sends the sentences that are due.
    pub fn store_changes<B: AnyWidth, M: AsMut<[u8]>>(&mut self, device: &mut Device<B, M>) {
        if let Some((best, changes)) = device.board().best()
            && self.changes != changes
        {
            self.changes = changes;
            self.write_best(best);
        }
        if let Some((drawing, insertions)) = device.board().inserted()
            && self.insertions != insertions
        {
            self.insertions = insertions;
            let bytes = drawing.map_or(&[][..], Drawing::bytes);
            let news = "the game was not kept: the flash does not take it";
            self.write(StoredPart::Layout, bytes, news);
        }
        if let Some(news) = self.news.iter_mut().find(|news| news.is_some())
            && news.is_some_and(|news| device.log(Severity::Information, news))
        {
            *news = None;
        }
    }

    /// Stores the settings if they differ from those of the last call (`seen`). `seen` is
    /// not part of the store, so that it takes no memory on boards that do not store
    /// settings.
    pub fn store_changed_settings<B: AnyWidth, M: AsMut<[u8]>>(
        &mut self,
        device: &mut Device<B, M>,
        seen: &mut Option<Settings>,
    ) {
        if !S::HAS_SETTINGS {
            return;
        }
        let settings = device.board().settings();
        let before = seen.replace(settings);
        let is_news = before.is_some_and(|before| before != settings);
        if is_news
            && device.board().counts_best()
            && self
                .store
                .write(StoredPart::Settings, &settings.to_bytes())
                .is_err()
        {
            // Without this line nobody would notice before the power-off. A host that
            // connects later need not be told.
            let line = "the settings were not kept: the flash does not take them";
            device.log(Severity::Warning, line);
        }
    }
}

/// Restores the settings from the store. If they are refused, they are from a board with
/// different games.
#[inline(never)]
fn begin_settings<B: AnyWidth, M: AsMut<[u8]>>(
    store: &mut impl FlashStore,
    device: &mut Device<B, M>,
) {
    let mut bytes = [0; Settings::COUNT];
    if store.read(StoredPart::Settings, &mut bytes) == Some(Settings::COUNT) {
        let _ = device.restore_settings(Settings::from_bytes(bytes));
    }
}

#[cfg(test)]
mod tests;
