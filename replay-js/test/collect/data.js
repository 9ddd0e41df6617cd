// What page data says about single things.
import { captureDom } from '../../page/collect/dom.js';
import { createCollector } from '../../page/collect/collector.js';
import { waitForFrame, waitForPaintable } from '../../page/collect/paintable.js';
import { createPageWatch } from '../../page/collect/page-watch.js';
import { createPatcher } from '../../page/patch.js';
import { createModel } from './oracle.js';
import { check, equal, open, test } from './harness.js';

async function collected(html, prepare = () => {}) {
  const page = await open('<!doctype html>' + html);
  prepare(page.document, page);
  const data = createCollector(captureDom(page), { load: 7, path: [0] }).collect();
  const styles = new Map(data.styles);
  const find = (tag, at = 0) => data.nodes.filter(node => node.tag === tag)[at];
  return { page, data, find, style: node => Object.fromEntries(styles.get(node.style) ?? []) };
}

/** Which of the elements with an id are visible. */
async function visibleIds(html, prepare) {
  const { data } = await collected(html, prepare);
  return data.nodes
    .filter(node => node.visible && (node.attributes ?? []).some(([name]) => name === 'id'))
    .map(node => node.attributes.find(([name]) => name === 'id')[1]);
}

test('a document says where and what it is', async () => {
  const { data } = await collected('<title> A  page </title><body style="margin:0"><div style="height:2000px;width:1500px">', (document, page) => page.scrollTo(10, 30));
  equal([data.load, data.path, data.mode, data.title, data.whole, data.viewport, data.scroll], [7, [0], 'CSS1Compat', 'A page', true, data.viewport, [10, 30]]);
  equal(data.page, [1500, 2000]);
  equal(data.nodes.find(node => node.tag === 'div').rect, [0, 0, 1500, 2000], 'coordinates are of the page, not of the viewport');
});

test('white space that draws nothing is left out, and counts for no index', async () => {
  const { data, find } = await collected('<body>\n <p>a</p>\n <pre>\n\n <i>x</i> </pre><p>b</p>');
  const body = find('body');
  equal(data.nodes.filter(node => node.parent === body.id).map(node => [node.tag, node.index]), [['p', 0], ['pre', 1], ['p', 2]]);
  equal(data.nodes.filter(node => node.parent === find('pre').id).map(node => node.text ?? node.tag), ['\n ', 'i', ' ']);
});

test('scripts, styles and templates keep their place but not their content', async () => {
  const { data } = await collected('<style>p{}</style><script>1</scr' + 'ipt><template><b>x</b></template><noscript><i>y</i></noscript><!-- c -->');
  equal(data.nodes.map(node => node.tag).sort(), ['body', 'head', 'html', 'noscript', 'script', 'style', 'template']);
});

test('text has the union of its line boxes and their number', async () => {
  const { find } = await collected('<body style="margin:0;font:20px/30px monospace"><p style="width:0;margin:0">a b c</p>');
  const text = find('#text');
  equal(text.lines, 3);
  equal([text.rect[0], text.rect[2] > 5, text.rect[3] > 60 && text.rect[3] <= 90], [0, true, true]);
});

test('shadow trees are inline, before the children of the host', async () => {
  const { data, find, page } = await collected('<body><div>light</div>', document => {
    document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<b>shadow</b><slot></slot>';
  });
  const host = find('div');
  equal(data.nodes.filter(node => node.parent === host.id).map(node => [node.tag, node.index]), [['#shadow', 0], ['#text', 1]]);
  equal(data.nodes.filter(node => node.parent === find('#shadow').id).map(node => node.tag), ['b', 'slot']);
  equal(data.nodes.filter(node => node.tag === '#text').map(node => [node.text, node.visible]), [['shadow', true], ['light', true]]);
  check(page, 'page');
});

test('a style sheet of a shadow tree says whose it is, and one of several kinds of hosts whose they are', async () => {
  const { data } = await collected('<style>p { color: red }</style><body><a-b></a-b><a-b></a-b><c-d></c-d>', document => {
    const shared = new document.defaultView.CSSStyleSheet();
    shared.replaceSync('i { top: 1px }');
    for (const host of document.querySelectorAll('a-b, c-d')) {
      const root = host.attachShadow({ mode: 'open' });
      root.innerHTML = '<style>@media screen { b { top: 2px } }</style><b>x</b>';
      root.adoptedStyleSheets = [shared];
    }
    document.querySelector('c-d').shadowRoot.querySelector('style').textContent = 'u { top: 3px }';
  });
  equal(data.rules.map(rule => [rule.selector, rule.within]), [
    ['p', []], ['b', ['@shadow a-b', '@media screen']], ['i', ['@shadow a-b c-d']], ['u', ['@shadow c-d']],
  ]);
});

