// One finding: what differs, why, and what each browser showed.
function drawDetail() {
  stopBlinking();
  const detail = document.getElementById('detail');
  const finding = data.findings.find((one) => one.key === state.finding);
  if (!finding) {
    detail.replaceChildren(el('p', { class: 'missing' }, data.findings.length ? 'Choose a finding on the list.' : 'Nothing to show: no incompatibility was found.'));
    return;
  }
  const place = finding.places[state.place];
  detail.replaceChildren(...[
    el('h2', {}, finding.title),
    el('p', { class: 'meta' }, el('span', { class: 'kind-' + finding.kind }, finding.kind), ' in ' + browserName(finding.browser)
      + ', first at event ' + finding.event + ' (' + finding.eventLabel + '), ' + percent(finding.confidence) + ', id ', el('code', {}, finding.id)),
    finding.ignored && el('p', { class: 'warning' }, 'Ignored: ' + finding.ignored),
    finding.cause && el('div', { class: 'cause' }, el('strong', {}, 'Likely cause: '), finding.cause.title, finding.cause.detail && el('pre', {}, finding.cause.detail)),
    finding.element && el('p', { class: 'path' }, finding.element),
    finding.selector && el('p', { class: 'path' }, finding.selector),
    finding.xpath && el('p', { class: 'path' }, finding.xpath),
    finding.differences.length > 0 && differenceTable(finding),
    place && placeChooser(finding),
    place && viewBar(),
    place && drawView(place, finding),
  ].filter(Boolean));
}

function differenceTable(finding) {
  return el('table', {}, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'What'), el('th', { scope: 'col' }, data.referenceName), el('th', { scope: 'col' }, browserName(finding.browser)))),
    el('tbody', {}, ...finding.differences.map((difference) => el('tr', {}, el('th', { scope: 'row' }, difference.what),
      el('td', {}, el('code', {}, difference.reference)), el('td', {}, el('code', {}, difference.other))))));
}

function placeChooser(finding) {
  if (finding.places.length < 2) return null;
  return el('p', {}, el('label', {}, 'Seen at ', el('select', { id: 'place', onchange: (event) => { state.place = Number(event.target.value); drawDetail(); } },
    ...finding.places.map((place, index) => el('option', { value: index, selected: index === state.place }, 'event ' + place.event + ': ' + place.label)))));
}

function viewBar() {
  const button = (name, value, key, label) => el('button', { type: 'button', 'data-view': value, 'aria-pressed': String(state[name] === value), title: label + ' (' + key + ')',
    onclick: () => { state[name] = value; drawDetail(); } }, label);
  return el('div', { class: 'views', role: 'group', 'aria-label': 'View' },
    button('view', 'side', 's', 'Side by side'), button('view', 'overlay', 'o', 'Overlay'), button('view', 'blink', 'b', 'Blink'),
    el('span', {}, ' '), button('zoom', 'crop', 'c', 'Crop'), button('zoom', 'fit', 'f', 'Whole page'), button('zoom', 'full', '1', '1:1'));
}
