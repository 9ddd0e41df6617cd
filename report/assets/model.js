// The report's data, read once, and the state of what is shown. Everything drawn is a function of these two.
const data = JSON.parse(document.getElementById('data').textContent);
const kinds = ['behaviour', 'structure', 'text', 'visual'];
const state = {
  finding: null,
  place: 0,
  view: 'side',
  zoom: 'crop',
  filter: { browser: '', kinds: new Set(kinds), text: '', ignored: false, step: null },
};

function matches(finding) {
  const { browser, kinds: wanted, text, ignored, step } = state.filter;
  if (browser && finding.browser !== browser) return false;
  if (!wanted.has(finding.kind)) return false;
  if (finding.ignored && !ignored) return false;
  if (step !== null && !finding.places.some((place) => place.event === step)) return false;
  if (!text) return true;
  const words = [finding.title, finding.element, finding.selector, finding.xpath, finding.cause?.title, finding.id].join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => words.includes(word));
}

function shown() {
  return data.findings.filter(matches);
}

// Builds an element: attributes by name, `on…` as listeners, children as text unless they are nodes.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style') Object.assign(node.style, value);
    else if (value !== null && value !== false && value !== undefined) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
