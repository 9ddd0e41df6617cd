// Prints what an engine's collector answers for `pages.js`, as one JSON object: `node test/collect/print.mjs chromium`.
import { runInBrowser } from './browsers.mjs';

const { pages, error } = await runInBrowser(process.argv[2], 'test/collect/pages.html');
if (error) throw new Error(error);
process.stdout.write(JSON.stringify(pages));
