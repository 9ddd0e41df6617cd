//! The whole page from a driver that only pictures the viewport.
//!
//! Scrolling would fire scroll events and move what sticks; enlarging the window would fire `resize` and change every
//! `vh` and media query. So the page is moved under the viewport by a style sheet that no script sees in the DOM: the
//! root is translated, strip by strip, without what is fixed to the viewport; and the viewport as it really is goes on
//! top, at its place. That is also what the engines show that picture whole pages by themselves.

use super::client::Client;
use crate::answers;
use crate::browser::DriverError;
use crate::caret;
use crate::still;
use image::{ImageFormat, RgbaImage};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::Cursor;
use std::time::{Duration, Instant};

/// How long a page may take to paint a change.
const PAINT_DEADLINE: Duration = Duration::from_secs(20);

/// How long a mark that was taken off may be seen until it is taken for a colour of the page's own.
const MARK_LINGERS: Duration = Duration::from_secs(3);

/// How long a window may stay black before it counts as one that the page's frames do not reach.
const DARK_DEADLINE: Duration = Duration::from_secs(1);

/// How long fonts may take to be what they were before the picture: their responses have come once.
const FONTS_DEADLINE: Duration = Duration::from_secs(5);

/// Longer pages are cut, as Chromium cuts them.
const LARGEST: f64 = 16_384.0;

pub(super) enum NoPicture {
    Driver(DriverError),
    /// The page paints, and the window stays black: WebKitGTK now and then loses track of where a process that has just
    /// taken over paints to, until it paints in another size.
    Dark,
}

impl From<DriverError> for NoPicture {
    fn from(error: DriverError) -> Self {
        NoPicture::Driver(error)
    }
}

/// `last` is what the driver has seen last of a page, to be told what it has seen now.
pub(super) async fn whole_page(client: &Client, last: &mut Option<RgbaImage>) -> Result<Vec<u8>, NoPicture> {
    let measured = execute(client, PREPARE, json!([])).await?;
    let taken = pictures(client, &measured, last).await;
    // Whatever went wrong, the page gets its own look back.
    if execute(client, RESTORE, json!([])).await? != json!(0) {
        let waited = json!({"script": AWAIT_FONTS, "args": [FONTS_DEADLINE.as_millis()]});
        client.post("/execute/async", waited).await?;
    }
    taken
}

pub(super) fn stays_dark() -> DriverError {
    no_picture("the browser's window stays black, in another size, too".to_owned())
}

async fn pictures(client: &Client, measured: &Value, last: &mut Option<RgbaImage>) -> Result<Vec<u8>, NoPicture> {
    let number = |name: &str| answers::number(measured, name, "size of the page");
    let (width, height) = (number("width")?.min(LARGEST), number("height")?.min(LARGEST));
    let (across, down) = (number("viewportWidth")?, number("viewportHeight")?);
    let (scroll_x, scroll_y) = (number("scrollX")?, number("scrollY")?);
    if measured["movable"] == false {
        let seen = seen(client).await?;
        if scroll_x == 0.0 && scroll_y == 0.0 {
            return Ok(seen.png);
        }
        // What is not seen of the page stays transparent, which is no colour of any.
        let (right, bottom) = ((scroll_x + across).min(width), (scroll_y + down).min(height));
        let mut page = RgbaImage::new(right as u32, bottom as u32);
        image::imageops::replace(&mut page, &seen.picture, scroll_x as i64, scroll_y as i64);
        return encoded(&page);
    }
    let before = match last.take() {
        Some(last) => last,
        None => seen(client).await?.picture,
    };
    let before = if measured["paned"] == true {
        // What a pane was scrolled to and is a layer of its own is painted once its place on the page is another one.
        let (left, top) = (scroll_x, scroll_y + 1.0);
        execute(client, MOVE, json!([left, top, width, height])).await?;
        let moved = painted(client, &before, (left, top)).await?;
        execute(client, MOVE_BACK, json!([])).await?;
        moved.picture
    } else {
        before
    };
    let Seen { png, picture } = painted(client, &before, (0.0, 0.0)).await?;
    let native = last.insert(picture);
    if width <= across && height <= down {
        return Ok(png);
    }
    let mut page = RgbaImage::new(width as u32, height as u32);
    let shown = Area {
        left: scroll_x,
        top: scroll_y,
        right: (scroll_x + across).min(width),
        bottom: (scroll_y + down).min(height),
    };
    strips(client, (across, down), native, &shown, &mut page).await?;
    image::imageops::replace(&mut page, native, scroll_x as i64, scroll_y as i64);
    encoded(&page)
}

