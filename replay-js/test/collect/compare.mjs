// Lists what the engines' page data of `pages.js` differ in: `node test/collect/compare.mjs [engine …]`. Boxes are left out.
import { ENGINES, runInBrowser } from './browsers.mjs';

const names = process.argv.slice(2).length ? process.argv.slice(2) : Object.keys(ENGINES);
const data = {};
for (const engine of names) {
  const result = await runInBrowser(engine, 'test/collect/pages.html');
  if (result.error) throw new Error(`${engine}: ${result.error}`);
  data[engine] = result.pages;
}

/** Kind of difference to the places where it is seen. */
const seen = new Map();
const note = (kind, place) => seen.set(kind, [...(seen.get(kind) ?? []), place]);

for (const page of Object.keys(data[names[0]])) {
  const views = names.map(name => viewOf(data[name][page]));
  const count = Math.max(...views.map(view => view.nodes.length));
  if (views.some(view => view.nodes.map(node => node.path).join() !== views[0].nodes.map(node => node.path).join())) {
    note(`structure`, `${page}: ${views.map(view => view.nodes.length).join(' / ')} nodes`);
    continue;
  }
  for (let at = 0; at < count; at++) {
    const nodes = views.map(view => view.nodes[at]);
    for (const field of ['attributes', 'properties', 'text', 'lines', 'visible', 'z', 'natural']) {
      const values = nodes.map(node => JSON.stringify(node[field] ?? null));
      if (new Set(values).size > 1) note(`${field}`, `${page} ${nodes[0].path}: ${values.join(' / ')}`);
    }
    const properties = new Set(nodes.flatMap(node => Object.keys(node.css)));
    for (const property of properties) {
      const values = nodes.map(node => node.css[property] ?? '–');
      if (new Set(values).size > 1) note(`style ${property}`, `${page} ${nodes[0].path}: ${values.join(' / ')}`);
    }
  }
  const declared = views.map(view => view.rules);
  for (const key of new Set(declared.flatMap(rules => Object.keys(rules)))) {
    const values = declared.map(rules => rules[key] ?? '–');
    if (new Set(values).size > 1) note('rules', `${page} ${key}: ${values.join(' / ')}`);
  }
}

console.log(names.join(' / '));
for (const [kind, places] of [...seen].sort()) {
  console.log(`${kind} (${places.length})`);
  for (const place of places.slice(0, +(process.env.PLACES ?? 6))) console.log(`    ${place}`);
}

function viewOf(document) {
  const styles = new Map(document.styles.map(([index, properties]) => [index, Object.fromEntries(properties)]));
  const byId = new Map(document.nodes.map(node => [node.id, node]));
  const pathOf = node => (node.parent ? pathOf(byId.get(node.parent)) + '>' : '') + node.tag + ':' + node.index;
  const nodes = document.nodes.map(node => ({ ...node, path: pathOf(node).replace('html:0>', ''), css: styles.get(node.style) ?? {} }));
  const rules = {};
  document.rules.forEach((rule, at) => rule.declarations.forEach(([name, value]) => (rules[`${at} ${rule.within.join(' ')} ${rule.selector} ${name}`] = value)));
  return { nodes, rules };
}
