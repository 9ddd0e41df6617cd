onmessage = ({ data }) => {
  if (data.fail) throw new Error('on purpose');
  postMessage({ text: 'heard ' + data.text, numbers: new Uint8Array([1, 2, 3]) });
  setTimeout(() => postMessage({ text: 'later', numbers: [self.name.length, typeof importScripts] }), 5);
};
