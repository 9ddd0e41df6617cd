//! Everything the proxy has running, so that stopping it ends everything.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

pub(crate) struct Tasks {
    running: Mutex<JoinSet<()>>,
    stopping: watch::Sender<bool>,
    count: watch::Sender<usize>,
}

impl Tasks {
    pub(crate) fn new() -> Self {
        Tasks {
            running: Mutex::new(JoinSet::new()),
            stopping: watch::Sender::new(false),
            count: watch::Sender::new(0),
        }
    }

    /// Runs `task` until it ends or the proxy does. After the stop nothing new begins.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut running = self.running();
        if self.is_stopping() {
            return;
        }
        let counted = Counted::one_more(&self.count);
        running.spawn(async move {
            let _counted = counted;
            task.await;
        });
        while let Some(ended) = running.try_join_next() {
            report_panic(ended);
        }
    }

    /// The same for what has no end of its own and nothing to finish: relays, channels, tunnels.
    pub(crate) fn spawn_endless(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut stopping = self.stopping.subscribe();
        self.spawn(async move {
            tokio::select! {
                () = task => {}
                _ = stopping.wait_for(|stopping| *stopping) => {}
            }
        });
    }

    /// Resolves when no more than this many tasks are left.
    pub(crate) async fn at_most(&self, tasks: usize) {
        let mut count = self.count.subscribe();
        // The sender lives in `self`, so the channel cannot be closed here.
        let _ = count.wait_for(|count| *count <= tasks).await;
    }

    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Resolves when the proxy is about to stop: connections end what they are at and take nothing new.
    pub(crate) async fn stopping(&self) {
        let mut receiver = self.stopping.subscribe();
        // The sender lives in `self`, so the channel cannot be closed here.
        let _ = receiver.wait_for(|stopping| *stopping).await;
    }

    /// Asks everything to end, waits for `grace`, then ends what goes on for ever.
    pub(crate) async fn stop(&self, grace: Duration) {
        let mut running = {
            let mut running = self.running();
            self.stopping.send_replace(true);
            std::mem::take(&mut *running)
        };
        let drain = async { while running.join_next().await.map(report_panic).is_some() {} };
        if tokio::time::timeout(grace, drain).await.is_err() {
            running.shutdown().await;
        }
    }

    /// Ends everything without waiting for it.
    pub(crate) fn end_at_once(&self) {
        let mut running = self.running();
        self.stopping.send_replace(true);
        running.abort_all();
    }

    fn running(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task for as long as it lives, however it ends.
struct Counted(watch::Sender<usize>);

impl Counted {
    fn one_more(count: &watch::Sender<usize>) -> Counted {
        count.send_modify(|count| *count += 1);
        Counted(count.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

fn report_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        tracing::error!(%error, "a connection's task failed; the others go on");
    }
}
