//! JUnit XML: one suite per browser, one test case per finding, so that a CI system lists each by name.
//!
//! A browser without findings has one passing case. One that was not measured has an *error*, which no CI counts as
//! passed; ignored findings are *skipped* with their reason.

use crate::kind_name;
use crate::view::{cause_detail, headline};
use std::fmt::Write as _;
use std::io::{self, Write};
use xcheck_analyzer::findings::{Analysis, BrowserResult, Outcome, Xbi};

pub fn write(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    document(&suites(analysis, ""), out)
}

pub(crate) fn document(suites: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"xcheck\">\n{suites}</testsuites>\n"
    )
}

/// `within`: what their names begin with, where there are others beside them.
pub(crate) fn suites(analysis: &Analysis, within: &str) -> String {
    let results = analysis.results.iter();
    results.map(|result| suite(analysis, result, within)).collect()
}

fn suite(analysis: &Analysis, result: &BrowserResult, within: &str) -> String {
    let name = format!("{within}{} {}", result.browser, result.version);
    let mut cases = String::new();
    let mut errors = 0;
    if let Outcome::NotMeasured { reason } = &result.outcome {
        errors += 1;
        let message = format!("not measured: {reason}");
        cases += &case(&name, "compared", &format!("<error message=\"{}\"/>", escape(&message)));
    }
    for part in &result.unmeasured {
        errors += 1;
        let title = format!("{} after event {}", part.what, part.place.number);
        let message = format!("not measured: {}", part.reason);
        cases += &case(&name, &title, &format!("<error message=\"{}\"/>", escape(&message)));
    }
    for xbi in &result.xbis {
        cases += &case(&name, &case_title(xbi), &failure(xbi));
    }
    for ignored in &result.ignored {
        let skipped = format!("<skipped message=\"{}\"/>", escape(&ignored.reason));
        cases += &case(&name, &case_title(&ignored.xbi), &skipped);
    }
    if cases.is_empty() {
        cases = case(
            &name,
            &format!("{} checkpoints agree with the reference", result.checkpoints),
            "",
        );
    }
    let tests = (errors + result.xbis.len() + result.ignored.len()).max(1);
    format!(
        "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{}\" errors=\"{errors}\" skipped=\"{}\">\n\
         {cases}  </testsuite>\n",
        escape(&format!(
            "{name} against {} {}",
            analysis.reference.browser, analysis.reference.version
        )),
        result.xbis.len(),
        result.ignored.len(),
    )
}

pub(crate) fn case(class: &str, name: &str, inner: &str) -> String {
    format!(
        "    <testcase classname=\"{}\" name=\"{}\">{inner}</testcase>\n",
        escape(class),
        escape(name)
    )
}

fn case_title(xbi: &Xbi) -> String {
    format!("{} {} [{}]", kind_name(xbi.kind), headline(xbi), xbi.id)
}

fn failure(xbi: &Xbi) -> String {
    let mut text = format!("after event {} ({})\n", xbi.event.number, xbi.event.label);
    for one in &xbi.differences {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {} / {}", one.property, one.reference, one.other);
    }
    if let Some(cause) = &xbi.cause {
        let _ = writeln!(text, "likely cause: {}\n{}", cause.text, cause_detail(&cause.because));
    }
    format!(
        "<failure type=\"{}\" message=\"{}\">{}</failure>",
        kind_name(xbi.kind),
        escape(&headline(xbi)),
        escape(&text)
    )
}

/// XML text and attribute values; characters that XML 1.0 cannot hold become U+FFFD.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
