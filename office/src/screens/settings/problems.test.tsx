import type { SettingField } from '@ballot-beacon/contract/office/settings';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { Problems } from './problems.tsx';

const field = (at: string): SettingField => ({
  ...{ at, control: 'text', fallback: null, options: [], columns: [], is_optional: false },
  value: '',
});

test('each problem leads to the group of its setting, and one of the whole file leads nowhere', async () => {
  const { links, words } = await showScreen(
    <Problems
      fields={[field('name'), field('short_code'), field('feeds')]}
      problems={[
        { at: 'short_code', message: 'must have five or six digits' },
        { at: 'name', message: 'must not be empty' },
        { at: '', message: 'is too long' },
      ]}
    />,
  );
  expect(Object.values(links)).toEqual(['/office/settings/messages', '/office/settings/office']);
  expect(Object.keys(links)[0]).toContain('must have five or six digits');
  expect(words).toContain('is too long');
});
