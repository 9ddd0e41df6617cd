//! Plots as SVG, written by hand: two kinds are all that is needed, and they read in light and dark.

use std::fmt::Write;

pub(crate) struct Plot {
    pub(super) file: &'static str,
    pub(super) svg: String,
}

/// One bar a row, with the spread of its runs where there is one.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) value: f64,
    pub(super) spread: Option<(f64, f64)>,
}

/// A point of a series, both axes logarithmic.
pub(super) struct Point {
    pub(super) series: usize,
    pub(super) x: f64,
    pub(super) y: f64,
}

const WIDTH: f64 = 720.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 70.0;
const ROW: f64 = 22.0;
const TOP: f64 = 44.0;

const STYLE: &str = "<style>text{font:12px system-ui,sans-serif;fill:#444}.title{font-weight:600;font-size:14px}.bar{fill:#4878a8}\
.over{fill:#c05a3c}.spread{stroke:#222;stroke-width:1.5}.line{stroke:#2a8a4a;stroke-width:1.5;stroke-dasharray:5 4}.axis{stroke:#bbb}\
.s0{fill:#4878a8}.s1{fill:#c05a3c}@media(prefers-color-scheme:dark){text{fill:#ccc}.spread{stroke:#eee}.axis{stroke:#555}}</style>";

/// `line` is the bar that the values are held to; those beyond it have another colour.
pub(super) fn bars(file: &'static str, title: &str, rows: &[Row], line: Option<f64>) -> Plot {
    let largest = rows
        .iter()
        .map(|row| row.spread.map_or(row.value, |(_, most)| most.max(row.value)))
        .chain(line)
        .fold(f64::MIN_POSITIVE, f64::max);
    let across = |value: f64| LEFT + value / largest * (WIDTH - LEFT - RIGHT);
    let height = TOP + rows.len() as f64 * ROW + 16.0;
    let mut svg = open(height, title);
    for (number, row) in rows.iter().enumerate() {
        let y = TOP + number as f64 * ROW;
        let class = if line.is_some_and(|line| row.value > line) {
            "over"
        } else {
            "bar"
        };
        let middle = y + ROW / 2.0;
        let _infallible = write!(
            svg,
            "<text x='{:.0}' y='{:.1}' text-anchor='end'>{}</text><rect class='{class}' x='{LEFT}' y='{:.1}' width='{:.1}' height='{:.1}'/>",
            LEFT - 8.0,
            middle + 4.0,
            escaped(&row.label),
            y + 4.0,
            across(row.value) - LEFT,
            ROW - 8.0
        );
        let mut end = across(row.value);
        if let Some((least, most)) = row.spread {
            end = end.max(across(most));
            let _infallible = write!(
                svg,
                "<line class='spread' x1='{:.1}' x2='{:.1}' y1='{middle:.1}' y2='{middle:.1}'/>",
                across(least),
                across(most)
            );
        }
        let value = crate::figures::number(row.value);
        let _infallible = write!(svg, "<text x='{:.1}' y='{:.1}'>{value}</text>", end + 6.0, middle + 4.0);
    }
    if let Some(line) = line {
        let x = across(line);
        let _infallible = write!(
            svg,
            "<line class='line' x1='{x:.1}' x2='{x:.1}' y1='{:.1}' y2='{:.1}'/>",
            TOP - 4.0,
            height - 12.0
        );
    }
    Plot {
        file,
        svg: svg + "</svg>\n",
    }
}

/// `axes` name x and y, `series` what the colours are.
pub(super) fn scatter(file: &'static str, title: &str, axes: [&str; 2], series: [&str; 2], points: &[Point]) -> Plot {
    const HEIGHT: f64 = 380.0;
    let (left, right, top, bottom) = (70.0, WIDTH - 20.0, 62.0, HEIGHT - 46.0);
    let decades = |of: fn(&Point) -> f64| {
        let logs = || points.iter().map(|point| of(point).max(1e-4).log10());
        (
            logs().fold(f64::INFINITY, f64::min).floor(),
            logs().fold(f64::NEG_INFINITY, f64::max).ceil(),
        )
    };
    let mut svg = open(HEIGHT, title);
    for (number, name) in series.iter().enumerate() {
        let x = 20.0 + 150.0 * number as f64;
        let _infallible = write!(
            svg,
            "<circle class='s{number}' cx='{x}' cy='42' r='4'/><text x='{}' y='46'>{}</text>",
            x + 10.0,
            escaped(name)
        );
    }
    if !points.is_empty() {
        let ((x0, x1), (y0, y1)) = (decades(|point| point.x), decades(|point| point.y));
        let place = |value: f64, from: f64, to: f64, start: f64, end: f64| {
            start + (value.max(1e-4).log10() - from) / (to - from).max(1.0) * (end - start)
        };
        for decade in x0 as i32..=x1 as i32 {
            let x = place(10f64.powi(decade), x0, x1, left, right);
            let _infallible = write!(
                svg,
                "<line class='axis' x1='{x:.1}' x2='{x:.1}' y1='{top}' y2='{bottom}'/><text x='{x:.1}' y='{}' text-anchor='middle'>{}</text>",
                bottom + 18.0,
                10f64.powi(decade)
            );
        }
        for decade in y0 as i32..=y1 as i32 {
            let y = place(10f64.powi(decade), y0, y1, bottom, top);
            let _infallible = write!(
                svg,
                "<line class='axis' x1='{left}' x2='{right}' y1='{y:.1}' y2='{y:.1}'/><text x='{}' y='{:.1}' text-anchor='end'>{}</text>",
                left - 6.0,
                y + 4.0,
                10f64.powi(decade)
            );
        }
        for point in points {
            let (x, y) = (place(point.x, x0, x1, left, right), place(point.y, y0, y1, bottom, top));
            let _infallible = write!(
                svg,
                "<circle class='s{}' fill-opacity='.6' cx='{x:.1}' cy='{y:.1}' r='3'/>",
                point.series
            );
        }
    }
    let _infallible = writeln!(
        svg,
        "<text x='{}' y='{}' text-anchor='middle'>{}</text><text transform='translate(16 {}) rotate(-90)' text-anchor='middle'>{}</text></svg>",
        (left + right) / 2.0,
        HEIGHT - 8.0,
        escaped(axes[0]),
        (top + bottom) / 2.0,
        escaped(axes[1])
    );
    Plot { file, svg }
}

fn open(height: f64, title: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' role='img'><title>{0}</title>{STYLE}<text class='title' x='16' y='24'>{0}</text>",
        escaped(title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_bar_has_another_colour_and_text_is_escaped() {
        let row = |label: &str, value| Row {
            label: label.into(),
            value,
            spread: Some((value, value + 0.1)),
        };
        let plot = bars(
            "x.svg",
            "a < b",
            &[row("drag & drop", 1.0), row("car", 1.2)],
            Some(1.05),
        );
        assert!(plot.svg.contains("a &lt; b") && plot.svg.contains("drag &amp; drop"));
        assert_eq!(plot.svg.matches("class='over'").count(), 1);
    }

    #[test]
    fn a_plot_of_nothing_is_still_a_picture() {
        let plot = scatter("x.svg", "none", ["x", "y"], ["a", "b"], &[]);
        assert!(plot.svg.starts_with("<svg") && plot.svg.ends_with("</svg>\n") && !plot.svg.contains("NaN"));
    }
}