fn encoded(page: &RgbaImage) -> Result<Vec<u8>, NoPicture> {
    let mut bytes = Vec::new();
    page.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .map_err(|error| no_picture(error.to_string()))?;
    Ok(bytes)
}

/// Of the page, in its pixels.
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn holds(&self, other: &Area) -> bool {
        self.left <= other.left && self.top <= other.top && self.right >= other.right && self.bottom >= other.bottom
    }
}

/// All of the page but what the viewport shows as it is, of which `native` is the picture.
async fn strips(
    client: &Client,
    (across, down): (f64, f64),
    native: &RgbaImage,
    shown: &Area,
    page: &mut RgbaImage,
) -> Result<(), NoPicture> {
    let (width, height) = (f64::from(page.width()), f64::from(page.height()));
    let mut last = None;
    let mut top = 0.0;
    while top < height {
        let mut left = 0.0;
        while left < width {
            let strip = Area {
                left,
                top,
                right: (left + across).min(width),
                bottom: (top + down).min(height),
            };
            if !shown.holds(&strip) {
                execute(client, MOVE, json!([left, top, width, height])).await?;
                let seen = painted(client, last.as_ref().unwrap_or(native), (left, top)).await?;
                image::imageops::replace(page, &seen.picture, left as i64, top as i64);
                last = Some(seen.picture);
            }
            left += across;
        }
        top += down;
    }
    Ok(())
}

struct Seen {
    png: Vec<u8>,
    picture: RgbaImage,
}

/// The last frame that reached the window.
async fn seen(client: &Client) -> Result<Seen, DriverError> {
    let png = answers::png(&client.get("/screenshot").await?, "screenshot")?;
    let picture = picture(&png)?;
    Ok(Seen { png, picture })
}

/// The viewport as it is now. What the driver pictures is the last frame that reached the window, which on a busy
/// machine may be one from before the page changed, or from before it was there. So a mark is put on the page and waited
/// for, and taken off and waited for: the frame without it can only be a later one. `before` is a frame that came earlier,
/// maybe of another page: a mark that stays is the page's own colour, and another one is taken.
async fn painted(client: &Client, before: &RgbaImage, (left, top): (f64, f64)) -> Result<Seen, NoPicture> {
    let started = Instant::now();
    let mut has_its_colour = None;
    while started.elapsed() < PAINT_DEADLINE {
        let [red, blue] = absent_colour(has_its_colour.as_ref().unwrap_or(before));
        execute(client, MARK, json!([format!("rgb({red} {GREEN} {blue})"), left, top])).await?;
        let is_marked = |seen: &RgbaImage| of_our_green(seen).any(|pixel| pixel == [red, blue]);
        if until(client, PAINT_DEADLINE, is_marked).await?.is_err() {
            break;
        }
        execute(client, UNMARK, json!([])).await?;
        match until(client, MARK_LINGERS, |seen| !is_marked(seen)).await? {
            Ok(seen) => return Ok(seen),
            Err(seen) => has_its_colour = Some(seen.picture),
        }
    }
    let seconds = PAINT_DEADLINE.as_secs();
    Err(no_picture(format!("the browser painted nothing new for {seconds} s")).into())
}

