//! One exchange as an entry.

use super::message::{LARGEST, base64, body_text, cookies, headers, query, set_cookies};
use super::{date_time, page_id};
use crate::content::{Content, header};
use crate::event::LoadId;
use crate::exchange::{End, Exchange, Frame, Payload, Peer, RequestHead, ResponseHead};
use crate::trace::Trace;
use serde_json::{Value, json};

/// The entry, and how much of it is missing.
pub(super) fn entry(trace: &Trace, exchange: &Exchange, frames: &[&Frame], page: Option<LoadId>) -> (Value, u64) {
    let mut missing = Vec::new();
    let wait = exchange.head_ms.unwrap_or(0.0).max(0.0);
    let end = exchange.end_ms.unwrap_or(wait).max(wait);
    let mut entry = json!({
        "startedDateTime": date_time(exchange.started_ms),
        "time": end,
        "request": request(trace, &exchange.request, &mut missing),
        "response": match &exchange.response {
            Some(head) => response(trace, head, &mut missing),
            None => no_response(),
        },
        "cache": {},
        "timings": {"blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": wait, "receive": end - wait},
    });
    if let Some(page) = page {
        entry["pageref"] = page_id(page).into();
    }
    match &exchange.end {
        End::Failed { reason } => {
            entry["_error"] = reason.as_str().into();
            entry["comment"] = format!("Failed: {reason}").into();
        }
        End::Aborted => entry["comment"] = "The client went away before the end.".into(),
        End::Open => entry["comment"] = "The recording ended before the response did.".into(),
        End::Complete | End::Upgraded => {}
    }
    if !frames.is_empty() || exchange.end == End::Upgraded {
        entry["_resourceType"] = "websocket".into();
        let started = exchange.started_ms / 1000.0;
        let messages = frames
            .iter()
            .filter_map(|frame| message(trace, frame, started, &mut missing));
        entry["_webSocketMessages"] = Value::Array(messages.collect());
    }
    let count = missing.len() as u64;
    if let Some(first) = missing.into_iter().next() {
        entry["comment"] = first.into();
    }
    (entry, count)
}

fn request(trace: &Trace, head: &RequestHead, missing: &mut Vec<String>) -> Value {
    let mut request = json!({
        "method": head.method,
        "url": head.url,
        "httpVersion": head.version,
        "cookies": cookies(&head.headers),
        "headers": headers(&head.headers),
        "queryString": query(head.url.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or(""))),
        "headersSize": -1,
        "bodySize": head.body.as_ref().map_or(0, |body| body.bytes),
    });
    if let Some(body) = &head.body {
        let content = Content::of(&head.headers);
        let kept = body_text(trace, body, &content, missing);
        let params = match (content.media_type.as_str(), kept.encoding) {
            ("application/x-www-form-urlencoded", None) => query(&kept.text),
            _ => Value::Array(Vec::new()),
        };
        let media_type = header(&head.headers, "content-type").unwrap_or("application/octet-stream");
        request["postData"] = json!({"mimeType": media_type, "params": params, "text": kept.text});
        if let Some(encoding) = kept.encoding {
            // Not in the specification, which has no way to say it for requests.
            request["postData"]["_encoding"] = encoding.into();
        }
    }
    request
}

fn response(trace: &Trace, head: &ResponseHead, missing: &mut Vec<String>) -> Value {
    let media_type = header(&head.headers, "content-type").unwrap_or("");
    let mut content = json!({"size": 0, "mimeType": media_type});
    if let Some(body) = &head.body {
        let kept = body_text(trace, body, &Content::of(&head.headers), missing);
        content["size"] = kept.bytes.into();
        content["compression"] = (kept.bytes as i64).saturating_sub_unsigned(body.bytes).into();
        content["text"] = kept.text.into();
        if let Some(encoding) = kept.encoding {
            content["encoding"] = encoding.into();
        }
    }
    json!({
        "status": head.status,
        "statusText": status_text(head.status),
        "httpVersion": head.version,
        "cookies": set_cookies(&head.headers),
        "headers": headers(&head.headers),
        "content": content,
        "redirectURL": header(&head.headers, "location").unwrap_or(""),
        "headersSize": -1,
        "bodySize": head.body.as_ref().map_or(0, |body| body.bytes),
    })
}

/// What other tools write when nothing came back.
fn no_response() -> Value {
    json!({
        "status": 0,
        "statusText": "",
        "httpVersion": "unknown",
        "cookies": [],
        "headers": [],
        "content": {"size": 0, "mimeType": "x-unknown"},
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": -1,
    })
}

fn message(trace: &Trace, frame: &Frame, started: f64, missing: &mut Vec<String>) -> Option<Value> {
    let (opcode, data) = match &frame.payload {
        Payload::Text { text } => (1, text.clone()),
        Payload::Binary { body } => match trace.bodies().bytes(&body.sha256, LARGEST) {
            Ok(bytes) => (2, base64(&bytes)),
            Err(error) => {
                missing.push(error.to_string());
                (2, String::new())
            }
        },
        Payload::Close { .. } => return None,
    };
    let kind = match frame.from {
        Peer::Client => "send",
        Peer::Server => "receive",
    };
    Some(json!({"type": kind, "time": started + frame.at_us as f64 / 1e6, "opcode": opcode, "data": data}))
}

/// Nothing newer than HTTP/1.1 sends the phrase, and the trace does not keep it.
fn status_text(status: u16) -> &'static str {
    match status {
        100 => "Continue",
        101 => "Switching Protocols",
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        410 => "Gone",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}
