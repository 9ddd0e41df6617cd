// Book Manager's main page: the books on loan, a tab for each category that is opened, and a reminder that comes and goes.
'use strict';

const BORROWED_AT_MOST = 6;
const TIPS = ['Rainy days are longer here.', 'Ask for the map room.', 'Librarians know.', 'Read the last page last.'];
const $ = (id) => document.getElementById(id);

const panels = new Map([['borrowed', $('borrowed')]]);
$('tip').textContent = TIPS[Math.floor(Math.random() * TIPS.length)];

welcome();
showBorrowed();
setTimeout(remind, 1000);

document.querySelector('.categories').addEventListener('click', (event) => {
  const category = event.target.dataset.category;
  if (category) openCategory(category, event.target.textContent);
});
document.querySelector('.tabs').addEventListener('click', (event) => {
  if (event.target.dataset.panel) select(event.target.dataset.panel);
});

async function welcome() {
  const reader = new URLSearchParams(location.search).get('reader') || 'reader';
  const {visits} = await (await fetch('/books/api/visits')).json();
  const today = new Date().toLocaleDateString('en-GB', {day: 'numeric', month: 'long', year: 'numeric'});
  $('visits').textContent = `${reader}, visit number ${visits} · ${today}`;
}

async function showBorrowed() {
  const books = await (await fetch('/books/api/borrowed')).json();
  for (const book of books) $('booklist').append(card(book, `Due ${readable(book.due)}`));
  $('booklist').dataset.next = books[0].next;
}

// The librarians' system writes month, day and year with dashes between.
function readable(date) {
  return new Date(date).toLocaleDateString('en-US', {weekday: 'short', month: 'short', day: 'numeric'});
}

function remind() {
  const list = $('booklist');
  if (!list.dataset.next) {
    setTimeout(remind, 1000);
    return;
  }
  const count = list.childElementCount;
  const today = Temporal.PlainDate.from(new Date().toISOString().slice(0, 10));
  const days = today.until(Temporal.PlainDate.from(list.dataset.next)).days;
  const reminder = $('reminder');
  reminder.textContent = `You borrowed ${count} books and can still borrow ${BORROWED_AT_MOST - count}. `
    + `The first is due in ${days} days.`;
  reminder.hidden = false;
  setTimeout(() => {
    reminder.classList.add('going');
    setTimeout(() => { reminder.hidden = true; }, 300);
  }, 1500);
}

async function openCategory(category, title) {
  if (panels.has(category)) {
    select(category);
    return;
  }
  const tab = element('button', {role: 'tab', id: `tab-${category}`}, title);
  tab.dataset.panel = category;
  const panel = element('section', {id: category, class: 'panel', role: 'tabpanel'});
  document.querySelector('.tabs').append(tab);
  document.querySelector('main').append(panel);
  panels.set(category, panel);
  select(category);
  // With many categories open the new tab is beyond the edge.
  tab.scrollIntoViewIfNeeded();
  const books = await (await fetch(`/books/api/${category}`)).json();
  const list = element('ul', {class: 'books'});
  for (const book of books) list.append(card(book, book.shelf));
  panel.append(list);
}

function select(name) {
  for (const [key, panel] of panels) {
    panel.hidden = key !== name;
    $(`tab-${key}`).setAttribute('aria-selected', String(key === name));
  }
}

function card(book, state) {
  const item = element('li', {});
  const text = element('div', {});
  text.append(
    element('h3', {}, book.title),
    element('p', {class: 'author'}, book.author),
    element('p', {class: 'state', id: `state-${book.id}`}, state),
  );
  item.append(element('img', {src: `/images/${book.cover}.svg`, width: '70', height: '98', alt: ''}), text);
  return item;
}

function element(tag, attributes, text) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}
