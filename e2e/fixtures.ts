import { test as base, expect as baseExpect, type ConsoleMessage } from '@playwright/test';
import { becomeOldest } from './oldest-browser.ts';

let expectations = 0;

/** Playwright's own, counted: a journey that expects nothing cannot fail. */
export const expect: typeof baseExpect = new Proxy(baseExpect, {
  apply(target, self, parts) {
    expectations += 1;
    return Reflect.apply(target, self, parts);
  },
  get(target, name) {
    if (name === 'poll' || name === 'soft') expectations += 1;
    return Reflect.get(target, name);
  },
});

/** Of a journey that is the same at every size of the screen: it is gone through on the phone alone. */
export const once = { tag: '@once' } as const;

/** Of a journey through a screen of the console that is laid out as others are: on the desktop, where an office's people sit. */
export const desk = { tag: '@desk' } as const;

interface Fixtures {
  /**
   * Announces console output that the journey is about, such as the browser's note on a refused sign-in:
   * at least one warning or error must match, and any number may. Everything else fails the test.
   */
  expectConsole: (pattern: RegExp) => void;
}

/**
 * Playwright's test in a browser as old as the product serves, which fails when a page warns, reports an error or throws,
 * and when it expects nothing.
 */
export const test = base.extend<Fixtures>({
  expectConsole: [
    async ({ context }, use, journey) => {
      const before = expectations;
      const announced: { pattern: RegExp; heard: boolean }[] = [];
      const messages: Message[] = [];
      await context.addInitScript(becomeOldest);
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          messages.push({ words: message.text(), quoted: quote(message) });
      });
      context.on('weberror', (webError) => {
        const error = webError.error();
        messages.push({
          words: `uncaught ${error.message}`,
          quoted: `uncaught ${error.stack ?? error.message}`,
        });
      });

      await use((pattern) => {
        expectations += 1;
        announced.push({ pattern, heard: false });
      });
      // An answer that a journey was still changing when it ended fails nobody else.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      if (expectations === before && journey.expectedStatus === 'passed')
        throw new Error('This journey expects nothing, so it cannot fail.');

      const unannounced = messages.filter(({ words }) => {
        const match = announced.find(({ pattern }) => pattern.test(words));
        if (match) match.heard = true;
        return !match;
      });
      expect(
        unannounced.map(({ quoted }) => quoted),
        'unexpected output in the console of the page',
      ).toEqual([]);
      expect(
        announced.filter(({ heard }) => !heard).map(({ pattern }) => String(pattern)),
        'announced output that the console never showed',
      ).toEqual([]);
    },
    { auto: true },
  ],
});

interface Message {
  /** What an announced pattern must match: an address has numbers of its own, as a port that contains a status. */
  readonly words: string;
  readonly quoted: string;
}

function quote(message: ConsoleMessage): string {
  const { url, lineNumber } = message.location();
  return `${message.type()}: ${message.text()} (${url}:${lineNumber})`;
}
