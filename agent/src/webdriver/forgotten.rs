//! Scripts that a browser forgets. WPE 2.38 answers nothing at all to one that comes while one document makes way for another: under load to one in
//! forty of those that come right after a navigation.

use super::start::release;
use crate::browser::DriverError;
use serde_json::Value;
use std::time::Duration;
use xcheck_trace::manifest::BrowserInfo;

/// How long it takes until something else is asked; it decides nothing.
const SLOW: Duration = Duration::from_millis(500);

/// Which of two answers that are there is read first is up to the machine.
const READ_WITHIN: Duration = Duration::from_secs(2);

/// 2.38 does, 2.50 does not; what is between was not tried.
pub(super) fn forgets(browser: &BrowserInfo) -> bool {
    release(&browser.version) < (Some(2), Some(50))
}

/// Scripts are answered in their order: what is asked later, and answered, tells that no answer comes any more.
pub(super) async fn unless_forgotten(
    answer: impl Future<Output = Result<Value, DriverError>>,
    later: impl Future<Output = Result<Value, DriverError>>,
) -> Result<Value, DriverError> {
    tokio::pin!(answer);
    if let Ok(answer) = tokio::time::timeout(SLOW, &mut answer).await {
        return answer;
    }
    tokio::select! {
        answer = &mut answer => return answer,
        Ok(_) = later => {}
    }
    let read = tokio::time::timeout(READ_WITHIN, answer).await;
    read.unwrap_or_else(|_| {
        Err(DriverError::Interrupted {
            what: "POST /execute/sync".to_owned(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn a_script_is_forgotten_when_a_later_one_is_answered() {
        let forgotten = unless_forgotten(std::future::pending(), async { Ok(json!(1)) }).await;
        assert!(matches!(forgotten, Err(DriverError::Interrupted { .. })));
    }

    #[tokio::test]
    async fn a_script_that_takes_longer_than_it_takes_to_ask_is_waited_for() {
        for later_is_refused in [false, true] {
            let (asks_later, is_asked) = tokio::sync::oneshot::channel();
            let answer = async {
                is_asked.await.unwrap();
                Ok(json!("there"))
            };
            let later = async {
                asks_later.send(()).unwrap();
                if later_is_refused {
                    return Err(DriverError::Unsupported("scripts, now".to_owned()));
                }
                std::future::pending().await
            };
            assert_eq!(unless_forgotten(answer, later).await.unwrap(), "there");
        }
    }
}
