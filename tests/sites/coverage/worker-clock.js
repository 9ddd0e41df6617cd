// How often it speaks before it has answered is up to the machine.
let said = 0;
setInterval(() => postMessage({ tick: (said += 1) }), 5);
onmessage = ({ data }) => {
  setTimeout(() => postMessage({ text: 'heard ' + data.text }), 40);
};
