// What a checkpoint costs in this engine, on generated pages of cards, lists, forms and text.
import { captureDom } from '../../page/collect/dom.js';
import { createCollector } from '../../page/collect/collector.js';
import { open } from './harness.js';

const STYLE = `
  body{font:14px/1.4 sans-serif;margin:0;color:#222} .card{border:1px solid #ccc;border-radius:4px;padding:8px;margin:4px;display:flex;gap:6px;box-shadow:0 1px 2px #0003}
  .card:hover{background:#eee} .card.on{background:#def;color:navy} .card h3{font-size:16px;margin:0} .badge{position:relative;z-index:1;background:tomato;color:#fff;padding:0 4px}
  .badge::after{content:"!"} .list{list-style:square;overflow:hidden} .list li:nth-child(2n){color:#555} a{color:#06c} .odd{opacity:.9} input:focus{outline:2px solid blue}
  @media (min-width:600px){.card{width:45%}}`;

/** About `count` nodes: each card has 16 of them. */
function pageOf(count) {
  let html = `<!doctype html><title>page</title><style>${STYLE}</style><body><main style="display:flex;flex-wrap:wrap">`;
  for (let at = 0; at < Math.floor(count / 18); at++) {
    html += `<div class="card${at % 3 ? '' : ' odd'}" id="c${at}" data-n="${at}"><h3>Title ${at}</h3><p>Some <b>bold</b> text that is a little longer than a line would be here</p>` +
      `<ul class="list"><li>one ${at}</li><li><a href="#${at}">two</a></li></ul><span class="badge">${at}</span><input value="v${at}"></div>`;
  }
  return html + '</main>';
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** Other work on the machine only ever adds time. */
function least(values) {
  return Math.min(...values);
}

export async function runBench() {
  const rows = [];
  for (const count of [1000, 5000, 20000]) {
    const page = await open(pageOf(count));
    const document = page.document;
    const timed = run => {
      document.documentElement.getBoundingClientRect(); // layout is the page's own cost
      const start = performance.now();
      const data = run();
      return { ms: performance.now() - start, bytes: JSON.stringify(data).length, nodes: data.nodes.length };
    };
    const repeat = (change, times = 15) => {
      const runs = [];
      for (let at = 0; at < times; at++) {
        change(at);
        runs.push(timed(() => collector.collect()));
      }
      return { ms: least(runs.map(run => run.ms)), median: median(runs.map(run => run.ms)), bytes: median(runs.map(run => run.bytes)), nodes: median(runs.map(run => run.nodes)) };
    };
    const collector = createCollector(captureDom(page), { load: 1, path: [] });
    const first = timed(() => collector.collect());
    const cards = document.querySelectorAll('.card');
    const row = { count, first };
    row.unchanged = repeat(() => {});
    row.text = repeat(at => (cards[5 + at].querySelector('p').firstChild.data = 'Changed ' + at));
    row.classLeaf = repeat(at => cards[7 + at].querySelector('b').classList.toggle('odd'));
    row.classCard = repeat(at => cards[9 + at].classList.toggle('on'));
    row.classBody = repeat(at => document.body.classList.toggle('dark'));
    row.whole = timed(() => collector.collect(true));
    rows.push(row);
  }
  return rows;
}
