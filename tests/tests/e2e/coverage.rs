//! Every row of `docs/coverage.md`, in real browsers: each group of rows is one session.

use anyhow::{Context, Result, ensure};
use xcheck_tests::coverage::judge::judge;
use xcheck_tests::coverage::rows::GROUPS;
use xcheck_tests::coverage::table::differences;
use xcheck_tests::coverage::{ENGINES, Group, Row, Session};

macro_rules! groups {
    ($($test:ident: $name:literal;)*) => {
        /// Every group stands here: [`every_group_is_tested`].
        const TESTED: &[&str] = &[$($name),*];
        $(#[tokio::test(flavor = "multi_thread")]
        async fn $test() -> Result<()> {
            check($name).await
        })*
    };
}

groups! {
    network_is_as_the_table_says: "network";
    messages_are_as_the_table_says: "messages";
    service_workers_are_as_the_table_says: "service workers that run";
    what_moves_is_as_the_table_says: "observers and what moves";
    input_is_as_the_table_says: "input";
    controls_are_as_the_table_says: "controls";
    answers_are_as_the_table_says: "what a person or the system answers";
    documents_are_as_the_table_says: "documents";
    scripts_are_as_the_table_says: "components and scripts";
    storage_is_as_the_table_says: "storage";
}

#[test]
fn every_group_is_tested() {
    let groups: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
    assert_eq!(groups, TESTED);
}

/// For whoever works at a row: `XCHECK_ROWS` names the only ones to be looked at, `XCHECK_ENGINES` the only engines, and
/// `XCHECK_TIMES` says how often they are replayed.
async fn check(name: &str) -> Result<()> {
    let group = GROUPS
        .iter()
        .find(|group| group.name == name)
        .context("there is such a group")?;
    let rows: Vec<Row> = match std::env::var("XCHECK_ROWS") {
        Ok(wanted) => group
            .rows
            .iter()
            .copied()
            .filter(|row| wanted.split(',').any(|name| name == row.name))
            .collect(),
        Err(_) => group.rows.to_vec(),
    };
    if rows.is_empty() {
        return Ok(());
    }
    let group = Group {
        name: group.name,
        before: group.before,
        service_workers: group.service_workers,
        rows: &rows,
    };
    let only = std::env::var("XCHECK_ENGINES");
    let is_wanted = |engine: &&'static str| {
        only.as_ref()
            .map_or(true, |only| only.split(',').any(|name| name == *engine))
    };
    let engines: Vec<&'static str> = ENGINES.into_iter().filter(is_wanted).collect();
    let session = Session::record(&group).await?;
    let times: usize = std::env::var("XCHECK_TIMES").map_or(Ok(1), |times| times.parse())?;
    let mut found = Vec::new();
    for _ in 0..times {
        let verdicts = judge(&group, &session, &engines, &["chromium"]).await?;
        found.extend(differences(&group, &verdicts));
    }
    let notices: Vec<&str> = session
        .recorded
        .trace
        .notices
        .iter()
        .map(|notice| notice.text.as_str())
        .collect();
    ensure!(
        found.is_empty(),
        "{name}:\n  {}\nnotices: {notices:#?}",
        found.join("\n  ")
    );
    Ok(())
}
