//! Every number the analysis judges by, in one table: the struct, its defaults, the documentation and the overrides in
//! `xcheck.toml` come from the same lines. They are set by what a person notices, tried on pages of three engines.

use std::collections::BTreeMap;

/// One line of the table, for `--help` and the documentation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    pub key: &'static str,
    pub default: f32,
    pub doc: &'static str,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BadTolerance {
    #[error("there is no tolerance `{0}`; the table in the documentation lists them all")]
    Unknown(String),
    #[error("tolerance `{key}` is {value}: give a number that is not negative")]
    NotANumber { key: String, value: f32 },
}

macro_rules! table {
    ($($(#[doc = $doc:literal])+ $field:ident $key:literal = $default:literal;)+) => {
        #[derive(Debug, Clone, PartialEq)]
        pub struct Tolerances { $($(#[doc = $doc])+ pub $field: f32,)+ }

        impl Default for Tolerances {
            fn default() -> Self { Tolerances { $($field: $default,)+ } }
        }

        impl Tolerances {
            /// In the order of the analysis.
            pub const TABLE: &'static [Tolerance] = &[
                $(Tolerance { key: $key, default: $default, doc: concat!($($doc),+) },)+
            ];

            fn set(&mut self, key: &str, value: f32) -> bool {
                match key { $($key => self.$field = value,)+ _ => return false }
                true
            }
        }
    };
}

table! {
    /// Least match index (0…1) at which two leftover nodes count as the same.
    match_index "match-index" = 0.65;
    /// Boxes smaller than this in either direction are not compared, in CSS px.
    min_box "min-box" = 5.0;
    /// Within this many px two edges are aligned.
    aligned "aligned" = 3.0;
    /// Beyond this many px they no longer are; between the two nothing is said.
    off "off" = 8.0;
    /// The same as a share of the length measured; the larger of the two counts.
    off_ratio "off-ratio" = 0.02;
    /// How much wider or narrower the same text may run in another engine (whole-pixel advances, hinting).
    text_width_ratio "text-width-ratio" = 0.08;
    /// How much a line of text may differ in height, in px.
    line_height "line-height" = 2.0;
    /// Width of a scroll bar that another engine may not have, in px.
    scrollbar "scrollbar" = 17.0;
    /// How much a form control may differ in size where no rule of the page is involved, in px.
    control "control" = 64.0;
    /// The same as a share; the larger of the two counts.
    control_ratio "control-ratio" = 0.4;
    /// Share of lines by which wrapping must differ to be noticed: 1 to 2 and 2 to 3 are, 9 to 10 is not, nor 2 to 3 in running text.
    wrap_ratio "wrap-ratio" = 0.2;
    /// By how many px two boxes that were apart must overlap.
    overlap "overlap" = 8.0;
    /// How much wider text must run to be in another font, as a share.
    font_width_ratio "font-width-ratio" = 0.14;
    /// Difference of two computed lengths that is rounding, in px.
    style_length "style-length" = 1.0;
    /// The same as a share of the larger.
    style_ratio "style-ratio" = 0.03;
    /// Colour difference (CIE76) of two backgrounds that is seen.
    background "background" = 6.0;
    /// A background difference that needs no second cue.
    background_alone "background-alone" = 18.0;
    /// Distance of mean ink colours in Lab's a,b plane.
    ink_colour "ink-colour" = 12.0;
    /// Ratio of ink mass, as a natural logarithm.
    ink_mass "ink-mass" = 0.7;
    /// Relative difference of the strongest contrast.
    ink_contrast "ink-contrast" = 0.35;
    /// Mean colour difference of the blocks of two pictures.
    picture "picture" = 9.0;
    /// χ² distance of colour histograms (0…1) in `chi2` mode.
    chi2 "chi2" = 0.4;
    /// Difference of two scroll offsets that is seen, in px.
    scroll "scroll" = 40.0;
    /// How much further a page may be scrolled, as a share of the window.
    page_scroll "page-scroll" = 0.125;
    /// The same where the browser has scrolled it by itself: for a key or a wheel, or to what has the focus.
    own_scroll "own-scroll" = 0.5;
}

impl Tolerances {
    /// The defaults with a person's overrides.
    pub fn with(overrides: &BTreeMap<String, f32>) -> Result<Self, BadTolerance> {
        let mut tolerances = Tolerances::default();
        for (key, &value) in overrides {
            if !(value.is_finite() && value >= 0.0) {
                return Err(BadTolerance::NotANumber {
                    key: key.clone(),
                    value,
                });
            }
            if !tolerances.set(key, value) {
                return Err(BadTolerance::Unknown(key.clone()));
            }
        }
        Ok(tolerances)
    }

    /// Whether a length that was `expected` and is `by` off would be noticed.
    pub(crate) fn is_off(&self, by: f32, expected: f32) -> bool {
        by.abs() > self.off.max(self.off_ratio * expected.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_are_taken_by_key() {
        let tolerances = Tolerances::with(&BTreeMap::from([("off".to_owned(), 4.0)])).unwrap();
        assert_eq!(tolerances.off, 4.0);
        assert_eq!(tolerances.aligned, Tolerances::default().aligned);
    }

    #[test]
    fn an_unknown_key_is_refused_by_name() {
        let refused = Tolerances::with(&BTreeMap::from([("of".to_owned(), 4.0)]));
        assert_eq!(refused, Err(BadTolerance::Unknown("of".to_owned())));
    }

    #[test]
    fn the_documentation_has_the_same_table() {
        let documented = include_str!("../../docs/tolerances.md");
        let rows: Vec<&str> = documented.lines().filter(|line| line.starts_with("| `")).collect();
        let expected: Vec<String> = Tolerances::TABLE
            .iter()
            .map(|line| format!("| `{}` | {} | {} |", line.key, line.default, line.doc.trim()))
            .collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn every_line_of_the_table_can_be_set() {
        for line in Tolerances::TABLE {
            assert!(Tolerances::default().set(line.key, 1.0), "{}", line.key);
            assert!(!line.doc.is_empty());
        }
    }
}
