// What `row.js` is in a replay in which the pages do something else than they did when they were recorded.
const varied = true;
function say(text) {
  const line = document.createElement('p');
  line.textContent = text;
  document.body.append(line);
}
function done() {
  document.title = 'done';
}
