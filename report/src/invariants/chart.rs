//! Lines over the events of a session, one for each number of runs, as SVG: DoDOM's figure 4.

use std::collections::BTreeMap;
use std::fmt::Write as _;

const SIZE: [f64; 2] = [420.0, 200.0];
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 24.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 10.0;

/// `lines` by name, each by event. The vertical axis does not begin at zero: what matters is small beside the whole.
pub(super) fn chart(title: &str, lines: &[(String, BTreeMap<u32, f64>)]) -> String {
    let events: Vec<u32> = lines
        .first()
        .map(|(_, line)| line.keys().copied().collect())
        .unwrap_or_default();
    let all = || lines.iter().flat_map(|(_, line)| line.values().copied());
    let (low, high) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(f64::NEG_INFINITY, f64::max),
    );
    if events.is_empty() || !low.is_finite() {
        return String::new();
    }
    let room = ((high - low) * 0.1).max(high.abs() * 0.01).max(0.5);
    let (low, high) = ((low - room).max(0.0), high + room);
    let across = |place: usize| {
        let steps = (events.len() - 1).max(1) as f64;
        let width = SIZE[0] - LEFT - RIGHT;
        LEFT + if events.len() == 1 {
            width / 2.0
        } else {
            place as f64 * width / steps
        }
    };
    let up = |value: f64| SIZE[1] - BOTTOM - (value - low) / (high - low) * (SIZE[1] - BOTTOM - TOP);
    let mut svg = format!(
        "<figure><figcaption>{title}</figcaption><svg viewBox=\"0 0 {} {}\" role=img aria-label=\"{title}\">",
        SIZE[0], SIZE[1]
    );
    // Writing to a string cannot fail.
    for value in [low, (low + high) / 2.0, high] {
        let y = up(value);
        let _ = write!(
            svg,
            "<path class=grid d=\"M{LEFT} {y:.1}H{}\"/><text x={} y={:.1} class=end>{}</text>",
            SIZE[0] - RIGHT,
            LEFT - 6.0,
            y + 4.0,
            number(value)
        );
    }
    for (place, event) in events.iter().enumerate() {
        if events.len() <= 20 || place % (events.len() / 10) == 0 {
            let _ = write!(
                svg,
                "<text x={:.1} y={} class=mid>{event}</text>",
                across(place),
                SIZE[1] - 6.0
            );
        }
    }
    for (index, (name, line)) in lines.iter().enumerate() {
        // The last one is what was learnt in the end; those before it fade.
        let last = index + 1 == lines.len();
        let shade = 0.25 + 0.75 * (index + 1) as f64 / lines.len() as f64;
        let mut path = String::new();
        for (place, event) in events.iter().enumerate() {
            if let Some(value) = line.get(event) {
                let step = if path.is_empty() { 'M' } else { 'L' };
                let _ = write!(path, "{step}{:.1} {:.1}", across(place), up(*value));
                let _ = write!(
                    svg,
                    "<circle cx={:.1} cy={:.1} r={} opacity={shade:.2}><title>{name}, event {event}: {}</title></circle>",
                    across(place),
                    up(*value),
                    if last { 3 } else { 2 },
                    number(*value)
                );
            }
        }
        let _ = write!(
            svg,
            "<path class=\"line{}\" opacity={shade:.2} d=\"{path}\"/>",
            if last { " last" } else { "" }
        );
    }
    svg + "</svg></figure>"
}

fn number(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_has_a_line_and_one_event_a_place_in_the_middle() {
        let line = |value: f64| ("1 run".to_owned(), BTreeMap::from([(7, value)]));
        let svg = chart("Nodes", &[line(10.0), line(9.0)]);
        assert_eq!(svg.matches("class=\"line").count(), 2);
        assert!(svg.contains("cx=231.0"), "{svg}");
        assert_eq!(chart("Nodes", &[]), "");
    }
}