test('a sheet that cannot be read is told as such, and its text tells what its rules reach', async () => {
  const text = await (await fetch('foreign.css')).text();
  // Another name of this machine is another site.
  const address = new URL('foreign.css', location.href.replace('127.0.0.1', 'localhost')).href;
  const page = await open('<!doctype html><body><b>1</b><p>2</p><div id=far>3</div>');
  const link = page.document.createElement('link');
  await new Promise(done => page.document.head.append(Object.assign(link, { rel: 'stylesheet', href: address, onload: done })));
  const collector = createCollector(captureDom(page), { load: 1, path: [] });
  const first = collector.collect();
  equal(first.rules.map(rule => [rule.selector, rule.within]), [['', ['unreadable']]]);
  equal(collector.unheard(), [address]);
  collector.learn(address, text);
  const second = collector.collect();
  equal([second.rules, second.nodes, collector.unheard()], [null, [], []]);
  page.document.querySelector('b').className = 'on';
  const changed = collector.collect().nodes;
  equal(changed.map(node => node.tag), ['b', 'p']);
  page.document.querySelector('#far').append(page.document.querySelector('b'));
  const last = collector.collect();
  const styles = new Map(last.styles.map(([index, pairs]) => [index, new Map(pairs).get('color')]));
  equal(last.nodes.filter(node => styles.has(node.style)).map(node => [node.tag, styles.get(node.style)]), [['div', 'rgb(1, 2, 3)'], ['b', 'rgb(1, 2, 3)']], 'what stands around it');
});

/** A page with what the replayer installs to see closed roots and edited rules. */
async function watched(html) {
  const page = await open('<!doctype html>' + html);
  const dom = captureDom(page);
  const watch = createPageWatch(dom);
  watch.install(page, createPatcher(page));
  return { page, document: page.document, collector: createCollector(dom, { load: 1, path: [], watch }) };
}

test('a closed shadow tree is seen where its making was seen', async () => {
  const { document, collector } = await watched('<body><div></div>');
  const root = document.querySelector('div').attachShadow({ mode: 'closed' });
  root.innerHTML = '<b>closed</b>';
  equal(collector.collect().nodes.slice(-1)[0].text, 'closed');
});

test('a rule edited in place is noticed in a large sheet too', async () => {
  const { document, collector } = await watched('<style>p{color:red}' + 'i{top:0}'.repeat(2000) + '</style><body><p>x</p>');
  collector.collect();
  equal(collector.collect().rules, null);
  const { style } = document.styleSheets[0].cssRules[0];
  equal(collector.collect().rules, null, 'holding a rule is no edit');
  style.color = 'blue';
  const data = collector.collect();
  equal([data.rules.length, data.rules[0].declarations, data.nodes.map(node => node.tag)], [2001, [['color', 'blue']], ['p']]);
  document.styleSheets[0].cssRules[0].selectorText = 'b';
  equal(collector.collect().rules[0].selector, 'b');
});

test('what an engine made nothing of stands in a style attribute among the others', async () => {
  const { data } = await collected('<body><p style="Color: red; no-such: a; width: no-such; margin: 1px; margin-left: 2px; --own: b">1<p style="width: 1px; width: no-such">2<p style="/* no-such: a; */ color: red">3');
  const styles = data.nodes.filter(node => node.tag === 'p').map(node => node.attributes.find(([name]) => name === 'style')[1]);
  equal(styles.map(style => style.replace(/margin[^;]*; */g, '')), ['--own: b; color: red; no-such: a; width: no-such;', 'width: 1px;', 'color: red;']);
});

test('live state stands beside the attributes where it differs from them', async () => {
  const { data } = await collected('<body><input value=a><input type=checkbox checked><textarea>t</textarea><select><option>1<option>2</select><input type=password><div style="overflow:auto;height:20px"><p style="height:100px"></div><div style="overflow:auto;height:20px;width:3px"><p style="height:100px">', document => {
    const [text, box, secret] = document.querySelectorAll('input');
    text.value = 'b';
    box.checked = false;
    box.indeterminate = true;
    secret.value = 'secret';
    document.querySelector('textarea').value = 'u';
    document.querySelector('select').selectedIndex = 1;
    const [pane, thin] = document.querySelectorAll('div');
    pane.scrollTop = 12;
    // Too thin for anybody to see what it shows.
    thin.scrollTop = 5;
  });
  const live = data.nodes.filter(node => node.properties).map(node => [node.tag, ...node.properties]);
  equal(live, [['input', ['value', 'b']], ['input', ['checked', 'false'], ['indeterminate', 'true']], ['textarea', ['value', 'u']], ['option', ['selected', 'true']], ['input', ['value', '••••••']], ['div', ['scrollTop', '12']]]);
});

