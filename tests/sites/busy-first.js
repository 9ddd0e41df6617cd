document.querySelector('p').className = 'first';
export const word = 'first';
