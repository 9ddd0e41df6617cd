// Where an element stands, as `pathOf` in `describe.js` writes it.

/** @param {string | undefined} path @param {import('./more-nodes.js').MoreNodes} nodes */
export function lastPathTag(path, nodes) {
  const match = path === undefined ? null : nodes.exec(/(?:^|>)([a-zA-Z][a-zA-Z0-9-]*)(?::\d+)?$/, path);
  return match ? match[1] : undefined;
}

/**
 * @param {string} path @param {any} root @param {import('./more-nodes.js').MoreNodes} nodes @param {(host: any) => any} shadowOf
 * @returns {any} the element, or null
 */
export function followPath(path, root, nodes, shadowOf) {
  const step = /([^>:#]+)(?::(\d+))?|#shadow/g;
  let at = root;
  for (let match = nodes.exec(step, path); match; match = nodes.exec(step, path)) {
    if (match[0] === '#shadow') {
      at = shadowOf(at);
      if (!at) return null;
      continue;
    }
    let left = match[2] === undefined ? 1 : +match[2];
    let child = nodes.firstChild(at);
    for (; child; child = nodes.nextSibling(child)) {
      if (nodes.nodeType(child) === 1 && nodes.localName(child) === match[1] && --left === 0) break;
    }
    if (!child) return null;
    at = child;
  }
  return at === root ? null : at;
}

/** @param {string} path @param {import('./more-nodes.js').MoreNodes} nodes @returns {string[]} */
export function stepsOf(path, nodes) {
  const step = /[^>]+/g;
  const steps = [];
  for (let match = nodes.exec(step, path); match; match = nodes.exec(step, path)) steps[steps.length] = match[0];
  return steps;
}
