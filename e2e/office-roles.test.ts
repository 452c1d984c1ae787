import {
  type Permission,
  permissionsOf,
  type Role,
  roleNames,
} from '@ballot-beacon/contract/office/roles';
import type { Page } from '@playwright/test';
import { findBadLayout } from './access/layout.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { join } from './people.ts';

/** Each screen of the console by its name in the menu, and what opens it. */
const screens: readonly {
  readonly name: string;
  readonly path: string;
  readonly needs: readonly Permission[];
}[] = [
  { name: 'Today', path: '', needs: ['counts'] },
  { name: 'Files', path: 'files', needs: ['files'] },
  { name: 'Envelopes to fix', path: 'fixes', needs: ['counts'] },
  { name: 'Find a voter', path: 'voters', needs: ['voters'] },
  { name: 'Messages', path: 'messages', needs: ['voters'] },
  { name: 'Reports', path: 'reports', needs: ['counts'] },
  { name: 'Words and pages', path: 'texts', needs: ['words'] },
  { name: 'Look and notice', path: 'look', needs: ['words'] },
  { name: 'QR codes', path: 'codes', needs: ['codes', 'confidential'] },
  { name: 'People', path: 'people', needs: ['people'] },
  { name: 'Elections', path: 'elections', needs: ['settings'] },
  { name: 'Switches', path: 'flags', needs: ['settings'] },
  { name: 'Settings', path: 'settings', needs: ['settings'] },
  { name: 'Misuse', path: 'misuse', needs: ['settings'] },
  { name: 'Log', path: 'log', needs: ['log'] },
];

let office: Office;
test.beforeEach(async ({ baseURL }) => {
  office = await openOffice(baseURL);
});
test.afterEach(() => office.close());

for (const role of roleNames) {
  test(`every screen opens for a ${role} who may see it, whole and with a line of help, and no other does`, async ({
    page,
    expectConsole,
  }) => {
    expectConsole(/401/); // nobody is signed in yet
    await join(page, office, 'Robin Vale', role);
    const may = (needs: readonly Permission[]) => permits(role, needs);
    const menu = page.getByRole('navigation').getByRole('link');
    await expect(menu).toHaveText(screens.filter(({ needs }) => may(needs)).map((one) => one.name));
    for (const { name, path, needs } of screens) await visit(page, name, path, may(needs));
    await expectNoBarriers(page);
  });
}

function permits(role: Role, needs: readonly Permission[]): boolean {
  const given = permissionsOf([role]);
  return needs.some((one) => given.includes(one));
}

async function visit(page: Page, name: string, path: string, isAllowed: boolean): Promise<void> {
  // As by a link, so that the page stays.
  await page.evaluate((to) => history.pushState(null, '', to), `/office/${path}`);
  const title = page.getByRole('heading', { level: 1 });
  await test.step(name, async () => {
    if (!isAllowed) {
      await expect(title).toHaveText('Your roles do not allow this');
      return;
    }
    await expect(page).toHaveTitle(new RegExp(`^${name} · `));
    await expect(page.locator('.loading')).toHaveCount(0);
    await expect(title).toBeVisible();
    await expect(title).not.toHaveText('Your roles do not allow this');
    await expect(page.locator('main .help').first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(await page.evaluate(findBadLayout)).toEqual([]);
  });
}