test('what has the focus says so, within an open shadow tree too', async () => {
  const focused = (/** @type {any} */ { data }) => data.nodes.filter(node => (node.properties ?? []).some(([name]) => name === 'focused')).map(node => node.tag);
  equal(focused(await collected('<input><button>Go</button>')), []);
  equal(focused(await collected('<input><button>Go</button>', document => document.querySelector('button').focus())), ['button']);
  const within = await collected('<div></div>', document => {
    const root = document.querySelector('div').attachShadow({ mode: 'open' });
    root.innerHTML = '<p><textarea></textarea></p>';
    root.querySelector('textarea').focus();
  });
  equal(focused(within), ['textarea']);
});

test('visible is what is drawn somewhere on the page', async () => {
  const box = 'width:20px;height:20px';
  equal(await visibleIds(`<body><div id=plain style="${box}"></div><div id=hidden style="${box};visibility:hidden"><div id=shown style="${box};visibility:visible"></div></div>
    <div style="opacity:0"><div id=faded style="${box}"></div></div><div id=gone style="${box};display:none"></div><div id=flat style="width:20px;height:0"></div>
    <div style="overflow:hidden;height:10px;position:relative"><div style="${box}"></div><div id=cut style="${box}"></div><div id=fixedOut style="${box};position:fixed;left:0;top:0"></div></div>
    <div style="overflow:hidden;height:10px"><div style="${box}"></div><div id=absolute style="${box};position:absolute;top:300px"></div></div>
    <div id=left style="${box};position:absolute;left:-100px"></div><div id=drawer style="${box};position:fixed;right:-100px;top:0"></div>
    <div style="display:contents" id=contents><div id=inContents style="${box}"></div></div><div style="content-visibility:hidden"><div id=skipped style="${box}"></div></div>
    <span id=readers style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)">text</span>
    <details><summary id=summary>s</summary><p id=folded>p</p></details>`), ['plain', 'shown', 'fixedOut', 'absolute', 'inContents', 'summary']);
});

test('what has no place on the page has no box and no style', async () => {
  const { data } = await collected('<body><details><summary>s</summary><p>folded</p></details><select><option>1</select><video><b>fall-back</b></video><div id=host><i>unslotted</i></div>', document => {
    document.querySelector('#host').attachShadow({ mode: 'open' });
  });
  for (const tag of ['p', 'option', 'b', 'i']) {
    const node = data.nodes.find(other => other.tag === tag);
    equal([tag, node.rect, node.visible, node.style], [tag, [0, 0, 0, 0], false, undefined]);
  }
});

test('layers are ordered as they are painted', async () => {
  const { data } = await collected(`<body><div id=plain></div><div id=below style="position:relative;z-index:-1"></div><div id=above style="position:relative;z-index:5"><p id=inner style="position:absolute;z-index:-3"></p></div>
    <div id=between style="position:relative"><p id=high style="position:absolute;z-index:9"></p></div><div id=faint style="opacity:.5"><p id=caught style="position:relative;z-index:99"></p></div>`);
  const z = Object.fromEntries(data.nodes.filter(node => node.attributes?.[0][0] === 'id').map(node => [node.attributes[0][1], node.z ?? 0]));
  const order = Object.keys(z).sort((a, b) => z[a] - z[b]);
  check(z.below < z.plain && z.plain < z.between && z.between < z.caught && z.faint < z.caught && z.caught < z.above, JSON.stringify(z));
  check(z.above < z.inner && z.inner < z.high, order.join());
});

test('styles are shared, numbered in order, and sent once', async () => {
  const page = await open('<!doctype html><style>b{color:red}</style><body><b>1</b><b>2</b><i>3</i>');
  const collector = createCollector(captureDom(page), { load: 1, path: [] });
  const first = collector.collect();
  const bold = first.nodes.filter(node => node.tag === 'b');
  equal(bold[0].style, bold[1].style);
  equal(first.styles.map(([index]) => index), first.styles.map((_, at) => at + 1));
  page.document.querySelector('i').style.color = 'blue';
  const second = collector.collect();
  equal([second.nodes.map(node => node.tag), second.styles.length, second.rules], [['i'], 1, null]);
  equal(Object.fromEntries(second.styles[0][1]).color, 'rgb(0, 0, 255)');
});

