//! Hosts that browsers call by themselves: updates, safe browsing, captive portals, settings.
//!
//! A recording should hold what the application did. These are answered here, are not recorded, and never leave the
//! machine. Flags and preferences switch most of them off; what is left differs between versions, so the list is kept
//! to hosts that no web application is served from.

use crate::body::{self, Body};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};

/// Hosts as a whole; a leading dot also takes hosts below.
const HOSTS: [&str; 27] = [
    // Chromium, Chrome, Edge
    "accounts.google.com",
    "android.clients.google.com",
    "clients1.google.com",
    "clients2.google.com",
    "clients2.googleusercontent.com",
    "clientservices.googleapis.com",
    "content-autofill.googleapis.com",
    "edgedl.me.gvt1.com",
    "mtalk.google.com",
    "optimizationguide-pa.googleapis.com",
    "redirector.gvt1.com",
    "safebrowsing.googleapis.com",
    "safebrowsingohttpgateway.googleapis.com",
    "sb-ssl.google.com",
    "update.googleapis.com",
    "edge.microsoft.com",
    "config.edge.skype.com",
    // Firefox
    "aus5.mozilla.org",
    "classify-client.services.mozilla.com",
    "content-signature-2.cdn.mozilla.net",
    "contile.services.mozilla.com",
    "detectportal.firefox.com",
    "firefox.settings.services.mozilla.com",
    "firefox-settings-attachments.cdn.mozilla.net",
    "incoming.telemetry.mozilla.org",
    "location.services.mozilla.com",
    ".push.services.mozilla.com",
];

pub(crate) fn is_background(host: &str) -> bool {
    HOSTS.iter().any(|known| match known.strip_prefix('.') {
        Some(domain) => host == domain || host.ends_with(known),
        None => host == *known,
    })
}

/// Firefox asks whether it is online and shows a bar unless it hears "success"; all others take "there is nothing".
pub(crate) fn answer(host: &str) -> Response<Body> {
    let portal = host == "detectportal.firefox.com";
    let mut response = Response::new(if portal { body::full("success\n") } else { body::empty() });
    *response.status_mut() = if portal { StatusCode::OK } else { StatusCode::NOT_FOUND };
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hosts_of_the_browsers_themselves_are_kept_back() {
        for host in [
            "accounts.google.com",
            "push.services.mozilla.com",
            "a.push.services.mozilla.com",
        ] {
            assert!(is_background(host), "{host}");
        }
        for host in [
            "google.com",
            "fonts.googleapis.com",
            "ajax.googleapis.com",
            "developer.mozilla.org",
            "xpush.services.mozilla.com",
        ] {
            assert!(!is_background(host), "{host}");
        }
    }
}
