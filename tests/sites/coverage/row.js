// The first script of each row's page. A replay in which the page does something else is served `varied.js` instead.
const varied = false;
function say(text) {
  const line = document.createElement('p');
  line.textContent = text;
  document.body.append(line);
}
function done() {
  document.title = 'done';
}
