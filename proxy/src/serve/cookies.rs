//! Cookies that had not expired when they were recorded have not expired when they are replayed.
//!
//! A session cookie of one hour is gone when its trace is replayed the next day, and the page with it. So the dates of
//! cookies move by the age of the recording. Other dates stay: pages can read them, and must read what they read.

use hyper::header::{HeaderMap, HeaderValue, SET_COOKIE};
use time::format_description::FormatItem;
use time::macros::format_description;
use time::{Duration, OffsetDateTime, PrimitiveDateTime};

const WRITTEN: &[FormatItem<'_>] =
    format_description!("[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT");
const WITH_DASHES: &[FormatItem<'_>] =
    format_description!("[weekday repr:short], [day]-[month repr:short]-[year] [hour]:[minute]:[second] GMT");

/// Moves the dates of all cookies in `headers`, which were recorded at `recorded_ms`, to what they mean now.
pub(super) fn renew(headers: &mut HeaderMap, recorded_ms: f64, now: OffsetDateTime) {
    if !headers.contains_key(SET_COOKIE) {
        return;
    }
    let Ok(recorded) = OffsetDateTime::from_unix_timestamp((recorded_ms / 1000.0) as i64) else {
        return;
    };
    let age = now - recorded;
    let cookies: Vec<HeaderValue> = headers
        .get_all(SET_COOKIE)
        .iter()
        .map(|cookie| moved(cookie, age))
        .collect();
    headers.remove(SET_COOKIE);
    for cookie in cookies {
        headers.append(SET_COOKIE, cookie);
    }
}

/// A cookie whose date is not understood stays as it is, as it does for the browser.
fn moved(cookie: &HeaderValue, age: Duration) -> HeaderValue {
    let Ok(text) = cookie.to_str() else {
        return cookie.clone();
    };
    let parts: Vec<String> = text
        .split(';')
        .map(|part| attribute(part, age).unwrap_or_else(|| part.to_owned()))
        .collect();
    HeaderValue::try_from(parts.join(";")).unwrap_or_else(|_| cookie.clone())
}

fn attribute(part: &str, age: Duration) -> Option<String> {
    let (name, value) = part.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("expires") {
        return None;
    }
    let value = value.trim();
    let date = PrimitiveDateTime::parse(value, WRITTEN)
        .or_else(|_| PrimitiveDateTime::parse(value, WITH_DASHES))
        .ok()?;
    let date = date.checked_add(age)?;
    Some(format!(" Expires={}", date.format(WRITTEN).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    fn check(cookie: &str, expected: &str) {
        let mut headers = HeaderMap::new();
        headers.append(SET_COOKIE, HeaderValue::from_str(cookie).unwrap());
        let recorded = datetime!(2026-01-01 12:00 UTC);
        renew(
            &mut headers,
            recorded.unix_timestamp() as f64 * 1000.0,
            recorded + Duration::days(2),
        );
        assert_eq!(headers[SET_COOKIE], expected);
    }

    #[test]
    fn dates_move_by_the_age_of_the_recording() {
        check(
            "a=1; Path=/; Expires=Thu, 01 Jan 2026 13:00:00 GMT; HttpOnly",
            "a=1; Path=/; Expires=Sat, 03 Jan 2026 13:00:00 GMT; HttpOnly",
        );
        check(
            "a=1; expires=Thu, 01-Jan-2026 13:00:00 GMT",
            "a=1; Expires=Sat, 03 Jan 2026 13:00:00 GMT",
        );
    }

    #[test]
    fn what_is_long_past_stays_past_and_the_rest_stays_as_it_is() {
        check(
            "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "a=; Expires=Sat, 03 Jan 1970 00:00:00 GMT",
        );
        for cookie in ["a=1", "a=1; Max-Age=3600", "a=1; Expires=0", "expires"] {
            check(cookie, cookie);
        }
    }
}
