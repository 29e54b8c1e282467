//! A [`FlashStore`] in many pages of flash, based on `sequential-storage`: each write
//! goes to the next free place, and pages are erased in turn. Flash with small pages
//! therefore wears evenly, and each part is written separately.
//!
//! Invariants: those of [`FlashStore`]. If the library cannot read the flash, it does not
//! contain our store, and is erased.

use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use embedded_storage_async::nor_flash::NorFlash;
use protocol::DRAWING_BYTES;
use sequential_storage::Error;
use sequential_storage::cache::{Cache, Uncached};
use sequential_storage::map::{MapConfig, MapStorage};

use crate::store::{FlashStore, NotWritten, StoredPart};

/// The length in bytes of the longest part with its key, in whole words.
pub const BUFFER_BYTES: usize = (DRAWING_BYTES + 1).next_multiple_of(4);

/// The bytes of a part while it is read or written, aligned as the flash requires.
#[derive(Debug)]
#[repr(C, align(4))]
pub struct Buffer(pub [u8; BUFFER_BYTES]);

type Map<F> = MapStorage<u8, F, Cache<Uncached, Uncached, Uncached, u8>>;

/// A store in all pages of this flash.
pub struct Pages<'a, F: NorFlash> {
    map: Map<F>,
    buffer: &'a mut Buffer,
}

/// The result of a future that is ready at once. Every call of this flash is complete
/// when it returns.
fn now<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
            return done;
        }
    }
}

impl<'a, F: NorFlash> Pages<'a, F> {
    /// The store in this flash, with its contents; `None` if the pages are too small
    /// or too few.
    #[must_use]
    pub fn new(flash: F, buffer: &'a mut Buffer) -> Option<Self> {
        let range = 0..flash.capacity() as u32;
        let config = MapConfig::try_new(range).ok()?;
        let map = MapStorage::new(flash, config, Cache::new_uncached());
        Some(Pages { map, buffer })
    }

    /// The flash, without the store.
    #[must_use]
    pub fn into_flash(self) -> F {
        self.map.destroy().0
    }

    /// The stored bytes of a part.
    fn fetch(&mut self, part: StoredPart) -> Result<Option<&[u8]>, Error<F::Error>> {
        now(self.map.fetch_item(&mut self.buffer.0, &(part as u8)))
    }

    /// Erases the flash if the library cannot read it.
    fn is_erased(&mut self, error: &Error<F::Error>) -> bool {
        let is_unknown = matches!(
            error,
            Error::Corrupted { .. } | Error::LogicBug { .. } | Error::SerializationError(_)
        );
        is_unknown && now(self.map.erase_all()).is_ok()
    }
}

impl<F: NorFlash> FlashStore for Pages<'_, F> {
    const HAS_SETTINGS: bool = true;

    fn read(&mut self, part: StoredPart, buffer: &mut [u8]) -> Option<usize> {
        match self.fetch(part) {
            Ok(kept) => {
                let kept = kept.filter(|kept| !kept.is_empty())?;
                buffer.get_mut(..kept.len())?.copy_from_slice(kept);
                Some(kept.len())
            }
            Err(error) => {
                self.is_erased(&error);
                None
            }
        }
    }

    fn write(&mut self, part: StoredPart, bytes: &[u8]) -> Result<(), NotWritten> {
        let is_same = |kept: Option<&[u8]>| kept.unwrap_or_default() == bytes;
        if self.fetch(part).is_ok_and(is_same) {
            return Ok(());
        }
        let key = part as u8;
        let mut stored = now(self.map.store_item(&mut self.buffer.0, &key, &bytes));
        if let Err(error) = &stored
            && self.is_erased(error)
        {
            stored = now(self.map.store_item(&mut self.buffer.0, &key, &bytes));
        }
        stored.map_err(|_| NotWritten)
    }
}

#[cfg(test)]
mod tests;
