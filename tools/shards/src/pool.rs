//! Jobs on several threads of this machine.

use std::sync::mpsc;
use std::thread;

use parking_lot::Mutex;

/// The default number of threads: one for each core.
#[must_use]
pub fn usual_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does jobs on this many threads, each with its own `State`, and passes each result to
/// `keep` as soon as it is available, in any order.
///
/// # Errors
/// The first error of `keep`; jobs in progress are then discarded.
pub fn do_all<Job, State: Default, Done: Send, Error>(
    jobs: impl IntoIterator<Item = Job, IntoIter: Send>,
    threads: usize,
    work: impl Fn(&mut State, Job) -> Done + Sync,
    mut keep: impl FnMut(Done) -> Result<(), Error>,
) -> Result<(), Error> {
    let threads = threads.max(1);
    let jobs = Mutex::new(jobs.into_iter());
    let next = || jobs.lock().next();
    let (sender, results) = mpsc::sync_channel(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                let mut state = State::default();
                while let Some(job) = next() {
                    if sender.send(work(&mut state, job)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // At the first error, the receiver is dropped, which ends the threads.
        for result in results {
            keep(result)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::thread::ThreadId;

    use super::*;

    #[test]
    fn every_job_is_done_once_until_the_first_error() {
        let mut seen = Vec::new();
        let double = |_: &mut (), number| (number, 2 * number);
        let keep = |(number, doubled): (u64, u64)| {
            assert_eq!(doubled, 2 * number);
            seen.push(number);
            Ok::<(), u64>(())
        };
        assert_eq!(do_all(0..40, 3, double, keep), Ok(()));
        seen.sort();
        assert_eq!(seen, (0..40).collect::<Vec<_>>());
        let refuse = |(number, _)| if number < 40 { Ok(()) } else { Err(number) };
        assert!(do_all(0..50, 3, double, refuse).is_err_and(|number| number >= 40));
    }

    #[test]
    fn each_thread_has_one_state_for_all_its_jobs() {
        let count = |before: &mut u64, _| {
            *before += 1;
            (thread::current().id(), *before)
        };
        let mut counts: HashMap<ThreadId, Vec<u64>> = HashMap::new();
        let keep = |(thread, count)| {
            counts.entry(thread).or_default().push(count);
            Ok::<(), ()>(())
        };
        assert_eq!(do_all(0..30, 3, count, keep), Ok(()));
        assert!(counts.len() <= 3, "{counts:?}");
        for own in counts.values() {
            let all: Vec<u64> = (1..=own.len() as u64).collect();
            assert_eq!(*own, all);
        }
        assert_eq!(counts.values().map(Vec::len).sum::<usize>(), 30);
    }
}
