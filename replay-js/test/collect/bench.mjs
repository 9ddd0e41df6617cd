// Prints the cost table: `node test/collect/bench.mjs [engine …]`.
import { ENGINES, runInBrowser } from './browsers.mjs';

const wanted = process.argv.slice(2);
const columns = ['first', 'unchanged', 'text', 'classLeaf', 'classCard', 'classBody', 'whole'];
console.log(['engine', 'nodes', ...columns.map(name => `${name} ms (KB)`)].join(' | '));
for (const engine of wanted.length ? wanted : Object.keys(ENGINES)) {
  const { rows, error } = await runInBrowser(engine, 'test/collect/bench.html');
  if (error) throw new Error(error);
  for (const row of rows) {
    const cells = columns.map(name => `${row[name].ms.toFixed(1)} (${(row[name].bytes / 1024).toFixed(1)})`);
    console.log([engine, `${row.first.nodes}`, ...cells].join(' | '));
  }
}
