document.querySelector('p').className = 'third';
export const word = 'third';
