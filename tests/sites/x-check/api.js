// The call that not every browser understands: of an interface that the address names.
function incompatible() {
  return window[new URLSearchParams(location.search).get('needs')].name;
}
function understands() {
  return new URLSearchParams(location.search).get('needs') in window;
}
function show(id, text) {
  document.getElementById(id).textContent = text;
}
