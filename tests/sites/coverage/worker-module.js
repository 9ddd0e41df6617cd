import { text } from './worker-import.js';
postMessage(text + ' ' + self.name);