/// A frame of this kind, or the last one that came in time.
async fn until(
    client: &Client,
    patience: Duration,
    is_there: impl Fn(&RgbaImage) -> bool,
) -> Result<Result<Seen, Seen>, NoPicture> {
    let started = Instant::now();
    loop {
        let seen = seen(client).await?;
        if is_there(&seen.picture) {
            return Ok(Ok(seen));
        }
        if started.elapsed() > DARK_DEADLINE && is_dark(&seen.picture) {
            return Err(NoPicture::Dark);
        }
        if started.elapsed() > patience {
            return Ok(Err(seen));
        }
    }
}

fn is_dark(seen: &RgbaImage) -> bool {
    seen.as_raw().chunks_exact(4).all(|pixel| pixel[..3] == [0; 3])
}

/// Of every mark. A picture has fewer pixels of one green than there are colours of it, or it is larger than any viewport.
const GREEN: u8 = 85;

/// Red and blue of the pixels that have a mark's green. Most rows have none, which is known at once.
fn of_our_green(page: &RgbaImage) -> impl Iterator<Item = [u8; 2]> {
    let rows = page.as_raw().chunks_exact(page.width() as usize * 4);
    rows.filter(|row| row.contains(&GREEN))
        .flat_map(|row| row.chunks_exact(4))
        .filter(|pixel| pixel[1] == GREEN)
        .map(|pixel| [pixel[0], pixel[2]])
}

/// Red and blue that no pixel has, so that the mark's coming and going can be told from the page's own.
fn absent_colour(page: &RgbaImage) -> [u8; 2] {
    let present: HashSet<[u8; 2]> = of_our_green(page).collect();
    let mut candidates = (0..=u8::MAX).flat_map(|red| (0..=u8::MAX).map(move |blue| [255 - red, blue]));
    candidates
        .find(|colour| !present.contains(colour))
        .unwrap_or([255, 170])
}

async fn execute(client: &Client, script: &str, arguments: Value) -> Result<Value, DriverError> {
    let script = script
        .replace("AT_ONCE", still::AT_ONCE)
        .replace("NOT_HIDDEN", NOT_HIDDEN)
        .replace("HIDE_CARET", caret::HIDE)
        .replace("HIDE_LEFT_CARET", caret::HIDE_LEFT)
        .replace("SHOW_CARET", caret::SHOW);
    client
        .post("/execute/sync", json!({"script": script, "args": arguments}))
        .await
}

fn picture(png: &[u8]) -> Result<RgbaImage, DriverError> {
    let decoded = image::load_from_memory_with_format(png, ImageFormat::Png);
    decoded
        .map(|picture| picture.into_rgba8())
        .map_err(|error| no_picture(error.to_string()))
}

fn no_picture(message: String) -> DriverError {
    answers::senseless("screenshot", message)
}