test('generated content is part of a style', async () => {
  const { find, style } = await collected('<style>p::before{content:"»";color:red}p::after{content:none}q{quotes:"a" "b"}</style><body><p>x</p><q>y</q>');
  equal(style(find('p'))['::before content'], '"»"');
  equal(style(find('p'))['::before color'], 'rgb(255, 0, 0)');
  equal(Object.keys(style(find('p'))).filter(name => name.startsWith('::after')), []);
  equal(style(find('q'))['::before content'], 'open-quote');
});

test('values that mean the same are spelled the same', async () => {
  const { find, style } = await collected(`<style>p { color: color(srgb 1 0.5 0 / 50%); background: linear-gradient(to bottom, red, blue); font-family: 'Liberation Sans', "Arial", sans-serif; letter-spacing: 0;
    opacity: 0.3333333; border: 2px solid; margin: 0 auto; transform: rotate(30deg) }</style><body><p>x</p>`);
  const p = style(find('p'));
  equal([p.color, p['background-image'], p['font-family'], p['letter-spacing'], p.opacity, p['border-top-color'], p.transform], [
    'rgba(255, 128, 0, 0.5)', 'linear-gradient(rgb(255, 0, 0), rgb(0, 0, 255))', 'Liberation Sans, Arial, sans-serif', undefined, '0.333', undefined, 'matrix(0.866, 0.5, -0.5, 0.866, 0, 0)']);
});

test('rules are what the browser kept, with their conditions, and sent again only when they change', async () => {
  const page = await open(`<!doctype html><style>.a { color: red; no-such: 1; background: url("a;b.png") } @media (min-width: 10px) { @supports (color: red) { p { margin: 0 } } }
    .b { & .c { color: blue } } @font-face { font-family: F; src: url(f.woff2) } @keyframes k { to { opacity: 0 } } @layer base { i { top: 0 } }</style><body>`);
  const collector = createCollector(captureDom(page), { load: 1, path: [] });
  const { rules } = collector.collect();
  const spelled = rules.map(rule => [rule.sheet, rule.selector, rule.within.join(' '), rule.declarations.map(([name]) => name).join()]);
  equal(spelled, [['#1', '.a', '', 'background,color'], ['#1', 'p', '@media (min-width: 10px) @supports (color: red)', 'margin'], ['#1', '& .c', '.b', 'color'], ['#1', '@font-face', '', 'font-family,src'], ['#1', '100%', '@keyframes k', 'opacity'], ['#1', 'i', '@layer base', 'top']]);
  equal(collector.collect().rules, null);
  page.document.styleSheets[0].cssRules[0].style.color = 'green';
  equal(collector.collect().rules[0].declarations.find(([name]) => name === 'color'), ['color', 'green']);
  page.document.styleSheets[0].insertRule('u { color: red }', 0);
  equal(collector.collect().rules[0].selector, 'u');
});

test('a sheet that cannot be read is named', async () => {
  const other = location.origin.replace('127.0.0.1', 'localhost');
  const { data } = await collected(`<link rel=stylesheet href="${other}/test/collect/page.css"><body>`);
  equal(data.rules, [{ sheet: other + '/test/collect/page.css', selector: '', within: ['unreadable'], declarations: [] }]);
});

test('images and canvases tell their natural size', async () => {
  const { data } = await collected('<body><canvas width=30 height=20></canvas><img src="data:image/svg+xml,<svg xmlns=\'http://www.w3.org/2000/svg\' width=\'12\' height=\'7\'/>"><img src="data:image/png,broken">');
  equal(data.nodes.filter(node => node.natural).map(node => [node.tag, node.natural]), [['canvas', [30, 20, 1]], ['img', [12, 7, 1]], ['img', [0, 0, 0]]]);
});

test('an unchanged page sends nothing but its head', async () => {
  const { page } = await collected('<body>');
  page.document.body.innerHTML = '<div class=x><p>text <b>bold</b></p></div>'.repeat(1000);
  const collector = createCollector(captureDom(page), { load: 1, path: [] });
  const first = JSON.stringify(collector.collect()).length, second = JSON.stringify(collector.collect()).length;
  check(second < first * 0.05, `${second} of ${first} bytes`);
});

