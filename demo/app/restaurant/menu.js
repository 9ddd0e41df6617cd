// MyRestaurant: two pictures and a drop-down list choose what the menu shows; an order is answered by the kitchen.
'use strict';

const SPECIALS = ['Pumpkin soup', 'Mushroom risotto', 'Plum dumplings', 'Leek tart'];
const $ = (id) => document.getElementById(id);

$('special').textContent = `Today: ${SPECIALS[Math.floor(Math.random() * SPECIALS.length)]}`;

$('menu').addEventListener('command', (event) => listItems(event.command.slice(2)));
$('meal').addEventListener('change', (event) => listItems(event.target.value));
$('order').addEventListener('submit', order);

async function listItems(meal) {
  if (!meal) return;
  const menu = await (await fetch(`/restaurant/api/${meal}`)).json();
  $('title').textContent = menu.title;
  $('items').replaceChildren(...menu.items.map(row));
  $('stats').textContent = `${$('items').childElementCount} dishes, served until ${hour(menu.until)}`;
}

// The till writes the hour before the day.
function hour(text) {
  return new Date(text).toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'});
}

function row({name, price}) {
  const made = document.createElement('li');
  const label = document.createElement('span');
  const cost = document.createElement('b');
  label.textContent = name;
  cost.textContent = `€ ${price.toFixed(2)}`;
  made.append(label, cost);
  return made;
}

async function order(event) {
  event.preventDefault();
  const number = 100 + Math.floor(Math.random() * 900);
  const body = JSON.stringify({number, name: $('table').value});
  const {minutes} = await (await fetch('/restaurant/api/order', {method: 'POST', body})).json();
  $('answer').textContent = `Order ${number} for ${$('table').value}: ready in ${minutes} minutes.`;
}
