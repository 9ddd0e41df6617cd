//! What a browser's answer has to state, whatever the protocol. What it does not state is an error, never zero or
//! nothing: a page of no size and a page that could not be measured are different things.

use crate::browser::DriverError;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

/// The picture, which all protocols give in Base64.
pub(crate) fn png(answer: &Value, what: &str) -> Result<Vec<u8>, DriverError> {
    let data = answer.as_str().ok_or_else(|| senseless(what, "it has no picture"))?;
    BASE64_STANDARD
        .decode(data)
        .map_err(|error| senseless(what, format!("its picture is not Base64: {error}")))
}

pub(crate) fn number(answer: &Value, name: &str, what: &str) -> Result<f64, DriverError> {
    answer[name]
        .as_f64()
        .ok_or_else(|| senseless(what, format!("{answer} states no `{name}`")))
}

pub(crate) fn text<'a>(answer: &'a Value, name: &str, what: &str) -> Result<&'a str, DriverError> {
    answer[name]
        .as_str()
        .ok_or_else(|| senseless(what, format!("{answer} states no `{name}`")))
}

pub(crate) fn senseless(what: &str, message: impl Into<String>) -> DriverError {
    DriverError::Answer {
        what: what.to_owned(),
        message: message.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_size_that_is_not_stated_is_an_error() {
        let size = json!({"width": 800, "height": null});
        assert_eq!(number(&size, "width", "size").unwrap(), 800.0);
        assert_eq!(
            number(&size, "height", "size").unwrap_err().to_string(),
            "the browser's answer to `size` makes no sense: {\"height\":null,\"width\":800} states no `height`"
        );
    }

    #[test]
    fn what_is_not_a_picture_is_an_error() {
        assert_eq!(png(&json!("AQI="), "picture").unwrap(), [1, 2]);
        assert!(png(&json!(null), "picture").is_err());
        assert!(png(&json!("%"), "picture").is_err());
    }
}
