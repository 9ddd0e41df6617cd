await null;
setTimeout(function part() { say('part'); }, 1);
export const part = 'whole';