test('removed nodes are told by number, and moved ones keep theirs', async () => {
  const page = await open('<!doctype html><body><p id=a>a</p><p id=b>b</p>');
  const collector = createCollector(captureDom(page), { load: 1, path: [] });
  const model = createModel();
  const first = collector.collect();
  model.apply(first);
  const id = name => first.nodes.find(node => node.attributes?.[0]?.[1] === name).id;
  const [a, b] = [page.document.querySelector('#a'), page.document.querySelector('#b')];
  a.before(b);
  const moved = collector.collect();
  equal(moved.removed, []);
  check(moved.nodes.some(node => node.id === id('b') && node.index === 0), 'b is first now');
  a.remove();
  equal(collector.collect().removed.includes(id('a')), true);
  b.after(a);
  check(collector.collect().nodes.some(node => node.id === id('a')), 'a came back under its number');
});

test('a page that is ready is waited for without complaint, and what is not ready is named', async () => {
  const page = await open('<!doctype html><body><img src="/test/collect/never.png"><img loading=lazy style="position:absolute;top:9000px" src="/test/collect/never.png?lazy"><img src="data:image/png,broken">'.replace('/test/collect/never.png"', 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"'));
  const after = (run, milliseconds) => setTimeout(run, milliseconds);
  equal(await waitForPaintable(captureDom(page), { after, deadline: 20000 }), []);
  const image = page.document.createElement('img');
  image.src = '/test/collect/hangs';
  page.document.body.append(image);
  equal(await waitForPaintable(captureDom(page), { after, deadline: 300 }), ['image ' + location.origin + '/test/collect/hangs']);
  equal(await waitForPaintable(captureDom(page), { after, deadline: 20000 }), [], 'nobody waits for it a second time');
});

test('only a page that skips what nobody sees has to wait for a frame', async () => {
  const skips = async html => {
    const page = await open('<!doctype html>' + html);
    return createCollector(captureDom(page), { load: 1, path: [] }).skipsUnseen();
  };
  equal(await skips('<style>p{color:red}</style><body><p>x</p>'), false);
  equal(await skips('<style>@media (min-width:1px){p{content-visibility:auto}}</style><body><p>x</p>'), true);
  equal(await skips('<body><p style="content-visibility:auto">x</p>'), true);
  equal(await skips('<style>div{p{color:red}& p{content-visibility:auto}}</style><body><div><p>x</p></div>'), true);
  equal(await skips('<body><div><template shadowrootmode=open><style>:host{content-visibility:auto}</style></template></div>'.replace('<div>', '<div id=host>')), true);
  equal(await skips('<style>b{content-visibility:auto}</style><body><p>x</p>'), false, 'nothing is made so');
  equal(await skips('<style>p{all:revert;color:red;all:initial;color:red}</style><body><p>x</p>'), false, 'nor by what says everything');
});

test('a frame is waited for, and one that is never drawn is named', async () => {
  const page = await open('<!doctype html><body>x');
  const dom = captureDom(page);
  equal(await waitForFrame(dom, { after: setTimeout, frame: run => page.requestAnimationFrame(run), deadline: 20000 }), []);
  equal(await waitForFrame(dom, { after: setTimeout, frame: () => {}, deadline: 10 }), ['a frame, on which `autofocus`, `content-visibility` and what a hash leads to depend']);
});

test('rules read ahead are sent with the next data, and once', async () => {
  const page = await open('<!doctype html><style>p{color:red}</style><body><p>x</p>');
  const collector = createCollector(captureDom(page), { load: 1, path: [] });
  collector.skipsUnseen();
  equal(collector.collect().rules.length, 1);
  page.document.styleSheets[0].insertRule('b{color:red}');
  collector.skipsUnseen();
  equal(collector.collect().rules.length, 2);
  collector.skipsUnseen();
  equal(collector.collect().rules, null);
});

test('addresses of blobs go by the order in which they were seen', async () => {
  const { data } = await collected('<a>one</a><a>other</a><a>one</a><p>', (document, page) => {
    const [one, other] = ['1', '2'].map(text => page.URL.createObjectURL(new page.Blob([text])));
    const links = document.querySelectorAll('a');
    [one, other, one].forEach((address, at) => links[at].setAttribute('href', address));
    document.querySelector('p').setAttribute('title', 'a blob: of ' + one + ', no less');
  });
  equal(data.nodes.filter(node => node.tag === 'a').map(node => node.attributes[0][1]), ['blob:1', 'blob:2', 'blob:1']);
  equal(data.nodes.find(node => node.tag === 'p').attributes[0][1], 'a blob: of blob:1, no less');
});
