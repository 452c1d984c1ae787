/**
 * Takes away what the browser under test has and the oldest browsers that both builds are made for have not
 * (Chrome 107, Safari 16, Firefox 110: `target` in vite.config.ts). The bundler rewrites newer syntax, not newer functions:
 * a voter on an old phone meets an error that no new browser shows. Runs in the page. `checkVisibility` and
 * `Intl.Segmenter`, which the product calls nowhere, stay: what looks at the page here needs them.
 */
export function becomeOldest(): void {
  const iterator: object = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  const newer: [object, string[]][] = [
    [AbortSignal, ['any']],
    [Array, ['fromAsync']],
    [Array.prototype, ['toReversed', 'toSorted', 'toSpliced', 'with']],
    [Document.prototype, ['startViewTransition']],
    [Element.prototype, ['moveBefore', 'setHTMLUnsafe']],
    [HTMLElement.prototype, ['hidePopover', 'showPopover', 'togglePopover']],
    [Intl, ['DurationFormat']],
    [Map, ['groupBy']],
    [Object, ['groupBy']],
    [Promise, ['try', 'withResolvers']],
    [
      Set.prototype,
      ['difference', 'intersection', 'isDisjointFrom', 'isSubsetOf', 'isSupersetOf', 'union'],
    ],
    [String.prototype, ['isWellFormed', 'toWellFormed']],
    [Uint8Array, ['fromBase64', 'fromHex']],
    [Uint8Array.prototype, ['toBase64', 'toHex']],
    [URL, ['canParse', 'parse']],
    [globalThis, ['requestIdleCallback', 'cancelIdleCallback', 'scheduler', 'Iterator']],
    [iterator, ['drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map']],
    [iterator, ['reduce', 'some', 'take', 'toArray']],
  ];
  for (const [owner, names] of newer) for (const name of names) Reflect.deleteProperty(owner, name);
}
