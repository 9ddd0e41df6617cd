import { answering } from './worker-imports-lib.js';

let peer;
answering((data, tell) => {
  if (!data.peer) {
    peer.postMessage('again');
    return;
  }
  peer = data.peer;
  peer.onmessage = ({ data: said }) => tell(`${said} ${Math.random()}`);
  peer.postMessage(`this is ${self.name}`);
});
