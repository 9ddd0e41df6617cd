// Plays a session by Playwright, in one of several ways, and prints how long it took. Everything it needs is in the job, a JSON
// file: `playwright` and `rrweb` are where those packages lie, `steps` what is done.
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

const job = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { chromium } = createRequire(import.meta.url)(job.playwright);
const PATIENCE = 60_000;

const browser = await chromium.launch({
  executablePath: job.browser,
  args: ['--no-sandbox', '--proxy-bypass-list=<-loopback>'],
  proxy: job.proxy ? { server: job.proxy } : undefined,
});
const traced = job.way === 'playwright-trace';
const context = await browser.newContext({
  viewport: { width: 1280, height: 720 },
  recordHar: traced ? { path: `${job.folder}/session.har` } : undefined,
});
if (traced) await context.tracing.start({ screenshots: true, snapshots: true });
let bytes = 0;
if (job.way === 'rrweb') {
  await context.exposeFunction('keepEvents', text => void (bytes += text.length));
  const record = () => {
    let kept = [];
    const give = () => {
      if (kept.length) keepEvents(JSON.stringify(kept));
      kept = [];
    };
    // What Playwright is told while a page goes away does not come.
    rrweb.record({ emit: event => void (kept.push(event) === 1 && setTimeout(give, 100)), recordCanvas: false });
    addEventListener('session-over', give);
  };
  // Not in frames: it looks into them from above, and makes one itself, in which it would make another.
  await context.addInitScript(`if (self === top) { ${readFileSync(job.rrweb, 'utf8')}\n;(${record})(); }`);
}
const page = await context.newPage();

const started = performance.now();
for (const step of job.steps) await take(step);
const milliseconds = performance.now() - started;

if (traced) await context.tracing.stop({ path: `${job.folder}/trace.zip` });
if (job.way === 'rrweb') await page.evaluate(() => void dispatchEvent(new Event('session-over')));
await page.goto('about:blank');
await context.close();
await browser.close();
if (traced) bytes = ['session.har', 'trace.zip'].reduce((sum, name) => sum + statSync(`${job.folder}/${name}`).size, 0);
console.log(JSON.stringify({ milliseconds, bytes }));

async function take(step) {
  const { mouse, keyboard } = page;
  if (step.open) return page.goto(step.open);
  if (step.until) return until(`Boolean(${step.until})`, answer => answer === true);
  if (step.type) return keyboard.type(step.type);
  if (step.press) return keyboard.press(step.press);
  if (step.back) return page.goBack();
  const { x, y } = await pointAt(step.at);
  if (step.drag) {
    const end = await pointAt(step.drag);
    await mouse.move(x, y);
    await mouse.down();
    for (let n = 1; n <= 8; n++) await mouse.move(Math.round(x + ((end.x - x) * n) / 8), Math.round(y + ((end.y - y) * n) / 8));
    return mouse.up();
  }
  await mouse.move(x, y);
  if (step.wheel) return mouse.wheel(...step.wheel);
  for (let clickCount = 1; clickCount <= step.clicks; clickCount++) {
    await mouse.down({ clickCount });
    await mouse.up({ clickCount });
  }
}

/** Where nothing covers it and it stands still. */
async function pointAt(expression) {
  let before = {};
  return until(expression, now => {
    const still = now.x !== undefined && now.x === before.x && now.y === before.y;
    before = now;
    return still;
  });
}

async function until(expression, enough) {
  const deadline = performance.now() + PATIENCE;
  let last;
  while (performance.now() < deadline) {
    try {
      last = await page.evaluate(expression);
      if (enough(last)) return last;
    } catch (error) {
      // The document went away: the next one is asked.
      last = error.message;
    }
    await new Promise(done => setTimeout(done, 20));
  }
  throw new Error(`waited for ${expression.slice(-200)}: ${JSON.stringify(last)}`);
}
