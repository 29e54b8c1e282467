//! Checks passwords, which is slow on purpose.
//!
//! Nobody is refused because of the actions of others: a right password is accepted
//! however many wrong ones came before it. Instead the work is limited. Each peer has one
//! password checked at a time, and the total number of simultaneous checks is limited, in
//! the order of arrival; so a peer that guesses passwords only delays itself. Answers to
//! wrong passwords are delayed, each time longer.
//!
//! Invariants: a check is made outside of any transaction, so nobody waits for the store
//! meanwhile.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::server::Peer;

/// The most simultaneous checks. Each takes memory, by default 19 MiB.
const AT_ONCE: usize = 4;

/// The number of wrong passwords of a peer that are answered without a delay.
const FREE: u32 = 5;

/// The delay of the next answer, and the longest delay. It doubles each time.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// After this many seconds without a wrong password, a peer's count is reset.
const FORGOTTEN_S: u64 = 60 * 60;

/// The operator is informed whenever the wrong passwords of a peer reach a multiple of
/// this number.
const MANY: u32 = 100;

/// The most peers whose wrong passwords are counted.
const MOST_PEERS: usize = 10_000;

/// The running checks, the waiting ones, and the peers with wrong passwords.
#[derive(Debug, Default)]
pub struct Checks {
    turns: Mutex<Turns>,
    moved: Condvar,
    wrong: Mutex<HashMap<String, Wrong>>,
}

#[derive(Debug, Default)]
struct Turns {
    next: u64,
    waiting: VecDeque<(u64, String)>,
    running: Vec<String>,
}

impl Turns {
    /// True if this check may start: it is the first one waiting whose peer has no other
    /// running check.
    fn is_turn_of(&self, number: u64) -> bool {
        let mut free = self
            .waiting
            .iter()
            .filter(|(_, peer)| !self.running.contains(peer));
        self.running.len() < AT_ONCE && free.next().is_some_and(|(first, _)| *first == number)
    }
}

#[derive(Clone, Copy, Debug)]
struct Wrong {
    count: u32,
    last_s: u64,
}

/// The running check of a peer, which ends when this is dropped.
struct RunningCheck<'c>(&'c Checks, String);

impl Drop for RunningCheck<'_> {
    fn drop(&mut self) {
        let mut turns = self.0.turns.lock();
        turns.running.retain(|peer| *peer != self.1);
        drop(turns);
        self.0.moved.notify_all();
    }
}

impl Checks {
    /// Makes a check as soon as this peer may.
    pub fn check<T>(&self, peer: &Peer, check: impl FnOnce() -> T) -> T {
        let peer = peer.to_string();
        let mut turns = self.turns.lock();
        let number = turns.next;
        turns.next += 1;
        turns.waiting.push_back((number, peer.clone()));
        while !turns.is_turn_of(number) {
            self.moved.wait(&mut turns);
        }
        turns.waiting.retain(|(waiting, _)| *waiting != number);
        turns.running.push(peer.clone());
        drop(turns);
        // There may be room for another check.
        self.moved.notify_all();
        let _turn = RunningCheck(self, peer);
        check()
    }

    /// Counts a wrong password of this peer.
    pub fn count_wrong(&self, peer: &Peer, now_s: u64) {
        let mut wrong = self.wrong.lock();
        if wrong.len() >= MOST_PEERS {
            wrong.retain(|_, wrong| now_s < wrong.last_s + FORGOTTEN_S);
        }
        if wrong.len() >= MOST_PEERS {
            wrong.clear();
        }
        let before = wrong.get(&peer.to_string()).copied();
        let before = before.filter(|wrong| now_s < wrong.last_s + FORGOTTEN_S);
        let count = before.map_or(0, |wrong| wrong.count).saturating_add(1);
        if count >= MANY && count.is_multiple_of(MANY) {
            tracing::warn!("{count} wrong passwords from {peer}");
        }
        let last_s = now_s;
        wrong.insert(peer.to_string(), Wrong { count, last_s });
    }

    /// The delay of the answer to a peer with wrong passwords.
    pub fn pause(&self, peer: &Peer) -> Duration {
        let wrong = self.wrong.lock();
        let count = wrong.get(&peer.to_string()).map_or(0, |wrong| wrong.count);
        let (first, most) = PAUSES;
        match count.checked_sub(FREE + 1) {
            None => Duration::ZERO,
            Some(doubled) => first.saturating_mul(1 << doubled.min(16)).min(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    use super::*;

    fn host(last: u8) -> Peer {
        Peer::Host([192, 0, 2, last].into())
    }

    #[test]
    fn each_peer_has_one_password_check_at_a_time() {
        let checks = Arc::new(Checks::default());
        let counts: Arc<Vec<AtomicUsize>> = Arc::new((0..9).map(|_| 0.into()).collect());
        let threads: Vec<_> = (0..64_u8)
            .map(|thread| {
                let (checks, counts) = (checks.clone(), counts.clone());
                std::thread::spawn(move || {
                    let peer = thread % 8;
                    checks.check(&host(peer), || {
                        let own = counts[usize::from(peer)].fetch_add(1, Ordering::SeqCst);
                        let all = counts[8].fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        counts[usize::from(peer)].fetch_sub(1, Ordering::SeqCst);
                        counts[8].fetch_sub(1, Ordering::SeqCst);
                        (own, all)
                    })
                })
            })
            .collect();
        for thread in threads {
            let (own, all) = thread.join().unwrap();
            assert!(own == 0 && all < AT_ONCE, "{own} {all}");
        }
    }

    #[test]
    fn a_waiting_peer_does_not_delay_others() {
        let checks = Arc::new(Checks::default());
        let (go, waits) = channel::<()>();
        let (began, begun) = channel();
        let guessing = {
            let checks = checks.clone();
            std::thread::spawn(move || {
                checks.check(&host(1), || {
                    began.send(()).unwrap();
                    waits.recv().unwrap();
                });
            })
        };
        begun.recv().unwrap();
        let again = {
            let checks = checks.clone();
            std::thread::spawn(move || checks.check(&host(1), || ()))
        };
        // This check is made even though another peer's second check is waiting ahead of
        // it.
        checks.check(&host(2), || ());
        assert!(!again.is_finished());
        go.send(()).unwrap();
        guessing.join().unwrap();
        again.join().unwrap();
    }

    #[test]
    fn repeated_wrong_passwords_delay_only_their_peer() {
        let checks = Checks::default();
        let mut pauses = Vec::new();
        for _ in 0..20 {
            checks.count_wrong(&host(1), 1_000);
            pauses.push(checks.pause(&host(1)));
        }
        assert!(pauses.is_sorted());
        assert_eq!(pauses[4], Duration::ZERO);
        assert_eq!((pauses[5], pauses[19]), PAUSES);
        assert_eq!(checks.pause(&host(2)), Duration::ZERO);
        checks.count_wrong(&host(1), 1_000 + FORGOTTEN_S);
        assert_eq!(checks.pause(&host(1)), Duration::ZERO);
        for peer in 0..20_000_u32 {
            checks.count_wrong(&Peer::Host(peer.to_be_bytes().into()), 1_000);
        }
        assert!(checks.wrong.lock().len() <= MOST_PEERS);
    }
}
