//! Learns the decision tree of `--visual tree` from the labelled pages: `cargo bench -p xcheck-tests --bench tree
//! [-- PAGE… --write]`.
//!
//! Reads what the bench `labelled` recorded and replayed (`target/labelled`), and says how many pages were not. A pair of
//! boxes is a sample; the same measures of one page and browser count once, at however many checkpoints. A label says at
//! which element a browser looks different, not when, nor which part of it: of the element's pairs, or of those in it where
//! it is no leaf, the one whose pictures are the furthest apart differs, and the others are no samples. Where not even that
//! one's pictures are apart the browser is left out, as are pages with another kind of incompatibility in the browsers that
//! have it, for what follows from it differs too. Prints ten-fold cross-validation by pages and the tree learnt from all,
//! which `--write` puts in its place.

use anyhow::{Context, Result};
use std::io::Cursor;
use xcheck_analyzer::findings::Kind;
use xcheck_analyzer::replay::{Replay, Screenshots, Shown};
use xcheck_analyzer::tree::{Confusion, FEATURES, Features, Measured, Sample, cross_validate, learn};
use xcheck_analyzer::{Options, measured, noise};
use xcheck_tests::labelled::{self, Page};
use xcheck_trace::runs::{Replay as Stored, RunReader};

/// Of the cross-validation, as in the papers.
const PARTS: usize = 10;

/// Features that only we have begin here.
const CROSSCHECKS: usize = 5;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<String> = arguments
        .iter()
        .filter(|word| !word.starts_with("--"))
        .cloned()
        .collect();
    let mut samples = Vec::new();
    let mut groups = Vec::new();
    let all = labelled::pages(&words)?;
    let pages: Vec<&Page> = all.iter().filter(|page| page.kept().run().exists()).collect();
    println!(
        "{} pages, and {} that were not replayed yet",
        pages.len(),
        all.len() - pages.len()
    );
    for (group, page) in pages.iter().enumerate() {
        let found = samples_of(page).with_context(|| page.name.clone())?;
        groups.extend(std::iter::repeat_n(group, found.len()));
        samples.extend(found);
    }
    let differing = samples.iter().filter(|sample| sample.differs).count();
    println!("{} samples, {differing} of them differ\n", samples.len());
    println!(
        "| features | found | missed | false alarms | quiet | precision | recall |\n|---|---|---|---|---|---|---|"
    );
    let papers: Vec<Sample> = samples.iter().map(without_ours).collect();
    row("CrossCheck's five", cross_validate(&papers, &groups, PARTS));
    row("and ours", cross_validate(&samples, &groups, PARTS));
    let tree = learn(&samples);
    let text = format!(
        "# The decision tree of `--visual tree`, learnt from {} pairs of boxes on the labelled pages, {differing} of which\n\
         # differ: `cargo bench -p xcheck-tests --bench tree -- --write` makes it again.\n{tree}",
        samples.len()
    );
    println!("\n{text}");
    if arguments.iter().any(|word| word == "--write") {
        let path = xcheck_tests::workspace().join("analyzer/src/visual/tree/default.txt");
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn row(name: &str, confusion: Confusion) {
    println!(
        "| {name} | {} | {} | {} | {} | {:.3} | {:.3} |",
        confusion.found,
        confusion.missed,
        confusion.false_alarms,
        confusion.quiet,
        confusion.precision(),
        confusion.recall()
    );
}

/// A feature that is the same everywhere tells nothing.
fn without_ours(sample: &Sample) -> Sample {
    let mut features = [0.0; FEATURES.len()];
    features[..CROSSCHECKS].copy_from_slice(&sample.features.0[..CROSSCHECKS]);
    Sample {
        features: Features(features),
        differs: sample.differs,
    }
}

fn samples_of(page: &Page) -> Result<Vec<Sample>> {
    let kept = page.kept();
    let (run, _) = RunReader::open(&kept.run())?;
    let pictures = Pictures(&run);
    let place = kept.place()?;
    let mut replays = Vec::new();
    for name in &run.run.replays {
        replays.push(run.replay(name)?.0);
    }
    let of_name = |name: Option<&String>| replays.iter().find(|replay| Some(&replay.name) == name);
    let reference = of_name(run.run.reference.as_ref()).context("no reference")?;
    let again = of_name(run.run.reference_again.as_ref()).context("no second replay of the reference")?;
    let options = Options::default();
    let (mask, ..) = noise(stream(&pictures, reference)?, stream(&pictures, again)?, &options);
    // How far the pictures of both boxes are apart.
    let blocks = FEATURES.iter().position(|name| *name == "blocks-mean");
    let blocks = blocks.context("no feature is called blocks-mean")?;
    let mut samples: Vec<Sample> = Vec::new();
    for other in &replays {
        let (expected, kinds) = (page.label.expected_in(&other.name), &page.label.kinds);
        let itself = other.name == reference.name || other.name == again.name;
        if itself || (expected && kinds.first() != Some(&Kind::Visual)) {
            continue;
        }
        let pairs = measured(
            stream(&pictures, reference)?,
            stream(&pictures, other)?,
            &mask,
            &options,
        );
        let itself = pairs.iter().any(|pair| place.is(&pair.xpath));
        let labelled = |pair: &&Measured| match itself {
            true => place.is(&pair.xpath),
            false => place.holds(&pair.xpath),
        };
        let (inside, outside): (Vec<&Measured>, Vec<&Measured>) =
            pairs.iter().partition(|pair| expected && labelled(pair));
        let apart = |pair: &Measured| pair.features.0[blocks];
        let furthest = inside.into_iter().max_by(|a, b| apart(a).total_cmp(&apart(b)));
        let differing = furthest.filter(|pair| apart(pair) > 0.0).map(|pair| (pair, true));
        let first = samples.len();
        for (pair, differs) in differing
            .into_iter()
            .chain(outside.into_iter().map(|pair| (pair, false)))
        {
            let features = pair.features;
            let sample = Sample { features, differs };
            if !samples[first..].contains(&sample) {
                samples.push(sample);
            }
        }
    }
    Ok(samples)
}

fn stream<'a>(pictures: &'a Pictures<'a>, replay: &'a Stored) -> Result<Replay<'a>> {
    let run = pictures.0;
    let outcome = replay.outcome.as_ref().context("a replay has no outcome")?;
    let checkpoints = replay.checkpoints.iter().map(|checkpoint| Shown {
        checkpoint: checkpoint.clone(),
        page: run.page(&checkpoint.page_sha256).map_err(|error| error.to_string()),
    });
    Ok(Replay {
        browser: outcome.browser.clone(),
        events: &replay.events,
        checkpoints: Box::new(checkpoints),
        screenshots: pictures,
    })
}

struct Pictures<'a>(&'a RunReader);

impl Screenshots for Pictures<'_> {
    fn open(&self, sha256: &str) -> Result<image::RgbaImage, String> {
        let hash = sha256.parse().map_err(|error| format!("{error}"))?;
        let png = self.0.screenshot(&hash).map_err(|error| error.to_string())?;
        let decoded = image::ImageReader::new(Cursor::new(png)).with_guessed_format();
        let decoded = decoded.map_err(|error| error.to_string())?.decode();
        Ok(decoded.map_err(|error| error.to_string())?.into_rgba8())
    }
}
