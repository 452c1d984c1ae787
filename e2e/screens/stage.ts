import path from 'node:path';
import type { BrowserContext, Page, TestInfo } from '@playwright/test';
import { test } from '@playwright/test';
import { type Language, languageNames } from '../../contract/src/languages.ts';
import { type CastMember, cast } from '../../demo/cast.ts';
import { expectSoundAtEveryWidth, expectSoundInEveryLanguage } from '../access/every-language.ts';
import { type Office, openOffice } from '../office.ts';
import { addressOf, comeFromElsewhere, fillIn, open, signIn, submit } from '../sign-in.ts';
import { folder } from './write-index.ts';

export interface Stage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly baseURL: string | undefined;
  readonly info: TestInfo;
  /** What to do when the picture is taken. */
  readonly after: (clear: () => Promise<unknown>) => void;
}

interface Picture {
  /** The page from top to end, not what is in sight. */
  readonly whole?: boolean;
  /** What a choice of another language ends, and has to be done again. */
  readonly renew?: (page: Page) => Promise<unknown>;
  /** Of a page that offers no other. */
  readonly language?: Language;
}

/** One picture: `SCREEN/STATE`, and how a visitor gets there. `npm run access` reads the state in every language instead. */
export function screen(
  name: string,
  reach: (stage: Stage) => Promise<unknown>,
  { whole = true, renew, language }: Picture = {},
): void {
  test(name, async ({ page, context, baseURL }, info) => {
    await comeFromElsewhere(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const clears: (() => Promise<unknown>)[] = [];
    try {
      await reach({ page, context, baseURL, info, after: (clear) => clears.push(clear) });
      await page.evaluate(() => document.fonts.ready);
      if (info.config.metadata.everyLanguage && language)
        return await expectSoundAtEveryWidth(page, language);
      if (info.config.metadata.everyLanguage)
        return await expectSoundInEveryLanguage(page, () => Promise.resolve(renew?.(page)));
      await page.mouse.move(0, 0);
      await page.screenshot({
        path: path.join(folder, name, `${info.project.name}.png`),
        fullPage: whole,
        animations: 'disabled',
      });
    } finally {
      for (const clear of clears) await clear();
    }
  });
}

export const calls = {
  session: '**/api/voter/session',
  own: '**/api/voter/information/me',
  ownMessages: '**/api/voter/message',
  performance: '**/api/voter/performance',
  releaseNotes: '**/api/voter/release-note**',
  faq: '**/api/voter/faq**',
};

export const refuse = (
  page: Page,
  address: string,
  status: number,
  detail: string,
  more: object = {},
) =>
  page.route(address, (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: detail, status, detail, ...more }),
    }),
  );
/** Lets a call wait for its answer for as long as the page is looked at: in every language that is longer than a call itself waits. */
export async function hold(page: Page, address: string): Promise<void> {
  const waitForever = () => {
    AbortSignal.timeout = () => new AbortController().signal;
  };
  await page.addInitScript(waitForever);
  await page.evaluate(waitForever);
  await page.route(address, () => {});
}

export async function tryToSignIn(page: Page, member: CastMember, baseURL: string | undefined) {
  await open(page, `${addressOf(member.account, baseURL)}/voter`);
  await fillIn(page, member.typed);
  await submit(page);
}

export async function openDashboard({ page, baseURL }: Stage, member: CastMember = cast.accepted) {
  await signIn(page, member, baseURL, '/voter/dashboard');
  await page.locator('.ballot, .no-ballot').first().waitFor();
  // It comes last, and changes the height of the page.
  await page.locator('.remember').waitFor();
  await page.waitForLoadState('networkidle');
}

export async function openPreferences({ page, baseURL }: Stage, member: CastMember = cast.leapDay) {
  await signIn(page, member, baseURL, '/voter/preferences');
  await page.locator('#contact-preferences').waitFor();
}

export const alert = (page: Page) => page.locator('.alert').first().waitFor();

/** An office of the state's own, in all languages, and its voter signed in. */
export async function signInAtOffice({ page, baseURL }: Stage): Promise<Office> {
  const office = await openOffice(baseURL, { languages: languageNames });
  await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
  return office;
}
