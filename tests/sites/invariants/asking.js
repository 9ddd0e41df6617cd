fetch('found.json')
  .then((answer) => answer.json())
  .then((found) => postMessage(`${found.length} kinds`), () => postMessage('not known'));