/// Hides what blinks and fades, in the page and in its frames as far as they can be reached: the caret, and the scroll
/// bars that WebKit lays over the page and that take no room, so that an element without them is laid out the same. What the
/// root shows of the body's `overflow` stays with the body. In old builds, which adopt no style sheets, our rules stand last in
/// one of the page's own for that moment; of a page that has none they show only the viewport.
const PREPARE: &str = "
const root = document.scrollingElement || document.documentElement;
const adopts = 'adoptedStyleSheets' in document;
const isOpen = (sheet, view) => {
    try {
        return sheet.cssRules && !sheet.disabled && (!sheet.media.length || view.matchMedia(sheet.media.mediaText).matches);
    } catch {
        return false;
    }
};
const openSheet = of => [...of.styleSheets].find(sheet => isOpen(sheet, of.defaultView));
const movable = CSS.supports('translate', '1px') && (adopts || !!openSheet(document));
const size = {
    movable,
    width: Math.max(root.scrollWidth, innerWidth), height: Math.max(root.scrollHeight, innerHeight),
    viewportWidth: innerWidth, viewportHeight: innerHeight,
    scrollX: Math.round(scrollX), scrollY: Math.round(scrollY),
    paned: false,
};
HIDE_CARET || HIDE_LEFT_CARET;
if (!movable) return size;
const pathOf = (element, html) => {
    const steps = [];
    for (let at = element; at && at !== html; at = at.parentElement)
        steps.unshift(`:nth-child(${[...at.parentElement.children].indexOf(at) + 1})`);
    return ['html', ...steps].join('>');
};
const adopted = to => {
    const sheet = new to.defaultView.CSSStyleSheet();
    to.adoptedStyleSheets = [...to.adoptedStyleSheets, sheet];
    return {
        replace: rules => sheet.replaceSync(rules),
        remove: () => { to.adoptedStyleSheets = [...to.adoptedStyleSheets].filter(other => other !== sheet) },
    };
};
const written = to => {
    const sheet = openSheet(to);
    let own = null;
    const remove = () => {
        const at = own ? [...sheet.cssRules].indexOf(own) : -1;
        if (at >= 0) sheet.deleteRule(at);
        own = null;
    };
    const replace = rules => {
        remove();
        if (sheet && rules) own = sheet.cssRules[sheet.insertRule(`@media all { ${rules} }`, sheet.cssRules.length)];
    };
    return { replace, remove };
};
const adopt = (to, rules) => {
    const sheet = adopts ? adopted(to) : written(to);
    sheet.replace(rules);
    return sheet;
};
const fixed = [], sticky = [];
const withoutBars = of => {
    const [html, body, scrolling, heights] = [of.documentElement, of.body, [], []];
    const isCell = element => /table-cell/.test(element && of.defaultView.getComputedStyle(element).display);
    for (const element of of.querySelectorAll('*')) {
        const style = of.defaultView.getComputedStyle(element);
        if (of === document && style.position === 'fixed') fixed.push(pathOf(element, html));
        if (of === document && style.position === 'sticky') sticky.push(pathOf(element, html));
        if (element !== root && (element.scrollTop || element.scrollLeft)) size.paned = true;
        const overflows = element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth;
        if (element !== html && element !== body && overflows && /auto|scroll/.test(style.overflow)) {
            scrolling.push(pathOf(element, html));
            // In a cell of a table, what does not scroll is as high as what it holds, whatever its height in per cent.
            if (isCell(element.parentElement)) heights.push(`${pathOf(element, html)} { height: ${style.height} !important }`);
        }
    }
    const ofRoot = of.defaultView.getComputedStyle(html).overflow;
    const ofBody = body ? of.defaultView.getComputedStyle(body).overflow : 'visible';
    scrolling.push(ofRoot === 'visible' && ofBody !== 'visible' ? 'body' : 'html');
    return scrolling.join(',') + '{ overflow: hidden !important }' + heights.join('');
};
const documents = [document];
for (const each of documents)
    for (const frame of each.querySelectorAll('iframe, frame, object'))
        if (frame.contentDocument?.documentElement && frame.contentDocument.defaultView) documents.push(frame.contentDocument);
const ours = [], repaints = [], settled = [];
for (const each of documents) {
    settled.push(...[...each.fonts].filter(face => ['loaded', 'error'].includes(face.status)));
    const repaint = adopt(each, '');
    repaints.push(repaint);
    ours.push([each, adopt(each, withoutBars(each))], [each, repaint]);
}
const [strip, mark] = [adopt(document, ''), adopt(document, '')];
ours.push([document, strip], [document, mark]);
const value = { fixed, sticky, strip, mark, repaints, ours, settled };
Object.defineProperty(document, Symbol.for('xcheck.picture'), { value, configurable: true });
return size;";

/// The mark is also the page's background for a moment, and every element has an outline that nobody sees: so WebKit paints all
/// of every layer anew. What it painted bit by bit can have remains of earlier shadows, and edges that were smoothed twice,
/// another time others. The outline keeps close: one that reaches far has everything lie over everything, and each element
/// painted as a layer of its own, which takes twice as long on a large page. What sticks
/// does not for that moment: where it stuck while the root was moved for an earlier picture, WebKit would leave it.
///
/// All but popovers that are hidden: WebKit may never come back from laying out a page in which one that hangs at an anchor has its
/// transitions taken from it, while another within it goes on. A build that does not know `:popover-open` leaves all popovers out.
const NOT_HIDDEN: &str = ":not(:where([popover]):not(:where(:popover-open)))";

