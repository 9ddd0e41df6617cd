// The computed properties that can be seen, in groups that are read only where they can have an effect: a border's colour
// when the border has a width, a flex item's `order` in a flex container. That is a third of the reads, and it keeps
// out differences nobody can see. What is a *result* of layout (width, height, inset, track sizes, transform-origin …)
// is absent: boxes say that better. Every property stands with its initial value, which is not sent: an engine that
// does not know the property and one that leaves it at its initial value show the same.
//
// Each group is written as `name: initial; …` and parsed once.

/** Read on every rendered element. Inherited ones first. */
export const STYLE_ALWAYS = styleGroup(
  'color: rgb(0, 0, 0); font-family: ; font-size: 16px; font-style: normal; font-weight: 400; font-stretch: 100%;',
  'font-variant-caps: normal; font-variant-numeric: normal; font-variant-ligatures: normal; font-feature-settings: normal;',
  'font-variation-settings: normal; font-kerning: auto; letter-spacing: normal; word-spacing: 0px; line-height: normal;',
  'text-align: start; text-indent: 0px; text-transform: none; text-shadow: none; white-space: normal;',
  'word-break: normal; overflow-wrap: normal; line-break: auto; hyphens: manual; tab-size: 8; direction: ltr; writing-mode: horizontal-tb;',
  'text-wrap-style: auto; visibility: visible; cursor: auto; pointer-events: auto; color-scheme: normal; -webkit-text-fill-color: ;',
  '-webkit-text-stroke-width: 0px; text-emphasis-style: none;',
  'display: inline; position: static; float: none; clear: none; box-sizing: content-box; vertical-align: baseline;',
  'overflow-x: visible; overflow-y: visible; z-index: auto; opacity: 1; mix-blend-mode: normal; isolation: auto;',
  'content-visibility: visible; contain: none; container-type: normal; container-name: none; zoom: 1; will-change: auto;',
  'background-color: rgba(0, 0, 0, 0); background-image: none;',
  'border-top-width: 0px; border-right-width: 0px; border-bottom-width: 0px; border-left-width: 0px;',
  'border-top-left-radius: 0px; border-top-right-radius: 0px; border-bottom-right-radius: 0px; border-bottom-left-radius: 0px;',
  'border-image-source: none; box-shadow: none; outline-style: none; text-decoration-line: none;',
  'margin-top: 0px; margin-right: 0px; margin-bottom: 0px; margin-left: 0px;',
  'padding-top: 0px; padding-right: 0px; padding-bottom: 0px; padding-left: 0px;',
  'min-width: auto; min-height: auto; max-width: none; max-height: none; aspect-ratio: auto;',
  'transform: none; translate: none; rotate: none; scale: none; filter: none; backdrop-filter: none; clip-path: none; mask-image: none;',
  'perspective: none; text-overflow: clip; column-count: auto; column-width: auto; -webkit-line-clamp: none; shape-outside: none;',
  'appearance: none; unicode-bidi: normal;',
);

/** Groups by name; which applies is decided in `styles.js`. */
export const STYLE_GROUPS = {
  top: styleGroup('border-top-style: none; border-top-color: currentcolor;'),
  right: styleGroup('border-right-style: none; border-right-color: currentcolor;'),
  bottom: styleGroup('border-bottom-style: none; border-bottom-color: currentcolor;'),
  left: styleGroup('border-left-style: none; border-left-color: currentcolor;'),
  borderImage: styleGroup('border-image-slice: 100%; border-image-width: 1; border-image-outset: 0; border-image-repeat: stretch;'),
  outline: styleGroup('outline-width: 0px; outline-color: currentcolor; outline-offset: 0px;'),
  decoration: styleGroup('text-decoration-color: currentcolor; text-decoration-style: solid; text-decoration-thickness: auto; text-underline-offset: auto;'),
  background: styleGroup(
  'background-position: 0% 0%; background-size: auto; background-repeat: repeat; background-origin: padding-box;',
  'background-clip: border-box; background-attachment: scroll; background-blend-mode: normal;',
),
  clippedColour: styleGroup('background-clip: border-box;'),
  mask: styleGroup('mask-size: auto; mask-repeat: repeat; mask-position: 0% 0%; mask-clip: border-box; mask-composite: add;'),
  transformed: styleGroup('transform-style: flat; backface-visibility: visible;'),
  flex: styleGroup('flex-direction: row; flex-wrap: nowrap; justify-content: normal; align-items: normal; align-content: normal; row-gap: normal; column-gap: normal;'),
  grid: styleGroup(
  'grid-auto-flow: row; grid-template-areas: none; justify-content: normal; align-items: normal; align-content: normal; justify-items: normal;',
  'row-gap: normal; column-gap: normal;',
),
  flexItem: styleGroup('flex-grow: 0; flex-shrink: 1; flex-basis: auto; order: 0; align-self: auto;'),
  gridItem: styleGroup('grid-row-start: auto; grid-row-end: auto; grid-column-start: auto; grid-column-end: auto; order: 0; align-self: auto; justify-self: auto;'),
  columns: styleGroup('column-gap: normal; column-rule-width: 0px; column-rule-style: none; column-rule-color: currentcolor; column-fill: balance;'),
  table: styleGroup('border-collapse: separate; border-spacing: 0px; table-layout: auto; caption-side: top; empty-cells: show;'),
  list: styleGroup('list-style-type: disc; list-style-position: outside; list-style-image: none;'),
  replaced: styleGroup('object-fit: fill; object-position: 50% 50%; image-rendering: auto;'),
  control: styleGroup('accent-color: auto; caret-color: currentcolor; resize: none;'),
  emphasis: styleGroup('text-emphasis-color: currentcolor; text-emphasis-position: over;'),
  stroke: styleGroup('-webkit-text-stroke-color: currentcolor;'),
  scroller: styleGroup('scrollbar-width: auto; scrollbar-color: auto; scrollbar-gutter: auto;'),
  vertical: styleGroup('text-orientation: mixed;'),
  svg: styleGroup(
  'fill: rgb(0, 0, 0); fill-opacity: 1; fill-rule: nonzero; stroke: none; stroke-width: 1px; stroke-opacity: 1;',
  'stroke-dasharray: none; stroke-dashoffset: 0px; stroke-linecap: butt; stroke-linejoin: miter; stroke-miterlimit: 4;',
  'text-anchor: start; dominant-baseline: auto; stop-color: rgb(0, 0, 0); stop-opacity: 1; paint-order: normal; vector-effect: none;',
),
  generated: styleGroup('content: none;'),
};

/**
 * What is handed down and not seen in the style of an element that does not show it itself: custom properties, and what is read of list
 * items, tables, controls and drawings alone: the inherited ones of the groups above, as they are written in declarations.
 */
export const HANDED_DOWN =
  /(?:^|;)\s*(?:\/\*[^]*?\*\/\s*)*(?:--|(?:list-style|border-(?:collapse|spacing)|caption-side|empty-cells|quotes|image-rendering|(?:accent|caret|scrollbar)-color|text-(?:emphasis|orientation|underline|anchor)|-webkit-text-stroke|fill|stroke|paint-order|dominant-baseline|all)\b)/i;

/** @param {string[]} lines @returns {{name: string, initial: string}[]} */
function styleGroup(...lines) {
  const group = [];
  // Runs when the script is evaluated, before any code of the page.
  for (const part of lines.join(' ').split(';')) {
    const colon = part.indexOf(':');
    if (colon > 0) group.push({ name: part.slice(0, colon).trim(), initial: part.slice(colon + 1).trim() });
  }
  return group;
}
