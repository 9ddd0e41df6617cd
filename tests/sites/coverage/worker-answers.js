// What a worker is answered by its browser, told to the page, which shows it.
onmessage = async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  postMessage({ random: Math.random(), date: Date.now(), year: new Date().getFullYear(), bytes: [...bytes], uuid: crypto.randomUUID(), now: performance.now() });
  const text = await (await fetch('worker-answers.js')).text();
  postMessage({ text: text.length });
};