/// `arguments`: the mark's colour, and which point of the page is at the viewport's corner: the root, once moved, takes
/// what is fixed along. Also on what lies in the top layer, which covers everything else; a rule each, since
/// one unknown selector would take the others with it.
const MARK: &str = "
const [colour, left, top] = arguments;
const look = (x, y) => `{ content: '' !important; display: block !important; position: fixed !important;
    inset: ${y}px auto auto ${x}px !important;
    width: 8px !important; height: 8px !important; margin: 0 !important; border: 0 !important; padding: 0 !important;
    background: ${colour} !important; visibility: visible !important; opacity: 1 !important; clip-path: none !important;
    filter: none !important; translate: none !important; transform: none !important; transition: none !important;
    animation: none !important; z-index: 2147483647 !important }`;
const { mark, repaints, sticky } = document[Symbol.for('xcheck.picture')];
for (const repaint of repaints) repaint.replace(`
    NOT_HIDDEN { outline: 1px solid transparent !important; outline-offset: 0 !important;
    AT_ONCE }`);
mark.replace(`html { background: ${colour} !important }
    ${sticky.length ? sticky.join(',') + '{ position: relative !important; inset: auto !important }' : ''}
    html::before ${look(left, top)} :modal::before ${look(0, 0)} :popover-open::before ${look(0, 0)}`);";

/// The way back takes no time either. Without any transition (`none`) those would end that a replay holds on their way.
const UNMARK: &str = "
const { mark, repaints } = document[Symbol.for('xcheck.picture')];
mark.replace('');
for (const repaint of repaints) repaint.replace('NOT_HIDDEN { AT_ONCE }');
getComputedStyle(document.documentElement).backgroundColor;";

/// `arguments`: left and top of the strip, size of the page. The pseudo-element keeps the page scrollable as far as it
/// was, so that moving it up does not make the browser scroll. What is fixed becomes transparent rather than hidden: what is
/// hidden loses the focus.
const MOVE: &str = "
const [left, top, width, height] = arguments;
const { fixed, strip } = document[Symbol.for('xcheck.picture')];
const hidden = fixed.flatMap(path => [path, path + ' *', path + '::backdrop']);
strip.replace(`html { translate: ${scrollX - left}px ${scrollY - top}px !important; transition: none !important }
html::after { content: '' !important; position: absolute !important; width: 1px !important; height: 1px !important;
    left: ${width + left - 1}px !important; top: ${height + top - 1}px !important; visibility: hidden !important }
${hidden.length ? hidden.join(',') + '{ opacity: 0 !important; AT_ONCE }' : ''}`);";

const MOVE_BACK: &str = "document[Symbol.for('xcheck.picture')].strip.replace('');";

/// WebKit begins anew with the fonts that style sheets bring whenever a style sheet comes or goes, and a page that asks is told
/// that they are not loaded. So they are loaded again, or fail again.
const RESTORE: &str = "
SHOW_CARET;
const key = Symbol.for('xcheck.picture');
if (!document[key]) return 0;
const { ours, settled } = document[key];
for (const [, sheet] of ours) sheet.remove();
// Only when styles are asked for has it begun anew.
for (const [of] of ours) of.documentElement && of.defaultView?.getComputedStyle(of.documentElement).color;
delete document[key];
const again = settled.filter(face => face.status === 'unloaded').map(face => face.load());
const value = Promise.allSettled(again);
Object.defineProperty(document, Symbol.for('xcheck.fonts'), { value, configurable: true });
return again.length;";

/// `arguments`: for how long, and what is called then.
const AWAIT_FONTS: &str = "
const [patience, done] = arguments;
const key = Symbol.for('xcheck.fonts');
Promise.resolve(document[key]).then(() => done());
delete document[key];
setTimeout(done, patience);";
