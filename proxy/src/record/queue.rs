//! What waits for the trace's thread.
//!
//! Waking a thread for each request costs more than writing it down, so the thread lets commands gather for a moment. It is
//! woken early when there are many, and what may wait is bounded: bodies stop flowing while it is too far behind.

use super::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// How long commands gather. What is lost when we are killed is this, and what it takes to write it down.
const GATHER: Duration = Duration::from_millis(50);

/// Bytes that are worth waking the thread for.
const MANY: usize = 512 * 1024;

/// Bytes that may wait before bodies stop flowing.
const MOST: usize = 8 * 1024 * 1024;

#[derive(Default)]
pub(super) struct Queue {
    gathered: Mutex<Gathered>,
    come: Condvar,
    /// Bytes not yet written, those the thread is at included.
    waiting: AtomicUsize,
    shrunk: Notify,
    abandoned: AtomicBool,
}

#[derive(Default)]
struct Gathered {
    commands: Vec<Command>,
    bytes: usize,
    /// The thread waits for the first command, however long.
    idle: bool,
    urgent: bool,
    /// Nobody is left who could send anything.
    closed: bool,
}

impl Queue {
    /// Gives the command back when nobody will ever take it.
    pub(super) fn push(&self, command: Command) -> Result<(), Command> {
        if self.abandoned.load(Ordering::Relaxed) {
            return Err(command);
        }
        let weight = command.weight();
        self.waiting.fetch_add(weight, Ordering::Relaxed);
        let mut gathered = self.lock();
        let few = gathered.bytes <= MANY;
        gathered.bytes += weight;
        gathered.urgent |= matches!(command, Command::Finish(_));
        gathered.commands.push(command);
        if gathered.idle || gathered.urgent || (few && gathered.bytes > MANY) {
            gathered.idle = false;
            self.come.notify_one();
        }
        Ok(())
    }

    /// What has gathered, in order; empty when nothing will come any more.
    pub(super) fn take(&self) -> Vec<Command> {
        let mut gathered = self.lock();
        while gathered.commands.is_empty() && !gathered.closed {
            gathered.idle = true;
            gathered = self.come.wait(gathered).unwrap_or_else(PoisonError::into_inner);
        }
        gathered.idle = false;
        let more = |gathered: &mut Gathered| !gathered.urgent && !gathered.closed && gathered.bytes <= MANY;
        let (mut gathered, _) = self
            .come
            .wait_timeout_while(gathered, GATHER, more)
            .unwrap_or_else(PoisonError::into_inner);
        gathered.bytes = 0;
        std::mem::take(&mut gathered.commands)
    }

    /// Commands of this weight have been written down.
    pub(super) fn done(&self, weight: usize) {
        let before = self.waiting.fetch_sub(weight, Ordering::Relaxed);
        if before > MOST && before - weight <= MOST {
            self.shrunk.notify_waiters();
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > MOST && !self.abandoned.load(Ordering::Relaxed)
    }

    /// Waits until more may come.
    pub(super) async fn room(&self) {
        while self.is_full() {
            let shrunk = self.shrunk.notified();
            if !self.is_full() {
                return;
            }
            shrunk.await;
        }
    }

    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.come.notify_one();
    }

    /// The thread is gone: nobody will catch up, and nobody must wait for it.
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
        self.shrunk.notify_waiters();
        // Whoever waits for an answer to one of these hears that there is none.
        self.lock().commands.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
