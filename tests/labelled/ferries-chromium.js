const list = document.getElementById('list');
const ferries = ['06:40 to Sand', '09:15 to Nordbucht', '14:20 to Westhafen'];
list.innerHTML = ferries.map(ferry => `<li>${ferry}</li>`).join('');
let next = 0;
document.getElementById('next').addEventListener('click', () => {
  list.children[next].style.background = '#ffe9a8';
  document.getElementById('said').textContent = `You take the ferry at ${ferries[next]}.`;
  next += 1;
});
