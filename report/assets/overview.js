// The head of the page: what was compared, and how many findings of each kind each browser has.
function drawHead() {
  document.getElementById('title').textContent = data.title;
  document.getElementById('subtitle').textContent = data.subtitle;
  const rows = data.browsers.map((browser) => {
    if (browser.reason) return el('tr', {}, el('th', { scope: 'row' }, browser.name), el('td', { class: 'reason', colspan: 6 }, 'not measured: ' + browser.reason));
    const own = data.findings.filter((finding) => finding.browser === browser.id);
    const count = (kind) => own.filter((finding) => finding.kind === kind && !finding.ignored).length;
    return el('tr', {}, el('th', { scope: 'row' }, browser.name),
      ...kinds.map((kind) => el('td', { class: 'kind-' + kind }, count(kind)
        ? el('button', { type: 'button', onclick: () => only(browser.id, kind) }, String(count(kind))) : '0')),
      el('td', {}, String(own.filter((finding) => finding.ignored).length)),
      el('td', {}, browser.checkpoints + ' of ' + browser.events));
  });
  document.getElementById('overview').replaceChildren(
    ...data.warnings.map((warning) => el('p', { class: 'warning' }, '⚠ ' + warning)),
    el('table', {}, el('thead', {}, el('tr', {}, ...['Browser', 'Behaviour', 'Structure', 'Text', 'Visual', 'Ignored', 'Checkpoints of events']
      .map((text) => el('th', { scope: 'col' }, text)))), el('tbody', {}, ...rows)));
}

function only(browser, kind) {
  state.filter.browser = browser;
  state.filter.kinds = new Set([kind]);
  drawFilters();
  drawList();
  select(shown()[0]?.key ?? null);
}

// The session as a strip of thumbnails; a click keeps only what is seen at that step, a second click lifts that.
function drawFilm() {
  const film = document.getElementById('film');
  if (!data.steps.length) { film.hidden = true; return; }
  const steps = data.steps.map((step) => {
    const first = new Set(data.findings.filter((finding) => !finding.ignored && finding.event === step.event).map((finding) => finding.kind));
    return el('button', { type: 'button', class: 'step', 'data-event': step.event, title: step.event + ': ' + step.label,
      'aria-current': String(state.filter.step === step.event), onclick: () => chooseStep(step.event) },
    step.image ? lazyImage(step.image, '') : el('span', { class: 'blank' }),
    el('span', { class: 'label' }, step.event + ' ' + step.label),
    el('span', { class: 'marks' }, ...kinds.filter((kind) => first.has(kind)).map((kind) => el('span', { class: 'mark kind-' + kind, title: kind }))));
  });
  film.replaceChildren(el('div', { class: 'strip', tabindex: 0 }, ...steps));
}

function chooseStep(event) {
  state.filter.step = state.filter.step === event ? null : event;
  markStep();
  drawList();
  const first = shown()[0];
  if (state.filter.step !== null && first) select(first.key);
}

function markStep() {
  for (const step of document.querySelectorAll('#film .step')) {
    step.setAttribute('aria-current', String(Number(step.dataset.event) === state.filter.step));
  }
}
