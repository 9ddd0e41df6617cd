import { late } from '/~/slow/100/many-late.js?more';
const number = import.meta.url.split('?')[1];
export const word = late + ' ' + number;
