//! The core alone, on a processor without a board: it replays recorded games that it
//! reads from a computer through the debugger, and compares the digests.
//!
//! At each recorded digest it also checks that a board that is saved, recreated and
//! loaded continues identically. Time passes at once or tick by tick, alternately from
//! game to game, which must make no difference.
//!
//! The last line is `done BOARDS DIGESTS LOADS STACK ROOM`: the number of replayed games,
//! of matching digests, and of saves that fitted into memory, and the used and available
//! bytes of stack. If something is wrong, the error is reported instead.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

mod record;
mod source;
mod stack;

use core::fmt;
use core::mem::MaybeUninit;

#[cfg(target_arch = "arm")]
use cortex_m_rt::entry;
use firmware_core::AnyWidth;
use protocol::Refusal;
#[cfg(target_arch = "riscv32")]
use riscv_rt::entry;
use semihosting::{println, process};

use record::Record;
use source::{NoRecord, Source};

#[cfg(feature = "any-layout")]
type Own = firmware_core::AnyBoard;
#[cfg(not(feature = "any-layout"))]
type Own = firmware_core::Board<u128>;

/// The size of the buffer for saved boards.
#[cfg(feature = "any-layout")]
const BUFFER_BYTES: usize = firmware_core::SNAPSHOT_BYTES;
#[cfg(not(feature = "any-layout"))]
const BUFFER_BYTES: usize = 2 * 1024;

/// The seed of a recreated board, which makes it differ from the saved one.
const ANOTHER_SEED: u64 = 0x0DD5_EED5;

/// Why a record was not reproduced.
enum Wrong {
    /// The next record could not be read.
    Record(NoRecord),
    /// The board could not be switched on with this layout and these games.
    Refused(Refusal),
    /// The board reached this digest, not the recorded one.
    Digest(u64),
    /// The loaded board did not continue like the saved one.
    Load,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Record(NoRecord::Unreadable(error)) => write!(f, "no file: {error}"),
            Wrong::Record(_) => write!(f, "what comes next is not a record"),
            Wrong::Refused(refusal) => write!(f, "the board refuses: {refusal}"),
            Wrong::Digest(digest) => write!(f, "the digest is {digest:016x}"),
            Wrong::Load => write!(f, "what is loaded is another board"),
        }
    }
}

/// The numbers of what was reproduced.
#[derive(Default)]
struct Tally {
    boards: u32,
    digests: u32,
    loads: u32,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.boards, self.digests, self.loads)
    }
}

#[entry]
fn main() -> ! {
    stack::paint();
    let mut tally = Tally::default();
    match repeat(&mut tally) {
        Ok(()) => {
            let (taken, room) = (stack::deepest_bytes(), stack::room_bytes());
            println!("done {tally} {taken} {room}");
            process::exit(0)
        }
        Err(wrong) => {
            println!("after {tally}: {wrong}");
            process::exit(1)
        }
    }
}

fn repeat(tally: &mut Tally) -> Result<(), Wrong> {
    let mut source = Source::open().map_err(Wrong::Record)?;
    let mut board = MaybeUninit::uninit();
    let board = put(&mut board);
    let mut buffer = [0; BUFFER_BYTES];
    loop {
        match source.next() {
            Ok(record) => take(&record, board, &mut buffer, tally)?,
            Err(NoRecord::End) => return Ok(()),
            Err(error) => return Err(Wrong::Record(error)),
        }
    }
}

/// Creates a blank board in place.
// A separate function, so that the copies it makes leave the stack with it.
#[inline(never)]
fn put(board: &mut MaybeUninit<Own>) -> &mut Own {
    board.write(<Own as AnyWidth>::blank())
}

fn take(
    record: &Record,
    board: &mut Own,
    buffer: &mut [u8],
    tally: &mut Tally,
) -> Result<(), Wrong> {
    match record {
        Record::Begin {
            layout,
            roster,
            seed,
        } => {
            tally.boards += 1;
            board
                .restart(*layout, *roster, *seed)
                .map_err(Wrong::Refused)
        }
        Record::Deed(deed) => {
            // A deed that is refused now was also refused during the recording.
            let _ = board.carry_out(deed, &mut |_, _| {});
            Ok(())
        }
        Record::Until(end) => {
            let is_ticked = tally.boards % 2 == 1;
            while board.tick() < *end {
                let left = end - board.tick();
                board.step(if is_ticked { 1 } else { left }, &mut |_, _| {});
            }
            Ok(())
        }
        Record::Digest(digest) => {
            if board.digest() != *digest {
                return Err(Wrong::Digest(board.digest()));
            }
            tally.digests += 1;
            tally.loads += u32::from(load(*digest, board, buffer)?);
            Ok(())
        }
    }
}

/// Saves the board, creates a new one and loads it; false if the buffer is too small.
fn load(digest: u64, board: &mut Own, buffer: &mut [u8]) -> Result<bool, Wrong> {
    let Some(saved) = board.save(buffer) else {
        return Ok(false);
    };
    let (layout, roster) = (board.layout(), board.roster());
    board
        .restart(layout, roster, ANOTHER_SEED)
        .map_err(Wrong::Refused)?;
    let is_another = board.digest() != digest;
    board.load(saved).map_err(Wrong::Refused)?;
    match is_another && board.digest() == digest {
        true => Ok(true),
        false => Err(Wrong::Load),
    }
}
