/**
 * Runs in the page: texts that reach past its edges, past the box they stand in, or over each other.
 * It must not refer to anything outside itself.
 */
export function findBadLayout(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = new Set<string>();
  if (scrollWidth > clientWidth) found.add(`the page is ${scrollWidth} of ${clientWidth} wide`);

  // Dialogs, open menus and a bar that stays in sight are meant to cover the page. Texts are compared with those of the same layer.
  const layers = 'dialog, .language-list, .profile-panel, .setting-bar';
  // A name too long for the bar stands whole in the profile that its button opens.
  const apart =
    '.visually-hidden, .skip-links, .profile-name, option, script, style, noscript, template';
  const dialog = document.querySelector('dialog:modal');
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  const isDrawn = ({ backgroundColor, borderInlineStartWidth }: CSSStyleDeclaration) =>
    borderInlineStartWidth !== '0px' || !/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor);
  const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';

  interface Line {
    readonly text: string;
    readonly node: Node;
    readonly layer: Element | null;
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }
  const lines: Line[] = [];
  const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim();
    if (!element || !text || element.closest(apart) || !element.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const layer = element.closest(layers);
    for (const rect of range.getClientRects()) {
      if (rect.width === 0) continue;
      // A font's box is taller than its letters: the middle of the line is what must not be hidden.
      const margin = rect.height / 4;
      const { left, right } = rect;
      const line = { left, right, top: rect.top + margin, bottom: rect.bottom - margin };
      const isPastEdge = left < -1 || right > clientWidth + 1;
      // WCAG 2.2, Reflow: a table may be wider than the page, where it scrolls by itself.
      const isInWideTable =
        element.closest('table') !== null && element.closest('.scroll') !== null;
      if (isPastEdge && !isInWideTable) found.add(`past the edge: ${text}`);
      let isInBox = false;
      let isSpokenOnly = false;
      for (let box: Element | null = element; box; box = box.parentElement) {
        if (box === document.body) break;
        const style = styleOf(box);
        if (style.display === 'inline' || style.display === 'contents') continue;
        const edges = box.getBoundingClientRect();
        // Words for screen readers alone stand in a box of one pixel.
        if (edges.width <= 1) {
          isSpokenOnly = hides(style.overflowX);
          if (isSpokenOnly) break;
          continue;
        }
        // What is scrolled out of sight can be scrolled back.
        if (isInWideTable && box.matches('.scroll')) break;
        const isPastSide = left < edges.left - 1 || right > edges.right + 1;
        if (isPastSide && (hides(style.overflowX) || (!isInBox && isDrawn(style))))
          found.add(`past its box: ${text}`);
        const isPastEnd = line.top < edges.top - 1 || line.bottom > edges.bottom + 1;
        if (isPastEnd && hides(style.overflowY)) found.add(`below its box: ${text}`);
        isInBox ||= isDrawn(style);
        if (style.overflowY === 'auto' || style.overflowY === 'scroll') break;
      }
      if (!isSpokenOnly) lines.push({ text, node, layer, ...line });
    }
  }

  lines.sort((one, other) => one.top - other.top);
  for (const [index, one] of lines.entries())
    for (let next = index + 1; next < lines.length; next++) {
      const other = lines[next];
      if (!other || other.top >= one.bottom - 1) break;
      const isOver = one.left < other.right - 1 && other.left < one.right - 1;
      if (isOver && one.node !== other.node && one.layer === other.layer)
        found.add(`over each other: ${one.text} | ${other.text}`);
    }

  // A closed list that the browser draws shows its choice in one line, whatever the space.
  const pen = document.createElement('canvas').getContext('2d');
  for (const list of document.querySelectorAll('select')) {
    if (!pen || !list.checkVisibility() || list.getBoundingClientRect().width <= 1) continue;
    const style = styleOf(list);
    pen.font = style.font;
    const text = list.selectedOptions[0]?.text ?? '';
    const space =
      list.clientWidth -
      Number.parseFloat(style.paddingInlineStart) -
      Number.parseFloat(style.paddingInlineEnd);
    const isWrapped = style.appearance === 'none' && style.whiteSpace === 'normal';
    const words = new Intl.Segmenter(document.documentElement.lang, { granularity: 'word' });
    const pieces = isWrapped ? [...words.segment(text)].map(({ segment }) => segment) : [text];
    if (pieces.some((piece) => pen.measureText(piece).width > space + 1))
      found.add(`cut in its list: ${text}`);
  }
  return [...found];
}
