document.querySelector('p').className = 'second';
export const word = 'second';
