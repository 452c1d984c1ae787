import type { Page } from '@playwright/test';
import { expect, once, test } from '../fixtures.ts';
import { findFaults, narrow } from './sound.ts';

/** Each fault that a look at a page must find, as small as it can be. */
const faulty = {
  'past the edge: a word that does not fit':
    '<p style="white-space: nowrap; margin-inline-start: 250px">a word that does not fit</p>',
  'past its box: a label too long':
    '<p style="width: 60px; border: 1px solid; white-space: nowrap">a label too long</p>',
  'below its box: a third line':
    '<p style="width: 200px; height: 20px; overflow: hidden">a first line<br>a second line<br>a third line</p>',
  'over each other: above | below':
    '<p style="margin: 0">above</p><p style="margin: -1em 0 0">below</p>',
  'cut in its list: from half past ten in the evening':
    '<label>Time <select style="width: 60px"><option>from half past ten in the evening</option></select></label>',
  'shows support.title instead of words': '<p>support.title</p>',
  'shows {{ instead of words': '<p>Call {{phone}}</p>',
  'color-contrast: <p style="color: #ccc">': '<p style="color: #ccc">pale words</p>',
  'button-name: <button': '<button type="button"></button>',
};

test(
  'a look at a page finds the text that is cut, covered or missing, and the element that shuts somebody out',
  once,
  async ({ page }) => {
    await page.setViewportSize(narrow);
    await show(page, '<p>Whole words.</p>');
    expect(await findFaults(page, 'english')).toEqual([]);
    expect(await findFaults(page, 'arabic')).toEqual([
      'lang is en-US, not ar-SA',
      'dir is ltr, not rtl',
    ]);
    for (const [fault, body] of Object.entries(faulty)) {
      await show(page, body);
      const found = await findFaults(page, 'english');
      expect(found.map((words) => words.slice(0, fault.length))).toContain(fault);
    }
  },
);

const show = (page: Page, body: string) =>
  page.setContent(
    `<!doctype html><html lang="en-US" dir="ltr"><meta name="viewport" content="width=device-width"><title>A page</title><main><h1>A page</h1>${body}</main></html>`,
  );
