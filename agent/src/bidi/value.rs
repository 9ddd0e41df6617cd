//! What a script evaluated to. BiDi describes values of JavaScript; we want JSON, without asking the page's own `JSON`,
//! which it may have patched.

use serde_json::{Map, Number, Value};

/// `Err` names the type of what has no place in JSON.
pub(super) fn to_json(remote: &Value) -> Result<Value, String> {
    let value = &remote["value"];
    match remote["type"].as_str().unwrap_or_default() {
        "undefined" | "null" => Ok(Value::Null),
        "string" | "boolean" => Ok(value.clone()),
        "number" => Ok(number(value)),
        "array" => items(value).iter().map(to_json).collect(),
        "object" => {
            let mut object = Map::new();
            for pair in items(value) {
                let key = pair[0].as_str().ok_or("object with a key that is no string")?;
                object.insert(key.to_owned(), to_json(&pair[1])?);
            }
            Ok(Value::Object(object))
        }
        other => Err(other.to_owned()),
    }
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// `NaN` and infinities are strings here and `null` in JSON, as `JSON.stringify` has it. Whole numbers stay whole.
fn number(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => {
                Number::from(float as i64).into()
            }
            _ => value.clone(),
        },
        Value::String(text) if text == "-0" => 0.into(),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_become_json_and_what_cannot_is_named() {
        let remote = json!({"type": "object", "value": [
            ["a", {"type": "array", "value": [{"type": "number", "value": 1}, {"type": "undefined"}]}],
            ["b", {"type": "number", "value": "NaN"}],
        ]});
        assert_eq!(to_json(&remote).unwrap(), json!({"a": [1, null], "b": null}));
        assert_eq!(to_json(&json!({"type": "window"})).unwrap_err(), "window");
    }
}
