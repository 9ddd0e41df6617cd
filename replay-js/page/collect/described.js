// A node as it is told: what of it is sent, and whether it is still what was sent.

/** What the reader of the JSON fills in by itself is left out. @param {any} out */
export function withoutDefaults(out) {
  /** @type {any} */
  const slim = { id: out.id, parent: out.parent, index: out.index, tag: out.tag, rect: out.rect, visible: out.visible };
  if (out.attributes.length) slim.attributes = out.attributes;
  if (out.properties.length) slim.properties = out.properties;
  if (out.text) slim.text = out.text;
  if (out.lines) slim.lines = out.lines;
  if (out.z) slim.z = out.z;
  if (out.style) slim.style = out.style;
  if (out.natural) slim.natural = out.natural;
  return slim;
}

/** @param {any} a @param {any} b */
export function isSameNode(a, b) {
  return (
    a.parent === b.parent && a.index === b.index && a.text === b.text && a.visible === b.visible && a.z === b.z && a.style === b.style &&
    a.lines === b.lines && isSameList(a.rect, b.rect) && isSamePairs(a.attributes, b.attributes) && isSamePairs(a.properties, b.properties) &&
    (a.natural === b.natural || (!!a.natural && !!b.natural && isSameList(a.natural, b.natural)))
  );
}

/** @param {any[]} a @param {any[]} b */
function isSameList(a, b) {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** @param {[string, string][]} a @param {[string, string][]} b */
function isSamePairs(a, b) {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at][0] !== b[at][0] || a[at][1] !== b[at][1]) return false;
  return true;
}
