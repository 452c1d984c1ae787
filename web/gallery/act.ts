/** What a visitor does, from within the page. Waits for the element; gives up after ten seconds. */

export async function type(name: string, value: string): Promise<void> {
  const input = await find<HTMLInputElement>(`[name="${name}"]`);
  // React listens to the element's own setter.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/** @param words of the element, where the selector finds several */
export async function press(selector: string, words = /./): Promise<void> {
  (await find(selector, words)).click();
}

/** Waits until it is there. */
export async function see(selector: string, words?: RegExp): Promise<void> {
  await find(selector, words);
}

async function find<T extends HTMLElement>(selector: string, words = /(?:)/): Promise<T> {
  const end = performance.now() + 10_000;
  while (performance.now() < end) {
    const found = [...document.querySelectorAll<T>(selector)].find(
      (element) => element.checkVisibility() && words.test(element.textContent ?? ''),
    );
    if (found) return found;
    await new Promise(requestAnimationFrame);
  }
  throw new Error(`The gallery found no ${selector} ${words}`);
}
