// The screenshots of both browsers with the boxes drawn: side by side, one over the other, or in turn.
let blinking = null;

function stopBlinking() {
  clearInterval(blinking);
  blinking = null;
}

function drawView(place, finding) {
  const sides = [[data.referenceName, place.reference], [browserName(finding.browser), place.other]];
  if (state.view === 'side' || !place.reference.image || !place.other.image) {
    return el('div', { class: 'pair' }, ...sides.map(([name, side]) => figure(name, side, place)));
  }
  return stacked(sides, place);
}

function figure(name, side, place) {
  return el('figure', {}, el('figcaption', {}, name), side.image ? shot([side], place) : el('div', { class: 'shot missing' }, side.missing));
}

// Both pictures in one frame. The slider cuts the upper one off from the right, so the edge is where to compare.
function stacked(sides, place) {
  const frame = shot(sides.map(([, side]) => side), place);
  const [, upper] = frame.querySelectorAll('img');
  const caption = el('figcaption', {});
  const name = (text) => { caption.textContent = text; };
  if (state.view === 'blink') {
    let other = true;
    const turn = () => {
      other = !other;
      upper.style.visibility = other ? 'visible' : 'hidden';
      name(sides[other ? 1 : 0][0]);
    };
    turn();
    blinking = setInterval(turn, 700);
    return el('figure', { class: 'overlay' }, caption, frame);
  }
  const area = areaOf(place, sides.map(([, side]) => data.sizes[side.image]));
  const cut = (value) => { upper.style.clipPath = 'inset(0 0 0 ' + (area.x + area.width * value / 100) + 'px)'; };
  name(sides[0][0] + ' on the left, ' + sides[1][0] + ' on the right');
  cut(50);
  return el('figure', { class: 'overlay' }, caption,
    el('input', { type: 'range', id: 'slider', min: 0, max: 100, value: 50, 'aria-label': 'Where one picture ends and the other begins', oninput: (event) => cut(event.target.value) }), frame);
}

function shot(sides, place) {
  const sizes = sides.map((side) => data.sizes[side.image]);
  const whole = wholeOf(sizes);
  const area = areaOf(place, sizes);
  const canvas = el('div', { class: 'canvas' }, ...sides.map((side) => lazyNow(side.image)),
    ...sides.flatMap((side, index) => side.boxes.map((box, rank) => boxOf(box, index, rank))));
  const frame = el('div', { class: 'shot', tabindex: 0 }, canvas);
  const fit = () => {
    const room = frame.clientWidth || 600;
    const scale = state.zoom === 'full' ? 1 : Math.min(state.zoom === 'crop' ? 3 : 1, room / area.width);
    canvas.style.width = whole.width + 'px';
    canvas.style.height = whole.height + 'px';
    canvas.style.transform = 'scale(' + scale + ') translate(' + -area.x + 'px,' + -area.y + 'px)';
    if (state.zoom !== 'full') frame.style.height = Math.ceil(area.height * scale) + 2 + 'px';
    frame.style.overflow = state.zoom === 'crop' ? 'hidden' : 'auto';
    canvas.style.marginRight = canvas.style.marginBottom = '0';
    if (state.zoom === 'fit') canvas.style.marginBottom = -whole.height * (1 - scale) + 'px', canvas.style.marginRight = -whole.width * (1 - scale) + 'px';
  };
  // In the next frame: it changes the size that is observed, which browsers report as an error.
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(frame);
  const [first] = sides.flatMap((side) => side.boxes);
  if (state.zoom === 'full' && first) queueMicrotask(() => frame.scrollTo(first[0] - 60, first[1] - 60));
  return frame;
}

function wholeOf(sizes) {
  return { x: 0, y: 0, width: Math.max(...sizes.map((size) => size[0])), height: Math.max(...sizes.map((size) => size[1])) };
}

// The part of the page that is shown.
function areaOf(place, sizes) {
  return state.zoom === 'crop' ? around(place, wholeOf(sizes)) : wholeOf(sizes);
}

// The union of both browsers' boxes with some surroundings, so that both crops show the same part of the page.
function around(place, whole) {
  const boxes = [place.reference, place.other].flatMap((side) => side.boxes.slice(0, 1));
  if (!boxes.length) return whole;
  const margin = 40;
  const left = Math.max(0, Math.min(...boxes.map((box) => box[0])) - margin);
  const top = Math.max(0, Math.min(...boxes.map((box) => box[1])) - margin);
  const right = Math.min(whole.width, Math.max(...boxes.map((box) => box[0] + box[2])) + margin);
  const bottom = Math.min(whole.height, Math.max(...boxes.map((box) => box[1] + box[3])) + margin);
  return { x: left, y: top, width: Math.max(120, right - left), height: Math.max(60, bottom - top) };
}

// The first box is the finding's own node; the others follow from it and are drawn thinner.
function boxOf([x, y, width, height], side, rank) {
  return el('div', { class: rank ? 'box also' : 'box', style: { left: x + 'px', top: y + 'px', width: width + 'px', height: height + 'px', borderStyle: side ? 'dashed' : 'solid' } });
}

function lazyNow(hash) {
  return el('img', { src: imageUrl(hash), alt: '', width: data.sizes[hash][0], height: data.sizes[hash][1] });
}
