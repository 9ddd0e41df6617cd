// Keys, theme, and the first drawing.
const keys = {
  j: ['next finding', () => move(1)],
  k: ['previous finding', () => move(-1)],
  s: ['side by side', () => view('side')],
  o: ['overlay with slider', () => view('overlay')],
  b: ['blink', () => view('blink')],
  c: ['crop around the element', () => zoom('crop')],
  f: ['whole page', () => zoom('fit')],
  1: ['original size', () => zoom('full')],
  i: ['show or hide ignored', () => document.getElementById('show-ignored').click()],
  '[': ['previous step of the session', () => step(-1)],
  ']': ['next step of the session', () => step(1)],
  '/': ['filter by words', () => document.getElementById('search').focus()],
  t: ['light or dark', () => changeTheme()],
  '?': ['this list', () => document.getElementById('help').showModal()],
};

function view(name) { state.view = name; drawDetail(); }
function zoom(name) { state.zoom = name; drawDetail(); }

function step(by) {
  const events = data.steps.map((one) => one.event);
  const at = events.indexOf(state.filter.step);
  const next = at < 0 ? (by > 0 ? 0 : events.length - 1) : at + by;
  if (next < 0 || next >= events.length) return;
  state.filter.step = null;
  chooseStep(events[next]);
  document.querySelector('#film [aria-current="true"]').scrollIntoView({ block: 'nearest', inline: 'center' });
}

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches('input:not([type=range]), select, textarea');
  if (event.key === 'Escape' && typing) event.target.blur();
  if (typing || document.getElementById('help').open) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action[1]();
});

document.getElementById('filters').addEventListener('submit', (event) => event.preventDefault());
document.getElementById('theme').addEventListener('click', changeTheme);
document.getElementById('help-button').addEventListener('click', () => document.getElementById('help').showModal());
document.getElementById('help').replaceChildren(el('h2', {}, 'Keys'),
  el('dl', {}, ...Object.entries(keys).flatMap(([key, [text]]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, text)])),
  el('form', { method: 'dialog' }, el('button', {}, 'Close')));

drawHead();
drawFilm();
drawFilters();
drawList();
select(location.hash.slice(1) && data.findings.some((one) => one.key === location.hash.slice(1)) ? location.hash.slice(1) : shown()[0]?.key ?? null);
