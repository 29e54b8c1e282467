//! The digests of the own board, and those on which the seats agree. Either may be known
//! first.

use std::collections::VecDeque;

use protocol::Tick;

use crate::message::TableParted;

/// How many are kept of each: a minute.
const DIGESTS_KEPT: usize = 64;

/// The last digests that are known.
#[derive(Debug, Default)]
pub struct KnownDigests {
    own: VecDeque<(Tick, u64)>,
    agreed: VecDeque<(Tick, u64)>,
}

impl KnownDigests {
    /// Takes a digest of the own board. Returns a difference, if there is one now.
    pub fn tell(&mut self, tick: Tick, digest: u64) -> Option<TableParted> {
        keep(&mut self.own, (tick, digest));
        self.difference()
    }

    /// Takes a digest on which the seats agree. Returns a difference, if there is one now.
    pub fn hear(&mut self, tick: Tick, digest: u64) -> Option<TableParted> {
        keep(&mut self.agreed, (tick, digest));
        self.difference()
    }

    /// The last digest that the own board has in common with the seats.
    pub fn last_equal(&self) -> Option<(Tick, u64)> {
        let is_own = |agreed: &&(Tick, u64)| self.own.contains(agreed);
        self.agreed.iter().rev().find(is_own).copied()
    }

    fn difference(&self) -> Option<TableParted> {
        self.own.iter().find_map(|(tick, own)| {
            let (_, agreed) = self.agreed.iter().find(|(at, _)| at == tick)?;
            (agreed != own).then_some(TableParted {
                tick: *tick,
                digests: [*agreed, *own],
            })
        })
    }
}

/// Keeps the last few.
fn keep(list: &mut VecDeque<(Tick, u64)>, one: (Tick, u64)) {
    if list.len() >= DIGESTS_KEPT {
        list.pop_front();
    }
    list.push_back(one);
}
