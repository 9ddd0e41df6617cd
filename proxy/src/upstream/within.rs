//! An end to connections that are made but never ready: a server that accepts and then says nothing to our TLS.

use hyper::Uri;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// For everything until the first request can be sent: address, upstream proxy, TLS.
const READY_WITHIN: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub(super) struct Within<C>(pub(super) C);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

impl<C> Service<Uri> for Within<C>
where
    C: Service<Uri>,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    type Response = C::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<C::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.0.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        let made = self.0.call(target);
        Box::pin(async move {
            match tokio::time::timeout(READY_WITHIN, made).await {
                Ok(made) => made.map_err(Into::into),
                Err(_) => {
                    let text = format!(
                        "it accepted the connection and then said nothing for {} s",
                        READY_WITHIN.as_secs()
                    );
                    Err(io::Error::new(io::ErrorKind::TimedOut, text).into())
                }
            }
        })
    }
}
