export const number = Math.random();
document.querySelector('ol').append(Object.assign(document.createElement('li'), { textContent: import.meta.url.split('/slow/')[1] }));
