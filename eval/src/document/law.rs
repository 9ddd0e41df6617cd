//! RQ4 as a table.

use super::plot::{Row, bars};
use super::{Section, reason};
use crate::figures::Figure;
use crate::law::{self, Law};
use crate::replays::TIMES;
use crate::store::Store;
use crate::subjects::{ENGINES, all};
use anyhow::Result;
use std::fmt::Write;

pub(super) fn section(store: &Store) -> Result<Section> {
    let mut text = format!(
        "## RQ4: the law of replay\n\n\
        The same trace, {TIMES} times in the same browser: the share of checkpoints whose page data and screenshots are the same to the\n\
        byte in all {TIMES}. Recorded in Chromium, where a divergence from the recording would be a fault as well. Beside it how\n\
        many checkpoints have the same page data, whatever their pictures.\n\n\
        | subject | engine | the same | page data alone | outcomes | divergences | first difference |\n|---|---|---|---|---|---|---|\n"
    );
    let mut figures = Vec::new();
    let mut rows = Vec::new();
    for engine in ENGINES {
        let (mut same, mut of, mut measured, mut diverged) = (0, 0, 0, 0);
        for subject in all() {
            let cells = match store.measured::<Law>(&law::key(&subject, engine))? {
                Ok(law) => {
                    (same, of, measured) = (same + law.identical, of + law.checkpoints, measured + 1);
                    diverged += law.divergences;
                    cells(&law)
                }
                Err(why) => format!("{} | | | | ", reason(&why)),
            };
            let _infallible = writeln!(text, "| {} | {engine} | {cells} |", subject.name());
        }
        let share = (of > 0).then(|| same as f64 / of as f64);
        figures.push(Figure::at_least(
            format!("law of replay: checkpoints the same in {engine}, share"),
            share,
            1.0,
            measured,
            all().len(),
        ));
        if engine == ENGINES[0] {
            let diverged = (measured > 0).then_some(diverged as f64);
            let name = "divergences from the recording, replayed where it was recorded";
            figures.push(Figure::at_most(name, diverged, 0.0, measured, all().len()));
        }
        rows.extend(share.map(|share| Row {
            label: engine.into(),
            value: share * 100.0,
            spread: None,
        }));
    }
    text += "\n![The law of replay](evaluation/law.svg)\n\n";
    let plot = bars(
        "law.svg",
        "Checkpoints that are the same three times, per cent",
        &rows,
        None,
    );
    Ok(Section {
        text,
        figures,
        plots: vec![plot],
    })
}

fn cells(law: &Law) -> String {
    let outcomes = if law.same_outcomes { "the same" } else { "not the same" };
    let difference = law.first_difference.as_deref().unwrap_or_default().replace('|', "\\|");
    format!(
        "{} of {} | {} | {outcomes} | {} | {difference}",
        law.identical, law.checkpoints, law.same_page_data, law.divergences
    )
}
