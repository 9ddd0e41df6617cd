// Runs a page of tests in real browsers, with no driver: each browser is started on a URL of a small server, and the page
// posts what it found. Only what a page can do by itself is tested this way.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.png': 'image/png', '.svg': 'image/svg+xml' };
const DEADLINE = 180_000;

const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** Engines by name: which binary, and how to start it on a URL. */
export const ENGINES = {
  chromium: {
    // Another build by hand: `XCHECK_CHROMIUM=/path/to/chromium`.
    binary: [process.env.XCHECK_CHROMIUM ?? '/usr/bin/chromium', '/usr/bin/google-chrome'],
    start: (binary, profile, url) => [binary, ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars', '--window-size=1280,800', '--remote-debugging-port=0', `--user-data-dir=${profile}`, url], {}],
  },
  firefox: {
    binary: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
    start: (binary, profile, url) => {
      writeFileSync(join(profile, 'user.js'), 'user_pref("datareporting.policy.dataSubmissionEnabled", false);\nuser_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("app.update.enabled", false);\nuser_pref("browser.startup.homepage_override.mstone", "ignore");\n');
      return [binary, ['--headless', '--no-remote', '--width=1280', '--height=800', '--profile', profile, url], {}];
    },
  },
  webkit: {
    binary: [MINI_BROWSER],
    display: true,
    start: (binary, profile, url) => [binary, ['--private', '--geometry=1280x800', url], { HOME: profile, XDG_CACHE_HOME: profile, XDG_DATA_HOME: profile, XDG_CONFIG_HOME: profile, XDG_RUNTIME_DIR: profile, WEBKIT_SKIA_CPU_PAINTING_THREADS: '0', WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }],
  },
};

export function findBinary(engine) {
  return ENGINES[engine].binary.find(existsSync);
}

/**
 * Opens `page` (a path below replay-js/) in the engine and returns what it posts to `/done`.
 * @param {string} engine @param {string} page
 */
export async function runInBrowser(engine, page) {
  const binary = findBinary(engine);
  if (!binary) throw new Error(`${engine} is not installed: looked for ${ENGINES[engine].binary.join(', ')}`);
  const profile = mkdtempSync(join(tmpdir(), `collect-${engine}-`));
  const children = [];
  let server;
  try {
    const done = Promise.withResolvers ? Promise.withResolvers() : withResolvers();
    server = await serve(done.resolve);
    const environment = { ...process.env };
    if (ENGINES[engine].display) environment.DISPLAY = await startDisplay(children);
    const url = `http://127.0.0.1:${server.address().port}/${page}`;
    const [command, args, more] = ENGINES[engine].start(binary, profile, url);
    const browser = spawn(command, args, { env: { ...environment, ...more }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    children.push(browser);
    let said = '';
    browser.stderr.on('data', chunk => (said = (said + chunk).slice(-4000)));
    browser.on('exit', code => done.reject(new Error(`${engine} ended by itself (${code}): ${said}`)));
    const timer = setTimeout(() => done.reject(new Error(`${engine} did not answer within ${DEADLINE} ms: ${said}`)), DEADLINE);
    try {
      return await done.promise;
    } finally {
      clearTimeout(timer);
    }
  } finally {
    for (const child of children.reverse()) await end(child);
    server?.closeAllConnections();
    server?.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function withResolvers() {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
}

function serve(done) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://host').pathname));
    if (request.method === 'POST' && path === '/done') {
      const chunks = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => {
        response.end();
        done(JSON.parse(Buffer.concat(chunks).toString()));
      });
      return;
    }
    if (path === '/test/collect/hangs') return undefined; // never answered
    const file = join(ROOT, path);
    if (!file.startsWith(ROOT) || !existsSync(file)) {
      response.statusCode = 404;
      return response.end();
    }
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    response.setHeader('cache-control', 'no-store');
    response.end(readFileSync(file));
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** A display of our own, at a number the X server chooses. */
function startDisplay(children) {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  children.push(screen);
  return new Promise((resolve, reject) => {
    screen.stdio[3].on('data', chunk => resolve(`:${chunk.toString().trim()}`));
    screen.on('error', reject);
  });
}

/** Ends a child and everything it started. */
async function end(child) {
  if (child.exitCode !== null) return;
  const gone = new Promise(resolve => child.once('exit', resolve));
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // not the leader of a group
  }
  await gone;
}
