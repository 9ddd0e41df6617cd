// Filters and the list of findings they leave.
function drawFilters() {
  const toggles = kinds.map((kind) => el('button', { type: 'button', class: 'kind-' + kind, 'data-kind': kind,
    'aria-pressed': String(state.filter.kinds.has(kind)), onclick: () => toggleKind(kind) }, kind));
  const browsers = el('select', { 'aria-label': 'Browser', id: 'browser', onchange: (event) => { state.filter.browser = event.target.value; drawList(); } },
    el('option', { value: '' }, 'All browsers'),
    ...data.browsers.map((browser) => el('option', { value: browser.id, selected: state.filter.browser === browser.id }, browser.name)));
  const search = el('input', { type: 'search', id: 'search', placeholder: 'Filter by words (/)', 'aria-label': 'Filter by words', value: state.filter.text,
    oninput: (event) => { state.filter.text = event.target.value; drawList(); } });
  const ignored = el('button', { type: 'button', id: 'show-ignored', 'aria-pressed': String(state.filter.ignored),
    onclick: () => { state.filter.ignored = !state.filter.ignored; drawFilters(); drawList(); } }, 'ignored');
  document.getElementById('filters').replaceChildren(search, browsers, el('fieldset', {}, el('legend', {}, 'Kinds'), ...toggles, ignored));
}

function toggleKind(kind) {
  const wanted = state.filter.kinds;
  if (!wanted.delete(kind)) wanted.add(kind);
  drawFilters();
  drawList();
}

function drawList() {
  const found = shown();
  const rows = found.map((finding) => el('li', { class: finding.ignored ? 'ignored' : null },
    el('button', { type: 'button', 'data-key': finding.key, 'aria-current': String(finding.key === state.finding), onclick: () => select(finding.key) },
      el('span', { class: 'mark kind-' + finding.kind, 'aria-hidden': 'true' }), ' ' + finding.title,
      el('span', { class: 'meta' }, [finding.kind, browserName(finding.browser), 'event ' + finding.event, percent(finding.confidence),
        finding.ignored ? 'ignored' : ''].filter(Boolean).join(' · ')))));
  document.getElementById('list').replaceChildren(...rows);
  const hidden = data.findings.length - found.length;
  document.getElementById('shown').textContent = data.findings.length === 0 ? 'No incompatibility was found.'
    : found.length + ' shown' + (hidden ? ', ' + hidden + ' hidden by filters' : '')
      + (state.filter.step === null ? '' : ', at event ' + state.filter.step + ' (click the step again for all)');
}

function browserName(id) {
  return data.browsers.find((browser) => browser.id === id)?.name ?? id;
}

function percent(share) {
  return Math.round(share * 100) + ' % sure';
}

function select(key, focus = false) {
  state.finding = key;
  state.place = 0;
  for (const button of document.querySelectorAll('#list button')) {
    const current = button.dataset.key === key;
    button.setAttribute('aria-current', String(current));
    if (current) button.scrollIntoView({ block: 'nearest' });
    if (current && focus) button.focus();
  }
  drawDetail();
}

function move(by) {
  const found = shown();
  if (!found.length) return;
  const at = found.findIndex((finding) => finding.key === state.finding);
  select(found[Math.min(found.length - 1, Math.max(0, at + by))].key, true);
}
