//! The thread that owns the board, and the channel from the tools to it.
//!
//! Invariants: calls are carried out one by one, in order; a caller gets an answer within
//! a limited time, even if the board is stuck; a call whose caller was told that it was
//! too late is not carried out.

use std::thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use touchboard_links::Where;

use crate::agent_board::{AgentBoard, Answered};
use crate::folder::Folder;

/// The maximum number of calls that wait for the board.
const WAITING: usize = 16;
/// How much longer than its limit a call may take, because a board at the end of a line
/// answers late.
const GRACE: Duration = Duration::from_secs(10);

type Call = Box<dyn FnOnce(&mut AgentBoard) + Send>;

/// Access to the board from other threads.
#[derive(Clone)]
pub struct Worker {
    calls: mpsc::Sender<Call>,
    limit: Duration,
}

impl Worker {
    /// Opens the board on a thread of its own.
    ///
    /// # Errors
    /// A sentence if there is no board.
    pub fn start(place: Where, folder: Folder, limit: Duration) -> anyhow::Result<Worker> {
        let (calls, mut todo) = mpsc::channel::<Call>(WAITING);
        let (ready, opened) = oneshot::channel();
        thread::Builder::new().name("board".into()).spawn(move || {
            let mut board = match AgentBoard::open(place, folder, limit) {
                Ok(board) => board,
                Err(error) => {
                    let _ = ready.send(Err(error.to_string()));
                    return;
                }
            };
            let _ = ready.send(Ok(()));
            while let Some(call) = todo.blocking_recv() {
                board.begin_call();
                call(&mut board);
            }
        })?;
        opened.blocking_recv()?.map_err(anyhow::Error::msg)?;
        Ok(Worker { calls, limit })
    }

    /// Carries out a function on the board, and waits for its result.
    pub async fn call<T: Send + 'static>(
        &self,
        what: impl FnOnce(&mut AgentBoard) -> Answered<T> + Send + 'static,
    ) -> Answered<T> {
        let (answer, answered) = oneshot::channel();
        let call: Call = Box::new(move |board| {
            if !answer.is_closed() {
                let _ = answer.send(what(board));
            }
        });
        if self.calls.try_send(call).is_err() {
            return Err("the board is busy: wait for the answers to the calls before".to_owned());
        }
        // The call before this one may use its own time first.
        let patience = (self.limit + GRACE) * 2;
        match tokio::time::timeout(patience, answered).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err("the board is gone: restart this server".to_owned()),
            Err(_) => Err(
                "the board is still busy with a call before this one: ask again, or restart this server"
                    .to_owned(),
            ),
        }
    }
}
