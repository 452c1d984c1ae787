import { test as base, type ConsoleMessage, expect } from '@playwright/test';

export { expect };

/** Of a journey that is the same at every size of the screen: it is gone through on the phone alone. */
export const once = { tag: '@once' } as const;

interface Fixtures {
  /**
   * Announces console output that the journey is about, such as the browser's note on a refused sign-in:
   * at least one warning or error must match, and any number may. Everything else fails the test.
   */
  expectConsole: (pattern: RegExp) => void;
}

/** Playwright's test, which fails when a page warns, reports an error or throws. */
export const test = base.extend<Fixtures>({
  expectConsole: [
    async ({ context }, use) => {
      const announced: { pattern: RegExp; heard: boolean }[] = [];
      const messages: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          messages.push(quote(message));
      });
      context.on('weberror', (webError) => {
        const error = webError.error();
        messages.push(`uncaught ${error.stack ?? error.message}`);
      });

      await use((pattern) => {
        announced.push({ pattern, heard: false });
      });

      const unannounced = messages.filter((message) => {
        const match = announced.find(({ pattern }) => pattern.test(message));
        if (match) match.heard = true;
        return !match;
      });
      expect(unannounced, 'unexpected output in the console of the page').toEqual([]);
      expect(
        announced.filter(({ heard }) => !heard).map(({ pattern }) => String(pattern)),
        'announced output that the console never showed',
      ).toEqual([]);
    },
    { auto: true },
  ],
});

function quote(message: ConsoleMessage): string {
  const { url, lineNumber } = message.location();
  return `${message.type()}: ${message.text()} (${url}:${lineNumber})`;
}
