//! A picture of the whole page.

use super::Driver;
use crate::answers;
use crate::browser::{Browser, DriverError};
use crate::caret;
use crate::still;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

/// Chromium's compositor cannot make one texture larger than this.
const LARGEST_PICTURE: f64 = 16_384.0;

/// In halves of the view: how far to the right a page is looked for.
const FURTHEST: u32 = 6;

/// Whether lines begin at the right, or the page goes on to the left.
const GOES_LEFTWARDS: &str = "(() => {
    const leftwards = element => {
        const style = element && getComputedStyle(element);
        return style && (style.direction === 'rtl' || style.writingMode === 'vertical-rl' || style.writingMode === 'sideways-rl');
    };
    return leftwards(document.documentElement) || leftwards(document.body);
})()";

/// Whether the list of a field is open, which Chromium shows in a window of its own: other browsers have it in no picture.
const SHOWS_A_LIST: &str = "(() => {
    let active = document.activeElement;
    for (let inner = active; inner; inner = (active.shadowRoot || active.contentDocument)?.activeElement) active = inner;
    // Builds that do not know `:open` are not known to show any.
    try { return active?.localName === 'select' && active.matches(':open') } catch { return false }
})()";

/// In the answer of a page that is prepared: something is to be undone afterwards, it goes leftwards, and a list is open.
const CHANGED: u64 = 1;
const LEFTWARDS: u64 = 2;
const LIST: u64 = 4;

impl Driver {
    pub(super) async fn picture(&mut self) -> Result<Vec<u8>, DriverError> {
        // A tab that the page has opened lies above it, and what nobody sees is not painted.
        if self.targets.windows().len() > 1 {
            self.call("Page.bringToFront", json!({})).await?;
        }
        let layout = self.call("Page.getLayoutMetrics", json!({})).await?;
        // Old builds have only the size in device pixels, which at a ratio of 1 is the same.
        let size = layout.get("cssContentSize").unwrap_or(&layout["contentSize"]);
        let side = |name: &str| answers::number(size, name, "Page.getLayoutMetrics");
        // An empty page has a height of zero, and a picture cannot.
        let [width, height] = [side("width")?, side("height")?].map(|side| side.clamp(1.0, LARGEST_PICTURE));
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        let visible = layout.get("cssLayoutViewport").unwrap_or(&layout["layoutViewport"]);
        let shown = |name: &str| answers::number(visible, name, "Page.getLayoutMetrics");
        // Where the whole page is in view the view is left alone.
        let beyond = width > shown("clientWidth")? || height > shown("clientHeight")?;
        if beyond {
            self.enlarge([width, height]).await?;
        }
        // A page that is busy answers once per frame, so that all there is to do in it is asked for at once. Of a page that is in view
        // nothing moves: to hold its transitions would read every style anew.
        let prepare = if beyond {
            format!(
                "{} | {} | ({GOES_LEFTWARDS} ? {LEFTWARDS} : 0)",
                still::hold(),
                caret::HIDE
            )
        } else {
            // A view that is made larger has closed it.
            format!("{} | ({SHOWS_A_LIST} ? {LIST} : 0)", caret::HIDE)
        };
        let prepared = self.evaluate(&prepare).await?.as_u64().unwrap_or(0);
        let picture = if prepared & LEFTWARDS != 0 {
            self.leftwards(clip, shown("pageY")?).await
        } else if prepared & LIST != 0 {
            self.without_windows([width, height], clip).await
        } else {
            self.capture(Some(clip), beyond).await
        };
        if prepared & CHANGED != 0 {
            self.evaluate(&format!("{};{}", still::LET_GO, caret::SHOW)).await?;
        }
        picture
    }

    /// Makes what can be seen of the window as large as the page, which goes on with its own viewport. A picture makes it so
    /// for as long as it takes, and may then lack a layer that has not been painted there yet.
    async fn enlarge(&mut self, size: [f64; 2]) -> Result<(), DriverError> {
        let enlarged = Some((self.current.target.clone(), size));
        if self.enlarged != enlarged {
            let [width, height] = size.map(|side| side as u32);
            self.call("Emulation.setVisibleSize", json!({"width": width, "height": height}))
                .await?;
            self.enlarged = enlarged;
        }
        Ok(())
    }

    /// For a moment Chromium lays the page out one pixel wide, and a page that goes on to the left then stays as far to the
    /// right in the picture as it reached out of that pixel. How far that is, the part in view tells.
    async fn leftwards(&mut self, mut clip: Value, scrolled: f64) -> Result<Vec<u8>, DriverError> {
        let as_it_comes = self.capture(Some(clip.clone()), true).await?;
        let in_view = self.capture(None, false).await?;
        let shown = decoded(&in_view)?;
        // Half of the view has to be there to be found again, and what is wider than the view moves it further than that.
        for moved in 0..FURTHEST {
            let moved = f64::from(moved * shown.width() / 2);
            clip["x"] = json!(moved);
            let picture = match moved {
                0.0 => as_it_comes.clone(),
                _ => self.capture(Some(clip.clone()), true).await?,
            };
            match shift(&shown, &decoded(&picture)?, scrolled as u32) {
                Some(0) => return Ok(picture),
                Some(shift) => {
                    clip["x"] = json!(moved + shift as f64);
                    return self.capture(Some(clip), true).await;
                }
                None => {}
            }
        }
        Ok(as_it_comes)
    }

