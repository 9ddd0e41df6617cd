import { part } from './module-lazy-part.js';
setTimeout(function lazy() { say('in a ' + part); }, 3);
export const value = await Promise.resolve(Math.random());
