export function answering(answer) {
  const tell = (text) => self.postMessage(text);
  self.addEventListener('message', async ({ data }) => answer(data, tell));
  tell('ready');
}