    /// What is in view, without what lies over it in windows of the browser's own. Such a picture is of all that there is to see
    /// of the window, which is the page where that has no other size.
    async fn without_windows(&self, size: [f64; 2], clip: Value) -> Result<Vec<u8>, DriverError> {
        let picture = self
            .shot(json!({"format": "png", "optimizeForSpeed": true, "fromSurface": false}))
            .await?;
        let shown = decoded(&picture)?;
        if [shown.width(), shown.height()].map(f64::from) == size {
            return Ok(picture);
        }
        self.capture(Some(clip), false).await
    }

    async fn capture(&self, clip: Option<Value>, beyond: bool) -> Result<Vec<u8>, DriverError> {
        // The same pixels in half the time and a quarter more bytes.
        let mut params = json!({"format": "png", "optimizeForSpeed": true, "captureBeyondViewport": beyond});
        if let Some(clip) = clip {
            params["clip"] = clip;
        }
        self.shot(params).await
    }

    /// One pixel, for which the whole view is painted.
    pub(super) async fn corner(&self) -> Result<(), DriverError> {
        let clip = json!({"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1});
        self.capture(Some(clip), false).await.map(|_| ())
    }

    async fn shot(&self, params: Value) -> Result<Vec<u8>, DriverError> {
        let answer = self.call("Page.captureScreenshot", params).await?;
        answers::png(&answer["data"], "Page.captureScreenshot")
    }
}

fn decoded(png: &[u8]) -> Result<RgbaImage, DriverError> {
    let picture = image::load_from_memory(png).map_err(|error| DriverError::Answer {
        what: "Page.captureScreenshot".to_owned(),
        message: error.to_string(),
    })?;
    Ok(picture.into_rgba8())
}

/// By how many pixels the whole page stands further to the right than it does in view: the least that finds the most rows
/// again that are not of one colour. What is fixed or moves may differ; nothing where it finds less than a quarter of them.
fn shift(in_view: &RgbaImage, whole: &RgbaImage, scrolled: u32) -> Option<usize> {
    let width = in_view.width().min(whole.width()) as usize;
    let below = whole.rows().skip(scrolled as usize);
    let rows: Vec<Row> = in_view
        .rows()
        .zip(below)
        .filter_map(|(in_view, whole)| {
            let in_view: Vec<_> = in_view.copied().collect();
            let begins = in_view.iter().position(|pixel| pixel != &in_view[0])?;
            let whole = whole.copied().collect();
            Some(Row { in_view, whole, begins })
        })
        .collect();
    let found = |shift: usize| {
        let here = |row: &&Row| row.begins + shift < width && row.in_view[..width - shift] == row.whole[shift..width];
        rows.iter().filter(here).count()
    };
    // Of several that find as many the last one is the greatest to an iterator.
    let found = (0..width).rev().map(|shift| (found(shift), shift));
    let (most, best) = found.max_by_key(|&(rows, _)| rows).unwrap_or((0, 0));
    (rows.is_empty() || most * 4 >= rows.len()).then_some(best)
}

struct Row {
    in_view: Vec<Rgba<u8>>,
    whole: Vec<Rgba<u8>>,
    /// Where it has another colour than at its left end.
    begins: usize,
}

#[cfg(test)]
mod tests {
    use super::shift;
    use image::{Rgba, RgbaImage};

    /// Dark pixels where they are said to be, in rows of 40.
    fn picture(height: u32, dark: &[(u32, u32)]) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(40, height, Rgba([255, 255, 255, 255]));
        for &(x, y) in dark.iter().filter(|(x, _)| *x < 40) {
            picture.put_pixel(x, y, Rgba([0, 0, 0, 255]));
        }
        picture
    }

    #[test]
    fn the_part_in_view_tells_how_far_the_page_was_moved() {
        let in_view = picture(10, &[(3, 1), (38, 2), (20, 7)]);
        for moved in [0, 1, 7, 30] {
            let whole = picture(30, &[(3 + moved, 6), (38 + moved, 7), (20 + moved, 12), (5, 28)]);
            assert_eq!(shift(&in_view, &whole, 5), Some(moved as usize));
        }
    }

    #[test]
    fn what_stays_where_it_is_does_not_hide_it() {
        let in_view = picture(10, &[(3, 1), (38, 2), (20, 7), (10, 8)]);
        let whole = picture(30, &[(15, 6), (32, 12), (10, 13)]);
        assert_eq!(shift(&in_view, &whole, 5), Some(12));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        assert_eq!(shift(&picture(10, &[(9, 5), (3, 7)]), &picture(30, &[]), 0), None);
    }

    #[test]
    fn an_empty_page_was_not_moved() {
        assert_eq!(shift(&picture(10, &[]), &picture(30, &[(9, 20)]), 0), Some(0));
        assert_eq!(shift(&picture(10, &[(9, 5)]), &picture(3, &[]), 4), Some(0));
    }
}
