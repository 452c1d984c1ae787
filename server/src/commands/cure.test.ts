import { afterAll, describe, expect, test } from 'vitest';
import { createBeacon } from '../../../testing/beacon.ts';

const beacon = createBeacon('');
afterAll(() => beacon.remove());

const deadline = (...parameters: string[]) => beacon.run('cure', 'deadline', ...parameters);

describe('beacon cure deadline', () => {
  test('prints the deadline, the rule and its source as one JSON document', async () => {
    const printed = await deadline(
      ...['--state', 'CO', '--election', '2020-11-03', '--defect', 'signature', '--json'],
    );
    expect(printed.code).toBe(0);
    expect(JSON.parse(printed.stdout)).toMatchObject({
      deadline: '2020-11-12T23:59:00-07:00',
      rule: { roll: 'next-business', officeMayChange: false },
      source: expect.stringContaining('1-7.5-107.3'),
    });
  });

  test('asks for the day that is missing instead of guessing it', async () => {
    const about = ['--state', 'WA', '--election', '2026-11-03', '--defect', 'signature'];
    expect((await deadline(...about)).stdout).toContain('Add --certification DATE.');
    const { stdout } = await deadline(...about, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ deadline: null, missing: ['certification'] });
    const given = await deadline(...about, '--certification', '2026-11-24');
    expect(given.stdout).toContain('11/23/2026 4:30 PM, local time');
  });

  test('takes each kind of election, and the clock of a county', async () => {
    const about = ['--state', 'FL', '--election', '2026-11-03', '--defect', 'signature', '--json'];
    for (const kind of ['primary', 'special', 'runoff', 'municipal'])
      expect(JSON.parse((await deadline(...about, '--kind', kind)).stdout).deadline).toBe(
        '2026-11-05T17:00:00-05:00',
      );
    const western = await deadline(...about, '--zone', 'America/Chicago');
    expect(JSON.parse(western.stdout).deadline).toBe('2026-11-05T17:00:00-06:00');
  });

  test('reads dates as American clerks write them', async () => {
    const american = ['--state', 'CO', '--defect', 'signature', '--election', '11/3/2020'];
    const { stdout } = await deadline(...american, '--closed', 'fri,11/11/2020');
    expect(stdout).toBe(
      (
        await deadline(
          ...['--state', 'CO', '--defect', 'signature', '--election', '2020-11-03'],
          ...['--closed', 'fri,2020-11-11'],
        )
      ).stdout,
    );
  });

  test('says so where the law leaves it to each county, and where no rule is known', async () => {
    const about = ['--election', '2026-11-03', '--defect', 'signature'];
    expect((await deadline('--state', 'PA', ...about)).stdout).toContain('each county');
    const unknown = await deadline('--state', 'vt', ...about, '--json');
    expect(JSON.parse(unknown.stdout)).toEqual({ deadline: null, rule: null, source: null });
    expect((await deadline('--state', 'vt', ...about)).stdout).toContain(
      'Ask your election office today',
    );
  });

  test.each([
    ['signature', 'signature-differs'],
    ['witness', 'witness-or-envelope-incomplete'],
    ['id', 'id-missing'],
    ['signature-missing', 'signature-missing'],
  ])('takes %s for %s', async (given, defect) => {
    const about = ['--state', 'vt', '--election', '2026-11-03', '--defect', given];
    expect((await deadline(...about)).stdout).toContain(`No rule is known for ${defect} in VT.`);
  });

  test.each([
    ['--state', 'Colorado'],
    ['--state', 'ZZ'],
    ['--election', '0202-11-03'],
    ['--election', '9999-12-31'],
    ['--zone', 'Mountain'],
    ['--zone', 'America/Chicago'],
    ['--certification', '2020-10-20'],
    ['--certification', '2021-11-23'],
    ['--canvass', '2020-11-02'],
    ['--notice', '2019-11-05'],
    ['--received', '2020-01-03'],
    ['--discovered', '2021-11-03'],
    ['--election', '2020-02-30'],
    ['--election', '11/03/20'],
    ['--defect', 'ink'],
    ['--kind', 'school'],
    ['--closed', 'fri,someday'],
    ['--closed', 'mon,tue,wed,thu,fri'],
    ['--notice', 'yesterday'],
  ])('refuses %s %s as a wrong call', async (option, value) => {
    const valid = ['--state', 'CO', '--election', '2020-11-03', '--defect', 'signature'];
    const printed = await deadline(...valid, option, value);
    expect(printed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(option) });
  });
});
