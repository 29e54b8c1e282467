/// The active mutant, and the mutants whose places the program has reached.
#[doc(hidden)]
#[allow(missing_docs, unused)]
pub mod __switches {
    extern crate std;

    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
    use std::io::Write as _;

    const UNKNOWN: u32 = u32::MAX;
    const RECORD: u32 = u32::MAX - 1;
    static ON: AtomicU32 = AtomicU32::new(UNKNOWN);
    static REACHED: [AtomicBool; HOW_MANY + 1] = [const { AtomicBool::new(false) }; HOW_MANY + 1];

    #[inline]
    pub const fn on(number: u32) -> bool {
        core::intrinsics::const_eval_select((number,), off, is_on)
    }

    const fn off(_number: u32) -> bool {
        false
    }

    #[inline]
    fn is_on(number: u32) -> bool {
        let on = ON.load(Relaxed);
        if on < RECORD { on == number } else { ask(number) }
    }

    #[cold]
    #[inline(never)]
    fn ask(number: u32) -> bool {
        if ON.load(Relaxed) == UNKNOWN {
            let on = std::env::var("SWITCHES_ON").ok();
            let on = on.and_then(|number| number.parse().ok());
            let records = std::env::var_os("SWITCHES_REACHED").is_some();
            ON.store(on.unwrap_or(if records { RECORD } else { 0 }), Relaxed);
        }
        if ON.load(Relaxed) != RECORD {
            return ON.load(Relaxed) == number;
        }
        if !REACHED[number as usize].swap(true, Relaxed) {
            let path = std::env::var_os("SWITCHES_REACHED").unwrap_or_default();
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            let line = std::format!("{number}\n");
            file.and_then(|mut file| file.write_all(line.as_bytes())).expect("it can be told");
        }
        false
    }

    /// A mutant's iterator, or that of the function.
    pub struct Either<A, B>(pub Option<A>, pub Option<B>);

    impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Either<A, B> {
        type Item = A::Item;

        #[inline]
        fn next(&mut self) -> Option<A::Item> {
            match self {
                Either(Some(mutant), _) => mutant.next(),
                Either(None, Some(own)) => own.next(),
                Either(None, None) => None,
            }
        }

        #[inline]
        fn size_hint(&self) -> (usize, Option<usize>) {
            match self {
                Either(Some(mutant), _) => mutant.size_hint(),
                Either(None, Some(own)) => own.size_hint(),
                Either(None, None) => (0, Some(0)),
            }
        }
    }
}
